"""Berger tables: the rounds of one cycle in which everybody meets everybody once.

Owns numbers of places in a field. Must not know entrants, seats or boards.
"""

from collections.abc import Iterator


def rounds_per_cycle(entrants: int) -> int:
    """Count the rounds of a cycle: one more than pairs need where an odd field has byes."""
    return entrants - 1 if entrants % 2 == 0 else entrants


def berger_row(entrants: int, row: int) -> Iterator[tuple[int, int]]:
    """Give one round, counted from 1, as pairs (home, guest) of places from 0.

    In a field of even size n, with places from 1: i and j below n meet in row r when
    i + j = r + 1 (mod n - 1), and n meets the i with 2i = r + 1 (mod n - 1). The lower is
    at home when i + j is odd, else the higher; n is the guest of the lower half and the
    host of the upper one. So everyone is at home as often as away, give or take one. An
    odd field is the next even one without n: who would meet n has a bye.
    """
    size = entrants + entrants % 2
    modulus = size - 1
    # The i with 2i = r + 1: size / 2 is the inverse of 2, because size = 1 (mod size - 1).
    middle = (row + 1) * (size // 2) % modulus or modulus
    if size == entrants:
        home, guest = (middle, size) if middle <= size // 2 else (size, middle)
        yield home - 1, guest - 1
    for step in range(1, size // 2):
        low, high = sorted(number % modulus or modulus for number in (middle + step, middle - step))
        yield (low - 1, high - 1) if (low + high) % 2 else (high - 1, low - 1)
