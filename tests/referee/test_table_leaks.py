"""A seat's messages do not depend on what the seat may not know (requirement O).

Two worlds differ only in where two cards lie that are hidden from one seat. The others
play the same cards in both, as long as they can, and whisper: what they send to be
refused depends on the cards they hold. What the one seat is sent must be the same in both
worlds, up to the first news that names a card which differs. The same is tested of the
bytes of whole sittings in tests/leaks.
"""

import random
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.referee import asking, outbox
from arena.referee.events import TableEvent
from arena.referee.messages import Ask, Record, Reject, Tell
from arena.rules.dealing import DealtCards, deal_board, seed_from_text
from arena.rules.events import CardDrawn, DeclarationRefused, GameEvent
from arena.rules.match import Match
from arena.rules.observation import Observation, SeatGameEvent, observe, visible_to
from arena.rules.presets import PRESETS
from arena.rules.ruleset import Ruleset
from arena.testing.in_memory import MemoryMatch, play_in_memory
from arena.testing.memory_bots import Policy
from tests.leaks.erratic import CLOCK, LENIENT, Erratic
from tests.leaks.worlds import hidden_pair, leak_at, parting, swapped

# --- two worlds -----------------------------------------------------------------------


def two_worlds(
    ruleset: Ruleset, seat: int, seed: int, swap: tuple[int, int]
) -> tuple[MemoryMatch, MemoryMatch]:
    """Play both worlds; ``swap`` picks two of the cards hidden from ``seat``."""
    stage = seed_from_text(str(seed))
    pair = hidden_pair(deal_board(ruleset, stage, 1), seat, swap)
    others: list[Policy] = [Erratic(seed + 1_000 * other) for other in range(ruleset.seats)]

    def play(deal: Callable[[int], DealtCards]) -> MemoryMatch:
        bots: list[Policy] = [*others[:seat], Erratic(seed), *others[seat + 1 :]]
        return play_in_memory(
            bots, ruleset=ruleset, boards=2, cards=deal, clock=CLOCK, conduct=LENIENT
        )

    def as_it_is(board: int) -> DealtCards:
        return deal_board(ruleset, stage, board)

    def otherwise(board: int) -> DealtCards:
        return swapped(as_it_is(board), pair) if board == 1 else as_it_is(board)

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
    parted = parting(life_of(one, seat), life_of(other, seat))
    return leak_at(parted, seat, one.table.match.ruleset)


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
        ("gamelake-2", asking, "observe", shows_the_stock),
        ("gamelake-4", asking, "observe", shows_a_length),
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
