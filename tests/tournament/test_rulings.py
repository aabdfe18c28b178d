"""What rulings come to: standings follow, results stay."""

import random
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from arena.errors import LogCorrupt
from arena.record.event_log import EventLine
from arena.referee.faults import TerminationKind
from arena.tournament.accounts import noted_attempts
from arena.tournament.rulings import Act, Ruling, Rulings, fold, read_rulings
from arena.tournament.standing import RuledMatches
from arena.tournament.standings import standings
from arena.tournament.suspension import with_suspensions
from tests.tournament.results import all_rows, even, event_of, forfeited

EVENT = event_of("a", "b", "c")
ROWS = tuple(all_rows(EVENT, even))
PATH = Path("event.jsonl")


def ruling(act: Act, on: str = "", **more: object) -> Ruling:
    return Ruling(act=act, on=on, by="me", reason="because", **more)  # type: ignore[arg-type]


def line(number: int, kind: str, **fields: object) -> EventLine:
    return EventLine(seq=number, time="", kind=kind, fields=fields, chain="")


def test_rulings_read_back_from_the_log_as_they_were_written() -> None:
    given = (
        ruling(Act.VOID, "s1-r1-p1-o0-m1", attempt=1),
        ruling(Act.ADJUST, "s1-r1-p1-o0-m1", attempt=1, board=2, points=(3, 8)),
        ruling(Act.REINSTATE, "b", forgiven=("s1-r1-p1-o0-m1",)),
        ruling(Act.PUBLISH),
    )
    lines = [line(n, "ruling", **one.to_fields()) for n, one in enumerate(given, start=1)]
    assert read_rulings(lines, PATH) == given
    with pytest.raises(LogCorrupt, match=r"event\.jsonl, seq 1: ruling: expected act"):
        read_rulings([line(1, "ruling", act="hang", on="a", by="me", reason="x")], PATH)


def test_a_void_match_counts_for_nobody_and_is_not_played_again() -> None:
    rulings = fold([ruling(Act.VOID, ROWS[0].match_id, attempt=1)])
    table = standings(EVENT, ROWS, rulings)
    assert not table.is_unfinished
    assert sorted(entrant.matches for entrant in table.stages[0].entrants) == [7, 7, 8]
    assert rulings.applied(ROWS)[0].termination is TerminationKind.ANNULLED
    assert rulings.applied(ROWS)[1:] == ROWS[1:]


def test_a_replayed_match_is_open_until_its_next_attempt_counts() -> None:
    rulings = fold(
        [
            ruling(Act.VOID, ROWS[0].match_id, attempt=1),
            ruling(Act.REPLAY, ROWS[0].match_id, attempt=1),
        ]
    )
    assert standings(EVENT, ROWS, rulings).stages[0].matches_counted == len(ROWS) - 1
    second = replace(ROWS[0], attempt=2)
    table = standings(EVENT, (*rulings.set_aside_in(ROWS), second), rulings)
    assert table.stages[0].ruled == RuledMatches(replayed=(ROWS[0].match_id,))
    assert table.stages[0].entrants == standings(EVENT, ROWS).stages[0].entrants


def test_the_log_may_count_a_match_again_once_it_is_to_be_replayed() -> None:
    fields = {"match": "s1-r1-p1-o0-m1", "digest": "", "termination": "completed", "totals": [1, 2]}
    first = line(1, "match_counted", attempt=1, **fields)
    replay = line(2, "ruling", **ruling(Act.REPLAY, "s1-r1-p1-o0-m1", attempt=1).to_fields())
    second = line(3, "match_counted", attempt=2, **fields)
    noted = noted_attempts([first, replay, second], PATH)
    assert [note.counted for note in noted.values()] == [False, True]
    with pytest.raises(LogCorrupt, match="a match counts once"):
        noted_attempts([first, second], PATH)


def test_adjusted_points_change_the_board_and_the_winner() -> None:
    row = ROWS[0]
    rulings = fold([ruling(Act.ADJUST, row.match_id, board=row.first_board, points=(0, 11))])
    changed = rulings.applied([row])[0]
    assert changed.boards[0].points == (0, 11)
    assert (changed.totals, changed.winner) == ((7, 15), 1)
    crashed = forfeited(row, 0, 1)
    still = rulings.applied([crashed])[0]
    assert (still.termination, still.winner) == (TerminationKind.FORFEIT_CRASH, 1)


def test_a_disqualified_entrant_has_no_rank_and_nobody_has_met_it() -> None:
    rulings = fold([ruling(Act.DISQUALIFY, "b")])
    stage = standings(EVENT, ROWS, rulings).stages[0]
    last = stage.entrants[-1]
    assert (last.name, last.rank, last.is_disqualified, last.matches) == ("b", None, True, 0)
    assert {entrant.matches for entrant in stage.entrants[:-1]} == {4}
    assert not stage.is_unfinished
    back = fold([ruling(Act.DISQUALIFY, "b"), ruling(Act.REINSTATE, "b")])
    assert standings(EVENT, ROWS, back) == standings(EVENT, ROWS)


def test_a_reinstated_entrant_plays_what_it_was_to_forfeit() -> None:
    event = event_of("a", "b", "c", suspend_after=2)
    rows = [
        forfeited(row, row.entrants.index("b"), 0)
        for row in all_rows(event, even)
        if "b" in row.entrants
    ]
    one_round = [row for row in rows if row.round == rows[0].round]
    before = with_suspensions(event, one_round)
    forgiven = tuple(row.match_id for row in one_round)
    rulings = fold([ruling(Act.REINSTATE, "b", forgiven=forgiven)])
    after = with_suspensions(event, one_round, rulings)
    assert after.suspended == frozenset()
    assert after.rows == tuple(one_round)
    assert before.rows == after.rows or before.suspended == {"b"}


def test_published_standings_are_final_until_another_ruling() -> None:
    published = fold([ruling(Act.PUBLISH)])
    assert standings(EVENT, ROWS, published).is_published
    assert not standings(EVENT, ROWS).is_published
    assert not published.after(ruling(Act.VOID, ROWS[0].match_id, attempt=1)).is_published


def test_the_order_of_results_changes_nothing_under_rulings() -> None:
    rulings = fold([ruling(Act.DISQUALIFY, "a"), ruling(Act.VOID, ROWS[5].match_id, attempt=1)])
    shuffled = list(ROWS)
    random.Random(1).shuffle(shuffled)  # noqa: S311  # no secret
    assert standings(EVENT, shuffled, rulings) == standings(EVENT, ROWS, rulings)


def test_without_rulings_nothing_changes() -> None:
    assert Rulings().applied(ROWS) == ROWS
    line_of_a = standings(EVENT, ROWS).stages[0].entrants[0]
    assert line_of_a.points == Fraction(0)
