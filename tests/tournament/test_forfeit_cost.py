"""What a forfeit costs hangs on the ruleset and on which board was in progress."""

import pytest

from arena.rules.presets import parse_ruleset
from arena.tournament.forfeit_cost import ForfeitCost, boards_left, forfeit_cost
from arena.tournament.rulings import Act, Ruling, fold
from tests.tournament.results import all_rows, even, event_of, forfeited

COST = ForfeitCost(first=35, further=11, target=31)
ROW = next(all_rows(event_of("a", "b", boards_per_match=4), even))
TO_A_TARGET = next(all_rows(event_of("a", "b", boards=1, boards_per_match=None), even))


@pytest.mark.parametrize(
    ("ruleset", "first", "further"),
    [
        ("gamelake-4", 11, 11),
        ("gamelake-2", 11, 11),
        ("italian-tournament", 35, 11),
        ("pagat-2", 35, 11),
        ("cardgames-zone-4:declarations=off", 11, 11),
        ("gamelake-4:cappotto_bonus=11", 22, 11),
        ("gamelake-4:last_trick_thirds=6", 12, 12),
    ],
)
def test_the_first_board_left_costs_all_it_can_bring_a_further_one_its_cards(
    ruleset: str, first: int, further: int
) -> None:
    cost = forfeit_cost(parse_ruleset(ruleset))
    assert (cost.first, cost.further) == (first, further)


def test_the_board_in_progress_is_the_first_that_was_not_finished() -> None:
    assert COST.by_board(forfeited(ROW, side=0, finished=0)) == {1: 35, 2: 11, 3: 11, 4: 11}
    assert COST.by_board(forfeited(ROW, side=0, finished=2)) == {3: 35, 4: 11}
    assert COST.by_board(forfeited(ROW, side=0, finished=4)) == {}


def test_nothing_is_left_where_nobody_forfeited_or_the_match_is_to_a_target() -> None:
    assert COST.by_board(ROW) == {}
    assert COST.by_board(forfeited(TO_A_TARGET, side=0, finished=2)) == {}


def test_a_match_to_a_target_is_lost_to_the_most_that_the_other_side_could_have_had() -> None:
    assert [COST.against(total) for total in (0, 30, 31, 40)] == [65, 65, 66, 75]
    assert forfeit_cost(parse_ruleset("gamelake-4:target=21")).against(0) == 20 + 11


def test_a_ruling_on_the_board_in_progress_makes_no_other_one_dearer() -> None:
    crashed = forfeited(ROW, side=0, finished=1)
    for board, left in ((2, {3: 11, 4: 11}), (3, {2: 35, 4: 11}), (1, {2: 35, 3: 11, 4: 11})):
        ruling = Ruling(
            act=Act.ADJUST, on=ROW.match_id, by="me", reason="x", board=board, points=(5, 6)
        )
        (ruled,) = fold([ruling]).applied([crashed])
        assert COST.by_board(ruled) == left


def test_boards_left_by_a_forfeit_are_those_not_finished() -> None:
    assert boards_left(ROW) == ()
    assert boards_left(forfeited(ROW, side=0, finished=1)) == (2, 3, 4)
    assert boards_left(forfeited(ROW, side=0, finished=4)) == ()
