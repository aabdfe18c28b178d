"""Requirement O: what a seat gets does not depend on what it may not know.

Two worlds differ only in two cards hidden from one seat. Played alike, they look alike to
that seat, question and events included, until an event names one of the two cards in a
field it may see.
"""

import random
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rules.cards import CARDS, Card, Suit
from arena.rules.dealing import DealtCards
from arena.rules.events import (
    CardPlayed,
    Claim,
    ClaimKind,
    DealStarted,
    DeclarationMade,
    Infraction,
)
from arena.rules.match import Match
from arena.rules.observation import SeatGameEvent, observe, visible_to
from arena.rules.options import Signal
from arena.rules.presets import PRESETS, parse_ruleset
from arena.rules.question import Answer, BadAnswer
from arena.rules.ruleset import Ruleset
from tests.rules.positions import dealt_with, match_on, random_deal, seeded

RULESETS = [
    *PRESETS,
    "italian-tournament:signal_truth=checked",
    "italian-tournament:illegal_play=reject",
    "cardgames-zone-4:infraction_points=-1",
    "gamelake-2:follow_suit=always",
    "pagat-2:draw_visibility=owner_only",
]


def swapped(dealt: DealtCards, pair: tuple[Card, Card]) -> DealtCards:
    """Exchange two cards wherever they are."""
    other = {pair[0]: pair[1], pair[1]: pair[0]}

    def exchange(cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(other.get(card, card) for card in cards)

    return DealtCards(tuple(map(exchange, dealt.hands)), exchange(dealt.stock))


@dataclass(slots=True)
class TwoWorlds:
    """Two matches that one seat cannot tell apart."""

    ruleset: Ruleset
    seat: int
    chance: random.Random
    pair: tuple[Card, Card]
    one: Match
    two: Match

    def play(self) -> int:
        """Play both alike until a difference may be seen; return how many answers that took."""
        answers = 0
        while not self.one.is_over:
            assert observe(self.one, self.seat) == observe(self.two, self.seat)
            answer = self.answer()
            if answer is None:
                return answers
            first = self.seen(self.one, answer)
            second = self.seen(self.two, answer)
            answers += 1
            if first != second:
                named = {c for event in [*first, *second] for c in cards_named(event)}
                assert named & set(self.pair), (first, second)
                return answers
        return answers

    def answer(self) -> Answer | None:
        """Choose an answer that is as good, or as bad, in both worlds."""
        one, two = self.one.question, self.two.question
        assert one is not None
        assert two is not None
        assert one.seat == two.seat
        if one.seat == self.seat:
            assert one == two
            return self.rough(self.one.deal.legal_cards())
        both = [card for card in one.legal if card in two.legal and card not in self.pair]
        return Answer(card=self.chance.choice(both)) if both else None

    def rough(self, legal: tuple[Card, ...]) -> Answer:
        """Answer as a careless bot would: sometimes wrong in every way there is."""
        return Answer(
            card=self.chance.choice(legal if self.chance.random() < 0.9 else CARDS),
            signal=self.chance.choice([None] * 15 + list(Signal)),
            declarations=tuple(
                Claim(kind=ClaimKind.NAPOLETANA, suit=card.suit)
                for card in self.chance.choices(CARDS, k=self.chance.choice([0] * 9 + [1, 2]))
            ),
        )

    def seen(self, match: Match, answer: Answer) -> list[object]:
        """Apply an answer; return all that the seat learns of it, refusals of its own included."""
        own = match.deal.turn == self.seat
        try:
            events = match.apply(answer)
        except BadAnswer as refusal:
            assert own
            return [str(refusal), refusal.kind, refusal.allowed]
        seen = [visible_to(event, self.seat, self.ruleset) for event in events]
        return [event for event in seen if event is not None]


def cards_named(event: object) -> list[Card | None]:
    """List the cards that an event names."""
    return [getattr(event, "card", None)]


@pytest.mark.parametrize("text", RULESETS)
@settings(max_examples=50, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_hidden_cards_change_nothing_a_seat_sees(text: str, seed: int) -> None:
    """Question, observation, events, refusals: the same in both worlds."""
    ruleset = parse_ruleset(text)
    chance = seeded(seed)
    seat = chance.randrange(ruleset.seats)
    dealt = random_deal(ruleset, chance)
    hidden = [card for card in CARDS if card not in dealt.hands[seat]]
    first, second = chance.sample(hidden, 2)
    one = match_on(ruleset, dealt)
    two = match_on(ruleset, swapped(dealt, (first, second)))
    assert [visible_to(e, seat, ruleset) for e in one.begin()] == [
        visible_to(e, seat, ruleset) for e in two.begin()
    ]
    worlds = TwoWorlds(ruleset, seat, chance, (first, second), one, two)
    assert worlds.play() >= 0


def test_the_two_worlds_go_far() -> None:
    """The property is not empty: over 200 deals hundreds of answers are compared."""
    ruleset = PRESETS["gamelake-2"]
    answers = 0
    for seed in range(200):
        chance = seeded(seed)
        dealt = random_deal(ruleset, chance)
        pair = (dealt.stock[-1], dealt.stock[-2])
        worlds = TwoWorlds(
            ruleset,
            0,
            chance,
            pair,
            match_on(ruleset, dealt),
            match_on(ruleset, swapped(dealt, pair)),
        )
        answers += worlds.play()
    assert answers > 200 * 15


@pytest.mark.parametrize("suit", Suit)
def test_a_refused_claim_tells_the_partner_nothing(suit: Suit) -> None:
    """Whatever was falsely claimed, other seats get the same events."""
    ruleset = PRESETS["italian-tournament"]
    match = match_on(ruleset, dealt_with(ruleset, {0: "D4 C4 S4 B4"}))
    claim = Claim(kind=ClaimKind.NAPOLETANA, suit=suit)
    events = match.apply(Answer(card=Card.D4, declarations=(claim,)))
    for seat in (1, 2, 3):
        seen: list[SeatGameEvent | None] = [visible_to(e, seat, ruleset) for e in events]
        told = [type(event) for event in seen if event is not None]
        assert told == [Infraction, CardPlayed]
        assert observe(match, seat).declarations == ()


def test_a_word_that_was_not_allowed_is_not_told() -> None:
    """Only that there was an infraction."""
    ruleset = PRESETS["italian-tournament"]
    told = set()
    for word in (Signal.STRISCIO, None):
        match = match_on(ruleset, dealt_with(ruleset, {0: "D4"}))
        events = match.apply(Answer(card=Card.D4, signal=word))
        told.add(tuple(e for e in events if isinstance(e, CardPlayed | DeclarationMade)))
        assert observe(match, 2).signals == ()
    assert told == {(CardPlayed(seat=0, card=Card.D4),)}


def test_bots_never_learn_a_boards_number() -> None:
    """A remembered number would name the cards of a board that comes back turned."""
    ruleset = PRESETS["gamelake-4"]
    dealt = dealt_with(ruleset, {})
    views = set()
    for board in (1, 5, 9):
        match = Match(ruleset, cards=lambda _: dealt, first_board=board, boards=1)
        (event,) = match.begin()
        assert isinstance(event, DealStarted)
        views.add((visible_to(event, 0, ruleset), observe(match, 0)))
    assert len(views) == 1
