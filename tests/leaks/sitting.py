"""A sitting in memory: real hosts and sessions, scripted bots behind bytes, time that jumps.

Owns the links of the seats, what each seat was sent, and what it could have learnt, as it
came about. Everything that is not the cards is the same each time: ids, tokens, seeds and
the moments at which bots act. Must not know worlds.
"""

from collections import deque
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Final
from unittest.mock import patch

import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from arena.referee.clock import Clock
from arena.referee.conduct import Conduct
from arena.referee.faults import FaultKind
from arena.referee.messages import Arrival, Record
from arena.rules.dealing import DealtCards
from arena.rules.ruleset import Ruleset
from arena.server import host, session
from arena.server.admission import admit
from arena.server.arrivals import LoopWatch
from arena.server.host import HostedMatch, play_match
from arena.server.link import LinkClosed, LinkError, Received
from arena.server.session import Session
from arena.testing.memory_bots import THINK_NS, Gone, Policy
from arena.wire.codec import Codec
from arena.v1 import play_pb2
from arena.wire.terms import GoodbyeReason
from tests.leaks.bot_side import TOKEN, as_acts, ask_of, bytes_of, join, read, ready, write
from tests.leaks.worlds import as_learnt

APART_NS: Final = 7_000
"""Bots of different seats never act at the same moment: their order would be chance."""


@dataclass(frozen=True, slots=True)
class Ended:
    """A seat's stream ended: in order, or with an error."""

    error: LinkError | None


Moment = object
"""Of a seat's life: an event that it may learn, the bytes of a frame, or Ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Everything about a sitting but its cards and bots."""

    ruleset: Ruleset
    codec: Codec
    matches: tuple[int | None, ...] = (2, 1)
    """Boards of each match; None = to the target."""
    first_boards: tuple[int, ...] = (1, 3)
    """Number of the first board of each match."""
    tables: int = 1
    """Matches at once."""
    clock: Clock = field(default_factory=Clock)
    conduct: Conduct = field(default_factory=Conduct)
    never_ready: int | None = None
    """A seat that never says Ready."""
    abort_after_ms: int | None = None
    """When the arena is told to stop, from the first match on."""


@dataclass(slots=True)
class SeatLife:
    """One seat: its link, its bot, and all that it was sent and could have learnt."""

    seat: int
    plan: Plan
    policy: Policy
    nursery: trio.Nursery
    moments: list[Moment] = field(default_factory=list)
    session: Session | None = None
    on_idle: Callable[[], None] | None = None
    is_busy: bool = False
    is_open: bool = True
    _received: deque[Received] = field(default_factory=deque)
    _arrived: trio.Event = field(default_factory=trio.Event)

    # --- the link -----------------------------------------------------------------

    def send(self, data: bytes) -> None:
        """Keep what the seat is sent, and let its bot think about it."""
        if not self.is_open:
            raise LinkClosed
        self.moments.append(data)
        for message in read(self.plan.codec, data):
            if message.HasField("decision"):
                self.nursery.start_soon(self._play, message.decision)
            elif message.HasField("match_started") and self.seat != self.plan.never_ready:
                self.nursery.start_soon(self._say_ready, message.match_started.table)

    async def recv(self) -> Received:
        """Wait for what the bot says."""
        while not self._received and self.is_open:
            await self._arrived.wait()
            self._arrived = trio.Event()
        if not self._received:
            raise LinkClosed
        return self._received.popleft()

    def close(self, error: LinkError | None = None) -> None:
        """End the stream."""
        if self.is_open:
            self.is_open = False
            self.moments.append(Ended(error))
            self._arrived.set()

    # --- the bot ------------------------------------------------------------------

    def say(self, data: bytes) -> None:
        """Let bytes of the bot arrive now."""
        now = now_ns()
        self._received.append(Received(data, Arrival(earliest_ns=now, latest_ns=now)))
        self._arrived.set()

    async def _say_ready(self, table: int) -> None:
        await self._think(THINK_NS)
        self.say(write(self.plan.codec, ready(table)))

    async def _play(self, decision: play_pb2.Decision) -> None:
        ask = ask_of(decision)
        thought_ns = 0
        for act in as_acts(self.policy(ask)):
            if act.think_ns > thought_ns:
                await self._think(act.think_ns - thought_ns)
                thought_ns = act.think_ns
            if isinstance(act, Gone) and act.kind is not FaultKind.LEFT:
                assert self.session is not None
                self.session.lose(act.kind, act.detail)
            else:
                self.say(bytes_of(self.plan.codec, act, ask, decision.table))

    async def _think(self, think_ns: int) -> None:
        await trio.sleep((think_ns + APART_NS * (self.seat + 1)) / 1e9)


def now_ns() -> int:
    """Tell the time that jumps, as the server's one clock."""
    return round(trio.current_time() * 1e9)


def trio_deadline(at_ns: int) -> float:
    """Convert a moment of that clock for trio."""
    return at_ns / 1e9


def sit(
    plan: Plan, policies: Sequence[Policy], cards: Callable[[int], DealtCards]
) -> list[list[Moment]]:
    """Play a sitting, from Join to Goodbye; give the life of every seat.

    Args:
        plan: What is played.
        policies: A bot for every seat.
        cards: Gives the cards of a board by its number.
    """
    with ExitStack() as stack:
        for module in (host, session):
            stack.enter_context(patch.object(module, "now_ns", now_ns))
        stack.enter_context(patch.object(host, "trio_deadline", trio_deadline))
        return trio.run(_sit, plan, policies, cards, clock=MockClock(autojump_threshold=0))


async def _sit(
    plan: Plan, policies: Sequence[Policy], cards: Callable[[int], DealtCards]
) -> list[list[Moment]]:
    async with trio.open_nursery() as nursery:
        lives = [SeatLife(seat, plan, policy, nursery) for seat, policy in enumerate(policies)]
        sessions = [await _join(life, plan.tables) for life in lives]
        for life, opened in zip(lives, sessions, strict=True):
            life.session = opened
            nursery.start_soon(opened.run)
        await _play_all(plan, lives, sessions, cards)
        for opened in sessions:
            opened.say_goodbye(GoodbyeReason.FINISHED, grace_ms=1_000)
        nursery.cancel_scope.cancel()
    return [life.moments for life in lives]


async def _join(life: SeatLife, tables: int) -> Session:
    life.say(write(life.plan.codec, join(capacity=tables)))
    return await admit(
        life, life.plan.codec, token=TOKEN, capacity=tables, server="the same each time"
    )


async def _play_all(
    plan: Plan,
    lives: Sequence[SeatLife],
    sessions: Sequence[Session],
    cards: Callable[[int], DealtCards],
) -> None:
    ruleset = plan.ruleset

    def keep(record: Record) -> None:
        for life in lives:
            learnt = as_learnt(record.event, life.seat, ruleset)
            if learnt is not None:
                life.moments.append(learnt)

    async def play(number: int) -> None:
        match = HostedMatch(
            public_id=f"match {number}",
            ruleset=ruleset,
            cards=cards,
            first_board=plan.first_boards[number],
            boards=plan.matches[number],
            clock=plan.clock,
            conduct=plan.conduct,
            commitment=bytes(32),
            bot_seeds=tuple(range(ruleset.seats)),
        )
        await play_match(match, sessions, sink=keep, watch=LoopWatch())

    after = plan.abort_after_ms
    with trio.move_on_after(float("inf") if after is None else after / 1e3):
        numbers = range(len(plan.matches))
        if plan.tables == 1:
            for number in numbers:
                await play(number)
        else:
            async with trio.open_nursery() as nursery:
                for number in numbers:
                    nursery.start_soon(play, number)
                    await wait_all_tasks_blocked()
