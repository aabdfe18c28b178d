"""The ruling on one answer: does it stand, is it refused, is it late?

Owns the order of the questions a judge asks about an answer. Must not know what a ruling
costs, nor who is told of it; of the match it changes only what a standing answer changes.
Source: protocol.md ("What happens when" 2-3, "Rules of the wire" 3), design.md §5.
"""

from typing import Final

from arena.referee.clock import US, SeatClock
from arena.referee.decisions import Decisions, Pending
from arena.referee.events import AnswerTiming
from arena.referee.faults import Reason
from arena.referee.messages import Answered
from arena.rules.cards import Card
from arena.rules.events import CardPlayed, GameEvent
from arena.rules.match import Match
from arena.rules.question import BadAnswer
from arena.rules.values import value

CROWD: Final = 16
"""From more messages of one bot than these, a lag is put down to it."""


@value
class Stands:
    """The answer was applied; ``events`` are what came of it."""

    pending: Pending
    think_ns: int
    timing: AnswerTiming
    events: tuple[GameEvent, ...]


@value
class Repeated:
    """The same answer once more: harmless."""


@value
class Elsewhere:
    """Refused: it answers no decision that waits for it."""

    reason: Reason
    message: str


@value
class Refused:
    """Refused, but the decision still waits: the rules do not let it stand."""

    pending: Pending
    reason: Reason
    message: str
    allowed: tuple[Card, ...]
    think_ns: int
    lag_ns: int


@value
class TooLate:
    """The time to think was over when it arrived."""

    pending: Pending
    think_ns: int
    lag_ns: int


@value
class InDoubt:
    """The host watched too badly to say whether it was in time.

    ``crowd_seat``: whose messages kept it; None: nobody's at the table, so it is its own fault.
    """

    lag_ns: int
    crowd_seat: int | None


Ruling = Stands | Repeated | Elsewhere | Refused | TooLate | InDoubt


def judge(said: Answered, *, decisions: Decisions, clock: SeatClock, match: Match) -> Ruling:
    """Rule on an answer, and apply it to the match if it stands.

    Args:
        said: The answer, when it arrived and what the bot said with it.
        decisions: Those of the table; not changed.
        clock: What the answering seat has left.
        match: Changed only by an answer that stands.
    """
    pending = decisions.pending_at(said.seat, said.number)
    if pending is None:
        return _judge_elsewhere(said, decisions)
    arrival = said.arrival
    think_ns = pending.think_ns(arrival.earliest_ns)
    # No answer arrives before its question leaves, however long the host looked away before.
    lag_ns = pending.think_ns(arrival.latest_ns) - think_ns
    if clock.is_late(think_ns):
        return TooLate(pending=pending, think_ns=think_ns, lag_ns=lag_ns)
    if clock.is_in_doubt(think_ns, think_ns + lag_ns):
        is_crowded = said.crowd > CROWD
        if not is_crowded or said.crowd_seat is not None:
            return InDoubt(lag_ns=lag_ns, crowd_seat=said.crowd_seat if is_crowded else None)
        # A bot of another table kept the host: no fault of anybody here, so the doubt is the bot's.
    answer = said.answer
    try:
        events = match.apply(answer)
    except BadAnswer as refusal:
        return Refused(
            pending=pending,
            reason=Reason(refusal.kind.value),
            message=str(refusal),
            allowed=refusal.allowed,
            think_ns=think_ns,
            lag_ns=lag_ns,
        )
    was_played = isinstance(carrier_of(events), CardPlayed)
    timing = AnswerTiming(
        think_us=think_ns // US,
        lag_us=lag_ns // US,
        cpu_us=said.cpu_us,
        value_thirds=said.value_thirds,
        note=said.note,
        declarations=answer.declarations,
        signal=answer.signal,
        card=None if was_played else answer.card,
    )
    return Stands(pending=pending, think_ns=think_ns, timing=timing, events=events)


def carrier_of(events: tuple[GameEvent, ...]) -> GameEvent:
    """Find the event that an answer's times ride on: its card, or else the first."""
    first = events[0]
    if isinstance(first, CardPlayed):
        return first
    # An answer can end the deal before its card is played; its times must not be lost.
    return next((event for event in events if isinstance(event, CardPlayed)), first)


def _judge_elsewhere(said: Answered, decisions: Decisions) -> Elsewhere | Repeated:
    """Rule on an answer that names another decision than the pending one.

    The messages name no number: a bot knows its decisions by its session's numbers.
    """
    closed = decisions.closed(said.number)
    if closed is None or closed.seat != said.seat:
        # What was put to another seat was never put to this one.
        return Elsewhere(
            reason=Reason.UNKNOWN_DECISION,
            message="this decision was never put to this seat; "
            "answer only the one it was sent last",
        )
    if closed.answer is None:
        return Elsewhere(
            reason=Reason.STALE,
            message="too late: the referee has already played for this seat; the answer is dropped",
        )
    if closed.answer != said.answer:
        return Elsewhere(
            reason=Reason.ALREADY_ANSWERED,
            message=f"this decision was already answered, with {closed.answer.card}; "
            "the first answer stands",
        )
    return Repeated()
