"""The folder that sockets lie in: private, short, and never left behind."""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from arena.bots.work_folder import MOST_PATH_BYTES, is_work_folder, open_work_folder
from arena.errors import ConfigError

HOLDER = """
from arena.bots.work_folder import open_work_folder
with open_work_folder() as work:
    print(work, flush=True)
    input()
"""


@pytest.fixture
def tmpdir_is(monkeypatch: pytest.MonkeyPatch, short_folder: Path) -> Path:
    """Let temporary files lie in a folder of the test's own."""
    monkeypatch.setenv("TMPDIR", str(short_folder))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return short_folder


def hold() -> tuple[subprocess.Popen[str], Path]:
    """Start another process that holds a work folder."""
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    return holder, Path(holder.stdout.readline().strip())


def test_the_folder_is_private_and_goes_with_all_that_is_in_it(tmpdir_is: Path) -> None:
    with open_work_folder() as work:
        assert work.parent == tmpdir_is
        assert work.stat().st_mode & 0o777 == 0o700
        (work / "home").mkdir()
        (work / "home" / "file").write_text("left")
    assert list(tmpdir_is.iterdir()) == []


def test_what_a_killed_arena_left_goes_with_the_next_one(tmpdir_is: Path) -> None:
    holder, left = hold()
    holder.send_signal(signal.SIGKILL)
    holder.communicate()
    assert left.is_dir()
    with open_work_folder():
        assert not left.exists()


def test_the_folder_of_an_arena_that_lives_stays(tmpdir_is: Path) -> None:
    holder, theirs = hold()
    foreign = tmpdir_is / "arena-notes"
    foreign.mkdir()
    with open_work_folder() as ours:
        assert theirs.is_dir()
        assert ours != theirs
    holder.communicate("\n")
    assert not theirs.exists()
    assert foreign.is_dir()


def test_a_work_folder_is_told_from_others(tmpdir_is: Path) -> None:
    foreign = tmpdir_is / "arena-notes"
    foreign.mkdir()
    with open_work_folder() as work:
        assert is_work_folder(work)
        assert not any(map(is_work_folder, (foreign, work.parent, work / "lock")))


def test_a_tmpdir_with_a_path_too_long_for_sockets_is_not_used(
    monkeypatch: pytest.MonkeyPatch, tmpdir_is: Path
) -> None:
    deep = tmpdir_is / ("d" * MOST_PATH_BYTES)
    deep.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(deep))
    monkeypatch.setattr("arena.bots.work_folder._SHORTEST", tmpdir_is)
    with open_work_folder() as work:
        assert work.parent == tmpdir_is
        assert len(os.fsencode(work / "12345678tmp" / "s")) <= 107


def test_where_no_path_is_short_enough_tmpdir_is_named(
    monkeypatch: pytest.MonkeyPatch, tmpdir_is: Path
) -> None:
    deep = tmpdir_is / ("d" * MOST_PATH_BYTES)
    deep.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(deep))
    monkeypatch.setattr("arena.bots.work_folder._SHORTEST", deep)
    with pytest.raises(ConfigError, match=r"TMPDIR: .* at most 78 bytes"), open_work_folder():
        pass
