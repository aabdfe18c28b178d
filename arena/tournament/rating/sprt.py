"""SPRT: Wald's sequential test on wins, draws and losses, as chess programs are tested.

Owns the log-likelihood ratio of two hypotheses about a tally, and Wald's bounds. The ratio is
the generalised one (GSPRT): under each hypothesis the distribution of scores is the likeliest
that agrees with it. Must not know boards or when it is asked. Source: Wald 1945; M. Van den
Bergh, "A practical introduction to the GSPRT"; the conventions of ``stats_oracle.json``.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from operator import mul
from typing import Final, assert_never

from arena.tournament.rating.elo import ELO_SCALE, Tally, score_of

_NEVER_SEEN: Final = 1e-3
"""What stands for a count of zero: the likeliest distribution must be able to reach all scores."""
_HALVINGS: Final = 200
_CLOSE: Final = 1e-14
_MOST_ROUNDS: Final = 1_000


class EloModel(StrEnum):
    """What the bounds of a test are given in: Elo of the score, or of score by spread."""

    LOGISTIC = "logistic"
    NORMALISED = "normalised"


class Verdict(StrEnum):
    """How a sequential test stands."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    OPEN = "open"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """The log-likelihood ratios at which a test ends."""

    lower: float
    upper: float

    def verdict(self, llr: float) -> Verdict:
        """Say what a ratio decides."""
        if llr >= self.upper:
            return Verdict.ACCEPTED
        return Verdict.REJECTED if llr <= self.lower else Verdict.OPEN


def wald_bounds(alpha: float, beta: float) -> Bounds:
    """Give the bounds for accepting wrongly with probability alpha, rejecting so with beta.

    They are safe, not exact: a test that looks only now and then overshoots them and errs a
    little less often. They mislead where the test is cut at a cap.

    Raises:
        AssertionError: An error rate is not between 0 and 0.5.
    """
    if not (0 < alpha < 0.5 and 0 < beta < 0.5):  # noqa: PLR2004  # a coin does as well
        raise AssertionError(f"no error rates: {alpha}, {beta}")
    return Bounds(lower=math.log(beta / (1 - alpha)), upper=math.log((1 - beta) / alpha))


def log_likelihood_ratio(tally: Tally, elo0: float, elo1: float, model: EloModel) -> float:
    """Give the log-likelihood ratio of ``elo1`` against ``elo0``.

    It misleads in the first few dozen observations, where the approximation behind it is
    rough; with a trinomial tally of turned boards, whose games are not independent; and it
    tests which of two numbers is likelier, not how large the difference is.
    """
    counts = [count or _NEVER_SEEN for count in tally.counts]
    total = math.fsum(counts)
    shares = [count / total for count in counts]
    match model:
        case EloModel.LOGISTIC:
            under = [_with_mean(shares, tally.scores, score_of(elo)) for elo in (elo0, elo1)]
        case EloModel.NORMALISED:
            scale = math.sqrt(tally.games) / (2 * ELO_SCALE)
            under = [_with_lead(shares, tally.scores, elo * scale) for elo in (elo0, elo1)]
        case _:
            assert_never(model)
    return total * math.fsum(
        share * math.log(one / zero) for share, zero, one in zip(shares, *under, strict=True)
    )


def _with_mean(shares: Sequence[float], scores: Sequence[float], mean: float) -> list[float]:
    """Give the likeliest distribution with this mean.

    Lagrange's condition gives share / (1 + theta · (score - mean)), with theta such that the
    deviations vanish: that sum falls in theta, so it is bisected between its two poles.
    """
    away = [score - mean for score in scores]

    def deviation(theta: float) -> float:
        return math.fsum(
            share * off / (1 + theta * off) for share, off in zip(shares, away, strict=True)
        )

    theta = _root(deviation, -1 / max(away), -1 / min(away))
    return [share / (1 + theta * off) for share, off in zip(shares, away, strict=True)]


def _with_lead(shares: Sequence[float], scores: Sequence[float], lead: float) -> list[float]:
    """Give the likeliest distribution whose mean is ``lead`` spreads above one half.

    The condition is not linear. It is made so around the distribution found last, solved as
    in :func:`_with_mean`, and so on until nothing changes.
    """
    found = [1 / len(shares)] * len(shares)
    for _ in range(_MOST_ROUNDS):
        mean = math.fsum(map(mul, found, scores))
        spread = math.sqrt(
            math.fsum(p * (s - mean) ** 2 for p, s in zip(found, scores, strict=True))
        )
        bent = [s - lead * spread / 2 * (1 + ((s - mean) / spread) ** 2) for s in scores]
        before, found = found, _with_mean(shares, bent, 0.5)
        if max(abs(old - new) for old, new in zip(before, found, strict=True)) < _CLOSE:
            break
    return found


def _root(falling: Callable[[float], float], low: float, high: float) -> float:
    """Bisect a falling function between two poles."""
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if falling(middle) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2
