"""Names of bots, entrants and events: what may be one, and which two look the same.

Owns the rule for one name and the folding under which names must differ. That the entrants of
one event differ is the event file's. Must not know files. Source: requirements.md J (names
round-trip); issue "Tournaments to trust" 7 (Names).

**One name**: 1 to 64 characters in composed form (Unicode NFC). Accents, emoji, quotes, slashes
and right-to-left letters are welcome. Refused is what nobody sees or what changes the text
around it: controls, marks of direction, blanks other than the plain one, invisible letters,
private and unpaired code points, more than three marks on one letter, and a joiner where
nothing joins. Neither may a name begin as a formula of a spreadsheet does (``= + - @``): in CSV it
would have to be written otherwise than it is.

**Folding**: two names are the same if they are after NFKC, case folding, the loss of accents,
joiners and variation selectors, of doubled blanks, and of the difference between the Cyrillic
and Greek letters that are drawn as Latin ones. ``l`` and ``1`` stay different.
"""

import unicodedata
from typing import Final

from arena.record.csv_page import FORMULA_SIGNS

LONGEST_NAME: Final = 64
"""Characters of the name of a bot, an event or an entrant."""
MOST_MARKS: Final = 3
"""On one letter; Hebrew may need so many, a name that climbs over its line needs more."""

_CONTROLS: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
_JOINERS: Final = frozenset("\u200c\u200d")
_UNSEEN: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters and marks by their category, and drawn as nothing."""
_SELECTORS: Final = frozenset("\ufe0e\ufe0f")
"""Whether the character before is drawn as text or as an emoji."""
_PRESENTED: Final = frozenset(
    chr(code) for code in (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))
)
_ACCENTS: Final = 200
"""Combining classes from here on are accents; below stand vowels and points, which are read."""
_ALIKE: Final = str.maketrans(
    "аеорсухіјѕԁԛԝһѵӏαοονυρχικ",
    "aeopcyxijsdqwhvlaoovupxik",
)
"""Small letters of Cyrillic, then Greek, by what they are drawn as in Latin."""


def problem_of_name(name: str) -> str | None:  # noqa: PLR0911  # one reason after another
    """Say what keeps a text from being a name, or None (the module says which rule)."""
    if not name or name != name.strip():
        return (
            f"{name!r} is empty or has blanks around it; allowed are 1 to {LONGEST_NAME} characters"
        )
    if len(name) > LONGEST_NAME:
        return (
            f"{name[:LONGEST_NAME]!r}… has {len(name)} characters; allowed are 1 to {LONGEST_NAME}"
        )
    if name[0] in FORMULA_SIGNS:
        return (
            f"{name!r} begins with {name[0]!r}, which a spreadsheet takes for a formula; "
            "begin with a letter, a digit or another sign"
        )
    marks = 0
    for place, character in enumerate(name):
        if _is_unseen(name, place):
            return (
                f"{name!r} holds the control character U+{ord(character):04X}; "
                "allowed are visible characters and blanks"
            )
        marks = marks + 1 if _is_mark(character) else 0
        if marks > MOST_MARKS or (marks and not place):
            return (
                f"{name!r} has marks on no letter or more than {MOST_MARKS} on one "
                f"(U+{ord(character):04X} at {place + 1}); leave them out"
            )
    if (composed := unicodedata.normalize("NFC", name)) != name:
        return f"{name!a} is not in composed form (Unicode NFC); write it {composed!r}"
    if not folded(name):
        return f"{name!r} is nothing but accents; allowed are letters, digits and signs"
    return None


def folded(name: str) -> str:
    """Give what names that look the same have in common (the module says how)."""
    plain = unicodedata.normalize("NFKC", name).casefold().translate(_ALIKE)
    seen = (
        character
        for character in unicodedata.normalize("NFKD", plain)
        if unicodedata.combining(character) < _ACCENTS
        and unicodedata.category(character) != "Cf"
        and character not in _PRESENTED
    )
    return " ".join("".join(seen).casefold().translate(_ALIKE).split())


def _is_unseen(name: str, place: int) -> bool:
    character = name[place]
    if character in _JOINERS:
        # It shapes emoji and some scripts; elsewhere two names that differ by it look the same.
        around = name[place - 1 : place] + name[place + 1 : place + 2]
        return len(around) != 2 or any(one.isascii() or one in _JOINERS for one in around)  # noqa: PLR2004
    if character in _SELECTORS:
        return not place or name[place - 1].isalpha()
    category = unicodedata.category(character)
    is_other_blank = category == "Zs" and character != " "
    return (
        is_other_blank or category in _CONTROLS or character in _UNSEEN or character in _PRESENTED
    )


def _is_mark(character: str) -> bool:
    return unicodedata.category(character) in ("Mn", "Me") and character not in _SELECTORS
