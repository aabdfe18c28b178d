"""The numbers of the standings: one function computes each.

Owns the mean over board groups and its 95 % interval. Must not know entrants, matches or
forfeits; :mod:`arena.tournament.groups` makes the board groups. Source: design.md §2
(Points per board), §6 (Boards); requirements.md L.

The unit is the *board group*: a board in all its orientations. Its value is the mean over
the orientations of own points minus the other side's, so the luck of the deal, the same
for both, is gone from it.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from arena.tournament.student import student_quantile

CONFIDENCE: Final = 0.95
"""How often the interval holds the true value, in repeated events."""
FEWEST_CLUSTERS: Final = 2
"""Different boards without which nothing can be said about chance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupValue:
    """The value of one board group to one entrant; ``cluster`` = the board's number."""

    cluster: int
    value: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A mean with its 95 % interval: in points per board, or a share from 0 to 1."""

    mean: float
    low: float
    high: float
    standard_error: float
    groups: int
    clusters: int


def points_per_board(values: Sequence[Fraction]) -> Fraction | None:
    """Give the mean over board groups; None without any.

    It misleads where opponents differ: in an unfinished round robin, who has met the weak
    ones stands too high. Compare it only between entrants that met the same field.
    """
    return sum(values, start=Fraction(0)) / len(values) if values else None


def interval(values: Sequence[GroupValue], most: int | None = None) -> Interval | None:
    """Give the mean over board groups with its 95 % interval, clustered by board.

    Pairings that play the same board share its luck (a bot that handles a kind of hand
    well gains on it against everybody), so groups of one board are taken as one
    observation: variance = C/(C-1) · Σ_boards (Σ deviations on the board)² / groups², and
    the quantile is Student's with C - 1 degrees of freedom, for C boards. What lies beyond
    what a board can bring is cut off: the true mean is never there, so as many intervals hold
    it as before.

    It misleads: with few boards (the interval is wide, and below about ten also rough);
    for another field of opponents (these ones are taken as given); as a ranking (that two
    intervals overlap does not mean that the difference is chance: test the difference);
    when one stops an event because the interval looks good; and where bots adapt to each
    other in the course of the event, since then boards are not alike.

    Args:
        values: Of board groups that were played to their end.
        most: What one of them comes to at most, to either side of 0; None: not known. A value
            beyond it, by infractions or a ruling, raises it.

    Returns:
        None with fewer than two different boards, and where all of them came to the same: a
        width of nothing would say that there is no chance in it.
    """
    found = _clustered(values)
    if found is None or not found.standard_error:
        return None
    if most is None:
        return found
    bound = max(float(most), *(abs(float(group.value)) for group in values))
    return replace(found, low=max(found.low, -bound), high=min(found.high, bound))


def share_interval(values: Sequence[GroupValue]) -> Interval | None:
    """Give a share (values of 0 and 1) with its 95 % interval, clustered by board.

    Wilson's interval, which stays between 0 and 1 and has a width where all values are the same,
    for as many independent values as have the error that :func:`interval` finds; where all are
    the same, for one a board. The quantile is Student's, as there.

    It misleads with few boards: it is then wide, rightly so.

    Returns:
        None with fewer than two different boards.
    """
    plain = _clustered(values)
    if plain is None:
        return None
    share, boards = plain.mean, plain.clusters
    spread = share * (1 - share)
    error = plain.standard_error
    size = min(spread / error**2, plain.groups) if spread and error else boards
    reach = student_quantile(CONFIDENCE, boards - 1)
    weight = reach**2 / size
    middle = (share + weight / 2) / (1 + weight)
    half = reach / (1 + weight) * math.sqrt(spread / size + weight / (4 * size))
    return replace(plain, low=max(0.0, middle - half), high=min(1.0, middle + half))


def _clustered(values: Sequence[GroupValue]) -> Interval | None:
    """Give what :func:`interval` gives, of no width too."""
    sums: defaultdict[int, Fraction] = defaultdict(Fraction)
    sizes: Counter[int] = Counter()
    for group in values:
        sums[group.cluster] += group.value
        sizes[group.cluster] += 1
    mean = points_per_board([group.value for group in values])
    if mean is None or len(sums) < FEWEST_CLUSTERS:
        return None
    groups, boards = len(values), len(sums)
    # Exact until the root: the order in which results came in changes no digit. This is
    # Σ (sum - size · mean)², multiplied out because sums of halves are cheap.
    spread = (
        sum(total**2 for total in sums.values())
        - 2 * mean * sum(sizes[board] * total for board, total in sums.items())
        + mean**2 * sum(size**2 for size in sizes.values())
    )
    variance = Fraction(boards, boards - 1) * spread / groups**2
    error = math.sqrt(variance)
    reach = student_quantile(CONFIDENCE, boards - 1) * error
    return Interval(
        mean=float(mean),
        low=float(mean) - reach,
        high=float(mean) + reach,
        standard_error=error,
        groups=groups,
        clusters=boards,
    )
