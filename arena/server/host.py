"""Host: one match at one table, between the referee's state machine and the sessions.

Owns the order in which inputs reach a table, and when its clocks start and its timers
fire. Decides nothing: every verdict is the Table's. Must not know processes, files or schedules.
Source: design.md §4-5.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import assert_never

from arena.referee.clock import MS, Clock
from arena.referee.conduct import Conduct
from arena.referee.faults import Culprit, FaultKind, Termination, TerminationKind
from arena.referee.messages import (
    Ask,
    AskAgain,
    AskWritten,
    Begin,
    CancelTimer,
    Close,
    Input,
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
from arena.server.alarms import Alarms
from arena.server.arrivals import LoopWatch, now_ns
from arena.server.endings import GIVEN_UP, deaf_text, stood_still
from arena.server.minutes import Minutes, OnSent
from arena.server.outgoing import OnWritten
from arena.server.seat import Seat
from arena.server.session import Session
from arena.v1 import play_pb2
from arena.wire import to_bot
from arena.wire.terms import Resources


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
    resources: Resources | None = None
    """What each bot may use, where the arena starts it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchOutcome:
    """How a match ended. ``totals`` by side; ``winner`` a side, or None."""

    termination: Termination
    totals: tuple[int, ...]
    winner: int | None


class _Question:
    """A decision on its way to a bot, until its clock starts."""

    __slots__ = ("_host", "has_bank", "number", "queued_ns", "seat")

    def __init__(self, host: "Host", ask: Ask) -> None:
        self._host = host
        self.seat = ask.seat
        self.number = ask.number
        self.has_bank = ask.bank_ns > 0
        self.queued_ns: int | None = None
        """Since when it waits behind a write in flight; None: it does not."""

    def on_written(self, at_ns: int) -> None:
        self._host.start_clock(self, at_ns)


class Host:
    """One match at one table. Use :func:`play_match`."""

    def __init__(
        self,
        match: HostedMatch,
        sessions: Sequence[Session],
        *,
        minutes: Minutes,
        now: Callable[[], int] = now_ns,
    ) -> None:
        self._match = match
        self._minutes = minutes
        self._now = now
        self._margin_ns = match.clock.margin_ms * MS
        self._allowed_ns = match.clock.limit_ms * MS + self._margin_ns
        self._table = Table(
            ruleset=match.ruleset,
            cards=match.cards,
            first_board=match.first_board,
            boards=match.boards,
            clock=match.clock,
            conduct=match.conduct,
        )
        self._seats = [
            Seat(number, session, take=self.take, send_out=self.send_out, seat_of=self._seat_of)
            for number, session in enumerate(sessions)
        ]
        self._inputs: deque[Input] = deque()
        self._is_applying = False
        self._is_over = False
        self._spoken_to: list[Session] = []
        self._question: _Question | None = None
        self._asked: Seat | None = None
        self._done_asked: Seat | None = None
        """Whose turn is over since the bots were last sent something."""
        self._alarms: Alarms[Timer | _Question | Seat] = Alarms(
            self._ring, now=now, on_pause=lambda late_ns: self.stop(stood_still(late_ns))
        )
        self._outcome: MatchOutcome | None = None
        self._failure: Exception | None = None

    async def play(self) -> MatchOutcome:
        """Play the match to its end; a cancel ends it as aborted, for log and bots."""
        try:
            self._begin()
            await self._alarms.run()
        finally:
            if self._outcome is None and self._failure is None:
                self.stop(Termination(kind=TerminationKind.ABORTED, culprit=Culprit.HOST))
            if self._failure is not None:
                raise self._failure
        if self._outcome is None:
            raise AssertionError("a table that is over has said how")
        return self._outcome

    def stop(self, termination: Termination) -> None:
        """End the match now, for a reason outside the table."""
        self.take(Stop(termination=termination, at_ns=self._now()))
        self.send_out()

    def _begin(self) -> None:
        match = self._match
        for seat in self._seats:
            message = to_bot.match_started(
                table=seat.place.table,
                match_id=match.public_id,
                ruleset=match.ruleset,
                seat=seat.seat,
                clock=match.clock,
                boards=match.boards,
                commitment=match.commitment,
                bot_seed=match.bot_seeds[seat.seat],
                seat_names=match.seat_names,
                resources=None if seat.session.is_remote else match.resources,
            )
            seat.announcement = message
            self._say(seat, message, seat.on_announced if seat.session.implies_ready else None)
        # Nothing is written yet: should a bot be gone, the others hear of the match first.
        now = self._now()
        self.take(Begin(at_ns=now, launched_ns=match.launched_ns))
        for seat in self._seats:
            session = seat.session
            if session.is_gone:
                seat.on_gone(session.gone_kind, session.gone_detail, now)
            elif session.was_given_up:
                seat.on_gone(FaultKind.LOST, GIVEN_UP, now)
            elif session.is_lost:
                seat.on_lost(now)
        self.send_out()

    # --- inputs and outputs ---------------------------------------------------------

    def take(self, event: Input) -> None:
        """Apply an input; what one output brings about is applied after it, in order.

        Nothing leaves for the bots before :meth:`send_out`; nothing matters after the end.
        """
        if self._is_over:
            return
        self._inputs.append(event)
        if self._is_applying:
            return
        self._is_applying = True
        try:
            while self._inputs:
                for output in self._table.apply(self._inputs.popleft()):
                    self._carry_out(output)
        except Exception as error:  # noqa: BLE001  # it belongs to play's caller, not to a bot's reader
            self._give_up(error)
        finally:
            self._is_applying = False

    def send_out(self) -> None:
        """Send the bots what was said to them; then, while they think, write the log."""
        while self._spoken_to:
            self._spoken_to.pop().flush_soon()
        if self._done_asked is not None:
            self._rest()
        question = self._question
        if question is not None and question.queued_ns is None:
            # An earlier write is in flight. Its clock starts after the margin at the latest;
            # nothing has to happen then, but if it is never written its time must end.
            question.queued_ns = self._now()
            self._alarms.set(question, question.queued_ns + self._margin_ns + self._allowed_ns)
        if self._minutes:
            self._write_minutes()

    def _carry_out(self, output: Output) -> None:
        match output:
            case Record():
                self._minutes.record(output)
            case SetTimer():
                self._alarms.set(output.timer, output.at_ns)
            case CancelTimer():
                self._alarms.cancel(output.timer)
            case Ask():
                self._ask(output)
            case AskAgain():
                self._ask_again(output.ask)
            case Tell():
                seat = self._seats[output.seat]
                self._say(seat, to_bot.update(seat.place.table, output.news))
            case Reject():
                seat = self._seats[output.seat]
                decision_id = None
                if output.number is not None:
                    decision_id = seat.place.decision_id(output.number)
                self._say(seat, to_bot.rejected(seat.place.table, decision_id, output))
            case Close():
                self._close(output)
            case _:
                assert_never(output)

    def _say(
        self, seat: Seat, message: play_pb2.RefereeMessage, on_written: OnWritten | None = None
    ) -> None:
        seat.session.queue(message, on_written)
        self._spoken_to.append(seat.session)
        self._minutes.said(seat.seat, message)

    def _write_minutes(self) -> None:
        """Have written what has happened; what cannot be recorded ends the match."""
        if self._failure is not None:
            self._minutes.drop()
            return
        try:
            self._minutes.write()
        except Exception as error:  # noqa: BLE001  # it belongs to play's caller, not to a bot's reader
            self._failure = error
            # What is not on record is not played: the bots are told so.
            self.stop(Termination(kind=TerminationKind.HOST_FAULT, culprit=Culprit.HOST))

    def _close(self, close: Close) -> None:
        self._outcome = MatchOutcome(
            termination=close.termination, totals=close.totals, winner=close.winner
        )
        for seat in self._seats:
            if seat.seat == close.termination.seat and seat.session.is_lost:
                seat.session.was_given_up = True
            self._say(seat, to_bot.match_ended(seat.place.table, close))
        self._leave()

    def _give_up(self, error: Exception) -> None:
        """Leave a table whose referee has a bug: nothing that it says can be relied on."""
        self._failure = self._failure or error
        self._inputs.clear()
        if not self._is_over:
            self._leave()

    def _leave(self) -> None:
        self._is_over = True
        self._question = None
        self._alarms.close()
        for seat in self._seats:
            seat.session.places.leave(seat.place)

    # --- clocks -----------------------------------------------------------------------

    def _ask(self, ask: Ask) -> None:
        seat = self._seats[ask.seat]
        if seat is not self._asked:
            self._done_asked, self._asked = self._asked, seat
        self._forget_question()
        question = self._question = _Question(self, ask)
        decision_id = seat.session.places.ask(seat.place, ask.number)
        message = to_bot.decision(seat.place.table, decision_id, ask)
        self._say(seat, message, question.on_written)

    def _ask_again(self, ask: Ask) -> None:
        seat = self._seats[ask.seat]
        decision_id = seat.place.decision_id(ask.number)
        if decision_id is None:
            raise AssertionError("a pending decision has its id")
        seat.session.queue_again(to_bot.decision(seat.place.table, decision_id, ask))
        self._spoken_to.append(seat.session)

    def start_clock(self, question: _Question, at_ns: int) -> None:
        """Start the clock of a decision that is written now, unless it runs or it is over."""
        if question is self._question:
            if question.has_bank:
                # Its answer may be long in coming: see before that whether the bot reads at all.
                self._alarms.set(self._seats[question.seat], at_ns + self._allowed_ns)
            if question.queued_ns is not None:
                at_ns = min(at_ns, question.queued_ns + self._margin_ns)
            self._forget_question()
            meter = self._seats[question.seat].session.meter
            if meter is not None:
                meter.begin()
            self.take(AskWritten(seat=question.seat, number=question.number, at_ns=at_ns))

    def _rest(self) -> None:
        """Let the bot rest that was asked before the one who now is."""
        seat, self._done_asked = self._done_asked, None
        if seat is not None and seat is not self._asked and seat.session.meter is not None:
            seat.session.meter.rest()

    def _forget_question(self) -> None:
        question = self._question
        if question is not None and question.queued_ns is not None:
            self._alarms.cancel(question)
        self._question = None

    def _ring(self, key: Timer | _Question | Seat, now_ns: int) -> None:
        match key:
            case Timer():
                session = self._seats[key.seat].session
                hint = session.silence_hint
                if key.kind is TimerKind.READY:
                    refused = session.tally.refused and f"refused before: {session.tally.refused}"
                    hint = "; ".join(filter(None, (hint, refused, session.last_words())))
                elif self._lose_if_deaf(session, now_ns):
                    hint = ""  # the table has ended by that
                self.take(TimerFired(timer=key, at_ns=now_ns, hint=hint))
            case _Question():
                if not self._lose_if_deaf(self._seats[key.seat].session, now_ns):
                    self.start_clock(key, now_ns)
            case Seat():
                self._lose_if_deaf(key.session, now_ns)
            case _:
                assert_never(key)
        self.send_out()

    def _seat_of(self, session: object) -> int | None:
        return next((seat.seat for seat in self._seats if seat.session is session), None)

    def _lose_if_deaf(self, session: Session, now_ns: int) -> bool:
        """Give up a bot that has read nothing for longer than a decision may take."""
        writing_ns = now_ns - session.write_started_ns
        is_deaf = session.is_writing and writing_ns > self._allowed_ns
        if is_deaf:
            session.lose_deaf(deaf_text(writing_ns, self._allowed_ns))
        return session.is_gone


async def play_match(
    match: HostedMatch,
    sessions: Sequence[Session],
    *,
    sink: Callable[[Record], None],
    watch: LoopWatch,
    on_sent: OnSent | None = None,
    now: Callable[[], int] = now_ns,
) -> MatchOutcome:
    """Play one match with joined sessions, one a seat; every record goes to ``sink`` at once.

    On cancellation the match is stopped as aborted: the sink gets its MatchEnded and the
    bots their MatchEnded, then the cancellation goes on.

    Args:
        match: What is played.
        sessions: Who plays, by seat.
        sink: Takes each record in order. If it raises, it gets no more, and the match is
            stopped as the host's fault.
        watch: Where the longest stall of the loop is read at the end.
        on_sent: Takes each message that was made for a seat, in order with the records;
            what it raises counts as if ``sink`` had.
        now: The sessions' clock (ns).

    Raises:
        Exception: What ``sink`` raised.
    """
    return await Host(match, sessions, minutes=Minutes(sink, on_sent, watch), now=now).play()
