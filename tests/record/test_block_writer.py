"""What a log file holds is whole, also when the disk is full."""

import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.errors import HostFault
from arena.record.block_writer import BLOCK_BYTES, BlockWriter


@contextmanager
def disk_of(size: int) -> Iterator[None]:
    """Let no file of this process grow beyond a size: a write is first short, then refused."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_nothing_is_written_before_a_flush_and_all_with_one_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[int] = []
    write = os.write

    def counted(fd: int, data: bytes) -> int:
        calls.append(len(data))
        return write(fd, data)

    monkeypatch.setattr(os, "write", counted)
    file = BlockWriter(tmp_path / "log")
    file.append(b"one\n")
    file.append(b"two\n")
    assert calls == []
    assert file.flush() == b"one\ntwo\n"
    assert file.flush() == b""
    assert calls == [8]
    assert file.size == 8
    file.close()
    file.close()
    assert (tmp_path / "log").read_bytes() == b"one\ntwo\n"


def test_a_short_write_is_completed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda fd, data: write(fd, data[:3]))
    file = BlockWriter(tmp_path / "log")
    file.append(b"a longer line\n")
    file.flush()
    file.close()
    assert (tmp_path / "log").read_bytes() == b"a longer line\n"


def test_a_log_is_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(b"earlier\n")
    with pytest.raises(HostFault, match="exists already"):
        BlockWriter(tmp_path / "log")
    assert (tmp_path / "log").read_bytes() == b"earlier\n"


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(HostFault, match="nowhere/log: No such file"):
        BlockWriter(tmp_path / "nowhere" / "log")


def test_a_full_disk_leaves_whole_blocks_and_every_later_call_says_so(tmp_path: Path) -> None:
    path = tmp_path / "log"
    file = BlockWriter(path)
    file.append(b"x" * 99 + b"\n")
    file.flush()
    file.append(b"y" * 99 + b"\n")
    with disk_of(150), pytest.raises(HostFault, match="last whole line") as caught:
        file.flush()
    assert str(path) in str(caught.value)
    assert path.read_bytes() == b"x" * 99 + b"\n"
    with pytest.raises(HostFault, match="last whole line"):
        file.append(b"z\n")
    with pytest.raises(HostFault, match="last whole line"):
        file.flush()
    file.close()
    assert path.read_bytes() == b"x" * 99 + b"\n"


def test_a_file_that_cannot_even_be_cut_back_says_both(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = BlockWriter(tmp_path / "log")
    file.append(b"line\n")

    def fail(_fd: int, _data: object) -> int:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "write", fail)
    monkeypatch.setattr(os, "ftruncate", fail)
    with pytest.raises(HostFault) as caught:
        file.flush()
    assert caught.value.__notes__ == ["nor could the file be cut back: Input/output error"]
    file.close()


def test_a_closed_file_takes_nothing(tmp_path: Path) -> None:
    file = BlockWriter(tmp_path / "log")
    file.close()
    with pytest.raises(HostFault, match="is closed"):
        file.append(b"late\n")


def test_it_says_when_a_block_is_full(tmp_path: Path) -> None:
    file = BlockWriter(tmp_path / "log")
    seen: list[bool] = []
    for act in (
        lambda: file.append(b"x" * (BLOCK_BYTES - 1)),
        lambda: file.append(b"\n"),
        file.flush,
    ):
        act()
        seen.append(file.is_full)
    assert seen == [False, True, False]
    file.close()
