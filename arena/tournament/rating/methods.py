"""Ratings: points, Bradley-Terry and openskill, each with its covariance.

Owns the three methods, one function each. Must not know events or files; it is given
:class:`~arena.tournament.rating.evidence.Evidence`. Ratings are for information: they rank
nobody. Source: issue "Tournaments to trust" (Statistics); ``stats_oracle.json``.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib.metadata import version
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from arena.errors import ConfigError
from arena.tournament.rating.elo import ELO_SCALE
from arena.tournament.rating.evidence import Meeting

Matrix = NDArray[np.float64]

_MOST_STEPS: Final = 200
_CLOSE: Final = 1e-12
_EVEN: Final = 0.5


class Method(StrEnum):
    """How ratings are computed."""

    POINTS = "points"
    BRADLEY_TERRY = "bradley-terry"
    OPENSKILL = "openskill"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratings:
    """Estimates by bot and their covariance, in the method's own unit."""

    method: Method
    version: str
    unit: str
    estimates: tuple[float, ...]
    covariance: tuple[tuple[float, ...], ...]

    def error(self, bot: int) -> float:
        """Give the standard error of a bot's estimate."""
        return math.sqrt(max(0.0, self.covariance[bot][bot]))


def rate(
    method: Method, bots: int, meetings: Sequence[Meeting], anchor: Mapping[int, float]
) -> Ratings:
    """Rate bots by a method.

    Args:
        method: Which.
        bots: How many; meetings name them by index.
        meetings: In the order of the schedule.
        anchor: At most one bot and the value it is to have; without, the mean is 0 (with
            openskill, whatever the method gives).

    Raises:
        ConfigError: The bots fall into groups that never met, an estimate would be
            infinite, or the method's library is missing.
    """
    match method:
        case Method.POINTS:
            return _anchored(points_ratings(bots, meetings), anchor)
        case Method.BRADLEY_TERRY:
            wins = np.zeros((bots, bots))
            for meeting in meetings:
                for margin in meeting.margins:
                    score = _EVEN + ((margin > 0) - (margin < 0)) / 2
                    wins[meeting.first, meeting.second] += score
                    wins[meeting.second, meeting.first] += 1 - score
            return _anchored(bradley_terry(wins), anchor)
        case Method.OPENSKILL:
            return _anchored(openskill_ratings(bots, meetings), anchor)


def points_ratings(bots: int, meetings: Sequence[Meeting]) -> Ratings:
    """Give each bot's points per board against an average field: least squares of margins.

    Every meeting says rating(first) - rating(second) = margin, so that who met weak
    opponents gains nothing. The covariance is the sandwich clustered by board, with C/(C-1).

    It misleads where one bot is good against some and bad against others (a single number
    cannot say so), and where few boards are shared (below about ten clusters).
    """
    _refuse_islands(bots, [(meeting.first, meeting.second) for meeting in meetings])
    gram, right = np.zeros((bots, bots)), np.zeros(bots)
    for meeting in meetings:
        first, second = meeting.first, meeting.second
        gram[first, first] += 1
        gram[second, second] += 1
        gram[first, second] -= 1
        gram[second, first] -= 1
        right[first] += meeting.value
        right[second] -= meeting.value
    inverse = np.linalg.pinv(gram, hermitian=True)
    estimates = inverse @ right
    scores: dict[tuple[int, int, int], Matrix] = {}
    for meeting in meetings:
        residual = meeting.value - (estimates[meeting.first] - estimates[meeting.second])
        score = scores.setdefault(meeting.cluster, np.zeros(bots))
        score[meeting.first] += residual
        score[meeting.second] -= residual
    clusters = len(scores)
    if clusters < 2:  # noqa: PLR2004  # chance needs two
        raise ConfigError("one board only: nothing can be said about chance; play more boards")
    stacked = np.array([scores[cluster] for cluster in sorted(scores)])
    meat = stacked.T @ stacked * clusters / (clusters - 1)
    return _ratings(Method.POINTS, "1", "points/board", estimates, inverse @ meat @ inverse)


def bradley_terry(wins: Matrix) -> Ratings:
    """Give the Elo of the likeliest Bradley-Terry model, with mean 0.

    The covariance is the pseudo-inverse of Fisher's information. It takes all boards as
    independent, so on shared or turned boards its errors are only rough; it counts who won
    a board and not by how much; a draw is half a win for both.

    Args:
        wins: ``wins[i, j]`` = how often i beat j.

    Raises:
        ConfigError: A bot, or a group of them, won or lost everything against the others:
            no finite number says how much stronger it is.
    """
    bots = len(wins)
    met = wins + wins.T
    _refuse_islands(bots, [(i, j) for i in range(bots) for j in range(bots) if met[i, j]])
    _refuse_unbeaten(wins)
    strength = np.zeros(bots)
    information = np.zeros((bots, bots))
    for _ in range(_MOST_STEPS):
        expected = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
        gradient = (wins - met * expected).sum(axis=1)
        weight = met * expected * (1 - expected)
        information = np.diag(weight.sum(axis=1)) - weight
        step = np.linalg.pinv(information, hermitian=True) @ gradient
        # Never more than one unit at a time: far away, Newton's step overshoots.
        strength += step / max(1.0, float(np.abs(step).max()))
        if np.abs(step).max() < _CLOSE:
            break
    strength -= strength.mean()
    covariance = np.asarray(
        np.linalg.pinv(information, hermitian=True) * ELO_SCALE**2, dtype=np.float64
    )
    return _ratings(Method.BRADLEY_TERRY, "1", "Elo", strength * ELO_SCALE, covariance)


def openskill_ratings(bots: int, meetings: Sequence[Meeting]) -> Ratings:
    """Give openskill's Plackett-Luce mu, updated board by board in the order of the schedule.

    It misleads as a final word: later boards weigh more, another order gives other numbers,
    and its sigmas are beliefs and no standard errors. They are taken as independent, so the
    covariance is diagonal.

    Raises:
        ConfigError: openskill is not installed.
    """
    try:
        from openskill.models import PlackettLuce  # noqa: PLC0415  # an extra
    except ImportError:
        raise ConfigError(
            "--method openskill needs a library that is not installed: "
            "pip install 'tressette-arena[ratings]'"
        ) from None
    model: Any = PlackettLuce()
    ratings = [model.rating() for _ in range(bots)]
    for meeting in meetings:
        for margin in meeting.margins:
            teams = [[ratings[meeting.first]], [ratings[meeting.second]]]
            (one,), (other,) = model.rate(teams, scores=[margin, 0.0])
            ratings[meeting.first], ratings[meeting.second] = one, other
    return _ratings(
        Method.OPENSKILL,
        f"1, openskill {version('openskill')} PlackettLuce",
        "mu",
        np.array([rating.mu for rating in ratings]),
        np.diag(np.array([rating.sigma**2 for rating in ratings], dtype=np.float64)),
    )


def _ratings(
    method: Method, version_: str, unit: str, estimates: Matrix, covariance: Matrix
) -> Ratings:
    return Ratings(
        method=method,
        version=version_,
        unit=unit,
        estimates=tuple(float(value) for value in estimates),
        covariance=tuple(tuple(float(value) for value in row) for row in covariance),
    )


def _anchored(found: Ratings, anchor: Mapping[int, float]) -> Ratings:
    """Shift all estimates so that one bot has its value; it then has no error of its own."""
    if not anchor:
        return found
    ((bot, value),) = anchor.items()
    estimates = np.array(found.estimates)
    covariance = np.array(found.covariance)
    differ = np.eye(len(estimates))
    differ[:, bot] -= 1
    return _ratings(
        found.method,
        found.version,
        found.unit,
        estimates - estimates[bot] + value,
        differ @ covariance @ differ.T,
    )


def _refuse_islands(bots: int, edges: Sequence[tuple[int, int]]) -> None:
    """Refuse groups of bots between which nothing was played: they cannot be compared."""
    group = list(range(bots))
    for one, other in edges:
        if group[one] != group[other]:
            old, new = group[one], group[other]
            group = [new if place == old else place for place in group]
    if len(set(group)) > 1:
        raise ConfigError(
            f"the bots fall into {len(set(group))} groups that never met each other; "
            "give an event that joins them, or rate them apart"
        )


def _refuse_unbeaten(wins: Matrix) -> None:
    """Refuse wins whose likeliest strengths are infinite: not all can reach all by wins."""
    reach = (wins > 0) | np.eye(len(wins), dtype=bool)
    for middle in range(len(wins)):
        reach |= np.outer(reach[:, middle], reach[middle])
    if not reach.all():
        raise ConfigError(
            "bradley-terry: a bot, or several, won every board against the others, or lost "
            "every one, so no finite rating fits; play more boards or take --method points"
        )
