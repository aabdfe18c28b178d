"""An event that was killed, or copied while it was played, is good as far as it goes.

The last match is cut at bytes of its log's last 2 KiB; the event's log at those of its last line.
"""

import shutil
from pathlib import Path

import pytest

from arena.tournament.folder import EventFolder
from arena.tournament.verify_event import rebuild_results, verify_event
from tests.record.verify.test_cut import LAST_BYTES, STEP
from tests.tournament.played_event import play_event
from tests.tournament.test_verify_event import SECOND, killed_before_noting, sql


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> EventFolder:
    """Give an event that was killed in its last match: neither row nor line is there of it."""
    folder = EventFolder(play_event(tmp_path_factory.mktemp("event") / "killed"))
    killed_before_noting(folder)
    for table in ("matches", "boards", "faults"):
        sql(f"DELETE FROM {table} WHERE match_id = ?", SECOND[:-9])(folder)  # noqa: S608
    return folder


@pytest.fixture
def folder(killed: EventFolder, tmp_path: Path) -> EventFolder:
    """Give a copy to cut."""
    shutil.copytree(killed.path, tmp_path / "copy")
    return EventFolder(tmp_path / "copy")


def test_a_match_cut_anywhere_leaves_a_good_event_that_is_rebuilt(folder: EventFolder) -> None:
    path = folder.logs / SECOND
    content = path.read_bytes()
    for size in range(len(content) - LAST_BYTES, len(content) + 1, STEP):
        path.write_bytes(content[:size])
        verdict = verify_event(folder)
        assert verdict.wrong == ()
        assert (verdict.matches, verdict.logs) == (1, 3)
        (broken_off,) = (note for note in verdict.notes if "a kill broke it off" in note)
        assert SECOND in broken_off
    folder.results.write_bytes(b"rubbish")
    assert rebuild_results(folder) == 2
    assert verify_event(folder).wrong == ()


def test_an_events_log_cut_anywhere_in_its_last_line_is_good_and_rebuilt(
    folder: EventFolder,
) -> None:
    """The match that this line counts is held against its own log instead."""
    content = folder.event_log.read_bytes()
    start = content[:-1].rfind(b"\n") + 1
    for size in range(start, len(content), STEP):
        folder.event_log.write_bytes(content[:size])
        verdict = verify_event(folder)
        assert verdict.wrong == ()
        assert verdict.matches == 0
    assert rebuild_results(folder) == 1
    assert verify_event(folder).wrong == ()
