"""What one seat knows: the only place of the project that redacts.

Owns the Observation of a seat and the part of each event that a seat may learn. Both are
built from what is public, the seat's own cards and nothing else; requirement O of the
design is a test of this file. Must not know clocks, wire or bots.
Source: protocol.md (Observation, SeatEvent); rules.md §2-3 (draw_visibility).
"""

from typing import Final, TypeGuard, assert_never, get_args

from arena.rules.cards import Card, CardSet, cards_of
from arena.rules.events import (
    CardDrawn,
    CardPlayed,
    DealScored,
    DealStarted,
    DeclarationMade,
    DeclarationRefused,
    GameEvent,
    Infraction,
    Revoke,
    SignalMade,
    TrickWon,
)
from arena.rules.match import Match
from arena.rules.options import DrawVisibility
from arena.rules.ruleset import Ruleset
from arena.rules.values import value

__all__ = [
    "HandDealt",
    "Observation",
    "SeatGameEvent",
    "SignalMade",
    "is_public",
    "observe",
    "visible_to",
]


@value
class HandDealt:
    """A seat's view of ``DealStarted``: its own hand only, no board number."""

    deal: int
    dealer: int | None
    leader: int
    hand: tuple[Card, ...]
    stock_size: int


SeatGameEvent = (
    HandDealt
    | DeclarationMade
    | DeclarationRefused
    | CardPlayed
    | CardDrawn
    | TrickWon
    | Revoke
    | Infraction
    | DealScored
)
"""The view of a GameEvent that a seat may get."""


@value
class Observation:
    """Everything one seat knows about the current deal and the score."""

    seat: int
    deal: int
    dealer: int | None
    leader: int
    """Leader of the trick being played."""
    hand: tuple[Card, ...]
    trick: tuple[Card, ...]
    """Cards on the table, in turn order from ``leader``."""
    history: tuple[Card, ...]
    """Cards of the completed tricks of this deal, trick after trick in turn order."""
    trick_leaders: tuple[int, ...]
    """Leader of each completed trick."""
    stock_size: int
    declarations: tuple[DeclarationMade, ...]
    signals: tuple[SignalMade, ...]
    known_cards: tuple[tuple[Card, ...], ...]
    """By seat: cards that the rules made public and that the seat still holds."""
    thirds: tuple[int, ...]
    """Card thirds won so far in this deal, by side."""
    totals: tuple[int, ...]
    """Match points by side: before this deal and, where ``decl_scored`` is immediately, with
    what was declared in it so far."""


PublicEvent = CardPlayed | TrickWon | DeclarationMade | Infraction | Revoke | DealScored
_PUBLIC: Final = frozenset(get_args(PublicEvent))


def observe(match: Match, seat: int) -> Observation:
    """Return what a seat knows of the deal in progress and the score."""
    deal = match.deal
    ledger = match.ledger
    hands = deal.hands
    history = deal.history
    leaders = deal.trick_leaders
    done = len(leaders) * len(hands)
    return Observation(
        seat=seat,
        deal=match.deal_number,
        dealer=match.dealer,
        leader=deal.leader,
        hand=cards_of(hands[seat]),
        trick=tuple(history[done:]),
        history=tuple(history[:done]),
        trick_leaders=tuple(leaders),
        stock_size=len(deal.stock),
        declarations=ledger.declarations,
        signals=ledger.signals,
        known_cards=_known_cards(ledger.made_public, hands),
        thirds=tuple(deal.thirds),
        totals=match.totals,
    )


def _known_cards(made_public: list[CardSet], hands: list[CardSet]) -> tuple[tuple[Card, ...], ...]:
    if not any(made_public):
        return ((),) * len(hands)
    return tuple([cards_of(public & held) for public, held in zip(made_public, hands, strict=True)])


def is_public(event: GameEvent) -> TypeGuard[PublicEvent]:
    """Tell whether every seat may learn all of an event, whatever the ruleset."""
    return type(event) in _PUBLIC


def visible_to(event: GameEvent, seat: int, ruleset: Ruleset) -> SeatGameEvent | None:
    """Return what a seat learns of an event: the event itself where it is public, or None."""
    match event:
        case DealStarted():
            return HandDealt(
                deal=event.deal,
                dealer=event.dealer,
                leader=event.leader,
                hand=event.hands[seat],
                stock_size=len(event.stock),
            )
        case CardDrawn():
            if event.seat == seat or ruleset.draw_visibility is DrawVisibility.PUBLIC:
                return event
            return CardDrawn(seat=event.seat, card=None)
        case DeclarationRefused():
            return event if event.seat == seat else None
        case CardPlayed() | TrickWon() | DeclarationMade() | Infraction() | Revoke() | DealScored():
            return event
        case _:
            assert_never(event)
