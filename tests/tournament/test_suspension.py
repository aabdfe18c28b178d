"""Who forfeits too often is suspended, whoever counts and when; and nobody gains by it."""

import random
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.record.match_row import BoardRow, FaultCount, MatchRow
from arena.referee.faults import FaultKind, TerminationKind
from arena.tournament.event_file import EventFile, ForfeitCredit, SuspendedMatches
from arena.tournament.forfeit_count import Suspension
from arena.tournament.standing import EntrantStanding
from arena.tournament.standings import standings
from arena.tournament.suspension import Suspensions, with_suspensions
from tests.tournament.results import all_rows, chance, even, event_of, forfeited

NAMES = ("a", "b", "c", "d")


def crashes_of(event: EventFile, name: str, rounds: Sequence[int]) -> list[MatchRow]:
    """Give all rows of an event in which an entrant crashes in every match of some rounds."""
    rows = []
    for row in all_rows(event, even):
        crashed = name in row.entrants and row.round in rounds
        rows.append(forfeited(row, row.entrants.index(name), 0) if crashed else row)
    return rows


def line_of(event: EventFile, rows: Sequence[MatchRow], name: str) -> EntrantStanding:
    return next(line for line in standings(event, rows).stages[0].entrants if line.name == name)


def test_the_third_forfeit_suspends_when_its_round_is_complete_and_not_before() -> None:
    event = event_of(*NAMES, boards=4, boards_per_match=2)
    rows = crashes_of(event, "b", [1])
    suspensions = Suspensions(event)
    first = [row for row in rows if row.round == 1]
    for row in first[:-1]:
        suspensions.add(row)
    assert suspensions.settle() == ()
    suspensions.add(first[-1])
    assert suspensions.settle() == (Suspension(entrant="b", stage=1, round=1, forfeits=4),)
    assert suspensions.suspended == {"b"}
    assert suspensions.settle() == ()


def test_fewer_forfeits_than_the_limit_suspend_nobody_and_none_may_be_the_limit() -> None:
    for limit in (13, 0):
        event = event_of(*NAMES, suspend_after=limit)
        rows = crashes_of(event, "b", [1, 2, 3])
        assert with_suspensions(event, rows).suspended == frozenset()
        assert with_suspensions(event, rows).rows == tuple(rows)


@settings(deadline=None)
@given(st.randoms(use_true_random=False), st.integers(0, 3))
def test_the_order_in_which_results_come_in_changes_nothing(
    shuffler: random.Random, ahead: int
) -> None:
    """Whatever tables played ahead of the round that suspends: the standings are the same."""
    event = event_of(*NAMES, "e", suspend_after=2)
    rows = crashes_of(event, "b", [1, 2])
    expected = standings(event, rows)
    unplayed = [row for row in rows if row.round > 2 and "b" in row.entrants]
    left_out = {row.match_id for row in unplayed[ahead:]}
    given_rows = [row for row in rows if row.match_id not in left_out]
    shuffler.shuffle(given_rows)
    assert standings(event, given_rows) == expected


def test_what_a_suspended_entrant_does_not_play_is_forfeited_and_counts_for_the_others() -> None:
    event = event_of(*NAMES, suspend_after=3)
    rows = [row for row in crashes_of(event, "b", [1]) if row.round == 1 or "b" not in row.entrants]
    table = standings(event, rows)
    assert not table.is_unfinished, "nothing is left to be played"
    line = line_of(event, rows, "b")
    assert line.is_suspended
    assert (line.points, line.boards_forfeited, line.forfeits) == (Fraction(-11), 24, 12)
    assert line.interval is None
    assert sum(other.boards_credited for other in table.stages[0].entrants) == 24


def test_matches_of_a_suspended_entrant_can_be_annulled_and_then_it_has_no_rank() -> None:
    event = event_of(*NAMES, suspended=SuspendedMatches.ANNUL)
    table = standings(event, crashes_of(event, "b", [1])).stages[0]
    assert [line.rank for line in table.entrants][-1] is None
    assert table.entrants[-1].name == "b"
    assert {line.matches for line in table.entrants if line.name != "b"} == {8, 12}
    assert not table.is_unfinished


def test_two_suspended_entrants_have_their_match_annulled() -> None:
    event = event_of(*NAMES, suspend_after=1)
    rows = [
        forfeited(row, 0, 1) if row.round == 1 and row.orientation == 0 else row
        for row in all_rows(event, even)
    ]
    settled = with_suspensions(event, rows)
    assert len(settled.suspended) == 2
    both = [row for row in settled.rows if set(row.entrants) == settled.suspended]
    assert {row.termination for row in both} == {TerminationKind.ANNULLED}


def test_a_suspension_reaches_into_the_next_stage() -> None:
    event = event_of("a", "b")
    event = replace(event, stages=event.stages * 2)
    rows = [
        forfeited(row, row.entrants.index("a"), 0) if row.stage == 1 else row
        for row in all_rows(event, even)
    ]
    second = standings(event, rows).stages[1]
    assert {line.name: line.forfeits for line in second.entrants} == {"a": 4, "b": 0}


def spoil(row: MatchRow, side: int, finished: int, *, revokes: bool) -> MatchRow:
    """Let a side crash, or revoke in every further board until that forfeits the match."""
    if not revokes:
        return forfeited(row, side, finished)
    lost = tuple(0 if s == side else 11 for s in range(2))
    boards = tuple(
        board if place < finished else BoardRow(board=board.board, points=lost)
        for place, board in enumerate(row.boards)
    )
    count = FaultCount(seat=side, kind=FaultKind.REVOKE, count=len(boards) - finished)
    totals = tuple(sum(board.points[s] for board in boards) for s in range(2))
    winner = None if totals[0] == totals[1] else totals.index(max(totals))
    faults = (count,) if count.count else ()
    return replace(row, boards=boards, totals=totals, winner=winner, faults=faults)


@settings(deadline=None)
@given(
    seed=st.integers(0, 1000),
    spoilt=st.dictionaries(st.integers(0, 11), st.tuples(st.integers(0, 2), st.booleans())),
    limit=st.integers(0, 4),
    credit=st.sampled_from(ForfeitCredit),
    suspended=st.sampled_from(SuspendedMatches),
)
def test_nobody_gains_by_crashing_or_revoking_over_an_event(
    seed: int,
    spoilt: dict[int, tuple[int, bool]],
    limit: int,
    credit: ForfeitCredit,
    suspended: SuspendedMatches,
) -> None:
    event = event_of(*NAMES, suspend_after=limit, forfeit_credit=credit, suspended=suspended)
    honest = list(all_rows(event, chance(seed)))
    own = [place for place, row in enumerate(honest) if "a" in row.entrants]
    rows = list(honest)
    for number, (finished, revokes) in spoilt.items():
        row = rows[own[number]]
        rows[own[number]] = spoil(row, row.entrants.index("a"), finished, revokes=revokes)
    before, after = line_of(event, honest, "a"), line_of(event, rows, "a")
    assert before.rank is not None
    if after.rank is not None:
        assert after.points is not None
        assert before.points is not None
        assert after.points <= before.points
        assert after.rank >= before.rank
    else:
        assert after.is_suspended


@pytest.mark.parametrize("credit", ForfeitCredit)
def test_boards_of_forfeits_never_enter_an_interval(credit: ForfeitCredit) -> None:
    event = event_of(*NAMES, forfeit_credit=credit)
    rows = crashes_of(event, "b", [1])
    for name in NAMES:
        line = line_of(event, rows, name)
        groups = 0 if line.interval is None else line.interval.groups
        played = line.groups_won + line.groups_drawn + line.groups_lost
        assert groups in (0, played)
        assert 2 * played + line.boards_forfeited + line.boards_credited == 24
