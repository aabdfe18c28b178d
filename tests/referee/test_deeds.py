"""Whatever is done to a table at whatever moment comes to what the rules of conduct say."""

from __future__ import annotations

from itertools import product

import pytest

from arena.referee.clock import MS
from arena.referee.faults import FaultKind, TerminationKind
from arena.referee.messages import Output, Record
from arena.referee.transitions import TRANSITIONS, Act
from arena.rules.events import DealScored
from arena.testing.in_memory import of_type
from tests.referee.deed_checks import check_events, check_words
from tests.referee.deed_courses import SEAT, course_for
from tests.referee.deed_rows import ROWS, Outcome
from tests.referee.deeds import Course, Deed, Moment


def test_every_deed_has_a_row_for_every_moment() -> None:
    assert set(ROWS) == set(product(Moment, Deed))


def test_the_rows_reach_every_row_of_the_transition_table() -> None:
    """And agree with it on what is impossible and what is ignored."""
    reached: dict[tuple[object, type], set[bool]] = {}
    for (moment, deed), outcome in ROWS.items():
        event = course_for(moment, deed).input_of(deed, SEAT)
        key = (moment.phase, type(event))
        reached.setdefault(key, set()).add(outcome.is_impossible)
    assert set(reached) == set(TRANSITIONS)
    impossible = {key for key, act in TRANSITIONS.items() if act is Act.IMPOSSIBLE}
    assert {key for key, verdicts in reached.items() if verdicts == {True}} == impossible
    assert all(len(verdicts) == 1 for verdicts in reached.values())


@pytest.mark.parametrize(
    ("moment", "deed"), ROWS, ids=[f"{deed.name}-{moment.name}" for moment, deed in ROWS]
)
def test_a_deed_comes_to_what_its_row_says(moment: Moment, deed: Deed) -> None:
    course = course_for(moment, deed)
    expected = ROWS[moment, deed]
    event = course.input_of(deed, SEAT)
    assert event is not None
    if expected.is_impossible:
        with pytest.raises(AssertionError, match="cannot come while"):
            course.bring(event)
        return
    before = course.table.match.totals, tuple(course.table.match.ledger.penalties)
    outputs = course.bring(event)
    check_events(outputs, expected, SEAT)
    check_words(outputs, expected, SEAT)
    check_cost(course, outputs, expected, before)
    if moment is Moment.OVER:
        assert outputs == []


def check_cost(
    course: Course,
    outputs: list[Output],
    expected: Outcome,
    before: tuple[tuple[int, ...], tuple[int, ...]],
) -> None:
    """Check that acts on the wire cost no points, and acts of the game what the ruleset says."""
    match = course.table.match
    totals, penalties = before
    scored = of_type(DealScored, (record.event for record in of_type(Record, outputs)))
    match expected.fault:
        case FaultKind.REVOKE:
            assert scored[0].points[1] == match.ruleset.revoke_own_points
            assert scored[0].points[0] >= match.ruleset.revoke_points
        case FaultKind.INFRACTION:
            assert match.ledger.penalties == [penalties[0], penalties[1] - 1]
        case _:
            assert not scored
            assert match.totals == totals
            assert tuple(match.ledger.penalties) == penalties
    if expected.ending is not None:
        assert course.table.ended is not None
        is_forfeit = expected.ending.is_forfeit
        assert course.table.ended.winner == (0 if is_forfeit else None)


@pytest.mark.parametrize("kind", TerminationKind)
def test_every_termination_of_a_table_has_a_row(kind: TerminationKind) -> None:
    """The others are the end of play, too many faults, and the organiser's."""
    elsewhere = {
        TerminationKind.COMPLETED,
        TerminationKind.DRAWN_AT_LIMIT,
        TerminationKind.FORFEIT_FAULTS,
        TerminationKind.ANNULLED,
    }
    assert (kind in {outcome.ending for outcome in ROWS.values()}) == (kind not in elsewhere)


def test_every_kind_of_fault_has_a_row() -> None:
    assert {outcome.fault for outcome in ROWS.values()} - {None} == set(FaultKind)


def test_a_lost_bot_has_its_whole_allowance_to_come_back_before_the_match_begins() -> None:
    course = course_for(Moment.WAITING, Deed.NO_RETURN)
    lost_ns = course.now_ns
    outputs = course.bring(course.input_of(Deed.NO_RETURN, SEAT) or pytest.fail("it is lost"))
    assert of_type(Record, outputs)[-1].at_ns == lost_ns + 200 * MS
