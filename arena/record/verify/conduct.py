"""Clocks, faults and ends of a log: what the referee ruled, held against design.md §5.

Owns a second reckoning of limits, banks, refusals, fault counts and forfeits. Shares the
policy's numbers with the referee, none of its code. Must not know the game: who is to
play and what is legal is :mod:`arena.record.walk`'s. A log that was cut owes nothing after
its last line. Source: design.md §5; protocol.md ("What happens when").
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from arena.record.lines import TIME_OF_DAY
from arena.record.read import LineEvent, LogLine, LogOpened, MatchRecord
from arena.record.rerun import Difference
from arena.record.seal import DealSealed, LogClosed
from arena.record.verify.presence import Coming, Presence
from arena.record.verify.seat_time import SeatTime
from arena.record.walk import line_text
from arena.referee.events import (
    AnswerRejected,
    AnswerTiming,
    DecisionAsked,
    Fault,
    MatchEnded,
    MatchStarted,
    SeatJoined,
    SeatLost,
    SeatReady,
    SeatReturned,
)
from arena.referee.faults import Culprit, FaultKind, Reason, TerminationKind
from arena.rules.events import CardPlayed, Infraction, Revoke
from arena.wire.log_events import UnknownEvent
from arena.wire.terms import TEXT_BYTES

_CARD_REFUSED: Final = {
    Reason.CARD_NOT_HELD: FaultKind.NOT_HELD,
    Reason.ILLEGAL_CARD: FaultKind.ILLEGAL,
}
_FAULT_OF_REFUSAL: Final[Mapping[Reason, FaultKind]] = {
    **dict.fromkeys(
        (
            Reason.MALFORMED,
            Reason.UNKNOWN_MESSAGE,
            Reason.WRONG_KIND,
            Reason.BAD_DECLARATION,
            Reason.BAD_SIGNAL,
            Reason.TOO_MANY_MESSAGES,
            Reason.TOO_LARGE,
        ),
        FaultKind.MALFORMED,
    ),
    **dict.fromkeys((Reason.NOT_JOINED, Reason.UNKNOWN_DECISION), FaultKind.UNSOLICITED),
}
_LIMIT_OF: Final[Mapping[FaultKind, str]] = {
    FaultKind.LATE: "late",
    FaultKind.ILLEGAL: "illegal",
    FaultKind.NOT_HELD: "illegal",
    FaultKind.MALFORMED: "malformed",
    FaultKind.UNSOLICITED: "malformed",
    FaultKind.REVOKE: "revoke",
    FaultKind.INFRACTION: "infraction",
}
_END_OF: Final[Mapping[FaultKind, TerminationKind]] = {
    FaultKind.CRASHED: TerminationKind.FORFEIT_CRASH,
    FaultKind.LEFT: TerminationKind.FORFEIT_LEFT,
    FaultKind.LOST: TerminationKind.FORFEIT_LOST,
    FaultKind.NOT_READY: TerminationKind.FORFEIT_NOT_READY,
    FaultKind.FLOOD: TerminationKind.FORFEIT_FLOOD,
    FaultKind.NOT_READING: TerminationKind.FORFEIT_NOT_READING,
    FaultKind.HOST_LAG: TerminationKind.HOST_FAULT,
    FaultKind.HOST: TerminationKind.HOST_FAULT,
    FaultKind.REFEREE: TerminationKind.REFEREE_FAULT,
}
_TIMED: Final = (LogOpened, DealSealed, LogClosed)
"""Lines that carry a time of day."""
_BY_ITSELF: Final = frozenset(
    {
        TerminationKind.COMPLETED,
        TerminationKind.DRAWN_AT_LIMIT,
        TerminationKind.FORFEIT_SUSPENDED,
        TerminationKind.ANNULLED,
        TerminationKind.ABORTED,
    }
)
"""Ends that no fault has to stand before."""
_CLOCK_SLACK_US: Final = 10_000
"""By how much times of two clocks' readings may cross in a log."""
_NOBODYS: Final = {TerminationKind.COMPLETED, TerminationKind.DRAWN_AT_LIMIT}


class _Wrong(Exception):  # ends a look at one line, never leaves this module
    """What should have stood here."""


def check_conduct(record: MatchRecord) -> Iterator[Difference]:
    """Give what is wrong with clocks, faults and ends, in the order of the lines.

    After the first difference the count is not to be relied on, so it ends there.
    """
    reckoning = _Reckoning(record)
    for line in record.lines:
        try:
            reckoning.look_at(line)
        except _Wrong as wrong:
            yield Difference(
                file=str(record.path),
                seq=line.seq,
                expected=str(wrong),
                found=line_text(line.raw),
            )
            return


class _Reckoning:
    """What is due at one place of the log."""

    def __init__(self, record: MatchRecord) -> None:
        header = record.header
        self._clock = header.clock
        self._conduct = header.conduct
        self._boards = header.boards
        self._times = [SeatTime(header.clock) for _ in header.seats]
        self._presence = Presence(len(header.seats))
        self._asked: LogLine | None = None
        self._seat = -1
        """Who owes an answer; -1 = nobody."""
        self._refused_cards = 0
        self._is_late = False
        self._owed: tuple[int, FaultKind] | None = None
        """The fault that the next line must be."""
        self._counts: Counter[tuple[int, str]] = Counter()
        self._forfeit: int | None = None
        """The seat whose fault was one too many."""
        self._ending: Fault | None = None
        """A fault after which the match ends at once."""

    def look_at(self, line: LogLine) -> None:  # noqa: C901, PLR0912  # one closed set
        """Take one line.

        Raises:
            _Wrong: It cannot stand here.
        """
        event = line.event
        if isinstance(event, _TIMED) and TIME_OF_DAY.fullmatch(event.time) is None:
            raise _Wrong("a time of day, as 2026-01-01T00:00:00.000Z")
        if isinstance(event, UnknownEvent | DealSealed):
            return
        if self._owed is not None and not isinstance(event, Fault):
            raise _Wrong(self._owed_words())
        if self._presence.gone is not None and self._ending is None:
            self._gone(event, self._presence.gone)
        if self._ending is not None and not isinstance(event, MatchEnded):
            raise _Wrong(f"match_ended after the fault {self._ending.kind.value}")
        if line.timing is not None:
            self._answered(line, line.timing)
        match event:
            case SeatJoined() | SeatReady() | MatchStarted() | SeatLost() | SeatReturned():
                self._present(event)
            case DecisionAsked():
                self._asked_now(line, event)
            case AnswerRejected():
                self._rejected(event)
            case Revoke():
                self._owed = event.seat, FaultKind.REVOKE
            case Infraction():
                self._owed = event.seat, FaultKind.INFRACTION
            case Fault():
                self._faulted(event)
            case MatchEnded():
                self._ended(event)
            case _:
                pass

    def _present(self, event: Coming) -> None:
        if (due := self._presence.wrong_with(event)) is not None:
            raise _Wrong(due)

    def _gone(self, event: LineEvent, seat: int) -> None:
        """See that a seat that was lost for good is at fault."""
        if not (isinstance(event, Fault) and event.seat == seat and event.kind in _END_OF):
            raise _Wrong(f"the fault of seat {seat}, which was away when it was lost")

    def _owed_words(self) -> str:
        if self._owed is None:
            return "no fault: nothing before it is one"
        seat, kind = self._owed
        return f"a fault {kind.value} of seat {seat}"

    def _asked_now(self, line: LogLine, event: DecisionAsked) -> None:
        if self._forfeit is not None:
            raise _Wrong(f"match_ended: seat {self._forfeit} has one fault too many")
        if event.limit_ms != self._clock.limit_ms:
            raise _Wrong(f"limit_ms {self._clock.limit_ms}, as the log's head has it")
        banks = self._times[event.seat].banks_ms
        if event.bank_ms not in banks:
            raise _Wrong(f"bank_ms {banks[0]}" + (f" to {banks[-1]}" if len(banks) > 1 else ""))
        self._asked, self._seat = line, event.seat
        self._refused_cards, self._is_late = 0, False

    def _answered(self, line: LogLine, timing: AnswerTiming) -> None:
        asked, seat = self._asked, self._seat
        if asked is None:
            raise _Wrong("no answer: nobody was asked")
        time = self._times[seat]
        think_us, lag_us = timing.think_us, timing.lag_us
        if min(think_us, lag_us, timing.cpu_us or 0) < 0:
            raise _Wrong("think_us, lag_us and cpu_us from 0")
        if len(timing.note.encode("utf-8", "backslashreplace")) > TEXT_BYTES:
            raise _Wrong(f"a note of at most {TEXT_BYTES} bytes")
        between = line.at_us - asked.at_us
        if think_us + lag_us > between + _CLOCK_SLACK_US:
            raise _Wrong(f"a think time within the {between} us since the question")
        is_own = not (isinstance(line.event, CardPlayed) and line.event.autoplayed)
        if (
            wrong := self._wrong_with_own(timing) if is_own else self._wrong_with_card()
        ) is not None:
            raise _Wrong(wrong)
        if self._is_late and not time.can_be_late(think_us):
            raise _Wrong(f"no fault late: {think_us} us were in time")
        time.spend(think_us)
        self._asked, self._seat = None, -1

    def _wrong_with_card(self) -> str | None:
        """Say what is missing before the referee plays for the seat that is asked."""
        tries = self._conduct.illegal_tries
        if self._is_late or self._refused_cards >= tries:
            return None
        return f"a fault late, or {tries} refused cards, before the referee plays"

    def _wrong_with_own(self, timing: AnswerTiming) -> str | None:
        """Say what should stand here instead of an answer of the bot's own."""
        seat, time = self._seat, self._times[self._seat]
        if self._presence.is_away(seat):
            return f"no answer of seat {seat}, which is away"
        if self._is_late or self._refused_cards >= self._conduct.illegal_tries:
            return "the referee's card: the bot has no answer left"
        if time.must_be_late(timing.think_us):
            return f"a fault late: allowed were {time.allowed_us()} us"
        if time.is_in_doubt(timing.think_us, timing.lag_us):
            return "a fault host_lag: nobody can say whether this was in time"
        return None

    def _rejected(self, event: AnswerRejected) -> None:
        kind = _CARD_REFUSED.get(event.reason)
        if kind is None:
            fault = _FAULT_OF_REFUSAL.get(event.reason)
            self._owed = None if fault is None else (event.seat, fault)
            return
        if event.seat != self._seat:
            raise _Wrong("a card refused to the seat that is asked only")
        self._refused_cards += 1
        if self._refused_cards > self._conduct.illegal_tries:
            raise _Wrong(f"the referee's card after {self._conduct.illegal_tries} refused cards")
        if self._refused_cards == 1:
            self._owed = event.seat, kind

    def _faulted(self, event: Fault) -> None:
        if event.kind in _END_OF:
            if self._owed is not None:
                raise _Wrong(self._owed_words())
            is_bots = _END_OF[event.kind].is_forfeit
            if is_bots != (event.culprit is Culprit.BOT) or is_bots != (event.seat is not None):
                raise _Wrong(f"{event.kind.value} with the culprit that it has by its kind")
            self._ending = event
            return
        if event.culprit is not Culprit.BOT or event.seat is None:
            raise _Wrong(f"a seat, and culprit bot, with the fault {event.kind.value}")
        if event.kind is FaultKind.LATE:
            if event.seat != self._seat:
                raise _Wrong("late only of the seat that is asked")
            self._is_late = True
        elif self._owed != (event.seat, event.kind):
            raise _Wrong(self._owed_words())
        self._owed = None
        self._count(event.seat, _LIMIT_OF[event.kind])

    def _count(self, seat: int, limit_name: str) -> None:
        self._counts[seat, limit_name] += 1
        in_100: int = getattr(self._conduct, limit_name)
        boards = 100 if self._boards is None else self._boards
        limit = max(3, (in_100 * boards + 99) // 100)
        if self._counts[seat, limit_name] >= limit:
            self._forfeit = seat

    def _ended(self, event: MatchEnded) -> None:
        termination = event.termination
        if event.loop_stall_max_us < 0:
            raise _Wrong("loop_stall_max_us from 0")
        if self._forfeit is not None:
            if (termination.kind, termination.seat) != (
                TerminationKind.FORFEIT_FAULTS,
                self._forfeit,
            ):
                raise _Wrong(f"forfeit_faults of seat {self._forfeit}: it has one fault too many")
        elif self._ending is not None:
            kind = _END_OF[self._ending.kind]
            is_stopped = termination.kind is TerminationKind.ABORTED and not kind.is_forfeit
            if (termination.kind, termination.seat) != (kind, self._ending.seat) and not is_stopped:
                of = "" if self._ending.seat is None else f" of seat {self._ending.seat}"
                raise _Wrong(f"{kind.value}{of}, as the fault before it has it")
        elif termination.kind not in _BY_ITSELF:
            raise _Wrong(f"the fault that {termination.kind.value} comes of")
        if termination.kind in _NOBODYS and termination.culprit is not Culprit.NOBODY:
            raise _Wrong("no culprit: the match was played out")
        if self._forfeit is not None and termination.culprit is not Culprit.BOT:
            raise _Wrong("culprit bot of a forfeit")
        self._ending = None
