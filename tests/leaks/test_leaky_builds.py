"""Builds that leak are caught: each of these tells a seat a little too much."""

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import pytest

from arena.referee import asking, outbox
from arena.rules.cards import Card, cards_of
from arena.rules.deal import Deal
from arena.rules.events import CardDrawn, DealStarted, DeclarationRefused, GameEvent
from arena.rules.match import Match
from arena.rules.observation import HandDealt, Observation, SeatGameEvent, observe, visible_to
from arena.rules.presets import PRESETS
from arena.rules.question import BadAnswer
from arena.rules.ruleset import Ruleset
from arena.wire.codec import Codec
from tests.leaks.bot_side import CODECS
from tests.leaks.erratic import CLOCK, LENIENT
from tests.leaks.sitting import Plan
from tests.leaks.two_worlds import TwoWorlds, lives_on_boards

TRIES: Final = 100
"""So many pairs of worlds are tried at most; of an honest build all of them are alike."""

each_codec = pytest.mark.parametrize("codec", CODECS, ids=lambda codec: type(codec).__name__)


def finds_a_leak(name: str, codec: Codec) -> bool:
    """Tell whether seat 0 can tell some two worlds apart too early."""
    chance = random.Random(name)  # noqa: S311  # to be repeated
    plan = Plan(
        ruleset=PRESETS[name],
        codec=codec,
        matches=(1,),
        first_boards=(1,),
        clock=CLOCK,
        conduct=LENIENT,
    )
    return any(
        TwoWorlds(
            plan=plan, seat=0, seed=seed, picks=(chance.randrange(30), chance.randrange(30))
        ).leak()
        for seed in range(TRIES)
    )


# --- what a seat is told ----------------------------------------------------------------


def shows_draws(event: GameEvent, seat: int, ruleset: Ruleset) -> SeatGameEvent | None:
    return event if isinstance(event, CardDrawn) else visible_to(event, seat, ruleset)


def shows_refused_claims(event: GameEvent, seat: int, ruleset: Ruleset) -> SeatGameEvent | None:
    return event if isinstance(event, DeclarationRefused) else visible_to(event, seat, ruleset)


def numbers_deals_as_boards(event: GameEvent, seat: int, ruleset: Ruleset) -> SeatGameEvent | None:
    seen = visible_to(event, seat, ruleset)
    if isinstance(seen, HandDealt) and isinstance(event, DealStarted):
        return replace(seen, deal=event.board)
    return seen


# --- what a seat can look up ------------------------------------------------------------


def shows_a_length(match: Match, seat: int) -> Observation:
    """Tell how many coins the partner holds, as the size of a stock."""
    partner = match.deal.hands[(seat + 2) % 4]
    coins = [card for card in cards_of(partner) if card.suit is Card.D4.suit]
    return replace(observe(match, seat), stock_size=len(coins))


def shows_the_stock(match: Match, seat: int) -> Observation:
    """Tell the last card of the stock, as its size."""
    stock = match.deal.stock
    return replace(observe(match, seat), stock_size=stock[-1] if stock else 0)


def shows_all_hands(match: Match, seat: int) -> Observation:
    """Tell all hands as cards that are known."""
    return replace(observe(match, seat), known_cards=tuple(map(cards_of, match.deal.hands)))


def numbers_the_deal_as_board(match: Match, seat: int) -> Observation:
    return replace(observe(match, seat), deal=match.board)


# --- how a seat is refused --------------------------------------------------------------


def names_the_holder(deal: Deal, card: Card) -> BadAnswer:
    """Say who holds a card that this seat does not."""
    refusal = HONEST_REFUSAL(deal, card)
    holders = [seat for seat, hand in enumerate(deal.hands) if hand >> card & 1]
    return BadAnswer(refusal.kind, f"{refusal}; it is at {holders}", allowed=refusal.allowed)


HONEST_REFUSAL: Final = Deal._refusal


@dataclass(frozen=True, slots=True, kw_only=True)
class Leak:
    """One change of an honest build, and a ruleset in which it can be noticed."""

    ruleset: str = "gamelake-4"
    where: object
    what: str
    leaky: Callable[..., object]


OF_CARDS: Final = (
    Leak(where=asking, what="observe", leaky=shows_a_length),
    Leak(ruleset="gamelake-2", where=outbox, what="visible_to", leaky=shows_draws),
    Leak(ruleset="gamelake-2", where=asking, what="observe", leaky=shows_the_stock),
    Leak(ruleset="italian-tournament", where=outbox, what="visible_to", leaky=shows_refused_claims),
    Leak(ruleset="pagat-4", where=asking, what="observe", leaky=shows_all_hands),
    Leak(where=Deal, what="_refusal", leaky=names_the_holder),
)
OF_BOARDS: Final = (
    Leak(where=outbox, what="visible_to", leaky=numbers_deals_as_boards),
    Leak(where=asking, what="observe", leaky=numbers_the_deal_as_board),
)


def each(leaks: tuple[Leak, ...]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("leak", leaks, ids=lambda leak: leak.leaky.__name__)


@each_codec
@each(OF_CARDS)
def test_a_leak_of_hidden_cards_is_caught(
    monkeypatch: pytest.MonkeyPatch, codec: Codec, leak: Leak
) -> None:
    monkeypatch.setattr(leak.where, leak.what, leak.leaky)
    assert finds_a_leak(leak.ruleset, codec)


@each_codec
@each(OF_BOARDS)
def test_a_leak_of_boards_numbers_is_caught(
    monkeypatch: pytest.MonkeyPatch, codec: Codec, leak: Leak
) -> None:
    """A bot that met the board in another match would know the cards."""
    monkeypatch.setattr(leak.where, leak.what, leak.leaky)
    ruleset = PRESETS[leak.ruleset]
    early, late = (lives_on_boards(ruleset, codec, later=later) for later in (0, 4_000))
    assert all(one != other for one, other in zip(early, late, strict=True))
