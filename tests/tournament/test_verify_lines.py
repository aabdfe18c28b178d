"""Every line of an event's log, and every head of its match logs, says what the event makes of it.

Each tampering is sealed, noted and chained anew, so that only what it says can give it away.
"""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.record.read import read_log
from arena.tournament.folder import EventFolder
from arena.tournament.verify_event import verify_event
from tests.record.test_tampering import changed, dropped, place_of
from tests.tournament.played_event import play_event
from tests.tournament.test_verify_event import (
    SECOND,
    Lines,
    edit_event_log,
    edit_log,
    noted_anew,
    sql,
)

TIME = "2026-01-01T00:00:00.000Z"


@pytest.fixture(scope="module")
def event(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Play a small event once."""
    return play_event(tmp_path_factory.mktemp("event") / "played")


def added(before: str, kind: str, **fields: object) -> Callable[[Lines], Lines]:
    """Put a line before the first of a kind."""

    def tamper(lines: Lines) -> Lines:
        place = place_of(lines, before)
        return [*lines[:place], {"seq": 0, "time": TIME, "event": kind, **fields}, *lines[place:]]

    return tamper


def moved_up(lines: Lines) -> Lines:
    """Reveal the seeds before the last match."""
    revealed = next(line for line in lines if line["event"] == "seed_revealed")
    rest = [line for line in lines if line is not revealed]
    place = max(n for n, line in enumerate(rest) if line["event"] == "match_counted")
    return [*rest[:place], revealed, *rest[place:]]


LINES: dict[str, tuple[Callable[[Lines], Lines], str]] = {
    "another name of the event": (changed("event_opened", name="cup"), "name 'trial'"),
    "a practice that was none": (changed("event_opened", practice=False), "practice True"),
    "a seed not called guessable": (
        changed("event_opened", guessable_seed=False),
        "guessable_seed True",
    ),
    "another event file published": (
        changed("event_opened", event_file="name = 'cup'"),
        "the text of the event file",
    ),
    "an event opened twice": (added("event_closed", "event_opened"), "event_opened once"),
    "an event closed twice": (added("event_closed", "event_closed"), "event_closed once"),
    "seeds revealed twice": (
        added("event_closed", "seed_revealed", seeds=["ab" * 32]),
        "seed_revealed once",
    ),
    "seeds revealed before the last match": (moved_up, "nothing to be played once the seeds"),
    "a frozen hash": (changed("entrant_frozen", hash="ab" * 32), "as event_opened has it"),
    "a stranger frozen": (changed("entrant_frozen", entrant="fox"), "an entrant of the event"),
    "an entrant not frozen": (dropped("entrant_frozen"), "entrant_frozen of 'greedy'"),
    "a round never started": (dropped("round_started"), "round_started of round 1 of stage 1"),
    "a round of no schedule": (changed("round_started", round=9), "a round of the schedule"),
    "a session of a stranger": (changed("session_closed", entrant="fox"), "an entrant of"),
    "a session in another's match": (
        changed("session_closed", matches=["s1-r9-p1-o0-m1"]),
        "matches in which 'greedy' sits",
    ),
    "a session that took less than nothing": (
        changed("session_closed", start_us=-1),
        "start_us from 0",
    ),
    "a stranger suspended": (
        added("event_closed", "entrant_suspended", entrant="fox"),
        "an entrant of the event",
    ),
    "a suspension for nothing": (
        added("event_closed", "entrant_suspended", entrant="greedy"),
        "nobody suspended by the results",
    ),
    "a time that is none": (changed("match_counted", time="noon"), "a time of day"),
}


@pytest.mark.parametrize("name", LINES)
def test_a_line_that_cannot_stand_in_this_log_is_found(
    name: str, event: Path, tmp_path: Path
) -> None:
    tamper, word = LINES[name]
    folder = EventFolder(Path(shutil.copytree(event, tmp_path / "copy")))
    edit_event_log(folder, tamper)
    found = [str(finding) for finding in verify_event(folder).wrong]
    assert any(word in finding and "event.jsonl, seq" in finding for finding in found), found


def head_says(what: str, **fields: object) -> Callable[[Lines], Lines]:
    """Change some of what stands in one table of the head."""

    def tamper(lines: Lines) -> Lines:
        table = lines[0][what]
        assert isinstance(table, dict)
        return [{**lines[0], what: {**table, **fields}}, *lines[1:]]

    return tamper


def head_of_bots(**fields: object) -> Callable[[Lines], Lines]:
    """Change what the head says of the first bot."""

    def tamper(lines: Lines) -> Lines:
        entrants = lines[0]["entrants"]
        assert isinstance(entrants, list)
        return [{**lines[0], "entrants": [{**entrants[0], **fields}, *entrants[1:]]}, *lines[1:]]

    return tamper


HEADS: dict[str, tuple[Callable[[Lines], Lines], str]] = {
    "another arena": (changed("log_opened", arena_version="9.9"), "arena_version 0.1.0"),
    "trust that was not given": (
        head_says("conditions", trust_memory=False),
        "trust_memory True",
    ),
    "another restart": (head_says("conditions", restart="never"), "restart pairing"),
    "more memory": (head_says("resources", memory_mib=1 << 20), "memory_mib"),
    "another bot's name": (head_of_bots(bot="fox"), "bot of 'random' random"),
    "another version": (head_of_bots(version="2.0"), "version of 'random' 1.0"),
    "options that a bot did not have": (head_of_bots(options={"depth": "9"}), "options of"),
    "another language": (head_of_bots(language="rust"), "language of"),
}


@pytest.mark.parametrize("name", HEADS)
def test_a_head_that_the_event_does_not_make_is_found(
    name: str, event: Path, tmp_path: Path
) -> None:
    tamper, word = HEADS[name]
    folder = EventFolder(Path(shutil.copytree(event, tmp_path / "copy")))
    edit_log(folder, SECOND, tamper)
    noted_anew(folder)
    digest = read_log(folder.logs / SECOND).sha256
    sql("UPDATE matches SET digest = ? WHERE match_id = ?", digest, SECOND[:-9])(folder)
    (found,) = verify_event(folder).wrong
    assert f"{SECOND}, seq 1: expected {word}" in str(found)
