"""What can happen in a match: the events of the game, whole and unredacted.

Owns the closed set of things the rules can bring about. What one seat may learn of them
is decided in :mod:`arena.rules.observation` only. Must not know clocks, bots or faults.
Source: protocol.md (SeatEvent), record.md (kinds); rules.md §1-3.
"""

from enum import StrEnum

from arena.rules.cards import Card, Rank, Suit
from arena.rules.options import Signal
from arena.rules.values import value


class ClaimKind(StrEnum):
    """A combination that can be declared. Source: CZ §6, IT ¶3."""

    NAPOLETANA = "napoletana"
    THREE = "three"
    FOUR = "four"


@value
class Claim:
    """One declared combination, fully specified.

    ``suit`` is a napoletana's suit, or the suit that is missing from a THREE (for a
    hand with all four, a claim of three names any one suit as missing:
    ``decl_understate``); None for a FOUR. ``rank`` is ACE, TWO or THREE for a three or
    four, None for a napoletana.
    """

    kind: ClaimKind
    suit: Suit | None = None
    rank: Rank | None = None


class SpecifiedBy(StrEnum):
    """Why the suit of a claim is known to all."""

    REQUEST = "request"
    RULE = "rule"
    NOT = "not"


class RefusalReason(StrEnum):
    """Why a well-formed claim was refused."""

    FALSE = "false"
    LATE = "late"
    TWICE = "twice"
    OVERLAP = "overlap"


class InfractionKind(StrEnum):
    """A breach of the game's rules that is not a revoke."""

    DECLARATION = "declaration"
    SIGNAL = "signal"


@value
class DealStarted:
    """Cards were dealt. ``hands`` by seat in dealing order; ``dealer`` None = the judge."""

    deal: int
    """Ordinal of the deal within the match, from 1."""
    board: int
    dealer: int | None
    leader: int
    hands: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...]


@value
class DeclarationMade:
    """A claim was accepted; ``points`` are whole points."""

    seat: int
    claim: Claim
    points: int
    specified_by: SpecifiedBy


@value
class DeclarationRefused:
    """A claim was refused; an Infraction follows, which is all that others learn."""

    seat: int
    claim: Claim
    reason: RefusalReason


@value
class CardPlayed:
    """A card was played, with at most one (allowed) signal."""

    seat: int
    card: Card
    signal: Signal | None = None
    autoplayed: bool = False


@value
class CardDrawn:
    """A card was drawn from the stock; ``card`` is None where a seat may not see it."""

    seat: int
    card: Card | None


@value
class SignalMade:
    """A word that was heard: with which play of the deal (from 0), by whom, which word.

    Not an event of its own (the word rides on ``CardPlayed``), but how it is remembered.
    """

    play: int
    seat: int
    word: Signal


@value
class TrickWon:
    """A trick was won; ``thirds`` counts its cards and, in the last one, the last trick."""

    seat: int
    thirds: int


@value
class Revoke:
    """A seat that could follow played another suit; the deal ends. Source: IT ¶5, CZ §7."""

    seat: int


@value
class Infraction:
    """A seat broke another rule of the game; ``points`` go to its side (0 or less).

    Where an infraction counts as a revoke, ``points`` are 0, the deal ends with it, and its
    DealScored says what it cost.
    """

    seat: int
    kind: InfractionKind
    points: int


@value
class DealScored:
    """A deal ended. All tuples are by side; points are whole points.

    ``points`` is the deal's whole score per side (cards, last trick, declarations,
    bonus, revoke and infractions); ``declared`` and ``penalties`` are the parts of it
    that came from declarations and from revokes or infractions; ``totals`` stand after
    the deal.
    """

    deal: int
    thirds: tuple[int, ...]
    points: tuple[int, ...]
    declared: tuple[int, ...]
    penalties: tuple[int, ...]
    totals: tuple[int, ...]


GameEvent = (
    DealStarted
    | DeclarationMade
    | DeclarationRefused
    | CardPlayed
    | CardDrawn
    | TrickWon
    | Revoke
    | Infraction
    | DealScored
)
