"""Names of events and entrants: what may be one.

Owns the rule alone; that names differ from each other is the event file's. Source:
requirements.md J (names round-trip).
"""

import unicodedata
from typing import Final

LONGEST_NAME: Final = 64
"""Characters of the name of an event or an entrant."""

_TRAPS: Final = frozenset({"Cc", "Cs", "Zl", "Zp"})
_UNSEEN: Final = frozenset("\xad\u180e\u200b\u2060\u2061\u2062\u2063\u2064\ufeff")
"""Invisible, and part of no writing: two names that differ by them look the same."""
_TURNS: Final = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})


def problem_of_name(name: str) -> str | None:
    """Say what keeps a text from being a name, or None.

    Accents, emoji, quotes and right-to-left letters are welcome; control characters, what
    nobody sees and marks that turn the direction of the text around them are not.
    """
    if not name or name != name.strip():
        return (
            f"{name!r} is empty or has blanks around it; allowed are 1 to {LONGEST_NAME} characters"
        )
    if len(name) > LONGEST_NAME:
        return f"{name!r} has {len(name)} characters; allowed are 1 to {LONGEST_NAME}"
    for character in name:
        if (
            character in _UNSEEN
            or unicodedata.category(character) in _TRAPS
            or unicodedata.bidirectional(character) in _TURNS
        ):
            return (
                f"{name!r} holds the control character U+{ord(character):04X}; "
                "allowed are visible characters and blanks"
            )
    return None
