"""The same sitting in two worlds that differ in two cards hidden from one seat.

Owns the worlds and how they are played one after the other; where two lives may part is
:mod:`tests.leaks.worlds`'s. Must not know what a seat is sent.
"""

from dataclasses import dataclass

from arena.rules.cards import Card
from arena.rules.dealing import DealtCards, deal_board, seed_from_text
from arena.rules.ruleset import Ruleset
from arena.testing.memory_bots import Gone, Policy, at_its
from arena.wire.codec import Codec
from tests.leaks.erratic import CLOCK, LENIENT, Erratic
from tests.leaks.sitting import Moment, Plan, sit
from tests.leaks.worlds import hidden_pair, leak_at, parting, swapped


def lives_on_boards(ruleset: Ruleset, codec: Codec, *, later: int) -> list[list[Moment]]:
    """Play the same cards under numbers of boards that are ``later`` by so many; give all lives.

    The same seats lead where that is a multiple of the number of seats.
    """
    stage = seed_from_text(ruleset.name)
    plan = Plan(
        ruleset=ruleset,
        codec=codec,
        matches=(2, 1),
        first_boards=(1 + later, 3 + later),
        clock=CLOCK,
        conduct=LENIENT,
    )
    bots = [Erratic(seat) for seat in range(ruleset.seats)]
    return sit(plan, bots, lambda board: deal_board(ruleset, stage, board - later))


@dataclass(frozen=True, slots=True, kw_only=True)
class Mishap:
    """A bot that is gone at one of its decisions."""

    seat: int
    nth: int
    gone: Gone


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoWorlds:
    """What is played twice, and where the second world differs from the first."""

    plan: Plan
    seat: int
    """The seat that must not notice."""
    seed: int
    """Of cards and bots."""
    board: int = 1
    """The board on which two cards have changed places."""
    picks: tuple[int, int] = (0, 1)
    """Which two of those hidden from the seat."""
    is_quiet: bool = False
    mishap: Mishap | None = None

    @property
    def pair(self) -> tuple[Card, Card]:
        """The two cards."""
        return hidden_pair(self.cards(self.board), self.seat, self.picks)

    def cards(self, board: int) -> DealtCards:
        """Deal a board of the first world."""
        return deal_board(self.plan.ruleset, seed_from_text(str(self.seed)), board)

    def other_cards(self, board: int) -> DealtCards:
        """Deal a board of the second world."""
        dealt = self.cards(board)
        return swapped(dealt, self.pair) if board == self.board else dealt

    def lives(self) -> tuple[list[Moment], list[Moment]]:
        """Play both worlds; give the two lives of the seat."""
        shared = [self._bot(seat) for seat in range(self.plan.ruleset.seats)]
        one, other = (
            sit(self.plan, self._policies(shared), cards)[self.seat]
            for cards in (self.cards, self.other_cards)
        )
        return one, other

    def leak(self) -> str | None:
        """Play both worlds; name the first thing by which the seat tells them apart too early."""
        return leak_at(parting(*self.lives()), self.seat, self.plan.ruleset)

    def _bot(self, seat: int) -> Erratic:
        return Erratic(self.seed + 1_000 * seat, is_quiet=self.is_quiet)

    def _policies(self, shared: list[Erratic]) -> list[Policy]:
        policies: list[Policy] = [*shared]
        policies[self.seat] = self._bot(self.seat)
        if self.mishap is not None:
            gone = self.mishap.gone
            seat = self.mishap.seat
            policies[seat] = at_its(self.mishap.nth, lambda _ask: gone, otherwise=policies[seat])
        return policies
