"""A match that is named by its id stands for the attempt that counts."""

from pathlib import Path

from arena.tournament.folder import EventFolder
from tests.cli.conftest import RunArena
from tests.record.test_tampering import place_of
from tests.tournament.played_event import play_event
from tests.tournament.test_verify_event import Lines, edit_event_log

MATCH = "s1-r1-p1-o0-m1"


def played_again(lines: Lines) -> Lines:
    """Let the first attempt have counted until the organiser had the match played again."""
    place = place_of(lines, "match_voided")
    ruling = {"act": "replay", "on": MATCH, "by": "me", "reason": "x", "attempt": 1}
    return [
        *lines[:place],
        {**lines[place], "event": "match_counted"},
        {"time": "2026-01-01T00:00:00.000Z", "event": "ruling", **ruling},
        *lines[place + 1 :],
    ]


def test_a_match_that_was_played_again_is_its_later_attempt(arena: RunArena, home: Path) -> None:
    event = play_event(home / "trial")
    edit_event_log(EventFolder(event), played_again)
    ended = arena("replay", event, MATCH)
    assert ended.status == 0
    assert ended.out.startswith(f"Match {MATCH}, attempt 2\n")
    assert "event.jsonl counts it with this digest" in ended.out
    first = arena("replay", event, f"{MATCH}.a1").out
    assert first.startswith(f"Match {MATCH}, attempt 1\n")
    assert "with this digest, until a ruling had the match played again" in first
