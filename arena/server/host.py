"""Host: one match at one table, between the referee's state machine and the sessions.

Owns the timers of a table and the order in which inputs reach it. Decides nothing: every
verdict is the Table's. Must not know processes, files or schedules.
Source: design.md §4-5.
"""

import math
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

import trio

from arena.referee.clock import MS, Clock
from arena.referee.conduct import Conduct
from arena.referee.events import MatchEnded
from arena.referee.faults import Culprit, FaultKind, Reason, Termination, TerminationKind
from arena.referee.messages import (
    Answered,
    Arrival,
    Ask,
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
    Stop,
    Tell,
    Timer,
    TimerFired,
    TimerKind,
)
from arena.referee.table import Table
from arena.rules.dealing import DealtCards
from arena.rules.ruleset import Ruleset
from arena.server.arrivals import LoopWatch, now_ns, trio_deadline
from arena.server.session import Session
from arena.wire import to_bot
from arena.wire.said import AnswerSaid

SETTLE_NS = 1 * MS
"""How long after a deadline a message already on its way may still be taken in."""
SETTLE_ROUNDS = 3
"""Scheduler rounds from a readable socket to the session's reader (bridge, stream, session)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostedMatch:
    """Everything a table needs to know of a match, and nothing of the event around it."""

    public_id: str
    """The random id that bots are told."""
    ruleset: Ruleset
    cards: Callable[[int], DealtCards]
    first_board: int
    boards: int | None
    clock: Clock
    conduct: Conduct
    commitment: bytes
    bot_seeds: tuple[int, ...]
    seat_names: tuple[str, ...] | None = None
    """What the event shows of who sits where; None = hidden."""
    launched_ns: tuple[int, ...] | None = None
    """By seat, when its process was started: the start allowance of a session's first match."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchOutcome:
    """How a match ended. ``totals`` by side; ``winner`` a side, or None."""

    termination: Termination
    totals: tuple[int, ...]
    winner: int | None


@dataclass(frozen=True, slots=True)
class _Unwritten:
    """A question that waits behind a write in flight; its clock starts after the margin."""

    seat: int
    number: int


class _Seat:
    """One seat of the table as its session's :class:`SeatPort`."""

    def __init__(self, host: "Host", seat: int, session: Session) -> None:
        self._host = host
        self.seat = seat
        self.session = session
        self.table = session.take_table(self)

    def on_ready(self, at_ns: int) -> None:
        self._host.take(BotReady(seat=self.seat, at_ns=at_ns))

    def on_answer(self, number: int, said: AnswerSaid, arrival: Arrival) -> None:
        self._host.take(
            Answered(
                seat=self.seat,
                number=number,
                answer=said.answer,
                arrival=arrival,
                value_thirds=said.value_thirds,
                note=said.note,
                size=said.size,
            )
        )

    def on_misfit(
        self, reason: Reason, message: str, *, number: int | None, size: int, at_ns: int
    ) -> None:
        self._host.take(
            Misfit(
                seat=self.seat,
                reason=reason,
                message=message,
                number=number,
                size=size,
                at_ns=at_ns,
            )
        )

    def on_gone(self, kind: FaultKind, detail: str, at_ns: int) -> None:
        self._host.take(BotGone(seat=self.seat, kind=kind, detail=detail, at_ns=at_ns))


class Host:
    """One match at one table. Use :func:`play_match`."""

    def __init__(
        self,
        match: HostedMatch,
        sessions: Sequence[Session],
        *,
        sink: Callable[[Record], None],
        watch: LoopWatch,
    ) -> None:
        self._match = match
        self._sink = sink
        self._watch = watch
        self._table = Table(
            ruleset=match.ruleset,
            cards=match.cards,
            first_board=match.first_board,
            boards=match.boards,
            clock=match.clock,
            conduct=match.conduct,
        )
        self._seats = [_Seat(self, seat, session) for seat, session in enumerate(sessions)]
        self._inputs: deque[Input] = deque()
        self._is_applying = False
        self._timers: dict[Timer | _Unwritten, int] = {}
        self._unwritten: set[_Unwritten] = set()
        self._sleeping_until: int | None = None
        self._timers_changed = trio.Event()
        self._outcome: MatchOutcome | None = None
        self._over = trio.Event()

    async def play(self) -> MatchOutcome:
        """Play the match to its end; a cancel ends it as aborted, for log and bots."""
        self._begin()
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._watch_timers)
                await self._over.wait()
                nursery.cancel_scope.cancel()
        finally:
            if self._outcome is None:
                self.stop(Termination(kind=TerminationKind.ABORTED, culprit=Culprit.HOST))
        assert self._outcome is not None, "a stopped table closes at once"
        return self._outcome

    def stop(self, termination: Termination) -> None:
        """End the match now, for a reason outside the table."""
        self.take(Stop(termination=termination, at_ns=now_ns()))

    def _begin(self) -> None:
        match = self._match
        for seat in self._seats:
            seat.session.queue(
                to_bot.match_started(
                    table=seat.table,
                    match_id=match.public_id,
                    ruleset=match.ruleset,
                    seat=seat.seat,
                    clock=match.clock,
                    boards=match.boards,
                    commitment=match.commitment,
                    bot_seed=match.bot_seeds[seat.seat],
                    seat_names=match.seat_names,
                ),
                seat.on_ready if seat.session.implies_ready else None,
            )
            seat.session.flush()
        self.take(Begin(at_ns=now_ns(), launched_ns=match.launched_ns))
        for seat in self._seats:
            if seat.session.is_gone:
                seat.on_gone(seat.session.gone_kind, seat.session.gone_detail, now_ns())

    # --- inputs and outputs ---------------------------------------------------------

    def take(self, event: Input) -> None:
        """Apply an input; what one output brings about is applied after it, in order."""
        self._inputs.append(event)
        if self._is_applying:
            return
        self._is_applying = True
        try:
            while self._inputs:
                outputs = self._table.apply(self._inputs.popleft())
                for output in outputs:
                    self._carry_out(output)
                for seat in self._seats:
                    seat.session.flush()
                for waiting in self._unwritten:
                    if waiting not in self._timers:
                        self._set_timer(waiting, now_ns() + self._match.clock.margin_ms * MS)
        finally:
            self._is_applying = False

    def _carry_out(self, output: Output) -> None:
        match output:
            case Record():
                self._record(output)
            case Ask():
                self._ask(output)
            case Tell():
                seat = self._seats[output.seat]
                seat.session.queue(to_bot.update(seat.table, output.news))
            case Reject():
                seat = self._seats[output.seat]
                decision_id = None
                if output.number is not None:
                    decision_id = seat.session.decision_id(seat.table, output.number)
                seat.session.queue(to_bot.rejected(seat.table, decision_id, output))
            case SetTimer():
                self._set_timer(output.timer, output.at_ns)
            case CancelTimer():
                self._timers.pop(output.timer, None)
            case Close():
                self._close(output)
            case _:
                assert_never(output)

    def _record(self, record: Record) -> None:
        if isinstance(record.event, MatchEnded):
            stall_us = self._watch.stall_max_us
            record = replace(record, event=replace(record.event, loop_stall_max_us=stall_us))
        self._sink(record)

    def _ask(self, ask: Ask) -> None:
        seat = self._seats[ask.seat]
        session = seat.session
        decision_id = session.new_decision(seat.table, ask.number)
        waiting = _Unwritten(ask.seat, ask.number)

        def on_written(at_ns: int) -> None:
            self._start_clock(waiting, at_ns)

        self._unwritten.add(waiting)
        session.queue(to_bot.decision(seat.table, decision_id, ask), on_written)

    def _start_clock(self, waiting: _Unwritten, at_ns: int) -> None:
        if waiting in self._unwritten:
            self._unwritten.remove(waiting)
            self._timers.pop(waiting, None)
            self.take(AskWritten(seat=waiting.seat, number=waiting.number, at_ns=at_ns))

    def _close(self, close: Close) -> None:
        self._timers.clear()
        self._unwritten.clear()
        self._outcome = MatchOutcome(
            termination=close.termination, totals=close.totals, winner=close.winner
        )
        for seat in self._seats:
            seat.session.queue(to_bot.match_ended(seat.table, close))
            seat.session.leave_table(seat.table)
        self._over.set()

    # --- timers -----------------------------------------------------------------------

    def _set_timer(self, timer: Timer | _Unwritten, at_ns: int) -> None:
        self._timers[timer] = at_ns
        if self._sleeping_until is None or at_ns < self._sleeping_until:
            self._timers_changed.set()

    async def _watch_timers(self) -> None:
        while True:
            due_ns = min(self._timers.values(), default=None)
            self._sleeping_until = due_ns
            deadline = math.inf if due_ns is None else trio_deadline(due_ns + SETTLE_NS)
            with trio.move_on_at(deadline):
                await self._timers_changed.wait()
            if self._timers_changed.is_set():
                self._timers_changed = trio.Event()
                continue
            for _ in range(SETTLE_ROUNDS):
                await trio.lowlevel.checkpoint()
            at_ns = now_ns()
            for timer in [timer for timer, due in self._timers.items() if due <= at_ns]:
                if self._timers.pop(timer, None) is not None:
                    self._fire(timer, at_ns)

    def _fire(self, timer: Timer | _Unwritten, at_ns: int) -> None:
        if isinstance(timer, _Unwritten):
            self._start_clock(timer, at_ns)
            return
        session = self._seats[timer.seat].session
        allowed_ns = (self._match.clock.limit_ms + self._match.clock.margin_ms) * MS
        writing_ns = at_ns - session.write_started_ns
        if timer.kind is TimerKind.ANSWER and session.is_writing and writing_ns > allowed_ns:
            detail = f"the bot has read nothing for {writing_ns // MS} ms"
            session.lose(FaultKind.NOT_READING, detail)
        else:
            self.take(TimerFired(timer=timer, at_ns=at_ns, hint=session.silence_hint))


async def play_match(
    match: HostedMatch,
    sessions: Sequence[Session],
    *,
    sink: Callable[[Record], None],
    watch: LoopWatch,
) -> MatchOutcome:
    """Play one match with joined sessions, one a seat; every record goes to ``sink`` at once.

    On cancellation the match is stopped as aborted: the sink gets its MatchEnded and the
    bots their MatchEnded, then the cancellation goes on.
    """
    return await Host(match, sessions, sink=sink, watch=watch).play()
