"""The sequential test errs as seldom as it promises, and needs fewer boards than wins do."""

import math
import random
from collections.abc import Iterator

import pytest

from arena.tournament.rating.sequential import (
    FEWEST_GROUPS,
    EloTest,
    PointsTest,
    SequentialTest,
    Standing,
    evaluate,
    points_llr,
)
from arena.tournament.rating.sprt import EloModel, Verdict

BLOCK = 10
CAP = 3_000
EVENTS = 300
SPREAD = 2.0


def made_up_groups(chance: random.Random, lead: float) -> Iterator[tuple[float, float]]:
    """Play turned boards: the luck of a deal goes to one side, then to the other."""
    while True:
        luck = chance.gauss(0, 4)
        yield (
            round(lead + luck + chance.gauss(0, SPREAD * math.sqrt(2))),
            round(lead - luck + chance.gauss(0, SPREAD * math.sqrt(2))),
        )


def play(test: SequentialTest, lead: float, seed: int) -> Standing:
    """Play blocks of boards until the test is decided or the cap is reached."""
    stream = made_up_groups(random.Random(seed), lead)  # noqa: S311  # no secret
    groups: list[tuple[float, float]] = []
    standing = evaluate(test, groups)
    while standing.verdict is Verdict.OPEN and len(groups) < CAP:
        groups += [next(stream) for _ in range(BLOCK)]
        standing = evaluate(test, groups)
    return standing


@pytest.mark.parametrize(
    ("lead", "wrong"), [(0.0, Verdict.ACCEPTED), (0.5, Verdict.REJECTED)], ids=["alpha", "beta"]
)
def test_error_rates_are_kept(lead: float, wrong: Verdict) -> None:
    found = [play(PointsTest(), lead, seed) for seed in range(EVENTS)]
    errors = sum(standing.verdict is wrong for standing in found) / EVENTS
    # 5 % promised; three standard errors of the simulation allowed above it.
    assert 0 < errors <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / EVENTS)
    assert all(standing.verdict is not Verdict.OPEN for standing in found)


def test_looking_again_and_again_with_a_plain_interval_errs_more_often() -> None:
    """The simulation can tell a test that keeps its promise from one that does not."""
    errors = 0
    for seed in range(EVENTS):
        stream = made_up_groups(random.Random(seed), 0.0)  # noqa: S311  # no secret
        total = squares = 0.0
        for count in range(1, 401):
            value = sum(next(stream)) / 2
            total, squares = total + value, squares + value * value
            if count >= FEWEST_GROUPS and count % BLOCK == 0:
                error = math.sqrt(squares - total * total / count) / count
                if total / count > 1.645 * error:
                    errors += 1
                    break
    assert errors / EVENTS > 0.10


def test_points_need_half_the_boards_that_wins_need() -> None:
    """Both tests ask about the same lead: 0.5 points, and what it is worth in pairs won."""
    lead = 0.5
    stream = made_up_groups(random.Random(1), lead)  # noqa: S311  # no secret
    sample = [next(stream) for _ in range(40_000)]
    score = sum(0.5 + 0.25 * ((a > 0) - (a < 0) + (b > 0) - (b < 0)) for a, b in sample) / 40_000
    worth = -400 * math.log10(1 / score - 1)
    by_points = [play(PointsTest(), lead, seed).groups for seed in range(60)]
    by_wins = [play(EloTest(elo1=worth), lead, seed).groups for seed in range(60)]
    assert sum(by_wins) > 1.8 * sum(by_points)


def test_the_ratio_is_the_likelihoods() -> None:
    # By hand: mean 2, variance (0.25 + 2) / 2.
    assert points_llr([1, 2, 3], 0, 1) == pytest.approx(3 * 1 * 1.5 / 1.125)


def test_fewer_than_two_values_say_nothing() -> None:
    assert points_llr([], 0, 1) == points_llr([4.0], 0, 1) == 0.0


def test_swapping_the_hypotheses_turns_the_sign() -> None:
    values = [0.5, -1.0, 2.5, 3.0]
    assert points_llr(values, 0, 1) == pytest.approx(-points_llr(values, 1, 0))


def test_nothing_is_decided_before_the_spread_is_known() -> None:
    decided = [(9.0, 9.0)] * FEWEST_GROUPS
    assert evaluate(PointsTest(), decided[:-1]).verdict is Verdict.OPEN
    assert evaluate(PointsTest(), decided).verdict is Verdict.ACCEPTED


@pytest.mark.parametrize("test", [PointsTest(), EloTest(), EloTest(model=EloModel.NORMALISED)])
def test_two_bots_that_play_alike_are_rejected_or_open_and_never_accepted(
    test: SequentialTest,
) -> None:
    standing = evaluate(test, [(3.0, -3.0)] * 200)
    assert standing.llr < 0
    assert standing.verdict is not Verdict.ACCEPTED


def test_what_is_left_shrinks_to_nothing() -> None:
    nothing = evaluate(PointsTest(), [])
    some = evaluate(PointsTest(), [(2.0, 1.0), (-1.0, 0.0)] * 10)
    more = evaluate(PointsTest(), [(2.0, 1.0), (-1.0, 0.0)] * 12)
    over = evaluate(PointsTest(), [(2.0, 1.0), (-1.0, 0.0)] * 400)
    assert nothing.expected_left is None
    assert some.expected_left is not None
    assert more.expected_left is not None
    assert some.expected_left > more.expected_left > 0
    assert (over.verdict, over.expected_left) == (Verdict.ACCEPTED, None)
