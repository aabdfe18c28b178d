"""A log that is still written is read line by line, and waiting for it has an end."""

from pathlib import Path

import pytest

from arena.errors import ConfigError, HostFault, LogCorrupt
from arena.record.compress import LogDigest, finish_log
from arena.record.following import follow_log
from arena.record.header import SCHEMA
from arena.record.read import read_log
from arena.record.text import replay_lines, told_lines
from arena.record.watching import FolderWatch
from tests.record.make_golden import GOLDENS

LOG = GOLDENS / "pagat-2.completed.jsonl"
CONTENT = LOG.read_bytes()


class Writer:
    """Writes the next bytes of a log whenever somebody waits for more of it."""

    def __init__(self, path: Path, size: int) -> None:
        self.path, self.size, self.written = path, size, 0
        self.waits: list[float] = []
        self.write()

    def write(self) -> None:
        """Write the next bytes."""
        with self.path.open("ab") as file:
            file.write(CONTENT[self.written : self.written + self.size])
        self.written += self.size

    def wait(self, seconds: float) -> bool:
        """Write on, and say whether anything was left to write."""
        self.waits.append(seconds)
        if self.written >= len(CONTENT):
            return False
        self.write()
        return True


@pytest.mark.parametrize("size", [997, 20_000])
def test_lines_come_whole_and_as_they_stand_in_the_finished_log(tmp_path: Path, size: int) -> None:
    writer = Writer(tmp_path / "log.jsonl", size)
    followed = follow_log(writer.path, writer.wait, 60)
    record = read_log(LOG)
    assert followed.header == record.header
    assert tuple(followed.lines) == record.lines
    assert 0 < max(writer.waits) <= 60


def test_each_trick_is_told_once_it_is_won_and_all_as_the_replay_tells_it(tmp_path: Path) -> None:
    writer = Writer(tmp_path / "log.jsonl", 2_000)
    followed = follow_log(writer.path, writer.wait, 60)
    told, written_then = [], []
    for line in told_lines(followed.header, followed.lines, 0):
        told.append(line)
        written_then.append(writer.written)
    assert told == list(replay_lines(read_log(LOG), 0))
    assert len(set(written_then)) > 5


def test_a_log_that_is_finished_and_taken_away_meanwhile_is_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(CONTENT)
    followed = follow_log(path, lambda _: False, 60)
    first = next(followed.lines)
    finish_log(LogDigest(path=path, sha256="", size=len(CONTENT)))
    assert not path.exists()
    assert (first, *followed.lines) == read_log(LOG).lines
    assert tuple(follow_log(path, lambda _: False, 60).lines) == read_log(LOG).lines


def test_a_log_that_does_not_go_on_is_given_up(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(CONTENT[:-300])
    followed = follow_log(path, lambda _: False, 60)
    with pytest.raises(LogCorrupt, match="nothing more was written for 60 s"):
        list(followed.lines)


def test_changes_of_other_files_do_not_lengthen_the_wait(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(CONTENT[:-300])
    followed = follow_log(path, lambda _: True, 0)
    with pytest.raises(LogCorrupt, match="broken off"):
        list(followed.lines)


def test_what_is_no_log_is_told(tmp_path: Path) -> None:
    with pytest.raises(HostFault, match="there is none"):
        follow_log(tmp_path / "log.jsonl", lambda _: False, 60)
    (tmp_path / "log.jsonl").write_bytes(b'{"seq":1}\n')
    with pytest.raises(LogCorrupt, match="log_opened"):
        follow_log(tmp_path / "log.jsonl", lambda _: False, 60)
    (tmp_path / "log.jsonl").write_bytes(
        CONTENT.replace(b'"schema":%d' % SCHEMA, b'"schema":99', 1)
    )
    with pytest.raises(ConfigError, match="99"):
        follow_log(tmp_path / "log.jsonl", lambda _: False, 60)


def test_a_watch_tells_of_each_change_once(tmp_path: Path) -> None:
    with FolderWatch(tmp_path) as watch:
        assert not watch.wait(0)
        with (tmp_path / "new").open("wb") as file:
            assert watch.wait(60)
            file.write(b"x")
            file.flush()
            assert watch.wait(60)
        assert watch.wait(60)
        assert not watch.wait(0)
    with pytest.raises(HostFault, match="cannot be watched"):
        FolderWatch(tmp_path / "nowhere")
