"""Threes: the rounds of one cycle of tables of three, in which all meet equally often.

Owns numbers of places in a field. Must not know entrants, seats or boards. Source: issue
"Tournaments to trust" (Formats: tables of 2, 3 and 4 entrants).

In a field of odd size n the tables are x, x + i, x + 2i (mod n) for every x, and i from 1 to
(n - 1) / 2. Neighbours of a table differ by i and its ends by 2i; doubling carries the
differences of an odd field onto themselves, so every two places meet three times. In an even
field every three places meet once, so every two meet n - 2 times.

Tables go into the first round in which all three places are free, so that nobody stands twice in
a round.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import Final

PER_TABLE: Final = 3
Table = tuple[int, int, int]
"""Places from 0."""


def rounds_of_threes(entrants: int) -> int:
    """Count the rounds of a cycle; none with fewer than three entrants."""
    return len(_rounds(entrants))


def tables_of_threes(entrants: int) -> int:
    """Count the tables of a cycle."""
    if entrants < PER_TABLE:
        return 0
    pairs = entrants * (entrants - 1) // 2
    return pairs if entrants % 2 else pairs * (entrants - 2) // PER_TABLE


def threes_round(entrants: int, number: int) -> tuple[Table, ...]:
    """Give one round of a cycle, counted from 1."""
    return _rounds(entrants)[number - 1]


@lru_cache(maxsize=8)
def _rounds(entrants: int) -> tuple[tuple[Table, ...], ...]:
    """Pack the tables of a cycle into rounds; a bit of ``taken`` is a place that is not free."""
    rounds: list[list[Table]] = []
    taken: list[int] = []
    for table in _tables(entrants):
        places = sum(1 << place for place in table)
        free = next((number for number, seen in enumerate(taken) if not seen & places), None)
        if free is None:
            rounds.append([table])
            taken.append(places)
        else:
            rounds[free].append(table)
            taken[free] |= places
    return tuple(map(tuple, rounds))


def _tables(entrants: int) -> Iterator[Table]:
    if entrants % 2 == 0:
        yield from combinations(range(entrants), PER_TABLE)
        return
    for step in range(1, entrants // 2 + 1):
        for first in range(entrants):
            yield first, (first + step) % entrants, (first + 2 * step) % entrants
