"""Elo, normalised Elo and LOS of two entrants: one function computes each.

Owns how results, single or in turned pairs, become a score and what is read off it. Must not
know entrants, boards or ranks: everything here is for information, since a win by one point
weighs as much as one by eleven. Source: requirements.md L; the conventions of
``stats_oracle.json``, which holds independent values.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from operator import mul
from statistics import NormalDist
from typing import Final

REACH: Final = NormalDist().inv_cdf(0.975)
"""Standard errors to each side of an estimate that make a 95 % interval."""
ELO_SCALE: Final = 400 / math.log(10)
"""Elo points per unit of log-odds."""
PER_GAME: Final = 1
PER_PAIR: Final = 2
_EVEN: Final = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """How often each score was reached; scores rise from 0 to 1 in equal steps.

    Three counts are losses, draws and wins (trinomial). Five are pairs of turned games
    (pentanomial): both lost, lost and drawn, even, won and drawn, both won.

    Raises:
        AssertionError: Neither three nor five counts, or a negative one.
    """

    counts: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.counts) not in (3, 5) or min(self.counts) < 0:
            raise AssertionError(f"no tally of results: {self.counts}")

    @property
    def games(self) -> int:
        """How many games one observation holds: 1, or 2 in a pair."""
        return PER_GAME if len(self.counts) == 3 else PER_PAIR  # noqa: PLR2004  # see above

    @property
    def total(self) -> int:
        """How many observations there are."""
        return sum(self.counts)

    @property
    def scores(self) -> tuple[float, ...]:
        """The score that each count stands for."""
        return tuple(place / (len(self.counts) - 1) for place in range(len(self.counts)))

    @property
    def score(self) -> float:
        """The mean score, 0 to 1; of nothing, AssertionError."""
        if not self.total:
            raise AssertionError("nothing was played")
        return math.fsum(map(mul, self.counts, self.scores)) / self.total

    @property
    def variance(self) -> float:
        """The variance of one observation's score, as the counts have it (divided by n)."""
        mean = self.score
        squares = (
            count * (score - mean) ** 2
            for count, score in zip(self.counts, self.scores, strict=True)
        )
        return math.fsum(squares) / self.total


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """An estimate with half the width of its 95 % interval.

    None where that is unbounded, or where all observations are alike and say nothing of chance.
    """

    value: float
    error: float | None


def pentanomial(pairs: Sequence[tuple[float, float]]) -> Tally:
    """Count pairs of turned games by what both came to.

    Five counts, because the two games of a pair share a deal: taken one by one they look
    like twice as many independent observations, and errors come out wrong.

    It misleads where the two margins cancel: a pair won by 11 and lost by 1 counts as even.

    Args:
        pairs: Own margin in either game of each pair; only the sign counts.
    """
    counts = [0] * 5
    for first, second in pairs:
        counts[2 + _sign(first) + _sign(second)] += 1
    return Tally(counts=tuple(counts))


def trinomial(margins: Sequence[float]) -> Tally:
    """Count games by who won.

    It misleads on turned boards: the games of a pair are not independent; see
    :func:`pentanomial`.
    """
    counts = [0] * 3
    for margin in margins:
        counts[1 + _sign(margin)] += 1
    return Tally(counts=tuple(counts))


def elo(tally: Tally) -> Estimate | None:
    """Give the Elo difference that explains the mean score, with its error.

    It misleads where draws or luck are many (the same skill then shows as fewer Elo), near
    0 and 1, where a single result moves it far, and as a forecast against others: it is
    about these two entrants.

    Returns:
        None where every game, or none, was won: no number is large enough.
    """
    mean = tally.score
    if not 0 < mean < 1:
        return None
    reach = REACH * math.sqrt(tally.variance / tally.total)
    low, high = mean - reach, mean + reach
    error = (_elo_of(high) - _elo_of(low)) / 2 if 0 < low < high < 1 else None
    return Estimate(value=_elo_of(mean), error=error)


def normalised_elo(tally: Tally) -> Estimate | None:
    """Give the lead in units of a game's own spread: what decides how soon it is proven.

    Unlike Elo it can be compared between games with few and with many draws. It misleads
    as a measure of strength in points, and in short matches, since the spread is itself
    estimated and its error is left out.

    Returns:
        None where all observations are alike, so that there is no spread.
    """
    spread = tally.games * tally.variance
    if spread <= 0:
        return None
    scale = 2 * ELO_SCALE / math.sqrt(spread)
    reach = REACH * math.sqrt(tally.variance / tally.total)
    return Estimate(value=(tally.score - _EVEN) * scale, error=reach * scale)


def likelihood_of_superiority(tally: Tally) -> float:
    """Give the probability that the first is the better one, had both been thought equal.

    It misleads when one looks again and again and stops at a nice value: use a sequential
    test for that; and it says nothing about how much better.

    Returns:
        0 to 1; where all observations are alike 0, 0.5 or 1 by their score.
    """
    error = math.sqrt(tally.variance / tally.total)
    lead = tally.score - _EVEN
    if error == 0:
        return _EVEN + _sign(lead) / 2
    return NormalDist().cdf(lead / error)


def score_of(difference: float) -> float:
    """Give the score that an Elo difference lets expect."""
    return 1 / (1 + math.exp(-difference / ELO_SCALE))


def _elo_of(score: float) -> float:
    return ELO_SCALE * math.log(score / (1 - score))


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)
