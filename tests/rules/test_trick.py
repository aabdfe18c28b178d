"""Who wins a trick and what may be played."""

from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rules.cards import CARDS, SUIT_CARDS, Card, Suit, set_of
from arena.rules.notation import parse_cards
from arena.rules.presets import PRESETS
from arena.rules.trick import legal_set, must_follow, trick_thirds, winning_play


@settings(deadline=None)
@given(st.lists(st.sampled_from(CARDS), unique=True, min_size=1, max_size=4))
def test_the_highest_card_of_the_suit_led_wins(cards: list[Card]) -> None:
    """No other suit ever does."""
    winner = cards[winning_play(cards)]
    assert winner.suit is cards[0].suit
    assert all(card <= winner for card in cards if card.suit is winner.suit)


def test_a_trick_is_worth_its_cards() -> None:
    """An ace 3 thirds, 2, 3 and faces 1, the rest nothing."""
    assert trick_thirds(parse_cards("DA D2 D3 DK")) == 6
    assert trick_thirds(parse_cards("D4 C5 S6 B7")) == 0


def test_suit_is_followed_by_those_who_can() -> None:
    """Leading is free; without the suit anything goes."""
    ruleset = PRESETS["gamelake-4"]
    hand = set_of(parse_cards("CH S2 BJ"))
    assert legal_set(ruleset, hand, led=Suit.CUPS) == hand & SUIT_CARDS[Suit.CUPS]
    assert legal_set(ruleset, hand, led=Suit.COINS) == hand
    assert legal_set(ruleset, hand, led=None) == hand


def test_a_stock_frees_from_following_where_the_ruleset_says_so() -> None:
    """GameLake's two-seat game, not pagat's."""
    hand = set_of(parse_cards("CH S2 BJ"))
    free, strict = PRESETS["gamelake-2"], PRESETS["pagat-2"]
    assert legal_set(free, hand, led=Suit.CUPS, stock_size=2) == hand
    assert legal_set(free, hand, led=Suit.CUPS) == set_of([Card.CH])
    assert legal_set(strict, hand, led=Suit.CUPS, stock_size=2) == set_of([Card.CH])
    assert [must_follow(free, stock) for stock in (2, 0)] == [False, True]
    assert must_follow(strict, 20)
