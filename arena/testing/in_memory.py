"""A whole match in memory: one table, scripted bots, a clock that jumps.

Owns the driver that does for a Table what server, bots and time do in earnest; the bots
are policies of :mod:`arena.testing.memory_bots`. Must not know wire, processes or real
time.

    match = play_in_memory([plays_first] * 4, ruleset=PRESETS["gamelake-4"], boards=2)
    assert match.ended.termination.kind is TerminationKind.COMPLETED
"""

import heapq
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Required, TypedDict, TypeVar, Unpack, assert_never

from arena.referee.clock import Clock
from arena.referee.conduct import Conduct
from arena.referee.events import Fault, LogEvent, MatchEnded, SeatEvent
from arena.referee.faults import FaultKind
from arena.referee.messages import (
    Answered,
    Arrival,
    Ask,
    AskAgain,
    AskWritten,
    Begin,
    BotGone,
    BotReady,
    CancelTimer,
    Close,
    Input,
    Misfit,
    Output,
    Record,
    Reject,
    SetTimer,
    Tell,
    Timer,
    TimerFired,
)
from arena.referee.table import Table
from arena.rules.dealing import DealtCards, deal_board, seed_from_text
from arena.rules.question import Answer
from arena.rules.ruleset import Ruleset
from arena.testing.memory_bots import (
    THINK_NS,
    Act,
    Gone,
    Policy,
    ReadyAgain,
    Reply,
    Rubbish,
)

Thing = TypeVar("Thing")


def of_type(kind: type[Thing], things: Iterable[object]) -> list[Thing]:
    """List the things of one type, in order."""
    return [thing for thing in things if isinstance(thing, kind)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One input of the table and the outputs it led to."""

    input: Input
    outputs: tuple[Output, ...]


@dataclass(slots=True, kw_only=True)
class MemoryMatch:
    """What happened at a table in memory."""

    table: Table
    steps: list[Step] = field(default_factory=list)

    @property
    def outputs(self) -> list[Output]:
        """Everything the table said, in order."""
        return [output for step in self.steps for output in step.outputs]

    @property
    def records(self) -> list[Record]:
        """The match log."""
        return of_type(Record, self.outputs)

    @property
    def events(self) -> list[LogEvent]:
        """The events of the match log."""
        return [record.event for record in self.records]

    def sent(self, seat: int) -> list[Ask | Tell | Reject]:
        """List what one seat was sent, in order."""
        return [
            output
            for output in self.outputs
            if isinstance(output, Ask | Tell | Reject) and output.seat == seat
        ]

    def asks(self, seat: int) -> list[Ask]:
        """List the questions put to one seat."""
        return of_type(Ask, self.sent(seat))

    def tells(self, seat: int) -> list[Tell]:
        """List what one seat was told without a question."""
        return of_type(Tell, self.sent(seat))

    def rejects(self, seat: int) -> list[Reject]:
        """List the messages of one seat that were refused."""
        return of_type(Reject, self.sent(seat))

    def news(self, seat: int) -> list[SeatEvent]:
        """List everything one seat learnt, with a question or without, in order."""
        told = [message for message in self.sent(seat) if not isinstance(message, Reject)]
        return [event for message in told for event in message.news]

    @property
    def faults(self) -> list[tuple[FaultKind, int | None]]:
        """Kind and seat of every fault in the log."""
        return [(fault.kind, fault.seat) for fault in of_type(Fault, self.events)]

    @property
    def closed(self) -> Close:
        """How it ended, as every seat was told."""
        closes = of_type(Close, self.outputs)
        if len(closes) != 1:
            raise AssertionError(f"the match was closed {len(closes)} times")
        return closes[0]

    @property
    def ended(self) -> MatchEnded:
        """How it ended, as the log has it."""
        if self.table.ended is None:
            raise AssertionError("the match is not over")
        return self.table.ended


class InMemory:
    """Drives one table: carries its outputs out and brings it what comes of them.

    Time jumps from one thing that happens to the next. What happens at one moment comes
    in the order it was brought about, messages before timers.
    """

    def __init__(self, table: Table, policies: Sequence[Policy]) -> None:
        self.match = MemoryMatch(table=table)
        self.now_ns = 0
        self._policies = policies
        self._asks: dict[int, Ask] = {}
        self._timers: dict[Timer, int] = {}
        self._due: list[tuple[int, bool, int, Input]] = []
        self._scheduled = 0

    def schedule(self, event: Input, at_ns: int) -> None:
        """Let an input come in at a moment."""
        is_timer = isinstance(event, TimerFired)
        heapq.heappush(self._due, (at_ns, is_timer, self._scheduled, event))
        self._scheduled += 1

    def run(self) -> MemoryMatch:
        """Play until the match is over.

        Raises:
            AssertionError: The table waits, and neither a bot nor a timer will wake it.
        """
        while not self.match.table.is_over:
            if not self._due:
                raise AssertionError(f"nothing wakes a table that is {self.match.table.phase}")
            self.now_ns, _, _, event = heapq.heappop(self._due)
            if isinstance(event, TimerFired) and self._timers.get(event.timer) != self.now_ns:
                continue  # cancelled or set anew
            self.apply(event)
        return self.match

    def apply(self, event: Input) -> None:
        """Bring one input to the table now and carry out what it answers."""
        outputs = self.match.table.apply(event)
        self.match.steps.append(Step(input=event, outputs=tuple(outputs)))
        if isinstance(event, AskWritten) and event.number in self._asks:
            self._wake(self._asks.pop(event.number))
        for output in outputs:
            match output:
                case Ask():
                    self._asks[output.number] = output
                    written = AskWritten(seat=output.seat, number=output.number, at_ns=self.now_ns)
                    self.schedule(written, self.now_ns)
                case SetTimer():
                    self._timers[output.timer] = output.at_ns
                    fired = TimerFired(timer=output.timer, at_ns=output.at_ns)
                    self.schedule(fired, output.at_ns)
                case CancelTimer():
                    del self._timers[output.timer]
                case AskAgain() | Tell() | Reject() | Record() | Close():
                    pass
                case _:
                    assert_never(output)

    def _wake(self, ask: Ask) -> None:
        acts = self._policies[ask.seat](ask)
        for act in acts if isinstance(acts, Sequence) else (acts,):
            self._do(act, ask)

    def _do(self, act: Act, ask: Ask) -> None:
        seat = ask.seat
        if isinstance(act, Answer):
            act = Reply(answer=act)
        at_ns = self.now_ns + act.think_ns
        match act:
            case Reply():
                arrival = Arrival(earliest_ns=at_ns, latest_ns=at_ns + act.lag_ns)
                answered = Answered(
                    seat=seat,
                    number=ask.number if act.number is None else act.number,
                    answer=act.answer,
                    arrival=arrival,
                    value_thirds=act.value_thirds,
                    note=act.note,
                )
                self.schedule(answered, arrival.latest_ns)
            case Rubbish():
                misfit = Misfit(seat=seat, reason=act.reason, message=act.message, at_ns=at_ns)
                self.schedule(misfit, at_ns)
            case Gone():
                gone = BotGone(seat=seat, kind=act.kind, detail=act.detail, at_ns=at_ns)
                self.schedule(gone, at_ns)
            case ReadyAgain():
                self.schedule(BotReady(seat=seat, at_ns=at_ns), at_ns)
            case _:
                assert_never(act)


class TableOptions(TypedDict, total=False):
    """What :func:`open_table` takes; only the ruleset must be given."""

    ruleset: Required[Ruleset]
    boards: int | None
    """How many boards (by default 1); None = to the ruleset's target."""
    first_board: int
    """Number of the first board; by default 1."""
    cards: Callable[[int], DealtCards]
    """Gives the cards of a board; by default they come from ``seed_text``."""
    seed_text: str
    """A seed as text."""
    clock: Clock
    """Time allowances; by default those of an event."""
    conduct: Conduct
    """What faults cost; by default as in an event."""


def open_table(**options: Unpack[TableOptions]) -> Table:
    """Make a table from what is given and the defaults of :class:`TableOptions`."""
    ruleset = options["ruleset"]
    seed = seed_from_text(options.get("seed_text", "in memory"))
    return Table(
        ruleset=ruleset,
        cards=options.get("cards", lambda board: deal_board(ruleset, seed, board)),
        first_board=options.get("first_board", 1),
        boards=options.get("boards", 1),
        clock=options.get("clock", Clock()),
        conduct=options.get("conduct", Conduct()),
    )


def play_at(
    table: Table, policies: Sequence[Policy], *, never_ready: Iterable[int] = ()
) -> MemoryMatch:
    """Play the whole match of a fresh table.

    Args:
        table: Nothing was brought to it yet.
        policies: A bot for every seat, in seat order.
        never_ready: Seats whose bots never say Ready.
    """
    seats = table.match.ruleset.seats
    if len(policies) != seats:
        raise AssertionError(f"{len(policies)} bots at a table of {seats} seats")
    driver = InMemory(table, policies)
    driver.apply(Begin(at_ns=0))
    for seat in range(seats):
        if seat not in never_ready:
            driver.schedule(BotReady(seat=seat, at_ns=THINK_NS), THINK_NS)
    return driver.run()


def play_in_memory(
    policies: Sequence[Policy],
    *,
    never_ready: Iterable[int] = (),
    **options: Unpack[TableOptions],
) -> MemoryMatch:
    """Open a table and play its whole match: :func:`open_table`, then :func:`play_at`."""
    return play_at(open_table(**options), policies, never_ready=never_ready)
