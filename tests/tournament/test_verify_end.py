"""What lies beside an event's log and is newer than its end proves that lines were cut off."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.errors import ConfigError
from arena.tournament.folder import EventFolder
from arena.tournament.ruling_act import mend, rule
from arena.tournament.rulings import Act, Ruling
from arena.tournament.verify_end import LogEnd
from arena.tournament.verify_event import rebuild_results, verify_event
from tests.tournament.played_event import play_event
from tests.tournament.test_verify_event import sql


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Play a small event once."""
    return play_event(tmp_path_factory.mktemp("event") / "played")


@pytest.fixture
def folder(played: Path, tmp_path: Path) -> EventFolder:
    """Give a copy of the event to cut."""
    return EventFolder(shutil.copytree(played, tmp_path / "copy"))


def kinds(folder: EventFolder) -> list[str]:
    return [json.loads(line)["event"] for line in folder.event_log.read_bytes().splitlines()]


def cut_to(folder: EventFolder, lines: int) -> None:
    """Keep the first lines of the event's log; that needs no new chain."""
    whole = folder.event_log.read_bytes().splitlines(keepends=True)
    folder.event_log.write_bytes(b"".join(whole[:lines]))


def before(kind: str) -> Callable[[EventFolder], int]:
    """Count the lines before the last one of a kind."""
    return lambda folder: len(kinds(folder)) - 1 - kinds(folder)[::-1].index(kind)


def ruled(folder: EventFolder, act: Act, on: str = "") -> None:
    rule(folder, Ruling(act=act, on=on, by="me", reason="because"))


@pytest.mark.parametrize("kind", ["event_closed", "seed_revealed"])
def test_an_event_that_was_played_out_is_told_from_one_that_is_being_played(
    kind: str, folder: EventFolder
) -> None:
    """A kill in its last moment leaves the same, so it is good; ``arena run`` mends it."""
    cut_to(folder, before(kind)(folder))
    verdict = verify_event(folder)
    assert (verdict.wrong, verdict.end) == ((), LogEnd.CUT)
    assert any(
        "its last lines (seed_revealed, event_closed) are missing" in n for n in verdict.notes
    )


def test_final_standings_prove_that_matches_were_cut_off(folder: EventFolder) -> None:
    cut_to(folder, before("match_counted")(folder))
    verdict = verify_event(folder)
    (finding,) = verdict.wrong
    assert "its end is missing: it counts 1 match, and by standings.json" in str(finding)
    assert verdict.end is LogEnd.CUT


def test_so_they_do_where_the_results_were_cut_as_well(folder: EventFolder) -> None:
    cut_to(folder, before("match_counted")(folder))
    folder.results.unlink()
    rebuild_results(folder)
    assert any("its end is missing" in str(finding) for finding in verify_event(folder).wrong)


def test_without_them_more_than_one_unknown_row_does(folder: EventFolder) -> None:
    folder.standings.unlink()
    cut_to(folder, before("match_counted")(folder))
    assert verify_event(folder).end is LogEnd.OPEN  # a kill leaves one
    cut_to(folder, before("match_counted")(folder))
    verdict = verify_event(folder)
    assert (verdict.wrong, verdict.end) == ((), LogEnd.CUT)
    assert any("lacks 2 attempts that results.sqlite holds" in note for note in verdict.notes)


@pytest.mark.parametrize(
    ("act", "on", "what"),
    [
        (Act.PUBLISH, "", "publish"),
        (Act.VOID, "s1-r1-p1-o0-m1", "void s1-r1-p1-o0-m1"),
        (Act.DISQUALIFY, "random", "disqualify random"),
    ],
)
@pytest.mark.parametrize("is_open", [False, True])
def test_a_ruling_that_only_the_standings_know_was_cut_off(
    act: Act, on: str, what: str, *, is_open: bool, folder: EventFolder
) -> None:
    ruled(folder, act, on)
    assert (verify_event(folder).wrong, verify_event(folder).end) == ((), LogEnd.CLOSED)
    cut_to(folder, before("event_closed" if is_open else "ruling")(folder))
    found = [str(finding) for finding in verify_event(folder).wrong]
    assert any(f"its end is missing: standings.json knows the ruling '{what}'" in f for f in found)


def test_a_last_line_that_was_cut_is_told(folder: EventFolder) -> None:
    content = folder.event_log.read_bytes()
    folder.event_log.write_bytes(content[:-9])
    notes = verify_event(folder).notes
    assert any("its last line is cut after" in note for note in notes)


def test_standings_from_before_the_last_ruling_are_told_and_written_anew(
    folder: EventFolder,
) -> None:
    """So a kill between a ruling's line and its standings leaves them."""
    was = folder.standings.read_bytes()
    ruled(folder, Act.VOID, "s1-r1-p1-o0-m1")
    now = folder.standings.read_bytes()
    folder.standings.write_bytes(was)
    verdict = verify_event(folder)
    assert verdict.wrong == ()
    assert any("older than the last ruling" in note for note in verdict.notes)
    assert mend(folder)
    assert folder.standings.read_bytes() == now
    assert not mend(folder)
    assert not any("older" in note for note in verify_event(folder).notes)


def test_the_same_ruling_given_again_is_refused_and_mends_them_all_the_same(
    folder: EventFolder,
) -> None:
    was = folder.standings.read_bytes()
    ruled(folder, Act.DISQUALIFY, "random")
    now = folder.standings.read_bytes()
    folder.standings.write_bytes(was)
    with pytest.raises(ConfigError, match="is out of the event already"):
        ruled(folder, Act.DISQUALIFY, "random")
    assert folder.standings.read_bytes() == now


def test_other_standings_are_not_taken_for_older_ones(folder: EventFolder) -> None:
    ruled(folder, Act.VOID, "s1-r1-p1-o0-m1")
    was = folder.standings.read_bytes()
    folder.standings.write_bytes(was.replace(b'"rank": null', b'"rank": 2'))
    assert verify_event(folder).wrong
    assert not mend(folder)


def test_a_replay_that_a_kill_kept_out_of_the_results_is_told(folder: EventFolder) -> None:
    """The ruling's line is there, the results still count the match; going on mends it."""
    cut_to(folder, before("seed_revealed")(folder))
    ruled(folder, Act.REPLAY, "s1-r1-p1-o1-m1")
    assert not any("played again" in note for note in verify_event(folder).notes)
    sql("UPDATE matches SET counted = 1 WHERE match_id = ?", "s1-r1-p1-o1-m1")(folder)
    verdict = verify_event(folder)
    assert (verdict.wrong, verdict.end, verdict.matches) == ((), LogEnd.OPEN, 1)
    assert any("still counts what a ruling has played again" in note for note in verdict.notes)
