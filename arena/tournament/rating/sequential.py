"""The sequential test on points per board: is A better than B by so many points?

Owns the ratio, what remains, and how a decision falls as boards come in. Must not know where
boards come from (:mod:`arena.tournament.comparing`). Source: design.md §2 (Board group),
requirements.md L.

Points say more than who won a board: with the same error rates the test ends after about
half the boards that one on wins, draws and losses takes (docs/statistics.md).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, assert_never

from arena.tournament.rating.elo import Tally, pentanomial
from arena.tournament.rating.sprt import (
    Bounds,
    EloModel,
    Verdict,
    log_likelihood_ratio,
    wald_bounds,
)

FEWEST_GROUPS: Final = 20
"""Boards before which nothing is decided: the spread is not known well enough."""
_GRAIN: Final = 0.25
"""The square of half a point, the smallest step of a value: no spread is known to be smaller."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsTest:
    """H0: A leads by ``points0`` points per board; H1: by ``points1``."""

    points0: float = 0.0
    points1: float = 0.5
    alpha: float = 0.05
    beta: float = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class EloTest:
    """H0: A leads by ``elo0``; H1: by ``elo1``; on pairs of won, drawn and lost games."""

    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.05
    beta: float = 0.05
    model: EloModel = EloModel.LOGISTIC


SequentialTest = PointsTest | EloTest
WIDEST_ELO: Final = 400.0
"""Elo to either side of 0 that may be asked about."""
WIDEST_POINTS: Final = 11.0
"""Points per board likewise: all there are."""
_A_COIN: Final = 0.5


def problem_of_test(test: SequentialTest, *, low: str, high: str, sign: str = "") -> str | None:
    """Say what keeps a test from being one, or None.

    Args:
        test: What is asked.
        low: How whoever asks names the bound of H0.
        high: The bound of H1.
        sign: What stands before the names of the error rates there, ``--`` say.
    """
    match test:
        case PointsTest(points0=least, points1=most):
            widest = WIDEST_POINTS
        case EloTest(elo0=least, elo1=most):
            widest = WIDEST_ELO
        case _:
            assert_never(test)
    if not -widest <= least < most <= widest:
        return (
            f"{low} and {high}: found {least:g} and {most:g}; allowed: {low} below {high}, "
            f"both from {-widest:g} to {widest:g}"
        )
    for name, rate in (("alpha", test.alpha), ("beta", test.beta)):
        if not 0 < rate < _A_COIN:
            return f"{sign}{name}: found {rate:g}; allowed: more than 0, less than {_A_COIN}"
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How a test stands after so many board groups.

    ``expected_left`` estimates the board groups still needed if what was seen goes on; None
    where it is decided, or where what was seen lies between the hypotheses too evenly.
    """

    groups: int
    llr: float
    bounds: Bounds
    verdict: Verdict
    expected_left: int | None


def points_llr(values: Sequence[float], points0: float, points1: float) -> float:
    """Give the log-likelihood ratio of a mean of ``points1`` against one of ``points0``.

    Normal values whose variance is estimated from all of them around their own mean: with n
    values n · (points1 - points0) · (mean - middle) / variance. (Around the hypotheses' means
    a bot that is better by far would look erratic, and wait longest for its verdict.) The
    sum of squares starts at a quarter of a squared point, so that a few equal values prove
    nothing.

    It misleads with fewer than about 20 groups (the spread is not yet known), and where bots
    learn from each other in the course of the test, since boards are then not alike.

    Returns:
        0 with fewer than two values.
    """
    count = len(values)
    if count < 2:  # noqa: PLR2004  # a spread takes two
        return 0.0
    mean = math.fsum(values) / count
    variance = (_GRAIN + math.fsum((value - mean) ** 2 for value in values)) / (count - 1)
    return count * (points1 - points0) * (mean - (points0 + points1) / 2) / variance


def evaluate(test: SequentialTest, groups: Sequence[tuple[float, float]]) -> Standing:
    """Say how a test stands.

    Args:
        test: The hypotheses and the error rates.
        groups: A's margin in both orientations of each board group played to its end, in
            the order of the schedule.
    """
    bounds = wald_bounds(test.alpha, test.beta)
    match test:
        case PointsTest():
            values = [(first + second) / 2 for first, second in groups]
            llr = points_llr(values, test.points0, test.points1)
        case EloTest():
            tally: Tally = pentanomial(groups)
            llr = (
                log_likelihood_ratio(tally, test.elo0, test.elo1, test.model)
                if tally.total
                else 0.0
            )
        case _:
            assert_never(test)
    count = len(groups)
    verdict = bounds.verdict(llr) if count >= FEWEST_GROUPS else Verdict.OPEN
    return Standing(
        groups=count,
        llr=llr,
        bounds=bounds,
        verdict=verdict,
        expected_left=_expected_left(count, llr, bounds) if verdict is Verdict.OPEN else None,
    )


def _expected_left(count: int, llr: float, bounds: Bounds) -> int | None:
    """Estimate how many groups are left if the ratio goes on as it has on average."""
    if llr == 0 or count == 0:
        return None
    bound = bounds.upper if llr > 0 else bounds.lower
    return max(FEWEST_GROUPS - count, math.ceil(count * (bound - llr) / llr), 1)
