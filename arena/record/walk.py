"""One walk along a log: what the rules bring about, line by line.

Owns the state of the walk and the bytes that each line must have. Shares the rules with
the referee, not the referee. Must not know what is done about a difference: that is
:mod:`arena.record.rerun`. Source: record.md ("What is done with it").
"""

from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from typing import Final, assert_never

from arena.errors import RulesError
from arena.record.header import LOG_OPENED, header_fields
from arena.record.lines import encode_line
from arena.record.logged_deals import LoggedDeals
from arena.record.read import LineEvent, LogLine, LogOpened, MatchRecord
from arena.record.seal import (
    DEAL_SEALED,
    LOG_CLOSED,
    Chain,
    DealSealed,
    LogClosed,
    Seal,
    seal_fields,
)
from arena.referee.events import (
    AnswerRejected,
    AnswerTiming,
    DecisionAsked,
    Fault,
    LogEvent,
    MatchEnded,
    MatchStarted,
    SeatJoined,
    SeatLost,
    SeatReady,
    SeatReturned,
)
from arena.referee.faults import TerminationKind
from arena.rules.events import (
    CardDrawn,
    CardPlayed,
    DealScored,
    DealStarted,
    DeclarationMade,
    DeclarationRefused,
    GameEvent,
    Infraction,
    Revoke,
    TrickWon,
)
from arena.rules.match import Match
from arena.rules.question import Answer
from arena.wire.log_events import UnknownEvent, encode_event

_FRAME: Final = (LogOpened, DealSealed, LogClosed, UnknownEvent)
"""Lines that are not of the match itself."""


class OutOfLog(Exception):  # ends a walk, never leaves this module
    """The log was cut in the middle of an answer: what is there cannot be judged alone."""


class Divergence(Exception):  # ends a walk, never leaves this module
    """The walk cannot go on from here."""

    def __init__(self, line: LogLine, expected: str) -> None:
        super().__init__(expected)
        self.line = line
        self.expected = expected


class Walk:
    """The state of one walk: the match as the rules see it, and what must come next."""

    def __init__(self, record: MatchRecord) -> None:
        self._record = record
        self._ruleset = record.header.ruleset
        self._chain = Chain()
        self._unsealed: list[bytes] = []
        """The lines since the last seal, that one included."""
        self._deals = LoggedDeals(record)
        self._match: Match | None = None
        self._due: deque[GameEvent] = deque()
        self._answered: tuple[int, AnswerTiming] | None = None
        """The line on which the last answer rides, and what may stand there of it."""
        self._at_us = 0
        self._is_asked = False
        self._is_seal_due = False
        self._has_ended = False
        self._last: tuple[LineEvent, LineEvent] | None = None
        """Of the last line: the event that the rules bring about, and the logged one."""

    def expected(self, line: LogLine) -> bytes:
        """Work out the bytes that must stand where ``line`` stands.

        Raises:
            Divergence: Nothing like this line can stand here.
        """
        event = line.event
        self._last = None
        if self._is_seal_due and not isinstance(event, DealSealed | UnknownEvent):
            raise Divergence(line, DEAL_SEALED)
        if isinstance(event, _FRAME):
            fields = self._frame(line, event)
        else:
            judged = self._judged(line, event)
            self._last = judged, event
            timing = self._timing(line)
            if line.is_plain and self._is_as_read(line, judged, timing):
                self._unsealed.append(line.raw)
                self._at_us = line.at_us
                return line.raw
            fields = encode_event(judged, timing)
        self._unsealed.append(line.raw)
        self._at_us = max(self._at_us, line.at_us)
        if isinstance(event, UnknownEvent):
            return line.raw
        return encode_line({"seq": line.seq, "at_us": self._at_us, **fields})

    def _frame(self, line: LogLine, event: LogOpened | Seal | UnknownEvent) -> Mapping[str, object]:
        """Work out the fields of a line that is not of the match itself."""
        match event:
            case UnknownEvent():
                return {}
            case LogOpened():
                header = header_fields(self._record.header)
                return {"event": LOG_OPENED, "time": event.time, **header}
            case DealSealed():
                if not self._is_seal_due:
                    raise Divergence(line, "no seal before a deal is scored")
                self._is_seal_due = False
                return {
                    "event": DEAL_SEALED,
                    **seal_fields(event.time, self._seal(), event.views),
                }
            case LogClosed():
                if not self._has_ended:
                    raise Divergence(line, "match_ended before the log is closed")
                return {"event": LOG_CLOSED, **seal_fields(event.time, self._seal(), event.views)}
            case _:
                assert_never(event)

    def _seal(self) -> str:
        """Work out the chain of a seal that stands here."""
        self._chain.update(b"".join(self._unsealed))
        self._unsealed.clear()
        return self._chain.seal()

    @property
    def is_astray(self) -> bool:
        """Whether the last line was another event than the rules bring about."""
        return self._last is not None and self._last[0] != self._last[1]

    def _is_as_read(self, line: LogLine, judged: LogEvent, timing: AnswerTiming | None) -> bool:
        """Whether a line whose bytes follow from its values has the values that are due."""
        return (
            line.at_us >= self._at_us
            and (timing is line.timing or timing == line.timing)
            and (judged is line.event or judged == line.event)
        )

    def _timing(self, line: LogLine) -> AnswerTiming | None:
        if self._answered is None or self._answered[0] != line.seq:
            return None
        return self._answered[1]

    def _judged(self, line: LogLine, event: LogEvent) -> LogEvent:  # noqa: PLR0911  # one closed set
        if self._has_ended:
            raise Divergence(line, "log_closed after match_ended")
        match event:  # what comes with every play first
            case CardPlayed() | TrickWon():
                return self._happened(line)
            case DecisionAsked():
                return self._asked(line, event)
            case SeatJoined() | SeatReady() | SeatLost() | SeatReturned():
                return event
            case AnswerRejected() | Fault():
                return event
            case MatchStarted():
                self._begin(line)
                return event
            case MatchEnded():
                return self._ended(line, event)
            case (
                DealStarted()
                | DeclarationMade()
                | DeclarationRefused()
                | CardDrawn()
                | Revoke()
                | Infraction()
                | DealScored()
            ):
                return self._happened(line)
            case _:
                assert_never(event)

    def _begin(self, line: LogLine) -> None:
        if self._match is not None:
            raise Divergence(line, "match_started once")
        header = self._record.header
        self._match = Match(
            header.ruleset,
            cards=self._deals.cards,
            first_board=header.first_board,
            boards=header.boards,
        )
        self._due.extend(self._match.begin())

    def _asked(self, line: LogLine, event: DecisionAsked) -> DecisionAsked:
        question = None if self._match is None else self._match.question
        if self._due:
            raise Divergence(line, self._due_text())
        if question is None:
            raise Divergence(line, "no question: nobody is to play")
        if self._is_asked:
            raise Divergence(line, "an answer to the question before")
        self._is_asked = True
        if (
            event.legal == question.legal
            and event.seat == question.seat
            and event.kind is question.kind
        ):
            return event  # the usual case, without making it anew
        return replace(event, seat=question.seat, kind=question.kind, legal=question.legal)

    def _happened(self, line: LogLine) -> GameEvent:
        if not self._due:
            self._answer(line)
        event = self._due.popleft()
        if isinstance(event, CardPlayed):
            return event  # the usual case
        if isinstance(event, DealStarted) and event.board in self._deals.bad:
            raise Divergence(line, self._deals.bad[event.board])
        self._is_seal_due = isinstance(event, DealScored)
        return event

    def _answer(self, line: LogLine) -> None:
        """Give the rules the answer whose first event stands on ``line``."""
        match = self._match
        question = None if match is None else match.question
        if match is None or question is None:
            raise Divergence(line, "no event of the game: nobody is to play")
        if not self._is_asked:
            raise Divergence(line, "decision_asked")
        self._is_asked = False
        at, played = self._card_played(line)
        timing = at.timing
        if timing is None:
            raise Divergence(at, "the time that the answer took")
        autoplayed = played is not None and played.autoplayed
        if autoplayed:
            timing = AnswerTiming(think_us=timing.think_us, lag_us=timing.lag_us)
            answer = match.default_answer()
        else:
            # Where the deal ended before the card was played, any legal one does as well.
            card = timing.card or question.legal[0] if played is None else played.card
            answer = Answer(card=card, signal=timing.signal, declarations=timing.declarations)
        self._answered = at.seq, timing
        try:
            self._due.extend(match.apply(answer, autoplayed=autoplayed))
        except RulesError as error:
            raise Divergence(at, f"an answer that can stand: {error}") from None

    def _card_played(self, line: LogLine) -> tuple[LogLine, CardPlayed | None]:
        """Find the line on which the answer rides that ``line`` belongs to.

        It is that of its card, or ``line`` itself where the deal ended before its card.
        """
        lines = self._record.lines
        for place in range(line.seq - 1, len(lines)):
            later = lines[place]
            match later.event:
                case CardPlayed():
                    return later, later.event
                case DecisionAsked() | DealScored() | MatchEnded():
                    return line, None
                case _:
                    pass
        raise OutOfLog

    def _ended(self, line: LogLine, event: MatchEnded) -> MatchEnded:
        if self._due:
            raise Divergence(line, self._due_text())
        match = self._match
        kind = event.termination.kind
        totals = (0,) * self._ruleset.side_count if match is None else match.totals
        if kind in (TerminationKind.COMPLETED, TerminationKind.DRAWN_AT_LIMIT):
            if match is None or not match.is_over:
                raise Divergence(line, "the match to go on: it has not come to its end")
            at_limit = match.result.drawn_at_limit
            kind = TerminationKind.DRAWN_AT_LIMIT if at_limit else TerminationKind.COMPLETED
        self._has_ended = True
        return replace(
            event,
            termination=replace(event.termination, kind=kind),
            totals=totals,
            winner=self._winner(event, totals),
        )

    def _winner(self, event: MatchEnded, totals: tuple[int, ...]) -> int | None:
        termination = event.termination
        sides = list(range(self._ruleset.side_count))
        if termination.kind.is_forfeit and termination.seat is not None:
            sides.remove(self._ruleset.side_of(termination.seat))
        elif termination.kind is not TerminationKind.COMPLETED:
            return None
        elif self._record.header.boards is None and self._match is not None:
            return self._match.result.winner
        best = max(totals[side] for side in sides)
        leaders = [side for side in sides if totals[side] == best]
        return leaders[0] if len(leaders) == 1 else None

    def _due_text(self) -> str:
        return line_text(encode_line(encode_event(self._due[0], None)))


def line_text(raw: bytes) -> str:
    """Show a line in a message."""
    return raw.decode("utf-8", "backslashreplace").rstrip("\n")
