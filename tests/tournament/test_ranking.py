"""Ranks, the probability of being first, and which neighbours are separated."""

import random
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest

from arena.tournament.criteria import RankBy
from arena.tournament.ranking import first_probabilities, is_separated, rank
from arena.tournament.standings import standings
from arena.tournament.statistics import GroupValue
from tests.tournament.results import all_rows, chance, event_of


def sample(values: Sequence[float]) -> list[GroupValue]:
    """Give one value a board, boards from 1."""
    return [
        GroupValue(cluster=board, value=Fraction(value)) for board, value in enumerate(values, 1)
    ]


def noise(seed: int, boards: int, lead: float = 0.0) -> list[GroupValue]:
    dice = random.Random(seed)  # noqa: S311  # no secret
    return sample([round(2 * (lead + dice.gauss(0, 2))) / 2 for _ in range(boards)])


def test_a_certain_winner_is_first_for_sure_and_equals_share() -> None:
    always = {"a": sample([1] * 20), "b": sample([0] * 20), "c": sample([0] * 20)}
    assert first_probabilities(always) == {"a": 1.0, "b": 0.0, "c": 0.0}
    equal = {"a": sample([1, 2, 3]), "b": sample([1, 2, 3])}
    assert first_probabilities(equal) == {"a": 0.5, "b": 0.5}


def test_the_probability_is_that_of_a_normal_lead() -> None:
    # Lead 0.5 with standard error 1/sqrt(4) on 400 boards of spread 10: one error, 84 %.
    values = [0.5 + (10 if board % 2 else -10) for board in range(400)]
    found = first_probabilities({"a": sample(values), "b": sample([0] * 400)})
    assert found["a"] == pytest.approx(0.84, abs=0.03)


def test_boards_are_drawn_for_all_entrants_together() -> None:
    luck = [3 * (-1) ** board for board in range(30)]
    shared = {"a": sample([one + 1 for one in luck]), "b": sample(luck)}
    assert first_probabilities(shared)["a"] == 1.0


def test_probabilities_never_vary() -> None:
    samples = {"a": noise(1, 40), "b": noise(2, 40)}
    shuffled = {name: list(reversed(values)) for name, values in samples.items()}
    assert first_probabilities(samples) == first_probabilities(shuffled)


def test_one_board_says_nothing() -> None:
    assert first_probabilities({"a": sample([3]), "b": sample([1])}) == {}
    assert is_separated(sample([3]), sample([1])) is None
    assert is_separated([], sample([1, 2])) is None


def test_equals_are_called_separated_one_time_in_twenty() -> None:
    runs = 1_000
    wrong = sum(is_separated(noise(n, 30), noise(-1 - n, 30)) is True for n in range(runs))
    assert 0.03 <= wrong / runs <= 0.07


def test_luck_that_both_share_does_not_hide_a_difference() -> None:
    luck = [11 * (-1) ** board for board in range(30)]
    one = sample([value + board % 2 for board, value in enumerate(luck)])
    assert is_separated(one, sample(luck)) is True


def test_ties_are_broken_in_the_order_of_the_list_and_else_shared() -> None:
    points = {"a": sample([1]), "b": sample([1]), "c": sample([1]), "d": []}
    won = {"a": sample([0]), "b": sample([1]), "c": sample([0]), "d": []}
    samples = {RankBy.POINTS: points, RankBy.BOARDS_WON: won}
    found = rank(samples, [RankBy.POINTS, RankBy.BOARDS_WON], points)
    assert [(one.name, one.rank) for one in found] == [("b", 1), ("a", 2), ("c", 2), ("d", None)]


def test_the_official_criterion_alone_ranks() -> None:
    event = event_of("a", "b", "c", boards=6)
    rows = list(all_rows(event, chance(5)))
    orders = set()
    for criterion in (one for one in RankBy if not one.is_of_format):
        (stage,) = standings(replace(event, rank_by=criterion), rows).stages
        assert stage.criteria == (criterion,)
        orders.add(tuple(line.name for line in stage.entrants))
    assert len(orders) > 1


def test_pairings_are_the_same_boards_seen_two_by_two() -> None:
    event = event_of("a", "b", "c", boards=6)
    (stage,) = standings(event, list(all_rows(event, chance(5)))).stages
    assert len(stage.pairings) == 3
    for line in stage.entrants:
        own = [p.points for p in stage.pairings if p.first == line.name]
        own += [-p.points for p in stage.pairings if p.second == line.name and p.points is not None]
        assert sum(filter(None, own)) / 2 == line.points
    assert all(sum(p.tally.counts) == 6 for p in stage.pairings)
    assert all(len(p.tally.counts) == 5 for p in stage.pairings)
