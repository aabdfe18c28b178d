"""Means and intervals are right: known values, and coverage by simulation (requirement L)."""

import random
from collections.abc import Iterator
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.tournament.statistics import (
    GroupValue,
    Interval,
    interval,
    points_per_board,
    share_interval,
)
from arena.tournament.student import student_quantile

# Tables of the t distribution, two-sided; from standard statistical tables.
TABLED = [
    (0.95, 1, 12.7062),
    (0.95, 2, 4.3027),
    (0.95, 3, 3.1824),
    (0.95, 4, 2.7764),
    (0.95, 9, 2.2622),
    (0.95, 10, 2.2281),
    (0.95, 30, 2.0423),
    (0.95, 60, 2.0003),
    (0.95, 120, 1.9799),
    (0.90, 5, 2.0150),
    (0.99, 1, 63.6567),
    (0.99, 10, 3.1693),
    (0.99, 100, 2.6259),
]


@pytest.mark.parametrize(("confidence", "freedom", "expected"), TABLED)
def test_the_t_quantile_is_the_tabled_one(confidence: float, freedom: int, expected: float) -> None:
    assert student_quantile(confidence, freedom) == pytest.approx(expected, abs=5e-5)


def test_the_series_and_the_expansion_meet() -> None:
    # A jump at the seam would stand out against the slope on both sides of it.
    below, at, above, beyond = (student_quantile(0.95, n) for n in (199, 200, 201, 202))
    assert below > at > above > beyond
    assert at - above == pytest.approx((below - beyond) / 3, rel=1e-2)


def test_with_many_boards_the_t_quantile_is_the_normal_one() -> None:
    assert student_quantile(0.95, 10_000_000) == pytest.approx(1.959963984540054, abs=1e-6)


@pytest.mark.parametrize(("confidence", "freedom"), [(0.95, 0), (0.0, 3), (1.0, 3)])
def test_a_quantile_out_of_range_is_a_bug(confidence: float, freedom: int) -> None:
    with pytest.raises(AssertionError):
        student_quantile(confidence, freedom)


def test_without_groups_there_is_no_mean_and_no_interval() -> None:
    assert points_per_board([]) is None
    assert interval([]) is None


def test_one_board_says_nothing_about_chance() -> None:
    assert interval([group(7, 1), group(7, 3)]) is None


def test_with_a_board_a_group_the_interval_is_students() -> None:
    # 1, 2, 3, 4, 5: mean 3, variance 2.5, error sqrt(2.5 / 5), t with 4 degrees 2.7764.
    found = interval([group(board, board) for board in range(1, 6)])
    assert found is not None
    assert (found.mean, found.groups, found.clusters) == (3.0, 5, 5)
    assert found.standard_error == pytest.approx(0.7071068)
    assert [found.low, found.high] == pytest.approx([1.03676, 4.96324], abs=1e-5)


def test_a_board_played_against_three_opponents_counts_as_one_observation() -> None:
    once = interval([group(board, board % 3) for board in range(9)])
    thrice = interval([group(board, board % 3) for board in range(9) for _ in range(3)])
    assert once is not None
    assert thrice is not None
    assert thrice.groups == 27
    assert [thrice.low, thrice.high] == pytest.approx([once.low, once.high])


def test_boards_of_different_weight_are_weighed() -> None:
    # By hand: mean 2; sums of deviations -2 (board 1), 1 and 1; variance 3/2 · 6 / 16.
    found = interval([group(1, 1), group(1, 1), group(2, 3), group(3, 3)])
    assert found is not None
    assert found.mean == 2.0
    assert found.standard_error == pytest.approx((1.5 * 6 / 16) ** 0.5)


def test_an_interval_ends_where_no_board_goes() -> None:
    # Two boards that came to -4 and +2: t with 1 degree is 12.7, far beyond what there is.
    values = [group(1, -4), group(2, 2)]
    plain, found = interval(values), interval(values, 11)
    assert plain is not None
    assert found is not None
    assert (found.low, found.high) == (-11, 11) != (plain.low, plain.high)
    assert (found.mean, found.standard_error) == (plain.mean, plain.standard_error)
    narrow = [group(board, board % 3) for board in range(9)]
    assert interval(narrow, 11) == interval(narrow)
    # A ruling can set more than there is: the mean lies within all the same.
    ruled = interval([group(1, 14), group(2, 13)], 11)
    assert ruled is not None
    assert [ruled.low, ruled.mean, ruled.high] == pytest.approx([7.147, 13.5, 14], abs=1e-3)


GROUPS = st.lists(
    st.builds(
        GroupValue,
        cluster=st.integers(1, 5),
        value=st.fractions(min_value=-11, max_value=11, max_denominator=6),
    ),
    max_size=20,
)


@given(GROUPS, st.randoms(use_true_random=False))
def test_the_order_of_results_changes_no_digit(
    groups: list[GroupValue], order: random.Random
) -> None:
    shuffled = order.sample(groups, len(groups))
    assert interval(shuffled) == interval(groups)


@given(GROUPS, st.integers(-5, 5))
def test_a_shift_of_all_points_shifts_the_interval(groups: list[GroupValue], by: int) -> None:
    found = interval(groups)
    shifted = interval([group(g.cluster, g.value + by) for g in groups])
    assert (found is None) == (shifted is None)
    if found is not None and shifted is not None:
        assert shifted.low == pytest.approx(found.low + by, abs=1e-9)
        assert shifted.standard_error == pytest.approx(found.standard_error, abs=1e-9)


def group(board: int, value: Fraction | int) -> GroupValue:
    return GroupValue(cluster=board, value=Fraction(value))


def simulated_events(
    events: int, entrants: int, boards: int
) -> Iterator[tuple[float, list[GroupValue]]]:
    """Play made-up round robins in which all pairings share the boards.

    Each bot is better or worse at each board by an amount that it keeps against everybody
    (the bot-by-board effect), besides its skill and the noise of each group.

    Yields:
        An entrant's true mean against this field, and the values of its groups.
    """
    chance = random.Random(20_240_601)  # noqa: S311  # no secret
    for _ in range(events):
        skill = [chance.gauss(0, 1) for _ in range(entrants)]
        liking = [[chance.gauss(0, 1.5) for _ in range(boards)] for _ in range(entrants)]
        values: list[list[GroupValue]] = [[] for _ in range(entrants)]
        for one in range(entrants):
            for other in range(one):
                for board in range(boards):
                    edge = skill[one] - skill[other] + liking[one][board] - liking[other][board]
                    half_points = Fraction(round(2 * (edge + chance.gauss(0, 1.5))), 2)
                    values[one].append(group(board, half_points))
                    values[other].append(group(board, -half_points))
        for own, groups in zip(skill, values, strict=True):
            yield own - (sum(skill) - own) / (entrants - 1), groups


def test_95_percent_of_intervals_hold_the_truth_and_naive_ones_do_not() -> None:
    held = naive_held = count = 0
    for truth, groups in simulated_events(events=400, entrants=5, boards=16):
        found = interval(groups)
        naive = interval([group(n, g.value) for n, g in enumerate(groups)])
        assert found is not None
        assert naive is not None
        held += holds(found, truth)
        naive_held += holds(naive, truth)
        count += 1
    assert count == 2_000
    assert 0.93 <= held / count <= 0.97
    # The simulation is no test of clustering unless ignoring the boards fails it.
    assert naive_held / count < 0.90


@pytest.mark.parametrize("boards", [2, 3, 5])
def test_as_many_intervals_of_few_boards_hold_the_truth_when_they_end_where_boards_do(
    boards: int,
) -> None:
    """What is cut off is beyond ±11, where no true mean is."""
    held = plain_held = cut = 0
    chance = random.Random(20_240_603)  # noqa: S311  # no secret
    for _ in range(2_000):
        skill = chance.uniform(-3, 3)
        edges = [max(-11, min(11, chance.gauss(skill, 3))) for _ in range(boards)]
        values = [group(board, Fraction(edge)) for board, edge in enumerate(edges)]
        plain, found = interval(values), interval(values, 11)
        assert plain is not None
        assert found is not None
        held += holds(found, skill)
        plain_held += holds(plain, skill)
        cut += found != plain
        assert -11 <= found.low <= found.mean <= found.high <= 11
    assert held == plain_held
    assert 0.93 <= held / 2_000 <= 0.97
    assert cut


def simulated_shares(
    truth: float, sets: int, boards: int, decisions: int
) -> Iterator[list[GroupValue]]:
    """Answer alike or not, on boards of which some are easier than others."""
    chance = random.Random(20_240_602)  # noqa: S311  # no secret
    for _ in range(sets):
        eases = [chance.betavariate(8 * truth, 8 * (1 - truth)) for _ in range(boards)]
        yield [
            group(board, int(chance.random() < ease))
            for board, ease in enumerate(eases)
            for _ in range(decisions)
        ]


@pytest.mark.parametrize("truth", [0.5, 0.9])
def test_95_percent_of_intervals_of_shares_hold_the_truth_and_none_leaves_0_to_1(
    truth: float,
) -> None:
    held = 0
    for values in simulated_shares(truth, sets=1_000, boards=20, decisions=12):
        found = share_interval(values)
        assert found is not None
        assert 0 <= found.low <= found.mean <= found.high <= 1
        held += holds(found, truth)
    assert 0.93 <= held / 1_000 <= 0.97


@pytest.mark.parametrize("value", [0, 1])
def test_what_was_always_so_is_not_certain_and_the_less_so_the_fewer_the_boards(value: int) -> None:
    few, many = (
        share_interval([group(board, value) for board in range(boards) for _ in range(9)])
        for boards in (4, 40)
    )
    assert few is not None
    assert many is not None
    assert 0.2 < few.high - few.low < 0.9
    assert 0.03 < many.high - many.low < 0.15
    assert {few.mean, many.mean} == {value}


def test_two_boards_that_differ_say_little() -> None:
    found = share_interval([group(1, 1), group(1, 1), group(2, 0), group(2, 0)])
    assert found is not None
    assert (found.low < 0.05, found.high > 0.95) == (True, True)


def holds(found: Interval, truth: float) -> bool:
    return found.low <= truth <= found.high
