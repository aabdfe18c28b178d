"""The play of the cards: turns, legality, tricks, draws, and its invariants."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rules.cards import CARDS, SUIT_SIZE, Card, cards_of, set_of
from arena.rules.deal import Deal
from arena.rules.dealing import DealtCards
from arena.rules.notation import parse_cards
from arena.rules.presets import PRESETS
from arena.rules.question import BadAnswer, BadAnswerKind
from arena.rules.ruleset import Ruleset
from arena.rules.trick import legal_set, trick_thirds, winning_play
from tests.rules.positions import dealt_with, pickled, random_deal, seeded

FOUR = PRESETS["gamelake-4"]
TWO = PRESETS["gamelake-2"]
ANY_PRESET = st.sampled_from(list(PRESETS.values()))
SEEDS = st.integers(0, 2**32)


def random_start(ruleset: Ruleset, seed: int) -> tuple[Deal, random.Random]:
    chance = seeded(seed)
    dealt = random_deal(ruleset, chance)
    return Deal(ruleset, dealt, chance.randrange(ruleset.seats)), chance


def snapshot(deal: Deal) -> list[object]:
    return [getattr(pickled(deal), name) for name in Deal.__slots__]


@settings(deadline=None)
@given(ANY_PRESET, SEEDS)
def test_cards_and_thirds_are_conserved_at_every_play(ruleset: Ruleset, seed: int) -> None:
    """Forty cards at all times, 35 thirds at the end, always something legal until then."""
    deal, chance = random_start(ruleset, seed)
    while not deal.is_over:
        legal = deal.legal_cards()
        assert legal
        assert set_of(legal) == deal.legal_set()
        cards = [card for hand in deal.hands for card in cards_of(hand)]
        assert sorted([*cards, *deal.stock, *deal.history]) == list(CARDS)
        deal.play(chance.choice(legal))
    assert sorted(deal.history) == list(CARDS)
    assert sum(deal.thirds) == 35
    assert sum(deal.tricks_won()) == ruleset.tricks == len(deal.trick_leaders)


@settings(deadline=None)
@given(ANY_PRESET, SEEDS)
def test_the_fast_core_keeps_the_rules_of_one_trick(ruleset: Ruleset, seed: int) -> None:
    """Legal sets, winners and thirds are those of ``arena.rules.trick``."""
    deal, chance = random_start(ruleset, seed)
    while not deal.is_over:
        led = deal.trick[0].suit if deal.trick else None
        hand, stock = deal.hands[deal.turn], len(deal.stock)
        assert deal.legal_set() == legal_set(ruleset, hand, led=led, stock_size=stock)
        trick, leader, won = deal.trick, deal.leader, sum(deal.thirds)
        card = chance.choice(deal.legal_cards())
        deal.play(card)
        if deal.trick:
            continue
        trick += (card,)
        assert deal.leader == deal.turn == (leader + winning_play(trick)) % ruleset.seats
        last = ruleset.last_trick_thirds if deal.is_over else 0
        assert sum(deal.thirds) - won == trick_thirds(trick) + last


@settings(deadline=None)
@given(ANY_PRESET, SEEDS, st.permutations(range(4)))
def test_renaming_suits_changes_nothing(ruleset: Ruleset, seed: int, names: list[int]) -> None:
    """The same cards in other suits win the same tricks."""

    def renamed(card: Card) -> Card:
        return CARDS[SUIT_SIZE * names[card.suit] + card.rank]

    chance = seeded(seed)
    dealt = random_deal(ruleset, chance)
    other = DealtCards(
        tuple(tuple(map(renamed, hand)) for hand in dealt.hands), tuple(map(renamed, dealt.stock))
    )
    deal, twin = Deal(ruleset, dealt, 0), Deal(ruleset, other, 0)
    while not deal.is_over:
        assert twin.legal_set() == set_of(map(renamed, deal.legal_cards()))
        card = chance.choice(deal.legal_cards())
        deal.play(card)
        twin.play(renamed(card))
        assert (deal.turn, deal.thirds) == (twin.turn, twin.thirds)


@settings(deadline=None)
@given(ANY_PRESET, SEEDS, st.integers(1, 3))
def test_turning_the_seats_changes_nothing(ruleset: Ruleset, seed: int, by: int) -> None:
    """The same hands from other seats win the same tricks for the sides that hold them."""
    chance = seeded(seed)
    seats = ruleset.seats
    dealt = random_deal(ruleset, chance)
    turned = DealtCards(
        tuple(dealt.hands[(seat - by) % seats] for seat in range(seats)), dealt.stock
    )
    deal, twin = Deal(ruleset, dealt, 0), Deal(ruleset, turned, by % seats)
    while not deal.is_over:
        assert twin.legal_set() == deal.legal_set()
        card = chance.choice(deal.legal_cards())
        deal.play(card)
        twin.play(card)
        assert twin.turn == (deal.turn + by) % seats
    sides = ruleset.side_count
    assert twin.thirds == [deal.thirds[(side - by) % sides] for side in range(sides)]


@pytest.mark.parametrize("preset", PRESETS)
def test_a_thousand_random_deals_end(preset: str) -> None:
    """With 40 cards played, 35 thirds won, and as many tricks as the ruleset says."""
    ruleset = PRESETS[preset]
    for seed in range(1000):
        deal, chance = random_start(ruleset, seed)
        while not deal.is_over:
            deal.play(chance.choice(deal.legal_cards()))
        assert sum(deal.thirds) == 35
        assert len(deal.history) == len(set(deal.history)) == 40
        assert len(deal.trick_leaders) == ruleset.tricks


def test_turns_go_round_from_the_winner() -> None:
    """The winner leads the next trick, its partner's side counts it."""
    dealt = dealt_with(FOUR, {0: "DA C4", 1: "DK C5", 2: "D3 C6", 3: "C7 S4"}, size=2)
    deal = Deal(FOUR, dealt, 0)
    for card in parse_cards("DA DK D3"):
        deal.play(card)
    assert (deal.turn, deal.trick) == (3, parse_cards("DA DK D3"))
    deal.play(Card.C7)
    assert (deal.turn, deal.leader, deal.trick, deal.thirds) == (2, 2, (), [5, 0])
    assert (deal.trick_leaders, deal.tricks_won()) == ([0], (1, 0))
    for card in parse_cards("C6 S4 C4 C5"):
        deal.play(card)
    assert (deal.is_over, deal.thirds, deal.tricks_won()) == (True, [8, 0], (2, 0))
    assert (deal.trick_leaders, deal.turn) == ([0, 2], 2)


def test_no_trick_is_won_before_the_first_is_complete() -> None:
    """The leader of trick 1 has won nothing yet."""
    deal, _ = random_start(FOUR, 1)
    assert deal.tricks_won() == (0, 0)


def test_the_winner_draws_first() -> None:
    """GL "Playing a trick": two seats draw from the top of the stock, then the winner leads."""
    dealt = DealtCards((parse_cards("D4 C4"), parse_cards("D5 C5")), parse_cards("S4 DA B2 B3"))
    deal = Deal(TWO, dealt, 0)
    for card in parse_cards("D4 D5"):
        deal.play(card)
    assert deal.draws == [Card.S4, Card.DA]
    assert [cards_of(hand) for hand in deal.hands] == [parse_cards("DA C4"), parse_cards("C5 S4")]
    assert (deal.turn, deal.stock) == (1, parse_cards("B2 B3"))


def test_play_is_free_until_the_stock_is_gone() -> None:
    """GL: tricks 1 to 10 are free; a card of another suit still never wins."""
    dealt = DealtCards((parse_cards("D4 C4"), parse_cards("D5 C3")), parse_cards("S4 C7"))
    deal = Deal(TWO, dealt, 0)
    deal.play(Card.D4)
    assert deal.legal_cards() == parse_cards("D5 C3")
    deal.play(Card.C3)
    assert (deal.turn, deal.stock) == (0, ())
    deal.play(Card.C4)
    assert deal.legal_cards() == (Card.C7,)


@pytest.mark.parametrize("preset", ["gamelake-4", "pagat-2"])
def test_a_refused_card_changes_nothing(preset: str) -> None:
    """Neither one that is not held nor one that does not follow."""
    ruleset = PRESETS[preset]
    deal = Deal(ruleset, dealt_with(ruleset, {0: "D4 C4", 1: "D5 C5"}, size=2), 0)
    deal.play(Card.D4)
    before = snapshot(deal)
    for card, kind, text in (
        (Card.C5, BadAnswerKind.ILLEGAL_CARD, "seat 1 can follow suit, so it may not play C5"),
        (Card.B3, BadAnswerKind.CARD_NOT_HELD, "seat 1 does not hold B3"),
        (Card.D4, BadAnswerKind.CARD_NOT_HELD, "seat 1 does not hold D4"),
    ):
        with pytest.raises(BadAnswer) as error:
            deal.play(card)
        assert (error.value.kind, error.value.allowed) == (kind, (Card.D5,))
        assert str(error.value) == f"{text}; allowed: D5"
        assert snapshot(deal) == before


def test_nothing_can_be_played_once_the_deal_is_over() -> None:
    """The message says so."""
    dealt = dealt_with(FOUR, {}, size=1)
    deal = Deal(FOUR, dealt, 0)
    for hand in dealt.hands:
        deal.play(hand[0])
    assert (deal.is_over, deal.legal_cards(), deal.legal_set()) == (True, (), 0)
    with pytest.raises(BadAnswer, match="does not hold D4; allowed: none, the deal is over"):
        deal.play(Card.D4)


def test_a_copy_goes_its_own_way() -> None:
    """Playing on it leaves the first deal as it was."""
    deal, chance = random_start(TWO, 5)
    for _ in range(7):
        deal.play(chance.choice(deal.legal_cards()))
    before = snapshot(deal)
    ahead = deal.copy()
    assert snapshot(ahead) == before
    while not ahead.is_over:
        ahead.play(ahead.legal_cards()[0])
    assert snapshot(deal) == before
