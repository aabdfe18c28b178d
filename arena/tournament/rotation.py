"""Rotation: the rounds of an individual stage, where partners change from round to round.

Owns numbers of places in a field. Must not know entrants, boards or results. Source: issue
"Tournaments to trust" (Formats: *individual*).

The field is numbered by the odd m: 0 to m - 1, and in an even field one more place that never
turns. Twins are x and -x (mod m); in an even field 0 and the fixed place are twins too. A table
is two pairs of twins, partners facing each other; a row of the Berger table of the pairs says
which pairs of twins meet, and each row is played m times, every number turned by one more each
time. Over a whole cycle every two entrants are partners equally often, and opponents twice as
often: each difference between partners is 2x, and each x is in as many tables; and of two pairs
of twins x and y the differences between opponents are x - y and x + y, each twice, which over all
pairs meet every difference alike.
"""

from collections.abc import Iterator
from typing import Final

from arena.tournament.berger import berger_row, rounds_per_cycle

PER_TABLE: Final = 4
Table = tuple[int, int, int, int]
"""Places from 0 in turn order: the first and third are partners."""


def rounds_of_rotation(entrants: int) -> int:
    """Count the rounds of a whole cycle; none with fewer than four entrants."""
    return rounds_per_cycle(entrants // 2) * _turning(entrants) if entrants >= PER_TABLE else 0


def tables_of_rotation(entrants: int) -> int:
    """Count the tables of a whole cycle."""
    twins = entrants // 2
    return twins * (twins - 1) // 2 * _turning(entrants) if entrants >= PER_TABLE else 0


def rotation_round(entrants: int, number: int) -> Iterator[Table]:
    """Give one round of a cycle, counted from 1."""
    row, turn = divmod(number - 1, _turning(entrants))
    for one, other in berger_row(entrants // 2, row + 1):
        first, second = _twins(entrants, one, turn), _twins(entrants, other, turn)
        yield first[0], second[0], first[1], second[1]


def _turning(entrants: int) -> int:
    """Count the places that turn: all, or all but one of an even field."""
    return entrants - 1 if entrants % 2 == 0 else entrants


def _twins(entrants: int, pair: int, turn: int) -> tuple[int, int]:
    """Give the places of a pair of twins, counted from 0, after so many turns."""
    odd = _turning(entrants)
    if entrants % 2:
        pair += 1  # 0 is its own twin and has a bye
    if pair == 0:
        return turn % odd, entrants - 1
    return (turn + pair) % odd, (turn - pair) % odd
