"""A seat's messages do not depend on what the seat may not know (requirement O).

Two worlds differ only in where two cards lie that are hidden from one seat. The others
play the same cards in both, as long as they can, and whisper: what they send to be
refused depends on the cards they hold. What the one seat is sent must be the same in both
worlds, up to the first news that names a card which differs.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.referee import outbox, table
from arena.referee.clock import MS, Clock
from arena.referee.conduct import Conduct
from arena.referee.events import TableEvent
from arena.referee.faults import Reason
from arena.referee.messages import Ask, Record, Reject, Tell
from arena.rules.cards import CARDS, Card, Suit
from arena.rules.dealing import DealtCards, deal_board, seed_from_text
from arena.rules.events import (
    CardDrawn,
    CardPlayed,
    Claim,
    ClaimKind,
    DeclarationMade,
    DeclarationRefused,
    GameEvent,
    Infraction,
    Revoke,
)
from arena.rules.match import Match
from arena.rules.observation import Observation, SeatGameEvent, observe, visible_to
from arena.rules.options import DrawVisibility, Signal
from arena.rules.presets import PRESETS
from arena.rules.question import Answer
from arena.rules.ruleset import Ruleset
from arena.testing.in_memory import MemoryMatch, play_in_memory
from arena.testing.memory_bots import Act, Policy, Reply, Rubbish

CLOCK = Clock(limit_ms=20, bank_ms=15, increment_ms=1)
LENIENT = Conduct(late=9_999, illegal=9_999, malformed=9_999, revoke=9_999, infraction=9_999)


# --- the bots -------------------------------------------------------------------------


def whispers(ask: Ask, chance: random.Random) -> Iterator[Answer]:
    """Make answers to be refused, or words and claims not to be passed on, that tell a hand."""
    hand = ask.observation.hand
    told = sum(hand)
    legal = ask.question.legal[0]
    if chance.random() < 0.2:
        unheld = [card for card in CARDS if card not in hand]
        yield Answer(card=unheld[told % len(unheld)])
    if chance.random() < 0.2 and len(ask.question.legal) < len(hand):
        yield Answer(card=next(card for card in hand if card not in ask.question.legal))
    if chance.random() < 0.1:
        words = [word for word in Signal if word not in ask.question.signals_allowed]
        yield Answer(card=legal, signal=words[told % len(words)])
    if chance.random() < 0.1:
        claim = Claim(kind=ClaimKind.NAPOLETANA, suit=Suit(told % 4))
        yield Answer(card=legal, declarations=(claim,))


class Erratic:
    """Does the same in both worlds, as far as cards, rules and its seat's secrets allow."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.played: dict[int, Card] = {}

    def __call__(self, ask: Ask) -> Sequence[Act]:
        """Whisper, send rubbish, then play the card of the other world, if there is one."""
        chance = random.Random(f"{self.seed} {ask.number}")  # noqa: S311  # to be repeated
        legal = ask.question.legal
        card = legal[chance.randrange(40) % len(legal)]
        card = self.played.setdefault(ask.number, card)
        if card not in legal:
            card = legal[0]
        heard = ask.question.signals_allowed
        answer = Answer(
            card=card,
            signal=chance.choice(heard) if heard and chance.random() < 0.3 else None,
            declarations=ask.question.declarable if chance.random() < 0.5 else (),
        )
        if chance.random() < 0.05:
            return ()
        # All at one moment: else the time of a play would tell whether whispers were refused.
        think_ns = chance.choice((4, 5, 30, 60)) * MS
        acts: list[Act] = []
        for whispered in whispers(ask, chance):
            spoken = replace(whispered, card=card) if whispered.card is legal[0] else whispered
            acts.append(Reply(answer=spoken, think_ns=think_ns))
        if chance.random() < 0.1:
            reason = chance.choice(tuple(Reason))
            acts.append(Rubbish(reason=reason, think_ns=think_ns))
        if chance.random() < 0.1:
            number = ask.number - chance.randint(0, 9)
            acts.append(Reply(answer=answer, number=number, think_ns=think_ns))
        return [*acts, Reply(answer=answer, think_ns=think_ns)]


# --- two worlds -----------------------------------------------------------------------


def swapped(dealt: DealtCards, one: Card, other: Card) -> DealtCards:
    """Let two cards change places."""
    to = {one: other, other: one}
    return DealtCards(
        hands=tuple(tuple(to.get(card, card) for card in hand) for hand in dealt.hands),
        stock=tuple(to.get(card, card) for card in dealt.stock),
    )


def two_worlds(
    ruleset: Ruleset, seat: int, seed: int, swap: tuple[int, int]
) -> tuple[MemoryMatch, MemoryMatch]:
    """Play both worlds; ``swap`` picks two of the cards hidden from ``seat``."""
    stage = seed_from_text(str(seed))
    first_hands = deal_board(ruleset, stage, 1).hands
    hidden = [card for card in CARDS if card not in first_hands[seat]]
    one, other = (hidden[pick % len(hidden)] for pick in swap)
    others: list[Policy] = [Erratic(seed + 1_000 * other) for other in range(ruleset.seats)]

    def play(deal: Callable[[int], DealtCards]) -> MemoryMatch:
        bots: list[Policy] = [*others[:seat], Erratic(seed), *others[seat + 1 :]]
        return play_in_memory(
            bots, ruleset=ruleset, boards=2, cards=deal, clock=CLOCK, conduct=LENIENT
        )

    def as_it_is(board: int) -> DealtCards:
        return deal_board(ruleset, stage, board)

    def otherwise(board: int) -> DealtCards:
        return swapped(as_it_is(board), one, other) if board == 1 else as_it_is(board)

    return play(as_it_is), play(otherwise)


def life_of(match: MemoryMatch, seat: int) -> list[SeatGameEvent | Ask | Tell | Reject]:
    """List what happened that a seat may learn, and what it was sent, as they came about."""
    ruleset = match.table.match.ruleset
    life: list[SeatGameEvent | Ask | Tell | Reject] = []
    for output in match.outputs:
        if isinstance(output, Ask | Tell | Reject):
            if output.seat == seat:
                life.append(output)
        elif isinstance(output, Record) and not isinstance(output.event, TableEvent):
            seen = visible_to(output.event, seat, ruleset)
            if seen is not None:
                life.append(seen)
    return life


def first_leak(one: MemoryMatch, other: MemoryMatch, seat: int) -> str | None:
    """Name the first message by which a seat can tell two worlds apart too early."""
    ruleset = one.table.match.ruleset
    for a, b in zip_longest(life_of(one, seat), life_of(other, seat)):
        if a != b:
            if may_differ(a, seat, ruleset) or may_differ(b, seat, ruleset):
                return None
            return f"{a!r}\nbut in the other world\n{b!r}"
    return None


def may_differ(event: object, seat: int, ruleset: Ruleset) -> bool:
    """Whether a seat may tell worlds apart by an event: the rules show it what differs."""
    match event:
        case CardDrawn():
            is_shown = ruleset.draw_visibility is DrawVisibility.PUBLIC
            return event.seat == seat or is_shown
        case CardPlayed() | DeclarationMade() | Infraction() | Revoke():
            return event.seat != seat
        case _:
            return False


@settings(max_examples=100, deadline=None)
@given(
    name=st.sampled_from(sorted(PRESETS)),
    seat=st.integers(0, 3),
    seed=st.integers(0, 2**32),
    swap=st.tuples(st.integers(0, 29), st.integers(0, 29)),
)
def test_hidden_cards_change_nothing_that_a_seat_is_sent(
    name: str, seat: int, seed: int, swap: tuple[int, int]
) -> None:
    ruleset = PRESETS[name]
    seat %= ruleset.seats
    one, other = two_worlds(ruleset, seat, seed, swap)
    assert first_leak(one, other, seat) is None


def test_a_seat_cannot_tell_the_number_of_a_board() -> None:
    """Boards are told as ordinals within the match."""
    ruleset = PRESETS["gamelake-4"]
    stage = seed_from_text("boards")

    def play(first_board: int) -> MemoryMatch:
        return play_in_memory(
            [Erratic(seat) for seat in range(4)],
            ruleset=ruleset,
            boards=3,
            first_board=first_board,
            cards=lambda board: deal_board(ruleset, stage, board - first_board + 1),
            conduct=LENIENT,
        )

    near, far = play(1), play(4_001)  # the same leaders
    for seat in range(4):
        assert near.sent(seat) == far.sent(seat)


# --- the check finds leaks ------------------------------------------------------------


def shows_draws(event: GameEvent, seat: int, ruleset: Ruleset) -> SeatGameEvent | None:
    return event if isinstance(event, CardDrawn) else visible_to(event, seat, ruleset)


def shows_refused_claims(event: GameEvent, seat: int, ruleset: Ruleset) -> SeatGameEvent | None:
    return event if isinstance(event, DeclarationRefused) else visible_to(event, seat, ruleset)


def shows_the_stock(match: Match, seat: int) -> Observation:
    stock = match.deal.stock
    return replace(observe(match, seat), stock_size=stock[-1] if stock else 0)


def shows_a_length(match: Match, seat: int) -> Observation:
    partner = match.deal.hands[(seat + 2) % 4]
    return replace(observe(match, seat), stock_size=(partner & 2046).bit_count())


@pytest.mark.parametrize(
    ("name", "module", "function", "leaky"),
    [
        ("gamelake-2", outbox, "visible_to", shows_draws),
        ("italian-tournament", outbox, "visible_to", shows_refused_claims),
        ("gamelake-2", table, "observe", shows_the_stock),
        ("gamelake-4", table, "observe", shows_a_length),
    ],
)
def test_a_leaky_build_is_caught(
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    module: object,
    function: str,
    leaky: Callable[..., object],
) -> None:
    monkeypatch.setattr(module, function, leaky)
    ruleset = PRESETS[name]
    chance = random.Random(7)  # noqa: S311  # to be repeated
    for seed in range(200):
        swap = (chance.randrange(30), chance.randrange(30))
        one, other = two_worlds(ruleset, 0, seed, swap)
        if first_leak(one, other, 0) is not None:
            return
    pytest.fail("no leak found")
