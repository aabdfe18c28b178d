"""Standings that lie in an event's folder are what its results come to, or are said not to be."""

import gzip
import os
import shutil
from pathlib import Path

import pytest

from arena.tournament.folder import EventFolder
from arena.tournament.verify_event import verify_event
from tests.tournament.played_event import play_event

FIRST = "s1-r1-p1-o1-m1.a1.jsonl"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Play a small event once."""
    return play_event(tmp_path_factory.mktemp("event") / "played")


@pytest.fixture
def folder(played: Path, tmp_path: Path) -> EventFolder:
    """Give a copy of the event to tamper with."""
    return EventFolder(shutil.copytree(played, tmp_path / "copy"))


def cut(folder: EventFolder, lines: int) -> None:
    """Cut the last lines of the event's log, which needs no new chain."""
    whole = folder.event_log.read_bytes().splitlines(keepends=True)
    folder.event_log.write_bytes(b"".join(whole[:-lines]))


def edit(folder: EventFolder) -> None:
    """Say other standings."""
    was = folder.standings.read_bytes()
    folder.standings.write_bytes(was.replace(b'"matches_counted": 2', b'"matches_counted": 3'))
    assert folder.standings.read_bytes() != was


def test_standings_edited_are_found_where_the_events_end_was_cut(folder: EventFolder) -> None:
    cut(folder, 1)
    assert verify_event(folder).wrong == ()
    edit(folder)
    (finding,) = verify_event(folder).wrong
    assert "not the standings that the results come to" in str(finding)


def test_before_the_seeds_are_revealed_they_are_said_to_count_for_nothing(
    folder: EventFolder,
) -> None:
    cut(folder, 2)
    assert not any("standings" in note for note in verify_event(folder).notes)
    edit(folder)
    verdict = verify_event(folder)
    assert verdict.wrong == ()
    assert any("count for nothing" in note for note in verdict.notes)


def test_an_event_that_is_played_needs_no_standings(folder: EventFolder) -> None:
    cut(folder, 1)
    folder.standings.unlink()
    assert verify_event(folder).wrong == ()


def test_a_plain_log_beside_a_compressed_one_holds_the_same(folder: EventFolder) -> None:
    plain = folder.logs / FIRST
    raw = plain.read_bytes()
    plain.with_name(f"{FIRST}.gz").write_bytes(gzip.compress(raw))
    assert verify_event(folder).wrong == ()
    plain.write_bytes(raw.replace(b'"think_us":', b'"think_us":1', 1))
    (finding,) = verify_event(folder).wrong
    assert f"{FIRST}, seq 1: expected the log that {FIRST}.gz holds" in str(finding)


def test_a_pipe_in_the_place_of_a_log_is_no_log(folder: EventFolder) -> None:
    (folder.logs / FIRST).unlink()
    os.mkfifo(folder.logs / FIRST)
    assert any("not a regular file" in str(finding) for finding in verify_event(folder).wrong)


def test_nor_is_one_in_the_place_of_the_standings(folder: EventFolder) -> None:
    folder.standings.unlink()
    os.mkfifo(folder.standings)
    (finding,) = verify_event(folder).wrong
    assert "found no regular file" in str(finding)
