"""One trick: which cards may be played, which card wins, what the cards are worth.

Owns these rules as pure functions. :class:`arena.rules.deal.Deal` holds the same rules
unrolled for speed, and a test holds the two against each other. Must not know deals.
Source: rules.md §1.1-4, §2b; GL "Playing a trick" and "Do you have to follow suit?",
CZ §5, IT ¶1-2.
"""

from collections.abc import Sequence

from arena.rules.cards import SUIT_CARDS, Card, CardSet, Suit
from arena.rules.options import FollowSuit
from arena.rules.ruleset import Ruleset


def must_follow(ruleset: Ruleset, stock_size: int) -> bool:
    """Tell whether suit must be followed while so many cards are left in the stock."""
    return ruleset.follow_suit is FollowSuit.ALWAYS or stock_size == 0


def legal_set(ruleset: Ruleset, hand: CardSet, *, led: Suit | None, stock_size: int = 0) -> CardSet:
    """Return the cards of a hand that may be played when ``led`` was led (None = to lead)."""
    if led is None or not must_follow(ruleset, stock_size):
        return hand
    return hand & SUIT_CARDS[led] or hand


def winning_play(cards: Sequence[Card]) -> int:
    """Return the place (from 0 = the leader's) of the card that wins a trick.

    The highest card of the suit led wins; a card of another suit never does.
    """
    led = cards[0].suit
    return cards.index(max(card for card in cards if card.suit is led))


def trick_thirds(cards: Sequence[Card]) -> int:
    """Count what the cards of a trick are worth, in thirds, without the last trick's point."""
    return sum(card.thirds for card in cards)
