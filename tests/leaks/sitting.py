"""A sitting in memory: real hosts and sessions, scripted bots behind bytes, time that jumps.

Owns the bots of the seats, what each seat was sent, and what it could have learnt, as it
came about. Everything that is not the cards is the same each time: ids, tokens, seeds and
the moments at which bots act. Must not know worlds.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

import trio
from trio.testing import MockClock

from arena.referee.clock import MS, Clock
from arena.referee.conduct import Conduct
from arena.referee.faults import FaultKind
from arena.referee.messages import Record
from arena.rules.dealing import DealtCards
from arena.rules.ruleset import Ruleset
from arena.server.admission import admit
from arena.server.arrivals import LoopWatch
from arena.server.host import HostedMatch, play_match
from arena.server.link import LinkClosed, LinkError
from arena.server.session import Session
from arena.testing.memory_bots import THINK_NS, Gone, Policy
from arena.testing.memory_link import FarEnd, MemoryLink, trio_now_ns
from arena.v1 import play_pb2
from arena.wire.codec import Codec
from arena.wire.terms import GoodbyeReason
from tests.leaks.bot_side import TOKEN, as_acts, ask_of, bytes_of, join, read, ready, write
from tests.leaks.worlds import as_learnt

APART_NS: Final = 400_000
"""Every act of a bot is up to so much later, so that no two are due at one moment: trio would
leave their order to chance."""
PAUSE_NS: Final = 2_345_678
"""How long after the start, or the end, of a match something is begun, for the same reason."""
SLOW_NS: Final = 13 * MS
"""How long a slow reader takes to read a frame."""


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
    slow_reader: int | None = None
    """A seat whose bot takes long to read a frame, so that messages to it wait for each other."""
    abort_after_ms: int | None = None
    """How long after its start each match is stopped."""


class WatchedLink(MemoryLink):
    """A link that keeps the life of its seat."""

    def __init__(self) -> None:
        super().__init__(trio_now_ns)
        self.moments: list[Moment] = []
        self._sent_ns: list[int] = []
        self.frames = 0
        self.on_in_flight: Callable[[int], None] | None = None

    def send(self, data: bytes) -> None:
        """Keep what the seat is sent."""
        super().send(data)
        self._keep(data)
        self.frames += 1
        if self.is_busy and self.on_in_flight is not None:
            self.on_in_flight(self.frames)

    def close(self, error: LinkError | None = None) -> None:
        """Keep how its stream ends."""
        if self.is_open:
            self._keep(Ended(error))
        super().close(error)

    def learn(self, event: Moment) -> None:
        """Keep an event that the seat may learn, before what it was sent at this very moment.

        The referee writes its log when the frames of a moment have left; no two acts of bots
        are due at one moment, so what is passed here came of the same act.
        """
        place = len(self.moments)
        while place and self._sent_ns[place - 1] == trio_now_ns():
            place -= 1
        while place < len(self.moments) and not isinstance(self.moments[place], bytes | Ended):
            place += 1
        self.moments.insert(place, event)
        self._sent_ns.insert(place, trio_now_ns())

    def _keep(self, moment: Moment) -> None:
        self.moments.append(moment)
        self._sent_ns.append(trio_now_ns())


class ScriptedBot:
    """A policy at its end of a stream: reads frames, acts in time."""

    def __init__(self, seat: int, plan: Plan, policy: Policy, link: WatchedLink) -> None:
        self._seat = seat
        self._plan = plan
        self._policy = policy
        self._link = link
        self._end = FarEnd(link)

    async def run(self, nursery: trio.Nursery) -> None:
        """Read to the end of the stream; what is done about a message has a task of its own."""
        self._end.send(write(self._plan.codec, join(capacity=self._plan.tables)))
        if self._seat == self._plan.slow_reader:
            self._end.stop_reading()
            self._link.on_in_flight = lambda frame: nursery.start_soon(self._read_slowly, frame)
        while True:
            try:
                data = await self._end.recv()
            except LinkClosed:
                return
            for message in read(self._plan.codec, data):
                if message.HasField("decision"):
                    nursery.start_soon(self._play, message.decision)
                elif message.HasField("match_started") and self._seat != self._plan.never_ready:
                    nursery.start_soon(self._say_ready, message.match_started.table)

    async def _read_slowly(self, frame: int) -> None:
        await trio.sleep((SLOW_NS + self._apart_ns(0, frame)) / 1e9)
        if self._link.is_busy:  # else it has died
            self._end.read_one()

    async def _say_ready(self, table: int) -> None:
        await trio.sleep((THINK_NS + self._apart_ns(table, 0)) / 1e9)
        self._end.send(write(self._plan.codec, ready(table)))

    async def _play(self, decision: play_pb2.Decision) -> None:
        ask = ask_of(decision)
        began = trio.current_time() + self._apart_ns(decision.table, ask.number) / 1e9
        for act in as_acts(self._policy(ask)):
            moment = began + act.think_ns / 1e9
            if moment > trio.current_time():  # else there would be a checkpoint between acts
                await trio.sleep_until(moment)
            if isinstance(act, Gone) and act.kind in (FaultKind.CRASHED, FaultKind.LOST):
                self._end.die()
            else:
                self._end.send(bytes_of(self._plan.codec, act, ask, decision.table))

    def _apart_ns(self, table: int, number: int) -> int:
        chance = random.Random(f"{self._seat} {table} {number}")  # noqa: S311  # to be repeated
        return chance.randrange(APART_NS)


def sit(
    plan: Plan, policies: Sequence[Policy], cards: Callable[[int], DealtCards]
) -> list[list[Moment]]:
    """Play a sitting, from Join to Goodbye; give the life of every seat.

    Args:
        plan: What is played.
        policies: A bot for every seat.
        cards: Gives the cards of a board by its number.
    """
    return trio.run(_sit, plan, policies, cards, clock=MockClock(autojump_threshold=0))


async def _sit(
    plan: Plan, policies: Sequence[Policy], cards: Callable[[int], DealtCards]
) -> list[list[Moment]]:
    links = [WatchedLink() for _ in policies]
    async with trio.open_nursery() as nursery:
        sessions: list[Session] = []
        for seat, (policy, link) in enumerate(zip(policies, links, strict=True)):
            nursery.start_soon(ScriptedBot(seat, plan, policy, link).run, nursery)
            sessions.append(await _admit(plan, link))
            nursery.start_soon(_attend, sessions[-1])
        await _play_all(plan, links, sessions, cards)
        for session in sessions:
            session.say_goodbye(GoodbyeReason.FINISHED, grace_ms=1_000)
        nursery.cancel_scope.cancel()
    return [link.moments for link in links]


async def _admit(plan: Plan, link: WatchedLink) -> Session:
    session = await admit(
        link, plan.codec, token=TOKEN, capacity=plan.tables, server="the same each time"
    )
    session.now = trio_now_ns
    return session


async def _attend(session: Session) -> None:
    """Take in what a bot says; whose stream ends before its goodbye has crashed."""
    await session.run()
    session.lose(FaultKind.CRASHED, "its stream is closed")


async def _play_all(
    plan: Plan,
    links: Sequence[WatchedLink],
    sessions: Sequence[Session],
    cards: Callable[[int], DealtCards],
) -> None:
    ruleset = plan.ruleset

    def keep(record: Record) -> None:
        for seat, link in enumerate(links):
            learnt = as_learnt(record.event, seat, ruleset)
            if learnt is not None:
                link.learn(learnt)

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
        after = plan.abort_after_ms
        with trio.move_on_after(float("inf") if after is None else after / 1e3):
            await play_match(match, sessions, sink=keep, watch=LoopWatch(), now=trio_now_ns)
        await trio.sleep(PAUSE_NS / 1e9)

    numbers = range(len(plan.matches))
    if plan.tables == 1:
        for number in numbers:
            await play(number)
    else:
        async with trio.open_nursery() as nursery:
            for number in numbers:
                nursery.start_soon(play, number)
                await trio.sleep(PAUSE_NS / 1e9)
