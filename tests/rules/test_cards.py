"""The number line of the cards, and sets of cards."""

from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rules.cards import (
    CARDS,
    FULL_DECK,
    SUIT_CARDS,
    Card,
    Rank,
    Suit,
    cards_of,
    set_of,
)
from tests.rules.positions import pickled


def test_cards_run_from_1_to_40_by_suit_and_strength() -> None:
    """The wire's numbers: no card is 0, and in a suit the greater number wins."""
    assert [int(card) for card in CARDS] == list(range(1, 41))
    assert [card.name for card in CARDS] == [s + r for s in "DCSB" for r in "4567JHKA23"]


def test_a_card_knows_its_suit_rank_and_worth() -> None:
    """The name says it all."""
    for card in CARDS:
        assert str(card) == card.suit.letter + card.rank.letter
        expected = {Rank.ACE: 3}.get(card.rank, 1 if card.rank >= Rank.JACK else 0)
        assert card.thirds == expected


def test_suits_and_deck_are_sets() -> None:
    """Four suits of ten make the deck."""
    assert [cards_of(SUIT_CARDS[suit])[0] for suit in Suit] == [Card.D4, Card.C4, Card.S4, Card.B4]
    assert sum(SUIT_CARDS) == FULL_DECK
    assert cards_of(FULL_DECK) == CARDS


@settings(deadline=None)
@given(st.lists(st.sampled_from(CARDS)))
def test_sets_keep_each_card_once_along_the_number_line(cards: list[Card]) -> None:
    """Order and repeats of the input do not matter."""
    assert cards_of(set_of(cards)) == tuple(sorted(set(cards)))


def test_cards_survive_pickling_as_themselves() -> None:
    """So that values of the rules can cross processes."""
    assert pickled(CARDS) == CARDS
    assert pickled(Card.D3) is Card.D3
