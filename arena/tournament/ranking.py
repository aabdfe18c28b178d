"""Ranking: the official criterion, what breaks ties, and how sure a rank is.

Owns the order of a stage's entrants, the probability of being first and which neighbours are
separated. Must not know results or forfeits: it is given samples, what each criterion is a
mean of. Source: design.md §2; issue "Tournaments to trust" (Ranking).
"""

import hashlib
import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from arena.tournament.criteria import RankBy
from arena.tournament.statistics import CONFIDENCE, FEWEST_CLUSTERS, GroupValue
from arena.tournament.student import student_quantile

if TYPE_CHECKING:
    import numpy as np

REDRAWS: Final = 2_000
"""How often the boards are drawn anew: a probability is then right to about 0.02."""
BOOTSTRAP_SEED: Final = b"tressette bootstrap v1"
"""Fixed, so that the same results always give the same probabilities."""
_MOST_CELLS: Final = 1_000_000
"""Numbers that are held at once: memory does not grow with the event."""

Sample = Sequence[GroupValue]
"""What a criterion is the mean of; ``cluster`` = the board that it hangs on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """An entrant's place.

    ``first_probability`` is None where fewer than two boards were played; ``separated`` says
    whether the lead over the next one is more than chance, None where that cannot be said.
    """

    name: str
    rank: int | None
    first_probability: float | None
    separated: bool | None
    values: tuple[Fraction, ...] = ()
    """What it is ranked by, in the order of the criteria; empty where there is nothing to go by."""


def mean_of(sample: Sample) -> Fraction | None:
    """Give the mean of a sample; None of nothing."""
    if not sample:
        return None
    return sum((value.value for value in sample), start=Fraction(0)) / len(sample)


def rank(
    samples: Mapping[RankBy, Mapping[str, Sample]],
    criteria: Sequence[RankBy],
    played: Mapping[str, Sample],
) -> tuple[Ranked, ...]:
    """Put entrants in order, best first; equals share a rank and keep the order of entry.

    Args:
        samples: By criterion, then by entrant in the order of entry.
        criteria: The official one, then what breaks ties, in order.
        played: The official criterion's samples without what forfeits left, for the test
            between neighbours.

    Returns:
        Those with nothing to go by come last, without a rank.
    """
    official = samples[criteria[0]]
    keys = {
        name: tuple(mean_of(samples[criterion][name]) or Fraction(0) for criterion in criteria)
        for name, sample in official.items()
        if sample
    }
    ordered = sorted(keys, key=lambda name: keys[name], reverse=True)
    probabilities = first_probabilities({name: official[name] for name in ordered})
    values = [keys[name] for name in ordered]
    lines = [
        Ranked(
            name=name,
            rank=values.index(keys[name]) + 1,
            first_probability=probabilities.get(name),
            separated=None if after is None else is_separated(played[name], played[after]),
            values=keys[name],
        )
        for name, after in zip(ordered, [*ordered[1:], None], strict=False)
    ]
    lines += [
        Ranked(name=name, rank=None, first_probability=None, separated=None)
        for name in official
        if name not in keys
    ]
    return tuple(lines)


def first_probabilities(samples: Mapping[str, Sample]) -> Mapping[str, float]:
    """Give the probability that each entrant comes first on other boards of the same kind.

    Bootstrap: the boards are drawn anew, with replacement, and everybody's mean is taken on
    them; a shared first place is shared out. All entrants of a board are drawn together, so
    its luck stays the same for all of them.

    It misleads with few boards (below about ten the redraws are too much alike), as the
    probability to be *the best*: that would need a prior; and where only the official
    criterion's ties decide, since a tie is shared and not broken here.

    Returns:
        By name; empty with fewer than two different boards.
    """
    import numpy as np  # noqa: PLC0415  # it takes a while to load, and only standings need it

    boards = sorted({value.cluster for sample in samples.values() for value in sample})
    if len(boards) < FEWEST_CLUSTERS:
        return {}
    place = {board: index for index, board in enumerate(boards)}
    scale = math.lcm(*(v.value.denominator for sample in samples.values() for v in sample))
    # Whole numbers: sums are exact, so no machine or order of results changes a digit.
    sums = np.zeros((len(boards), len(samples)), dtype=np.int64)
    sizes = np.zeros((len(boards), len(samples)), dtype=np.int64)
    for column, sample in enumerate(samples.values()):
        for value in sample:
            sums[place[value.cluster], column] += int(value.value * scale)
            sizes[place[value.cluster], column] += 1
    shares = np.zeros(len(samples))
    at_once = max(1, _MOST_CELLS // sums.size)
    for begin in range(0, REDRAWS, at_once):
        redraws = range(begin, min(begin + at_once, REDRAWS))
        drawn = np.array([_draw(redraw, len(boards)) for redraw in redraws])
        total, size = sums[drawn].sum(axis=1), sizes[drawn].sum(axis=1)
        means = np.where(size > 0, total / np.maximum(size, 1), -np.inf)
        best = means == means.max(axis=1, keepdims=True)
        shares += (best / best.sum(axis=1, keepdims=True)).sum(axis=0)
    return dict(zip(samples, (float(share) for share in shares / REDRAWS), strict=True))


def _draw(redraw: int, boards: int) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    """Draw as many boards as there are, with replacement: a stream that never changes."""
    import numpy as np  # noqa: PLC0415  # as above

    stream = hashlib.shake_256(BOOTSTRAP_SEED + redraw.to_bytes(4, "big")).digest(4 * boards)
    words = np.frombuffer(stream, dtype=">u4").astype(np.uint64)
    # The share of one part in 2**32 by which some boards come up more often is no matter.
    return ((words * np.uint64(boards)) >> np.uint64(32)).astype(np.int64)


def is_separated(one: Sample, other: Sample) -> bool | None:
    """Say whether the difference of two means is more than chance, at 95 %.

    The difference itself is tested, board by board, with errors clustered by board: two
    intervals may overlap although the difference is certain, since both share the boards.

    It misleads when many neighbours are looked at: of twenty pairs of equals one is called
    separated; and, as every interval here, it is about these opponents.

    Returns:
        None with fewer than two different boards.
    """
    if not one or not other:
        return None
    parts: defaultdict[int, float] = defaultdict(float)
    difference = 0.0
    for sample, sign in ((one, 1), (other, -1)):
        mean = mean_of(sample) or Fraction(0)
        difference += sign * float(mean)
        sums: defaultdict[int, Fraction] = defaultdict(Fraction)
        for value in sample:
            sums[value.cluster] += value.value
        counts = Counter(value.cluster for value in sample)
        for board, total in sums.items():
            parts[board] += sign * float(total - counts[board] * mean) / len(sample)
    boards = len(parts)
    if boards < FEWEST_CLUSTERS:
        return None
    variance = boards / (boards - 1) * math.fsum(part**2 for part in parts.values())
    reach = student_quantile(CONFIDENCE, boards - 1) * math.sqrt(variance)
    return abs(difference) > reach
