"""Compression never leaves a moment without a whole log."""

import gzip
import os
from pathlib import Path

import pytest

from arena.errors import HostFault
from arena.record.compress import LogDigest, finish_log
from tests.record.test_block_writer import disk_of


def plain_log(folder: Path, content: bytes) -> LogDigest:
    path = folder / "m.a1.jsonl"
    path.write_bytes(content)
    return LogDigest(path=path, sha256="0" * 64, size=len(content))


def test_the_compressed_bytes_depend_on_the_lines_only(tmp_path: Path) -> None:
    packed: list[bytes] = []
    for name in ("a", "b"):
        folder = tmp_path / name
        folder.mkdir()
        digest = plain_log(folder, b"line\n" * 1000)
        os.utime(digest.path, (0, len(packed)))
        packed.append(finish_log(digest).path.read_bytes())
    assert packed[0] == packed[1]
    assert gzip.decompress(packed[0]) == b"line\n" * 1000


def test_a_full_disk_leaves_the_plain_log_and_nothing_else(tmp_path: Path) -> None:
    content = os.urandom(5000)
    digest = plain_log(tmp_path, content)
    with disk_of(1000), pytest.raises(HostFault, match=r"m\.a1\.jsonl\.gz"):
        finish_log(digest)
    assert [path.name for path in tmp_path.iterdir()] == ["m.a1.jsonl"]
    assert digest.path.read_bytes() == content


def test_a_left_over_part_of_an_earlier_try_is_replaced(tmp_path: Path) -> None:
    digest = plain_log(tmp_path, b"line\n")
    (tmp_path / "m.a1.jsonl.gz.part").write_bytes(b"half")
    finish_log(digest)
    assert [path.name for path in tmp_path.iterdir()] == ["m.a1.jsonl.gz"]


def test_a_log_that_is_not_there_is_named(tmp_path: Path) -> None:
    digest = plain_log(tmp_path, b"")
    digest.path.unlink()
    with pytest.raises(HostFault, match=r"m\.a1\.jsonl.*No such file"):
        finish_log(digest)
