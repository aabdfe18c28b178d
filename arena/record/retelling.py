"""What every seat was told in a logged match, message by message, from the log alone.

Owns the order of questions and news as a seat got them, and the answers that the log has to
them. Must not judge the log (:mod:`arena.record.rerun` does), nor know wires or bots.
Refusals are left out: the log keeps the reason of one, not the message that was refused.
Source: design.md §4 ("One message per decision"), record.md ("arena ask").
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from arena.errors import LogCorrupt, RulesError
from arena.record.read import LogLine, MatchRecord
from arena.referee.clock import MS
from arena.referee.conduct import FORFEIT_OF_GONE
from arena.referee.ending import as_told
from arena.referee.events import (
    DecisionAsked,
    Fault,
    Late,
    MatchEnded,
    MatchStarted,
    SeatEvent,
    SeatLost,
    SeatReturned,
)
from arena.referee.faults import FaultKind
from arena.referee.messages import Ask, Tell
from arena.rules.cards import CARDS
from arena.rules.dealing import DealtCards, distribute, leader_of_board
from arena.rules.events import CardPlayed, DealScored, DealStarted, GameEvent
from arena.rules.match import Match
from arena.rules.observation import observe, visible_to
from arena.rules.question import Answer
from arena.rules.ruleset import Ruleset

_FURTHEST = 1_000
"""Lines after a question among which its answer is looked for: refusals stand between."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """The answer that a log has to a question.

    ``line`` is the one it rides on; ``answer`` None where the referee played for the seat,
    because of lateness if ``late_us`` says after how long.
    """

    line: LogLine
    answer: Answer | None
    late_us: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Put:
    """A question as it was put to a seat, with the limits it was told.

    ``line`` is its ``decision_asked``; ``given`` None where the match ended before an answer.
    """

    line: LogLine
    ask: Ask
    given: Given | None


def retold(record: MatchRecord) -> Iterator[Put | Tell]:
    """Give every question and every news without a question, to all seats, in order.

    Raises:
        LogCorrupt: The log's answers cannot be given in its deals.
    """
    header = record.header
    match = Match(
        header.ruleset,
        cards=_Deals(record).cards,
        first_board=header.first_board,
        boards=header.boards,
    )
    news = _News(header.ruleset)
    number = 0
    asked: Put | None = None
    for line in record.lines:
        if asked is not None and isinstance(line.event, GameEvent):
            # What seats learnt while it was being thought about stands before this line.
            if asked.given is not None:
                yield from _answered(record, asked, asked.given, match, news)
            asked = None
        match line.event:
            case MatchStarted():
                for event in match.begin():
                    news.publish(event)
            case SeatLost() | SeatReturned():
                news.post(line.event, range(header.ruleset.seats))
            case MatchEnded():
                ended = replace(
                    line.event,
                    termination=as_told(line.event.termination),
                    loop_stall_max_us=0,
                )
                news.post(ended, range(header.ruleset.seats))
                yield from news.told(but=_gone(record))
            case DecisionAsked():
                number += 1
                ask = _ask(match, line.event, number, news)
                if ask is None:
                    raise LogCorrupt(
                        f"{record.path}, seq {line.seq}: seat {line.event.seat} is not to play"
                    )
                given = _given(record.lines[line.seq : line.seq + _FURTHEST], line.event)
                asked = Put(line=line, ask=ask, given=given)
                yield asked
            case _:
                pass


class _News:
    """What seats have newly learnt; shares nothing with the referee's, to find its mistakes."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        self._by_seat: list[list[SeatEvent]] = [[] for _ in range(ruleset.seats)]

    def publish(self, event: GameEvent) -> None:
        for seat, news in enumerate(self._by_seat):
            seen = visible_to(event, seat, self._ruleset)
            if seen is not None:
                news.append(seen)

    def post(self, event: SeatEvent, seats: Iterable[int]) -> None:
        for seat in seats:
            self._by_seat[seat].append(event)

    def take(self, seat: int) -> tuple[SeatEvent, ...]:
        news = tuple(self._by_seat[seat])
        self._by_seat[seat].clear()
        return news

    def told(self, but: int | None = None) -> Iterator[Tell]:
        for seat in range(len(self._by_seat)):
            if seat != but:
                yield Tell(seat=seat, news=self.take(seat))


class _Deals:
    """The cards of a log's boards."""

    def __init__(self, record: MatchRecord) -> None:
        self._path = record.path
        self._ruleset = record.header.ruleset
        self._dealt = {
            line.event.board: DealtCards(line.event.hands, line.event.stock)
            for line in record.lines
            if isinstance(line.event, DealStarted)
        }

    def cards(self, board: int) -> DealtCards:
        if not self._dealt:  # a match that never began: nobody sees these
            return distribute(self._ruleset, CARDS, leader_of_board(self._ruleset, board))
        dealt = self._dealt.get(board)
        if dealt is None:
            raise LogCorrupt(f"{self._path}: expected a deal of board {board}, found none")
        return dealt


def _ask(match: Match, event: DecisionAsked, number: int, news: _News) -> Ask | None:
    """Put a question as the seat got it; None where nobody at that seat is to play."""
    question = match.question
    if question is None or question.seat != event.seat:
        return None
    return Ask(
        seat=event.seat,
        number=number,
        question=question,
        observation=observe(match, event.seat),
        news=news.take(event.seat),
        limit_ns=event.limit_ms * MS,
        bank_ns=event.bank_ms * MS,
    )


def _given(later: Sequence[LogLine], asked: DecisionAsked) -> Given | None:
    """Find the answer to a question among the lines after it."""
    carrier: LogLine | None = None
    is_late = False
    for line in later:
        event = line.event
        if isinstance(event, Fault) and event.kind is FaultKind.LATE and event.seat == asked.seat:
            is_late = True
        if line.timing is not None:
            carrier = line
        if isinstance(event, CardPlayed | DecisionAsked | DealScored | MatchEnded):
            break
    if carrier is None or carrier.timing is None:
        return None
    said = carrier.timing
    if isinstance(carrier.event, CardPlayed):
        if carrier.event.autoplayed:
            late_us = said.think_us if is_late else None
            return Given(line=carrier, answer=None, late_us=late_us)
        card = carrier.event.card
    else:
        # The deal ended before the card was played: any legal one does as well.
        card = said.card or asked.legal[0]
    answer = Answer(card=card, signal=said.signal, declarations=said.declarations)
    return Given(line=carrier, answer=answer)


def _answered(
    record: MatchRecord, put: Put, given: Given, match: Match, news: _News
) -> Iterator[Tell]:
    """Let an answer bring about what it did, and the seats learn of it."""
    ask = put.ask
    if given.late_us is not None:
        limit_ms = (ask.limit_ns + ask.bank_ns) // MS
        news.post(Late(limit_ms=limit_ms, think_ms=given.late_us // 1_000), (ask.seat,))
    try:
        events = match.apply(
            match.default_answer() if given.answer is None else given.answer,
            autoplayed=given.answer is None,
        )
    except RulesError as error:
        raise LogCorrupt(f"{record.path}, seq {given.line.seq}: {error}") from None
    for event in events:
        news.publish(event)
        if isinstance(event, DealScored) and not match.is_over:
            yield from news.told()


def _gone(record: MatchRecord) -> int | None:
    """Name the seat whose bot was gone at the end: it was told nothing more.

    Such a loss, the fault that it is and the end of the match come of one moment; a seat that
    was only away is told the end, as far as anybody listens.
    """
    for lost, fault in pairwise(record.lines):
        if (
            isinstance(lost.event, SeatLost)
            and isinstance(fault.event, Fault)
            and fault.event.seat == lost.event.seat
            and fault.event.kind in FORFEIT_OF_GONE
            and fault.at_us == lost.at_us
        ):
            return lost.event.seat
    return None
