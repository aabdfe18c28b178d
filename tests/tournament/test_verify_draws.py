"""Draws and suspensions that do not follow from the results before them are found."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from arena.record.event_log import EventLine
from arena.record.match_row import MatchRow
from arena.tournament.event_file import EventFile
from arena.tournament.rulings import Act, Ruling
from arena.tournament.suspension import Suspensions
from arena.tournament.verify_draws import draws_wrong
from tests.tournament.results import chance, event_of, forfeited
from tests.tournament.test_drawing import NAMES, cup, play
from tests.tournament.test_suspension import crashes_of

LOG = Path("event.jsonl")
Lines = list[EventLine]


def line(kind: str, **fields: object) -> EventLine:
    return EventLine(seq=0, time="", kind=kind, fields=fields, chain="")


def numbered(lines: Sequence[EventLine]) -> Lines:
    return [replace(one, seq=seq) for seq, one in enumerate(lines, start=1)]


def counted(row: MatchRow) -> EventLine:
    return line(
        "match_counted",
        match=row.match_id,
        attempt=row.attempt,
        digest=row.digest,
        termination=row.termination.value,
        totals=list(row.totals),
    )


def log_of(event: EventFile, rows: Sequence[MatchRow]) -> Lines:
    """Write what a run writes that plays these matches in this order."""
    known, lines = Suspensions(event), Lines()
    fields, rounds = set[int](), set[tuple[int, int]]()
    for row in (None, *rows):
        if row is not None:
            lines.append(counted(row))
            known.add(row)
        lines += (
            line("entrant_suspended", entrant=it.entrant, stage=it.stage, round=it.round)
            for it in known.settle()
        )
        drawn = known.drawn
        for stage in sorted(drawn.fields.keys() - fields):
            lines.append(line("stage_seeded", stage=stage, entrants=list(drawn.fields[stage])))
        for place in sorted(drawn.rounds.keys() - rounds):
            pairs = [{"entrants": list(pair)} for pair in drawn.rounds[place]]
            lines.append(line("round_drawn", stage=place[0], round=place[1], pairings=pairs))
        fields, rounds = set(drawn.fields), set(drawn.rounds)
    return numbered(lines)


EVENT = cup(*NAMES[:5])
ROWS = play(EVENT, chance(3))
LINES = log_of(EVENT, ROWS)


def at(kind: str, nth: int) -> int:
    return [place for place, one in enumerate(LINES) if one.kind == kind][nth]


def edited(kind: str, nth: int, **fields: object) -> Lines:
    place = at(kind, nth)
    changed = replace(LINES[place], fields={**LINES[place].fields, **fields})
    return [*LINES[:place], changed, *LINES[place + 1 :]]


def turned(kind: str, nth: int, what: str) -> Lines:
    """Give a list of a draw in another order."""
    found = LINES[at(kind, nth)].fields[what]
    assert isinstance(found, list)
    return edited(kind, nth, **{what: found[::-1]})


def drawn_too_early() -> Lines:
    place = at("round_drawn", 1)
    return [*LINES[: place - 1], LINES[place], LINES[place - 1], *LINES[place + 1 :]]


def suspended_for_nothing() -> Lines:
    return [*LINES[:9], line("entrant_suspended", entrant="b", stage=1, round=1), *LINES[9:]]


def test_a_log_as_a_run_writes_it_is_good() -> None:
    assert {one.kind for one in LINES} == {"match_counted", "round_drawn", "stage_seeded"}
    assert list(draws_wrong(EVENT, LINES, ROWS, LOG)) == []


TAMPERINGS: dict[str, tuple[Callable[[], Lines], str]] = {
    "a drawn round's pairings in another order": (
        lambda: turned("round_drawn", 1, "pairings"),
        "pairings of round 2 of stage 1",
    ),
    "a first round drawn otherwise": (
        lambda: turned("round_drawn", 0, "pairings"),
        "pairings of round 1 of stage 1",
    ),
    "a stage seeded otherwise": (
        lambda: turned("stage_seeded", 0, "entrants"),
        "entrants of stage 2",
    ),
    "a round drawn before the one before was over": (drawn_too_early, "no pairings of round 2"),
    "a suspension for nothing": (suspended_for_nothing, "nobody suspended by the results"),
}


@pytest.mark.parametrize("name", TAMPERINGS)
def test_draws_that_do_not_follow_are_found(name: str) -> None:
    tamper, word = TAMPERINGS[name]
    (found,) = draws_wrong(EVENT, tamper(), ROWS, LOG)
    assert word in found.expected


def test_a_suspension_that_follows_is_good() -> None:
    event = event_of("a", "b", "c", "d", boards=4, boards_per_match=2)
    rows = [row for row in crashes_of(event, "b", [1]) if row.round == 1]
    lines = log_of(event, rows)
    assert [one.fields["entrant"] for one in lines if one.kind == "entrant_suspended"] == ["b"]
    assert list(draws_wrong(event, lines, rows, LOG)) == []


def test_a_draw_stands_whatever_is_ruled_later() -> None:
    last = at("round_drawn", 1)
    first = next(row for row in ROWS if row.winner is not None)
    for act in (Act.VOID, Act.REPLAY):
        ruling = Ruling(act=act, on=first.match_id, by="me", reason="x", attempt=1)
        lines = numbered([*LINES[: last + 1], line("ruling", **ruling.to_fields())])
        # What a replay sets aside does not count any more in the results either.
        rows = [replace(row, counted=row != first or act is Act.VOID) for row in ROWS]
        assert list(draws_wrong(EVENT, lines, rows, LOG)) == []


def test_a_ruling_before_a_draw_is_part_of_what_it_follows_from() -> None:
    last = at("round_drawn", 1)
    beaten = forfeited(ROWS[0], 0, 0)
    lines = LINES[: last + 1]
    assert list(draws_wrong(EVENT, lines, ROWS, LOG)) == []
    changed = [beaten if row == ROWS[0] else row for row in ROWS]
    ruling = line("ruling", **Ruling(act=Act.DISQUALIFY, on="a", by="me", reason="x").to_fields())
    found = list(draws_wrong(EVENT, [*lines[:-1], ruling, lines[-1]], changed, LOG))
    assert [one.seq for one in found] == [lines[-1].seq]
