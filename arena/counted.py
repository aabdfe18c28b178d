"""Counted words: how many of something there are, as people say it.

Owns the plurals of the field's English words. Must not know anything of the arena, and may be
imported by all of it.
"""

import re
from typing import Final

_HISSES: Final = re.compile(r"(s|x|ch|sh)$")
_ENDS_IN_IES: Final = re.compile(r"(?<=[^aeiou])y$")


def counted(number: int, unit: str) -> str:
    """Write a number with its unit: "1 match", "2 matches", "0 entries", "3 slow answers"."""
    return f"{number} {unit if number in (1, -1) else plural(unit)}"


def plural(unit: str) -> str:
    """Give the plural of a unit whose last word is regular: "match" → "matches"."""
    if _HISSES.search(unit):
        return f"{unit}es"
    if _ENDS_IN_IES.search(unit):
        return _ENDS_IN_IES.sub("ies", unit)
    return f"{unit}s"
