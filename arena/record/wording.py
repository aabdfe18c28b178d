"""The words of a replay: cards, claims, scores and foreign text as plain text.

Owns single phrases; must not know in which order they are told.
"""

from collections.abc import Iterable, Mapping
from typing import Final, assert_never

from arena.rules.cards import Card, Rank
from arena.rules.events import Claim, ClaimKind, DealScored

_JOINERS: Final = "\u200c\u200d"
"""Invisible, harmless, and part of how some names and emoji are written."""
_RANKS: Final[Mapping[Rank, str]] = {Rank.ACE: "aces", Rank.TWO: "twos", Rank.THREE: "threes"}


def shown(text: str) -> str:
    """Escape everything in a foreign text that is not plainly printable, quotes added."""
    quoted = _escaped(text).replace('"', '\\"')
    return f'"{quoted}"'


def shown_lines(text: str) -> tuple[str, ...]:
    """Escape a foreign text line by line, as it was laid out; without quotes."""
    return tuple(_escaped(line) for line in text.rstrip("\n").split("\n"))


def _escaped(text: str) -> str:
    return "".join(
        char if char.isprintable() or char in _JOINERS else char.encode("unicode_escape").decode()
        for char in text.replace("\\", "\\\\")
    )


def score_line(event: DealScored) -> str:
    """Tell how a deal was scored, on one line."""
    extras = ""
    if any(event.declared):
        extras += f", of them declared {per_side(event.declared)}"
    if any(event.penalties):
        extras += f", of them penalties {per_side(event.penalties)}"
    return (
        f"  deal {event.deal}: {per_side(event.thirds)} thirds, "
        f"points {per_side(event.points)}{extras}; totals {per_side(event.totals)}"
    )


def per_side(numbers: Iterable[int]) -> str:
    """Write one number per side."""
    return " : ".join(map(str, numbers))


def card_list(cards: Iterable[Card]) -> str:
    """List cards in notation."""
    return " ".join(map(str, cards))


def claim_words(claim: Claim) -> str:
    """Name a combination."""
    suit = "" if claim.suit is None else claim.suit.name.lower()
    rank = "" if claim.rank is None else _RANKS.get(claim.rank, claim.rank.letter)
    match claim.kind:
        case ClaimKind.NAPOLETANA:
            return f"a napoletana of {suit}"
        case ClaimKind.THREE:
            return f"three {rank} without {suit}"
        case ClaimKind.FOUR:
            return f"four {rank}"
        case _:
            assert_never(claim.kind)
