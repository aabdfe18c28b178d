"""Cards, hands and deals as text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import NotationError
from arena.rules.cards import CARDS, Card
from arena.rules.dealing import DealtCards
from arena.rules.notation import (
    format_card,
    format_cards,
    format_deal,
    parse_card,
    parse_cards,
    parse_deal,
)
from arena.rules.presets import PRESETS
from tests.rules.positions import random_deal, seeded


@settings(deadline=None)
@given(st.lists(st.sampled_from(CARDS)))
def test_cards_round_trip(cards: list[Card]) -> None:
    """What is written is read back, in order."""
    assert parse_cards(format_cards(cards)) == tuple(cards)
    assert [parse_card(format_card(card)) for card in cards] == cards


@pytest.mark.parametrize("preset", PRESETS)
@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_deals_round_trip(preset: str, seed: int) -> None:
    """Hands and stock are read back in dealing order."""
    ruleset = PRESETS[preset]
    dealt = random_deal(ruleset, seeded(seed))
    assert parse_deal(format_deal(dealt), ruleset) == dealt


def test_input_takes_the_aliases_of_ranks() -> None:
    """rules.md §0: F and 8 are J, 9 is H, R and 10 are K, 1 is A."""
    names = "DF D8 D9 DR D10 D1"
    assert format_cards(parse_cards(names)) == "DJ DJ DH DK DK DA"


@pytest.mark.parametrize("text", ["", "D", "3D", "d3", "D11", "X3", "D 3", "FD", "10", "D3 ", "D0"])
def test_what_is_no_card_is_refused_with_an_example(text: str) -> None:
    """Aliases hold in the rank's place only."""
    with pytest.raises(NotationError, match=r"is not a card: write a suit \(D C S B\)"):
        parse_card(text)


def test_a_wrong_card_in_a_list_is_named_with_its_place() -> None:
    """The third word here."""
    with pytest.raises(NotationError, match=r"^card 3: 'X9' is not a card"):
        parse_cards("D3 C4 X9 S5")


def test_a_deal_may_stand_on_several_lines() -> None:
    """Blanks and line ends are alike."""
    ruleset = PRESETS["gamelake-2"]
    dealt = random_deal(ruleset, seeded(1))
    text = format_deal(dealt)
    assert parse_deal(text.replace(" | ", "\n|\n").replace(" / ", "\n/ "), ruleset) == dealt


def test_a_stock_stands_behind_a_slash() -> None:
    """One line, hands by seat."""
    dealt = DealtCards(((Card.D3, Card.C7), (Card.S4, Card.BA)), (Card.B2, Card.D5))
    assert format_deal(dealt) == "D3 C7 | S4 BA / B2 D5"
    assert format_deal(DealtCards(((Card.D3,), (Card.S4,)))) == "D3 | S4"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text.replace(" | ", " "), "1 hands: a deal of gamelake-2 has 2"),
        (lambda text: text.partition(" / ")[0], "stock: 0 cards; it has 20"),
        (lambda text: text.replace("D4 ", "", 1), "seat 0: 9 cards; it has 10"),
        (lambda text: text.replace("D4", "C5", 1), "seat 1: C5 is already with seat 0"),
        (lambda text: text.replace("S4", "C5", 1), "stock: C5 is already with seat 1"),
        (lambda text: text.replace("C4", "C0", 1), "seat 1, card 1: 'C0' is not a card"),
        (lambda text: text.replace("S4", "10", 1), "stock, card 1: '10' is not a card"),
    ],
)
def test_a_wrong_deal_is_refused_where_it_is_wrong(change: object, message: str) -> None:
    """The message names the seat or the stock."""
    ruleset = PRESETS["gamelake-2"]
    text = format_deal(DealtCards((CARDS[:10], CARDS[10:20]), CARDS[20:]))
    assert callable(change)
    with pytest.raises(NotationError) as error:
        parse_deal(change(text), ruleset)
    assert str(error.value).startswith(message)
