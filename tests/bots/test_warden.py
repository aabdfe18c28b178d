"""A warden keeps the two ends of an output and lets no flood cost much."""

import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import IO, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.bots import warden
from arena.bots.warden import Output
from arena.bots.warden_limits import children


def kept(path: Path, pieces: list[bytes], keep: int) -> bytes:
    with path.open("w+b") as file:
        output = Output(file.fileno(), keep)
        for now, piece in enumerate(pieces):
            output.take(piece)
            output.write(float(now))
        output.write(float("inf"))
        return path.read_bytes()


@given(st.lists(st.binary(min_size=1, max_size=30), max_size=20), st.integers(1, 40))
def test_the_first_and_last_bytes_are_kept_and_the_rest_is_counted(
    tmp_path_factory: pytest.TempPathFactory, pieces: list[bytes], keep: int
) -> None:
    text = b"".join(pieces)
    path = tmp_path_factory.getbasetemp() / "output"
    file = kept(path, pieces, keep)
    left_out = len(text) - 2 * keep
    if left_out <= 0:
        assert file == text
    else:
        marker = b"\n[... %d bytes left out ...]\n" % left_out
        assert file == text[:keep] + marker + text[-keep:]


def test_the_file_is_written_four_times_a_second_at_most(tmp_path: Path) -> None:
    with (tmp_path / "output").open("w+b") as file:
        output = Output(file.fileno(), 100)
        assert output.due == float("inf")
        output.take(b"a")
        output.write(10.0)
        output.take(b"b")
        output.write(10.1)
        assert (tmp_path / "output").read_bytes() == b"a"
        assert output.due == 10.0 + warden.PAUSE_S
        output.write(output.due)
        assert (tmp_path / "output").read_bytes() == b"ab"
        assert output.due == float("inf")


def test_a_full_disk_harms_nobody() -> None:
    with open("/dev/full", "wb", buffering=0) as file:  # noqa: PTH123  # a device
        output = Output(file.fileno(), 10)
        output.take(b"text")
        output.write(0.0)
        assert output.total == 4


@pytest.mark.parametrize("hidden", ["nothing", "children"])
def test_children_are_found_with_and_without_the_kernels_list(
    monkeypatch: pytest.MonkeyPatch, hidden: str
) -> None:
    def look(path: str, mode: str = "r") -> IO[Any]:
        if path.endswith(hidden):
            raise FileNotFoundError
        return Path(path).open(mode)

    monkeypatch.setattr(warden, "open", look, raising=False)
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        assert child.pid in children()
        child.communicate(b"\n")
    assert child.pid not in children()


def run_warden(folder: Path, command: list[str], eager: int) -> tuple[bytes, float]:
    """Run the real script with another bound; return its report and how long it took."""
    ours, theirs = socket.socketpair()
    program = (
        f"import sys; sys.path.insert(0, {str(Path(warden.__file__).parent)!r})\n"
        f"import warden; warden.EAGER_BYTES = {eager}; warden.PAUSE_S = 0.05; warden.main()"
    )
    with ours, theirs, (folder / "output").open("wb") as file:
        fds = (theirs.fileno(), file.fileno())
        numbers = [str(number) for number in (*fds, 65536, 1, -1)]
        began = time.perf_counter()
        argv = [sys.executable, "-I", "-S", "-c", program, *numbers, "--", *command]
        with subprocess.Popen(argv, pass_fds=fds, start_new_session=True):
            theirs.close()
            report = ours.recv(100)
        return report, time.perf_counter() - began


def test_a_flood_beyond_the_bound_is_slowed_and_counted(tmp_path: Path) -> None:
    writer = [sys.executable, "-c", "import os\nfor _ in range(16): os.write(2, b'x' * 65536)"]
    report, elapsed = run_warden(tmp_path, writer, eager=65536)
    assert report.startswith(b"exited 0 ")
    # 1 MiB at 64 KiB every 50 ms; the pipe itself holds some of it.
    assert elapsed > 0.4
    assert b"\n[... 917504 bytes left out ...]\n" in (tmp_path / "output").read_bytes()
