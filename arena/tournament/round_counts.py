"""Counts of the rounds of formats that are drawn, from the number of entrants alone.

Owns what a file may ask for and what it gets by default. Must not know how rounds are drawn.
"""

from typing import Final

MOST_FURTHER: Final = 3
"""Rounds of further boards at one level: two bots that always play alike never part."""


def rounds_by_default(entrants: int) -> int:
    """Count the rounds after which one entrant can have won all: the logarithm to base 2."""
    return max(1, (entrants - 1).bit_length())


def most_rounds(entrants: int) -> int:
    """Count the rounds that can surely be drawn without a repeat.

    Half the field: each entrant can then still meet half of the others, so that a perfect
    matching exists (Dirac). More rounds may come to a field that splits into odd groups.
    """
    return (entrants + 1) // 2


def bracket_levels(entrants: int) -> int:
    """Count the levels of a bracket."""
    return max(0, (entrants - 1).bit_length())
