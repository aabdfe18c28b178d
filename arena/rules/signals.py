"""Signals: which words may be said when, and what they would have to mean.

Owns the words' meanings and who may say them. Must not know what a wrong word costs.
Source: rules.md §2c-d, §3 rows 13-17; CZ §5 and §7, IT ¶4. Only CZ gives meanings:
busso "return this suit, I hold the highest", volo "my last of this suit", striscio
"several more of this suit". IT's piombo and liscio are taken as volo and striscio, as
pagat does (row 16).
"""

from typing import assert_never

from arena.rules.cards import SUIT_CARDS, Card, CardSet
from arena.rules.options import Signal, SignalTruth, SignalWho
from arena.rules.ruleset import Ruleset

_SEVERAL = 2


def allowed_words(ruleset: Ruleset, *, is_leader: bool) -> tuple[Signal, ...]:
    """List the words that a seat may say with a card, at most one at a time."""
    if ruleset.signal_who is SignalWho.LEADER and not is_leader:
        return ()
    return ruleset.signals


def is_true(word: Signal, card: Card, *, hand_after: CardSet, outstanding: CardSet) -> bool:
    """Tell whether a word said with a card is true.

    Args:
        word: the word.
        card: the card it is said with; the word is about its suit.
        hand_after: the speaker's hand without that card.
        outstanding: the cards not yet played that the speaker does not hold.
    """
    own = hand_after & SUIT_CARDS[card.suit]
    match word:
        case Signal.BUSSO:
            return own > outstanding & SUIT_CARDS[card.suit]
        case Signal.VOLO | Signal.PIOMBO:
            return own == 0
        case Signal.STRISCIO | Signal.LISCIO:
            return own.bit_count() >= _SEVERAL
        case _:
            assert_never(word)


def meaning(word: Signal) -> str:
    """Return what a word says of the suit of the card that it is said with; see :func:`is_true`."""
    match word:
        case Signal.BUSSO:
            return "I hold the highest card left of it"
        case Signal.VOLO | Signal.PIOMBO:
            return "this is my last of it"
        case Signal.STRISCIO | Signal.LISCIO:
            return f"I hold at least {_SEVERAL} more of it"
        case _:
            assert_never(word)


def must_be_true(ruleset: Ruleset) -> bool:
    """Tell whether a false word is an infraction."""
    return ruleset.signal_truth is SignalTruth.CHECKED
