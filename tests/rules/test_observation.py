"""What a seat sees: its own cards and what is public, nothing else."""

from dataclasses import replace
from functools import partial
from typing import get_args

import pytest

from arena.rules.cards import Card, Suit, set_of
from arena.rules.dealing import deal_board
from arena.rules.events import (
    CardDrawn,
    CardPlayed,
    Claim,
    ClaimKind,
    DealScored,
    DealStarted,
    DeclarationMade,
    DeclarationRefused,
    GameEvent,
    Infraction,
    InfractionKind,
    RefusalReason,
    Revoke,
    SignalMade,
    SpecifiedBy,
    TrickWon,
)
from arena.rules.match import Match
from arena.rules.observation import HandDealt, Observation, is_public, observe, visible_to
from arena.rules.options import Signal
from arena.rules.presets import PRESETS
from arena.rules.question import Answer
from tests.rules.positions import dealt_with, match_on, pickled, play_cards, seeded

NAPOLETANA = Claim(kind=ClaimKind.NAPOLETANA, suit=Suit.COINS)
HIDDEN_DRAWS = PRESETS["gamelake-2"]
SHOWN_DRAWS = PRESETS["pagat-2"]

PUBLIC: list[GameEvent] = [
    CardPlayed(seat=0, card=Card.D3, signal=Signal.VOLO),
    TrickWon(seat=0, thirds=3),
    DeclarationMade(seat=0, claim=NAPOLETANA, points=3, specified_by=SpecifiedBy.RULE),
    Infraction(seat=0, kind=InfractionKind.SIGNAL, points=-1),
    Revoke(seat=0),
    DealScored(
        deal=1,
        thirds=(20, 15),
        points=(6, 5),
        declared=(0, 0),
        penalties=(0, 0),
        totals=(6, 5),
    ),
]


@pytest.mark.parametrize("event", PUBLIC, ids=lambda event: type(event).__name__)
def test_public_events_are_the_same_for_all(event: GameEvent) -> None:
    """Every seat gets the very event."""
    assert is_public(event)
    assert all(visible_to(event, seat, HIDDEN_DRAWS) is event for seat in (0, 1))


def test_an_event_that_may_be_hidden_from_a_seat_is_not_public() -> None:
    """Every kind of event is either in the list above or one of these."""
    hidden = {DealStarted, CardDrawn, DeclarationRefused}
    assert hidden | {type(event) for event in PUBLIC} == set(get_args(GameEvent))
    refused = DeclarationRefused(seat=2, claim=NAPOLETANA, reason=RefusalReason.FALSE)
    assert not is_public(refused)
    assert not is_public(CardDrawn(seat=0, card=Card.D3))
    assert not is_public(
        DealStarted(deal=1, board=1, dealer=0, leader=0, hands=((Card.D3,),), stock=())
    )


def test_of_a_deal_a_seat_sees_its_hand() -> None:
    """Not the board's number, not the stock, not other hands."""
    dealt = deal_board(HIDDEN_DRAWS, bytes(32), 3)
    event = DealStarted(deal=1, board=3, dealer=1, leader=0, hands=dealt.hands, stock=dealt.stock)
    assert visible_to(event, 1, HIDDEN_DRAWS) == HandDealt(
        deal=1, dealer=1, leader=0, hand=dealt.hands[1], stock_size=20
    )


def test_a_drawn_card_is_its_owners_unless_it_is_shown() -> None:
    """The others learn that a card was drawn."""
    event = CardDrawn(seat=0, card=Card.D3)
    assert visible_to(event, 0, HIDDEN_DRAWS) is event
    assert visible_to(event, 1, HIDDEN_DRAWS) == CardDrawn(seat=0, card=None)
    assert visible_to(event, 1, SHOWN_DRAWS) is event


def test_a_refused_claim_is_its_makers_business() -> None:
    """Others learn of the infraction that follows, nothing of the claim (design.md §5)."""
    event = DeclarationRefused(seat=2, claim=NAPOLETANA, reason=RefusalReason.FALSE)
    ruleset = PRESETS["italian-tournament"]
    assert [visible_to(event, seat, ruleset) for seat in range(4)] == [None, None, event, None]


def test_an_observation_holds_the_whole_public_deal() -> None:
    """After a trick and a half, with a declaration and a word."""
    ruleset = PRESETS["italian-tournament"]
    hands = {0: "DA D2 D3 S4", 1: "D5 S5", 2: "D6 S6", 3: "D7 S7"}
    match = match_on(ruleset, dealt_with(ruleset, hands))
    match.apply(Answer(card=Card.D3, declarations=(NAPOLETANA,), signal=Signal.BUSSO))
    play_cards(match, "D5 D6 D7 S4 S5")
    made = DeclarationMade(seat=0, claim=NAPOLETANA, points=3, specified_by=SpecifiedBy.REQUEST)
    hand = tuple(sorted(set(dealt_with(ruleset, hands).hands[2]) - {Card.D6}))
    assert observe(match, 2) == Observation(
        seat=2,
        deal=1,
        dealer=None,
        leader=0,
        hand=hand,
        trick=(Card.S4, Card.S5),
        history=(Card.D3, Card.D5, Card.D6, Card.D7),
        trick_leaders=(0,),
        stock_size=0,
        declarations=(made,),
        signals=(SignalMade(play=0, seat=0, word=Signal.BUSSO),),
        known_cards=((Card.DA, Card.D2), (), (), ()),
        thirds=(1, 0),
        totals=(0, 0),
    )


def test_an_observation_starts_afresh_with_each_deal() -> None:
    """Only the totals and the deal's ordinal go on; the dealer is the seat before the leader."""
    ruleset = PRESETS["cardgames-zone-4"]
    hands = {0: "DA D2 D3 S4", 1: "D5", 2: "D6", 3: "D7"}
    match = match_on(ruleset, dealt_with(ruleset, hands), boards=2)
    match.apply(Answer(card=Card.D3, declarations=(NAPOLETANA,), signal=Signal.BUSSO))
    while match.deal_number == 1:
        match.apply(match.default_answer())
    seen = observe(match, 3)
    assert (seen.deal, seen.dealer, seen.leader, seen.totals) == (2, 0, 1, match.totals)
    assert (seen.history, seen.declarations, seen.signals, seen.thirds) == ((), (), (), (0, 0))
    assert seen.known_cards == ((), (), (), ())


@pytest.mark.parametrize("preset", PRESETS)
def test_a_seat_that_only_listens_knows_what_a_seat_that_looks_knows(preset: str) -> None:
    """The events a seat may see add up to its Observation."""
    ruleset = PRESETS[preset]
    match = Match(ruleset, cards=partial(deal_board, ruleset, bytes(32)), first_board=1, boards=2)
    chance = seeded(preset)
    heard: dict[int, list[GameEvent | HandDealt]] = {s: [] for s in range(ruleset.seats)}

    def tell(events: tuple[GameEvent, ...]) -> None:
        for seat, news in heard.items():
            for event in events:
                seen = visible_to(event, seat, ruleset)
                assert seen is not None
                if isinstance(seen, HandDealt):
                    news.clear()
                news.append(seen)

    tell(match.begin())
    while not match.is_over:
        for seat, news in heard.items():
            look = observe(match, seat)
            played = [e.card for e in news if isinstance(e, CardPlayed)]
            assert (*look.history, *look.trick) == tuple(played)
            hand = next(set(e.hand) for e in reversed(news) if isinstance(e, HandDealt))
            hand |= {e.card for e in news if isinstance(e, CardDrawn) and e.seat == seat and e.card}
            assert look.hand == tuple(sorted(hand - set(played)))
            drawn = sum(isinstance(e, CardDrawn) for e in news)
            assert look.stock_size == ruleset.stock - drawn
            assert sum(look.thirds) == sum(e.thirds for e in news if isinstance(e, TrickWon))
        question = match.question
        assert question is not None
        tell(match.apply(Answer(card=chance.choice(question.legal))))


def test_known_cards_are_those_still_held() -> None:
    """A shown draw is known until it is played."""
    dealt = dealt_with(SHOWN_DRAWS, {0: "D4 C4", 1: "D5 C5"}, size=2, stock=2)
    match = match_on(SHOWN_DRAWS, dealt)
    play_cards(match, "D4 D5")
    drawn_by_1, drawn_by_0 = dealt.stock
    assert observe(match, 0).known_cards == ((drawn_by_0,), (drawn_by_1,))
    match.apply(Answer(card=drawn_by_1))
    assert observe(match, 0).known_cards == ((drawn_by_0,), ())
    assert set_of(observe(match, 1).hand) == set_of([Card.C5])


def test_observations_are_values_that_can_be_pickled() -> None:
    """Equal when they say the same."""
    match = match_on(SHOWN_DRAWS, deal_board(SHOWN_DRAWS, bytes(32), 1))
    look = observe(match, 1)
    assert look == replace(look) == pickled(look)
    assert observe(match, 0) != look
