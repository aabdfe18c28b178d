"""Two worlds that one seat cannot tell apart, and the search for what tells them apart.

Owns the exchange of hidden cards, what a seat may learn of them, and where two lives of
one seat part. Must not know how a life is recorded: anything that compares will do.
"""

from collections.abc import Iterable
from dataclasses import replace
from itertools import zip_longest

from arena.referee.ending import as_told
from arena.referee.events import LogEvent, MatchEnded, SeatEvent, SeatLost, TableEvent
from arena.rules.cards import CARDS, Card, cards_of
from arena.rules.dealing import DealtCards
from arena.rules.declarations import claimed_cards
from arena.rules.events import CardDrawn, CardPlayed, DeclarationMade, Infraction, Revoke
from arena.rules.observation import visible_to
from arena.rules.options import DrawVisibility
from arena.rules.ruleset import Ruleset


def swapped(dealt: DealtCards, pair: tuple[Card, Card]) -> DealtCards:
    """Let two cards change places."""
    one, other = pair
    to = {one: other, other: one}
    return DealtCards(
        hands=tuple(tuple(to.get(card, card) for card in hand) for hand in dealt.hands),
        stock=tuple(to.get(card, card) for card in dealt.stock),
    )


def hidden_pair(dealt: DealtCards, seat: int, picks: tuple[int, int]) -> tuple[Card, Card]:
    """Pick two of the cards that are not dealt to a seat; they may be the same."""
    hidden = [card for card in CARDS if card not in dealt.hands[seat]]
    one, other = (hidden[pick % len(hidden)] for pick in picks)
    return one, other


def as_learnt(event: LogEvent, seat: int, ruleset: Ruleset) -> SeatEvent | None:
    """Give what a seat may learn of an event of the log, as the rules of the wire say."""
    match event:
        case MatchEnded():
            return replace(event, termination=as_told(event.termination), loop_stall_max_us=0)
        case SeatLost():
            return event
        case _:
            return None if isinstance(event, TableEvent) else visible_to(event, seat, ruleset)


def may_differ(event: object, seat: int, ruleset: Ruleset) -> bool:
    """Whether a seat may tell worlds apart by an event: others did it, and all may see it."""
    match event:
        case CardDrawn():
            is_shown = ruleset.draw_visibility is DrawVisibility.PUBLIC
            return event.seat == seat or is_shown
        case CardPlayed() | DeclarationMade() | Infraction() | Revoke() | SeatLost():
            return event.seat != seat
        case MatchEnded():
            return event.termination.seat not in (None, seat)
        case _:
            return False


def cards_named(event: object) -> tuple[Card, ...]:
    """List the cards that an event names, itself or by the combination it names."""
    match event:
        case CardDrawn() | CardPlayed():
            return () if event.card is None else (event.card,)
        case DeclarationMade():
            return cards_of(claimed_cards(event.claim))
        case _:
            return ()


def parting(one: Iterable[object], other: Iterable[object]) -> tuple[object, object] | None:
    """Return where two lives of a seat first differ; None where they do not."""
    pairs = zip_longest(one, other)
    return next(((a, b) for a, b in pairs if a != b), None)


def leak_at(parted: tuple[object, object] | None, seat: int, ruleset: Ruleset) -> str | None:
    """Name what a seat learnt too early, or nothing where the rules let the lives part."""
    if parted is None or any(may_differ(event, seat, ruleset) for event in parted):
        return None
    one, other = parted
    return f"{one!r}\nbut in the other world\n{other!r}"
