"""Standings are a pure function of event and results, and count everything they say."""

import random
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import LogCorrupt
from arena.record.match_row import FaultCount, MatchRow
from arena.referee.faults import FaultKind, TerminationKind
from arena.tournament.event_file import BoardsShared, ForfeitCredit
from arena.tournament.schedule import MatchPlan
from arena.tournament.standing import EntrantStanding, FaultTotal, Note, Unit
from arena.tournament.standings import standings
from tests.tournament.results import (
    Points,
    all_rows,
    chance,
    even,
    event_of,
    forfeited,
    voided,
)

SKILL = {0: 3, 1: 1, 2: 0}


def by_skill(match: MatchPlan, board: int) -> tuple[int, int]:
    """Give the home side 7 points and one more for each step it is better by."""
    edge = SKILL[match.seats[0]] - SKILL[match.seats[1]]
    return 7 + edge, 4 - edge


def line_of(name: str, *lines: EntrantStanding) -> EntrantStanding:
    return next(line for line in lines if line.name == name)


def test_points_per_board_rank_the_entrants() -> None:
    event = event_of("a", "b", "c")
    stage = standings(event, all_rows(event, by_skill)).stages[0]
    assert [(line.rank, line.name) for line in stage.entrants] == [(1, "a"), (2, "b"), (3, "c")]
    assert [float(line.points or 0) for line in stage.entrants] == [5, -1, -4]
    assert stage.unit is Unit.BOARD
    assert (stage.matches_counted, stage.matches_planned) == (12, 12)
    assert not stage.is_unfinished


def test_groups_boards_and_matches_are_counted() -> None:
    event = event_of("a", "b", "c")
    best = standings(event, all_rows(event, by_skill)).stages[0].entrants[0]
    # Two opponents, four boards each, both orientations, matches of two boards.
    assert (best.groups_won, best.groups_drawn, best.groups_lost) == (8, 0, 0)
    assert (best.boards_played, best.boards_forfeited, best.boards_credited) == (16, 0, 0)
    # Against b the guest's seat is worth 3 points and the skill 2 to each side: 6-5.
    assert (best.matches, best.matches_won, best.matches_drawn, best.matches_lost) == (8, 8, 0, 0)
    assert best.interval is not None
    assert (best.interval.groups, best.interval.clusters) == (8, 8)


def test_boards_shared_by_the_event_are_clusters() -> None:
    event = event_of("a", "b", "c", boards_shared=BoardsShared.EVENT)
    first = standings(event, all_rows(event, chance(1))).stages[0].entrants[0]
    assert first.interval is not None
    assert (first.interval.groups, first.interval.clusters) == (8, 4)


def test_equal_entrants_share_a_rank_in_the_order_of_entry() -> None:
    event = event_of("z", "y", "x")
    lines = standings(event, all_rows(event, even)).stages[0].entrants
    assert [(line.rank, line.name, line.groups_drawn) for line in lines] == [
        (1, "z", 8),
        (1, "y", 8),
        (1, "x", 8),
    ]


def test_before_the_first_match_nobody_has_a_rank() -> None:
    event = event_of("a", "b")
    table = standings(event, [])
    assert table.is_unfinished
    assert [(line.rank, line.points, line.interval) for line in table.stages[0].entrants] == [
        (None, None, None)
    ] * 2


def test_standings_are_provisional_until_every_match_counts() -> None:
    event = event_of("a", "b")
    rows = list(all_rows(event, even))
    assert standings(event, rows[:-1]).is_unfinished
    assert not standings(event, rows).is_unfinished


def test_a_forfeit_counts_in_points_and_never_in_intervals() -> None:
    event = event_of("a", "b", "c")
    rows = list(all_rows(event, by_skill))
    clean = line_of("b", *standings(event, rows).stages[0].entrants)
    index = next(n for n, row in enumerate(rows) if row.entrants == ("b", "c"))
    rows[index] = forfeited(rows[index], side=1, finished=0)
    lines = standings(event, rows).stages[0].entrants
    b, c = line_of("b", *lines), line_of("c", *lines)
    assert (b.forfeits, b.boards_forfeited, b.boards_credited) == (0, 0, 2)
    assert (c.forfeits, c.boards_forfeited, c.boards_credited) == (1, 2, 0)
    # b makes -4 against a and +2 against c, -2 over what was played, so it is credited +2
    # on each board left; as a guest it lost those 5-6.
    assert b.interval is not None
    assert b.interval.groups == 6
    assert b.interval.mean == -2
    assert b.points == Fraction(4 * -4 + 2 * 2 + (2 - 1), 8)
    assert clean.points == -1
    # c makes -6 against a and -2 against b; of the boards left it won those at home 6-5.
    assert c.points == Fraction(4 * -6 + 2 * -2 + (-11 + 1), 8)


def test_a_losing_bot_does_not_gain_by_crashing() -> None:
    event = event_of("a", "b", "c")
    rows = list(all_rows(event, by_skill))
    for index, row in enumerate(rows):
        if "c" in row.entrants:
            crashed = list(rows)
            crashed[index] = forfeited(row, side=row.entrants.index("c"), finished=0)
            for credit in ForfeitCredit:
                variant = event_of("a", "b", "c", forfeit_credit=credit)
                before = line_of("c", *standings(variant, rows).stages[0].entrants)
                after = line_of("c", *standings(variant, crashed).stages[0].entrants)
                assert after.points is not None
                assert before.points is not None
                assert after.points < before.points


def test_faults_are_counted_by_kind_for_the_entrant_at_the_seat() -> None:
    event = event_of("a", "b")
    rows = list(all_rows(event, even))
    rows[0] = replace(
        rows[0],
        faults=(
            FaultCount(seat=0, kind=FaultKind.LATE, count=2),
            FaultCount(seat=2, kind=FaultKind.LATE, count=1),
            FaultCount(seat=1, kind=FaultKind.ILLEGAL, count=4),
        ),
    )
    lines = standings(event, rows).stages[0].entrants
    assert line_of("a", *lines).faults == (FaultTotal(kind=FaultKind.LATE, count=3),)
    assert line_of("b", *lines).faults == (FaultTotal(kind=FaultKind.ILLEGAL, count=4),)


def test_void_attempts_are_told_and_change_nothing_else() -> None:
    event = event_of("a", "b")
    rows = list(all_rows(event, chance(3)))
    spoiled = replace(voided(rows[0]), faults=(FaultCount(seat=0, kind=FaultKind.LATE, count=9),))
    again = replace(rows[0], attempt=2)
    with_void = standings(event, [spoiled, again, *rows[1:]])
    without = standings(event, rows)
    assert [line.voids for line in with_void.stages[0].entrants] == [1, 1]
    assert [replace(line, voids=0) for line in with_void.stages[0].entrants] == list(
        without.stages[0].entrants
    )


def test_an_interrupted_attempt_leaves_no_trace() -> None:
    event = event_of("a", "b")
    rows = list(all_rows(event, chance(3)))
    broken_off = voided(rows[0], TerminationKind.ABORTED)
    assert standings(event, [broken_off, *rows]) == standings(event, rows)


def test_an_annulled_match_is_settled_without_a_result() -> None:
    event = event_of("a", "b")
    rows = list(all_rows(event, even))
    rows[0] = replace(rows[0], termination=TerminationKind.ANNULLED, winner=None)
    table = standings(event, rows)
    assert not table.is_unfinished
    assert [line.matches for line in table.stages[0].entrants] == [3, 3]


def test_matches_to_a_target_rank_by_matches_won_then_points() -> None:
    event = event_of("a", "b", boards=2, boards_per_match=None)
    rows = list(all_rows(event, even))
    # b loses twice as narrowly as it wins once more: three matches to one, and fewer points.
    rows = [
        replace(row, totals=totals, winner=winner)
        for row, totals, winner in zip(
            rows, [(31, 30), (10, 31), (31, 30), (31, 30)], [0, 1, 0, 0], strict=True
        )
    ]
    stage = standings(event, rows).stages[0]
    assert stage.unit is Unit.MATCH
    assert [(line.name, line.matches_won, line.matches_lost) for line in stage.entrants] == [
        ("b", 3, 1),
        ("a", 1, 3),
    ]
    drawn = [replace(row, winner=None) for row in rows]
    lines = standings(event, drawn).stages[0].entrants
    assert [(line.name, line.points) for line in lines] == [
        ("b", Fraction(22, 4)),
        ("a", Fraction(-22, 4)),
    ]
    assert {line.matches_drawn for line in lines} == {4}


def test_before_the_first_match_to_a_target_nobody_has_a_rank() -> None:
    event = event_of("a", "b", boards=1, boards_per_match=None)
    assert [line.rank for line in standings(event, []).stages[0].entrants] == [None, None]


def test_what_must_be_said_is_said() -> None:
    trusted = event_of("a", "b")
    assert standings(trusted, []).stages[0].notes == (Note.TRUST_MEMORY,)
    cautious = event_of("a", "b", trust_memory=False)
    assert standings(cautious, []).stages[0].notes == (Note.LUCK_NOT_CANCELLED,)
    guessable = replace(trusted, practice=True, seed="text")
    assert Note.GUESSABLE_SEED in standings(guessable, []).stages[0].notes


def test_each_stage_has_standings_of_its_own() -> None:
    one = event_of("a", "b")
    event = replace(one, stages=(*one.stages, *one.stages))
    rows = [row for row in all_rows(event, even) if row.stage == 1]
    first, second = standings(event, rows).stages
    assert (first.is_unfinished, second.is_unfinished) == (False, True)


@pytest.mark.parametrize(
    ("change", "answer"),
    [
        ({"stage": 2}, "the event has 1 stages, no 2"),
        ({"entrants": ("a", "z")}, "'z' is no entrant of the event"),
        ({"attempt": 2}, "s1-r1-p1-o0-m1 counts twice: attempts 1 and 2"),
    ],
)
def test_results_of_another_event_are_refused(change: dict[str, object], answer: str) -> None:
    event = event_of("a", "b")
    rows = list(all_rows(event, even))
    changed = replace(rows[0], **change)  # type: ignore[arg-type]
    with pytest.raises(LogCorrupt, match=answer):
        standings(event, [*rows, changed])


@settings(deadline=None)  # the first standings load numpy
@given(st.integers(0, 999), st.randoms(use_true_random=False))
def test_the_order_of_results_changes_nothing(seed: int, order: random.Random) -> None:
    event = event_of("a", "b", "c", boards_shared=BoardsShared.EVENT)
    rows = spoilt(list(all_rows(event, chance(seed))), order)
    assert standings(event, order.sample(rows, len(rows))) == standings(event, rows)


@settings(deadline=None)  # the first standings load numpy
@given(st.integers(0, 999))
def test_without_forfeits_the_points_of_all_entrants_sum_to_nothing(seed: int) -> None:
    event = event_of("a", "b", "c", "d")
    lines = standings(event, all_rows(event, chance(seed))).stages[0].entrants
    assert sum(line.points or 0 for line in lines) == 0


@settings(deadline=None)  # the first standings load numpy
@given(st.integers(0, 999))
def test_swapping_the_names_swaps_the_lines(seed: int) -> None:
    there, back = event_of("a", "b"), event_of("b", "a")
    points: Points = chance(seed)
    here = standings(there, all_rows(there, points)).stages[0].entrants
    swapped = standings(back, all_rows(back, points)).stages[0].entrants
    renamed = {"a": "b", "b": "a"}
    assert {replace(line, name=renamed[line.name]) for line in swapped} == set(here)


def spoilt(rows: list[MatchRow], order: random.Random) -> list[MatchRow]:
    """Forfeit one match in four and add a void attempt to another."""
    spoiled = [
        forfeited(row, side=order.randrange(2), finished=order.randrange(2))
        if order.random() < 0.25
        else row
        for row in rows
    ]
    return [*spoiled, voided(replace(order.choice(rows), attempt=2))]
