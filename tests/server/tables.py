"""Hosted tables in memory: matches with real hosts and sessions, and bots that tests drive.

Owns what a host test sets up and what it looks at afterwards.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

import trio
from trio.testing import wait_all_tasks_blocked

from arena.referee.clock import MS, Clock
from arena.referee.conduct import Conduct
from arena.referee.events import Fault, LogEvent, MatchEnded
from arena.referee.faults import FaultKind
from arena.referee.messages import Record
from arena.rules.dealing import deal_board, seed_from_text
from arena.rules.presets import PRESETS
from arena.server.alarms import SETTLE_NS
from arena.server.arrivals import LoopWatch
from arena.server.host import HostedMatch, MatchOutcome, play_match
from arena.server.minutes import OnSent
from arena.server.session import Session
from arena.testing.memory_link import trio_now_ns
from tests.server.conversation import BotEnd, Policy, answer, first_legal, open_session, ready

RULES: Final = PRESETS["gamelake-4"]
SEED: Final = "host"
SETTLE: Final = SETTLE_NS / 1e9
"""Seconds after its moment that an alarm rings."""

MATCH: Final = HostedMatch(
    public_id="match",
    ruleset=RULES,
    cards=partial(deal_board, RULES, seed_from_text(SEED)),
    first_board=1,
    boards=1,
    clock=Clock(limit_ms=20_000),
    conduct=Conduct(),
    commitment=b"",
    bot_seeds=(1, 2, 3, 4),
)
"""For tests that are not about time, on a machine that may be busy."""


def hosted(**changes: Any) -> HostedMatch:
    """Make the match of most tests, with changes."""
    return replace(MATCH, **changes)


LIMIT: Final = 0.1
MARGIN: Final = 0.01
TIMED: Final = hosted(clock=Clock(limit_ms=100, margin_ms=10, start_ms=5_000))
"""For tests whose time a MockClock keeps; LIMIT and MARGIN in seconds."""


class Bench:
    """The bots of some tables: a session and a bot's end for each seat."""

    def __init__(self, nursery: trio.Nursery, *, seats: int = 4, capacity: int = 1) -> None:
        self._nursery = nursery
        self.sessions: list[Session] = []
        self.bots: list[BotEnd] = []
        for _ in range(seats):
            self.seat(*open_session(capacity))

    def seat(self, session: Session, bot: BotEnd) -> None:
        """Take a bot in, at the next seat."""
        self.sessions.append(session)
        self.bots.append(bot)
        self._nursery.start_soon(session.run)

    def play(self, policy: Policy = first_legal, *, but: Sequence[int] = ()) -> None:
        """Let bots play by themselves, all but some seats."""
        for seat, bot in enumerate(self.bots):
            if seat not in but:
                self._nursery.start_soon(bot.play, policy)

    def hear(self) -> list[list[str]]:
        """Take what has arrived at each seat, by the kinds."""
        return [bot.hear_kinds() for bot in self.bots]


class HostedTable:
    """One match under way.

    Args:
        nursery: Where it is played.
        bench: Who plays.
        match: What.
        sink: Called with each record, after it was noted.
        on_sent: Called with each message that was made for a seat.
    """

    def __init__(
        self,
        nursery: trio.Nursery,
        bench: Bench,
        match: HostedMatch = MATCH,
        sink: Callable[[Record], None] = lambda _: None,
        on_sent: OnSent | None = None,
    ) -> None:
        self.bench = bench
        self.match = match
        self.records: list[Record] = []
        self.outcome: MatchOutcome | None = None
        self.failure: Exception | None = None
        self.watch = LoopWatch()
        self.scope = trio.CancelScope()
        self.over = trio.Event()
        self._sink = sink
        self._on_sent = on_sent
        nursery.start_soon(self._play)

    async def _play(self) -> None:
        def sink(record: Record) -> None:
            self.records.append(record)
            self._sink(record)

        with self.scope:
            try:
                self.outcome = await play_match(
                    self.match,
                    self.bench.sessions,
                    sink=sink,
                    watch=self.watch,
                    on_sent=self._on_sent,
                    now=trio_now_ns,
                )
            except Exception as error:  # noqa: BLE001  # the test looks at it
                self.failure = error
        self.over.set()

    @property
    def events(self) -> list[LogEvent]:
        """What was recorded."""
        return [record.event for record in self.records]

    @property
    def faults(self) -> list[tuple[FaultKind, int | None]]:
        """Kind and seat of each fault."""
        return [(e.kind, e.seat) for e in self.events if isinstance(e, Fault)]

    @property
    def ended(self) -> MatchEnded:
        """The end as recorded, which is the last record."""
        end = self.events[-1]
        assert isinstance(end, MatchEnded)
        return end

    async def start(self) -> None:
        """Let every bot be ready; seat 0, which leads, has then been asked."""
        await wait_all_tasks_blocked()
        for bot in self.bench.bots:
            (started,) = bot.hear()
            bot.say(ready(started.match_started.table))
        await wait_all_tasks_blocked()

    async def play_one(self, seat: int) -> None:
        """Let a seat answer its question with the first legal card."""
        bot = self.bench.bots[seat]
        decision = bot.hear_decision()
        bot.say(answer(decision.decision_id, first_legal(decision)))
        await wait_all_tasks_blocked()


def since_ms(records: Sequence[Record]) -> list[int]:
    """Say when each record was made, in milliseconds of trio's clock."""
    return [record.at_ns // MS for record in records]
