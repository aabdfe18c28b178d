"""Greedy: rules of thumb of good card players, no look-ahead, no memory of its own.

In this order: cash what nobody can beat; lead from length; give points to the partner's
trick; take points when it is sure; throw away what is worth nothing.
"""

from collections.abc import Sequence

from arena.sdk import Bot, Card, Rank, Suit, View

POINT = 3  # thirds


class Greedy(Bot):
    """Plays every seat of every ruleset; declares all it can, says no word."""

    def play(self, view: View) -> Card:
        """Return the card to play."""
        best = view.best_card
        if best is None:
            return lead(view)
        winners = [card for card in view.legal if card.suit is best.suit and card > best]
        sure = [card for card in winners if view.is_last_to_play or is_master(view, card)]
        if partner_wins(view, best):
            return give(view)
        if sure and is_worth_taking(view, sure):
            return take(sure)
        return throw(view)


def lead(view: View) -> Card:
    """Cash a card that nobody can beat, else lead low from the longest suit."""
    masters = [card for card in view.legal if is_master(view, card)]
    if masters:
        return max(masters, key=lambda card: (length(view, card.suit), card.rank))

    def value(card: Card) -> tuple[bool, int, bool, int, int]:
        return (
            not guards_ace(view, card),
            -card.thirds,
            is_partners(view, card.suit),
            length(view, card.suit),
            -card.rank,
        )

    return max(view.legal, key=value)


def is_worth_taking(view: View, sure: Sequence[Card]) -> bool:
    """Tell whether the trick holds a point, with an ace of one's own, or is the last."""
    on_table = sum(card.thirds for card in view.trick)
    has_ace = any(card.rank is Rank.ACE for card in sure)
    return on_table >= POINT or has_ace or view.is_last_trick


def take(sure: Sequence[Card]) -> Card:
    """Win with an ace, which is safe now, else with the cheapest card."""
    return min(sure, key=lambda card: (card.rank is not Rank.ACE, card.rank))


def give(view: View) -> Card:
    """Add points to the partner's trick: an ace, else a face, else what is worth nothing."""

    def value(card: Card) -> tuple[bool, bool, int]:
        is_face = card.rank in {Rank.JACK, Rank.HORSE, Rank.KING}
        return card.rank is Rank.ACE, is_face, -card.rank

    return max(view.legal, key=value)


def throw(view: View) -> Card:
    """Lose as little as can be: no points, a short suit, no guard of an ace, low."""

    def cost(card: Card) -> tuple[int, bool, bool, int, int]:
        is_high = card.rank >= Rank.TWO
        return card.thirds, is_high, guards_ace(view, card), length(view, card.suit), card.rank

    return min(view.legal, key=cost)


def partner_wins(view: View, best: Card) -> bool:
    """Tell whether the partner's card is sure to win this trick."""
    if view.partner is None or view.best_seat != view.partner:
        return False
    return view.is_last_to_play or is_master(view, best)


def is_master(view: View, card: Card) -> bool:
    """Tell whether nobody else can hold a higher card of the suit."""
    return not any(other > card and other.suit is card.suit for other in view.unseen)


def is_partners(view: View, suit: Suit) -> bool:
    """Tell whether the partner led this suit and may still hold it."""
    if view.partner is None or suit in view.voids[view.partner]:
        return False
    return any(t.leader == view.partner and t.cards[0].suit is suit for t in view.tricks)


def guards_ace(view: View, card: Card) -> bool:
    """Tell whether an ace in the hand needs this card to outlast the suit's 3 and 2."""
    suit = [other for other in view.hand if other.suit is card.suit]
    ace = next((other for other in suit if other.rank is Rank.ACE), None)
    return ace is not None and not is_master(view, ace) and len(suit) <= 3


def length(view: View, suit: Suit) -> int:
    """Count the cards of a suit in the hand."""
    return sum(card.suit is suit for card in view.hand)


if __name__ == "__main__":
    Greedy().run()
