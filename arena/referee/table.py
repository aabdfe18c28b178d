"""The Table: one match at one table, as a state machine.

Owns what the referee does with each input; which input means what in which phase stands
in :mod:`arena.referee.transitions`. Inputs in, outputs out: it must not know sockets,
clocks, logs or processes, and it never waits. Source: design.md §4-5, protocol.md ("What
happens when").
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Final, assert_never

from arena.referee import judging
from arena.referee.absences import Absences
from arena.referee.asking import ask, ask_again
from arena.referee.breaches import breach_text, crowd_text, late_text, revoke_text
from arena.referee.clock import MS, US, Clock, SeatClock
from arena.referee.conduct import (
    FAULT_OF_REASON,
    FAULT_OF_STOP,
    FORFEIT_OF_GONE,
    Conduct,
    FaultCount,
)
from arena.referee.decisions import Decisions, Pending
from arena.referee.ending import as_told, forfeit, hinted, played_out, vague_arrival, winner_of
from arena.referee.events import (
    AnswerTiming,
    Fault,
    Late,
    MatchEnded,
    MatchStarted,
    SeatLost,
)
from arena.referee.faults import Culprit, FaultKind, Reason, Termination, TerminationKind
from arena.referee.messages import (
    Answered,
    AskWritten,
    Begin,
    BotGone,
    BotLost,
    BotReady,
    BotReturned,
    Close,
    Input,
    Misfit,
    Output,
    Stop,
    TimerFired,
    TimerKind,
)
from arena.referee.outbox import Outbox
from arena.referee.readiness import Readiness
from arena.referee.transitions import TRANSITIONS, Act, Phase
from arena.rules.cards import Card
from arena.rules.dealing import DealtCards
from arena.rules.events import DealScored, GameEvent, Infraction, Revoke
from arena.rules.match import Match
from arena.rules.question import Answer
from arena.rules.ruleset import Ruleset


class Table:
    """One match, judged.

    Feed it inputs in the order they happened and carry out its outputs in the order they
    come. It holds no clock: all times are those of the inputs.

    Args:
        ruleset: The game that is played.
        cards: Gives the cards of a board by its number.
        first_board: Number of the first board.
        boards: How many boards are played; None = deals until the ruleset's target.
        clock: The time allowances of every seat.
        conduct: What faults cost.
    """

    def __init__(
        self,
        *,
        ruleset: Ruleset,
        cards: Callable[[int], DealtCards],
        first_board: int,
        boards: int | None,
        clock: Clock,
        conduct: Conduct,
    ) -> None:
        self.match: Final = Match(ruleset, cards=cards, first_board=first_board, boards=boards)
        self._seats = range(ruleset.seats)
        self._clocks = [SeatClock.full(clock)] * ruleset.seats
        self._tries = conduct.illegal_tries
        self._faults = FaultCount(conduct, boards=boards)
        self._decisions = Decisions()
        self._outbox = Outbox(ruleset)
        self._readiness = Readiness(self._outbox, start_ms=clock.start_ms, seats=ruleset.seats)
        self._absences = Absences(
            self._outbox, reconnect_ms=clock.reconnect_ms, seats=ruleset.seats
        )
        self._phase = Phase.WAITING_TO_BEGIN
        self._ended: MatchEnded | None = None

    @property
    def phase(self) -> Phase:
        """How far the match is."""
        return self._phase

    @property
    def is_over(self) -> bool:
        """Whether the match has ended; every further input means nothing."""
        return self._phase is Phase.OVER

    @property
    def ended(self) -> MatchEnded | None:
        """How the match ended, as recorded; None while it goes on."""
        return self._ended

    def apply(self, event: Input) -> list[Output]:
        """Judge one input and say what is to be done, in order.

        Nothing that a bot can do makes it raise.

        Raises:
            AssertionError: The caller has a bug: this input cannot come in this phase.
        """
        act = TRANSITIONS[self._phase, type(event)]
        if act is Act.IMPOSSIBLE:
            raise AssertionError(f"{event!r} cannot come while {self._phase.name}")
        out = self._outbox.open(
            event.arrival.latest_ns if isinstance(event, Answered) else event.at_ns
        )
        self._HANDLERS[act](self, event)
        return out

    # --- getting ready ------------------------------------------------------------

    def _begin(self, begin: Begin) -> None:
        self._phase = Phase.GETTING_READY
        self._readiness.begin(begin)
        self._start_when_ready()

    def _keep_ready(self, ready: BotReady) -> None:
        self._readiness.keep(ready.seat)

    def _note_ready(self, ready: BotReady) -> None:
        if self._readiness.note(ready.seat):
            self._start_when_ready()

    def _start_when_ready(self) -> None:
        if self._readiness.is_complete:
            self._outbox.record(MatchStarted())
            for event in self.match.begin():
                self._outbox.publish(event)
            self._ask_or_end()

    def _end_wait(self, fired: TimerFired) -> None:
        if not self._outbox.note_fired(fired.timer):
            return  # what was waited for crossed with the timer
        seat = fired.timer.seat
        match fired.timer.kind:
            case TimerKind.READY:
                detail = hinted(self._readiness.describe_unready(), fired.hint)
                self._fault(FaultKind.NOT_READY, seat, detail)
                self._end(forfeit(TerminationKind.FORFEIT_NOT_READY, seat, detail))
            case TimerKind.ANSWER:
                self._rule_late(fired)
            case TimerKind.RETURN if not self.match.has_played_all(seat):
                detail = self._absences.describe_lost()
                self._fault(FaultKind.LOST, seat, detail)
                self._end(forfeit(TerminationKind.FORFEIT_LOST, seat, detail))
            case TimerKind.RETURN:
                pass  # nothing is left to ask of it
            case _:
                assert_never(fired.timer.kind)

    # --- a decision ---------------------------------------------------------------

    def _ask_or_end(self) -> None:
        question = self.match.question
        if question is None:
            self._end(played_out(self.match))
            return
        self._phase = Phase.ASKED
        ask(
            question,
            decisions=self._decisions,
            clock=self._clocks[question.seat],
            match=self.match,
            outbox=self._outbox,
        )

    def _start_clock(self, written: AskWritten) -> None:
        pending = self._decisions.pending_at(written.seat, written.number)
        if pending is not None:  # else that decision is over
            pending.written_ns = written.at_ns
            self._phase = Phase.THINKING
            due_ns = self._clocks[pending.seat].due_ns(written.at_ns)
            self._outbox.set_timer(pending.timer, due_ns)

    def _judge(self, said: Answered) -> None:
        ruling = judging.judge(
            said,
            decisions=self._decisions,
            clock=self._clocks[said.seat],
            match=self.match,
        )
        match ruling:
            case judging.Stands():
                self._close_decision(ruling.pending, said.answer, ruling.think_ns)
                self._go_on(ruling.events, ruling.timing)
            case judging.Repeated():
                pass
            case judging.Elsewhere():
                self._refuse(said, ruling.reason, ruling.message)
                self._count(FAULT_OF_REASON[ruling.reason], said.seat, ruling.message)
            case judging.Refused():
                self._refuse(said, ruling.reason, ruling.message, ruling.allowed)
                self._punish_refused(ruling)
            case judging.TooLate():
                self._refuse(
                    said, Reason.STALE, late_text(self._clocks[said.seat], ruling.think_ns)
                )
                self._call_late(ruling.pending, ruling.think_ns, ruling.lag_ns)
            case judging.InDoubt(crowd_seat=int(crowder)):
                detail = crowd_text(said.crowd)
                self._fault(FaultKind.FLOOD, crowder, detail)
                self._end(forfeit(TerminationKind.FORFEIT_FLOOD, crowder, detail))
            case judging.InDoubt():
                self._stop_for(FaultKind.HOST_LAG, vague_arrival(said.seat, ruling.lag_ns))
            case _:
                assert_never(ruling)

    def _punish_refused(self, refused: judging.Refused) -> None:
        """Count what was refused; after too many refused cards play for the seat.

        All refused cards of one decision are one fault, of the kind of the first.
        """
        kind = FAULT_OF_REASON[refused.reason]
        pending = refused.pending
        if kind is FaultKind.MALFORMED:
            self._count(kind, pending.seat, refused.message)
            return
        pending.refused_cards += 1
        if pending.refused_cards == 1 and self._count(kind, pending.seat, refused.message):
            return
        if pending.refused_cards == self._tries:
            self._play_for(pending, refused.think_ns, refused.lag_ns)

    def _rule_late(self, fired: TimerFired) -> None:
        timer = fired.timer
        pending = self._decisions.pending_at(timer.seat, timer.number)
        if pending is not None:
            self._call_late(pending, pending.think_ns(fired.at_ns), 0, fired.hint)

    def _call_late(self, pending: Pending, think_ns: int, lag_ns: int, hint: str = "") -> None:
        seat = pending.seat
        clock = self._clocks[seat]
        if not self._count(FaultKind.LATE, seat, clock.describe_late(think_ns), hint):
            late = Late(limit_ms=clock.time_ns // MS, think_ms=think_ns // MS)
            self._outbox.post(late, (seat,))
            self._play_for(pending, think_ns, lag_ns)

    def _play_for(self, pending: Pending, think_ns: int, lag_ns: int) -> None:
        events = self.match.apply(self.match.default_answer(), autoplayed=True)
        self._close_decision(pending, None, think_ns)
        self._go_on(events, AnswerTiming(think_us=think_ns // US, lag_us=lag_ns // US))

    def _close_decision(self, pending: Pending, answer: Answer | None, think_ns: int) -> None:
        self._decisions.close(pending, answer)
        self._outbox.cancel_timer(pending.timer)
        self._clocks[pending.seat] = self._clocks[pending.seat].after(think_ns)

    def _go_on(self, events: tuple[GameEvent, ...], timing: AnswerTiming) -> None:
        """Publish what an answer brought about; then ask the next seat, or end."""
        carrier = judging.carrier_of(events)
        lost: Termination | None = None
        for event in events:
            self._outbox.publish(event, timing if event is carrier else None)
            match event:
                case Revoke():
                    lost = self._fault(FaultKind.REVOKE, event.seat, revoke_text(events)) or lost
                case Infraction():
                    detail = breach_text(event, events, timing.signal, self.match.ruleset)
                    lost = self._fault(FaultKind.INFRACTION, event.seat, detail) or lost
                case DealScored() if not self.match.is_over:
                    self._outbox.tell_all()
                case _:
                    pass
        if lost is not None:
            self._end(lost)
        else:
            self._ask_or_end()

    # --- refusals and faults ------------------------------------------------------

    def _refuse(
        self,
        message: Answered | Misfit,
        reason: Reason,
        text: str,
        allowed: tuple[Card, ...] = (),
    ) -> None:
        self._outbox.reject(
            seat=message.seat,
            number=message.number,
            reason=reason,
            message=text,
            size=message.size,
            allowed=allowed,
        )

    def _refuse_misfit(self, misfit: Misfit) -> None:
        self._refuse(misfit, misfit.reason, misfit.message)
        self._count(FAULT_OF_REASON[misfit.reason], misfit.seat, misfit.message)

    def _count(self, kind: FaultKind | None, seat: int, detail: str, hint: str = "") -> bool:
        """Record a fault, if it is one; tell whether it was one too many and ended the match."""
        lost = None if kind is None else self._fault(kind, seat, hinted(detail, hint))
        if lost is not None:
            self._end(lost)
        return lost is not None

    def _fault(self, kind: FaultKind, seat: int, detail: str) -> Termination | None:
        self._outbox.record(Fault(culprit=Culprit.BOT, kind=kind, seat=seat, detail=detail))
        return self._faults.add(seat, kind, detail)

    # --- the end ------------------------------------------------------------------

    def _lose_seat(self, gone: BotGone) -> None:
        if self.match.has_played_all(gone.seat):
            return  # going after one's last card is no loss (requirements.md E, F)
        kind = FORFEIT_OF_GONE.get(gone.kind)
        if kind is None:
            raise AssertionError(f"{gone.kind.value} is no way to leave a table")
        lost = SeatLost(seat=gone.seat)
        self._outbox.record(lost)
        self._outbox.post(lost, self._seats)
        self._fault(gone.kind, gone.seat, gone.detail)
        self._end(forfeit(kind, gone.seat, gone.detail), gone=gone.seat)

    def _note_lost(self, lost: BotLost) -> None:
        if not self.match.has_played_all(lost.seat):
            self._absences.begin(lost.seat, lost.at_ns)

    def _note_returned(self, returned: BotReturned) -> None:
        seat = returned.seat
        self._absences.end(seat)
        again = ask_again(
            seat,
            returned.at_ns,
            decisions=self._decisions,
            clock=self._clocks[seat],
            match=self.match,
        )
        if again is not None:
            self._outbox.put(again)

    def _stop(self, stop: Stop) -> None:
        self._stop_for(FAULT_OF_STOP.get(stop.termination.culprit), stop.termination)

    def _stop_for(self, kind: FaultKind | None, termination: Termination) -> None:
        """End the match, with the fault of host or referee behind it, if there is one."""
        if kind is not None:
            self._outbox.record(
                Fault(culprit=termination.culprit, kind=kind, detail=termination.detail)
            )
        self._end(termination)

    def _end(self, termination: Termination, *, gone: int | None = None) -> None:
        totals = self.match.totals
        winner = winner_of(termination, self.match)
        told = as_told(termination)
        self._phase = Phase.OVER
        self._ended = MatchEnded(termination=termination, totals=totals, winner=winner)
        self._outbox.cancel_all()
        self._outbox.record(self._ended)
        self._outbox.post(MatchEnded(termination=told, totals=totals, winner=winner), self._seats)
        self._outbox.tell_all(but=gone)
        self._outbox.put(Close(termination=told, totals=totals, winner=winner))

    def _ignore(self, _event: Input) -> None:
        """Let pass what crossed with something else on its way."""

    # The transition table gives each act only the type of input that its handler takes.
    _HANDLERS: ClassVar[Mapping[Act, Callable[["Table", Any], None]]] = MappingProxyType(
        {
            Act.BEGIN: _begin,
            Act.KEEP_READY: _keep_ready,
            Act.NOTE_READY: _note_ready,
            Act.START_CLOCK: _start_clock,
            Act.JUDGE: _judge,
            Act.REFUSE: _refuse_misfit,
            Act.END_WAIT: _end_wait,
            Act.FORFEIT_GONE: _lose_seat,
            Act.NOTE_LOST: _note_lost,
            Act.NOTE_RETURNED: _note_returned,
            Act.STOP: _stop,
            Act.IGNORE: _ignore,
        }
    )
