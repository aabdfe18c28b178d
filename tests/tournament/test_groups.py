"""Results become board groups; a forfeit scores what the written rule says."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest

from arena.errors import LogCorrupt
from arena.record.match_row import BoardRow, MatchRow
from arena.referee.faults import TerminationKind
from arena.rules.presets import PRESETS
from arena.tournament.event_file import ForfeitCredit
from arena.tournament.groups import (
    BoardGroup,
    board_groups,
    field_credit,
    offender_of,
)
from tests.tournament.results import all_rows, chance, even, event_of, forfeited


def rows_of_two(**stage: object) -> list[MatchRow]:
    """Give two matches of two boards in each orientation; the home side always makes 7-4."""
    return list(all_rows(event_of("a", "b", **stage), even))


def groups_of(rows: Sequence[MatchRow]) -> tuple[BoardGroup, ...]:
    return board_groups(rows, ways=2, ruleset=PRESETS["gamelake-4"])


def test_luck_of_the_deal_is_gone_from_a_group() -> None:
    groups = groups_of(rows_of_two())
    assert [group.board for group in groups] == [1, 2, 3, 4]
    assert all(group.is_played for group in groups)
    assert {group.value(name) for group in groups for name in "ab"} == {0}


def test_a_value_is_the_mean_of_the_margins() -> None:
    rows = list(all_rows(event_of("a", "b"), lambda match, _: [(8, 3), (5, 6)][match.orientation]))
    # a makes 8-3 at home and 6-5 as a guest: (5 + 1) / 2.
    assert {group.value("a") for group in groups_of(rows)} == {3}
    assert {group.value("b") for group in groups_of(rows)} == {-3}


def test_a_board_that_is_not_yet_turned_is_left_out() -> None:
    rows = rows_of_two()
    assert [group.board for group in groups_of(rows[:2])] == []
    assert [group.board for group in groups_of(rows[:3])] == [1, 2]


def test_pairings_that_share_boards_have_groups_of_their_own() -> None:
    rows = list(all_rows(event_of("a", "b", "c", "d"), even))
    groups = groups_of(rows)
    assert len(groups) == 6 * 4
    assert len({group.board for group in groups}) == 3 * 4


def test_boards_that_are_not_turned_are_groups_by_themselves() -> None:
    rows = rows_of_two(trust_memory=False)
    groups = board_groups(rows, ways=1, ruleset=PRESETS["gamelake-4"])
    assert [group.board for group in groups] == list(range(1, 9))
    assert {group.value("a") for group in groups} == {3, -3}


def test_on_boards_left_the_offender_loses_what_they_cost_and_the_other_gets_its_credit() -> None:
    rows = rows_of_two()
    rows[0] = forfeited(rows[0], side=0, finished=1)
    first, second, *others = groups_of(rows)
    assert first.is_played
    assert not second.is_played
    # Board 2: a left it at home (-11), and lost 4-7 as a guest.
    assert second.value("a", Fraction(5)) == Fraction(-11 - 3, 2)
    assert second.value("b", Fraction(5)) == Fraction(5 + 3, 2)
    assert all(group.is_played for group in others)


def test_with_declarations_the_board_in_progress_costs_more_than_those_to_come() -> None:
    rows = rows_of_two(boards_per_match=4)
    rows[0] = forfeited(rows[0], side=0, finished=1)
    ruleset = PRESETS["italian-tournament"]
    _, broken, *to_come = board_groups(rows, ways=2, ruleset=ruleset)
    assert broken.value("a") == Fraction(-35 - 3, 2)
    assert {group.value("a") for group in to_come} == {Fraction(-11 - 3, 2)}
    assert {group.value("b", 5) for group in (broken, *to_come)} == {Fraction(5 + 3, 2)}


def test_the_credit_is_the_average_against_the_field_and_at_least_two() -> None:
    values = [Fraction(9), Fraction(4)]
    assert field_credit(values, ForfeitCredit.FIELD) == Fraction(13, 2)
    assert field_credit([-value for value in values], ForfeitCredit.FIELD) == 2
    assert field_credit([], ForfeitCredit.FIELD) == 2
    assert field_credit(values, ForfeitCredit.FULL) == 11


def test_three_sides_are_compared_with_the_mean_of_the_others() -> None:
    row = replace(
        rows_of_two()[0], entrants=("a", "b", "c"), seats=("a", "b", "c"), totals=(6, 4, 1)
    )
    row = replace(row, boards=(BoardRow(board=1, points=(6, 4, 1)),))
    (group,) = board_groups([row], ways=1, ruleset=PRESETS["gamelake-4"])
    assert [group.value(name) for name in "abc"] == [Fraction(7, 2), Fraction(1, 2), -4]


def test_in_a_match_to_a_target_the_match_is_the_unit() -> None:
    rows = rows_of_two(boards=2, boards_per_match=None)
    groups = board_groups(rows, ways=2, ruleset=PRESETS["italian-tournament"])
    assert [group.board for group in groups] == [1, 201]
    assert {group.value("a") for group in groups} == {0}


def test_a_forfeit_of_a_match_to_a_target_gives_the_other_side_the_target_and_costs_more() -> None:
    rows = rows_of_two(boards=1, boards_per_match=None)
    # a is at home and leads 21-12 after three deals when it crashes: b has 31-21, a 21-65.
    rows[0] = forfeited(rows[0], side=0, finished=3)
    (group,) = board_groups(rows, ways=2, ruleset=PRESETS["italian-tournament"])
    assert not group.is_played
    assert group.value("a") == Fraction(21 - 65 - 15, 2)
    assert group.value("b") == Fraction(31 - 21 + 15, 2)


def test_who_forfeits_keeps_its_totals_and_the_other_what_exceeds_the_target() -> None:
    rows = rows_of_two(boards=1, boards_per_match=None)
    rows[0] = replace(forfeited(rows[0], side=0, finished=3), totals=(30, 40))
    (group,) = board_groups(rows, ways=2, ruleset=PRESETS["italian-tournament"])
    assert group.value("a") == Fraction(30 - 75 - 15, 2)
    assert group.value("b") == Fraction(40 - 30 + 15, 2)


def test_an_annulled_match_makes_no_group() -> None:
    rows = rows_of_two()
    rows[0] = replace(rows[0], termination=TerminationKind.ANNULLED)
    assert [group.board for group in groups_of(rows)] == [3, 4]


def test_a_board_cannot_count_twice_in_one_orientation() -> None:
    rows = rows_of_two()
    rows[1] = replace(rows[1], boards=rows[0].boards)
    with pytest.raises(LogCorrupt, match="s1-r1-p1-o0-m2: board 1 counts already"):
        groups_of(rows)


def test_a_forfeit_without_a_culprit_is_refused() -> None:
    row = replace(forfeited(rows_of_two()[0], side=0, finished=0), culprit_seat=None)
    with pytest.raises(LogCorrupt, match="forfeit_crash without a culprit"):
        offender_of(row)


def test_groups_do_not_depend_on_the_order_of_rows() -> None:
    rows = list(all_rows(event_of("a", "b", "c"), chance(1)))
    assert groups_of(rows) == groups_of(rows[::-1])
