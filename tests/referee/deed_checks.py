"""Whether what came out of a table is what a row of the conduct table says.

Owns the comparison of outputs with an expected outcome. Must not know deeds.
"""

from __future__ import annotations

from typing import Final

from arena.referee.events import (
    AnswerRejected,
    Fault,
    LogEvent,
    MatchEnded,
    SeatLost,
    SeatReturned,
)
from arena.referee.faults import Culprit
from arena.referee.messages import Ask, Close, Output, Record, Reject, Tell
from arena.rules.events import CardPlayed, DeclarationRefused, Infraction, Revoke
from arena.testing.in_memory import of_type
from tests.referee.deed_rows import Outcome

WATCHED: Final = (
    AnswerRejected,
    CardPlayed,
    DeclarationRefused,
    Fault,
    Infraction,
    MatchEnded,
    Revoke,
    SeatLost,
    SeatReturned,
)
"""Kinds of events that an outcome lists, or that follow from it."""


def check_events(outputs: list[Output], expected: Outcome, seat: int) -> None:
    """Check what is recorded: the refusal, the fault with its culprit, what follows, the end."""
    events: list[LogEvent] = [record.event for record in of_type(Record, outputs)]
    seen = [event for event in events if isinstance(event, WATCHED)]
    kinds = [type(event) for event in seen]
    is_end = expected.ending is not None
    listed = [kind for kind in kinds if kind not in (AnswerRejected, Fault, MatchEnded)]
    assert listed == list(expected.events)
    assert kinds.count(AnswerRejected) == (expected.reason is not None)
    assert kinds.count(Fault) == (expected.fault is not None)
    assert kinds.count(MatchEnded) == is_end
    assert sum(isinstance(output, Close) for output in outputs) == is_end
    for fault in of_type(Fault, seen):
        assert fault.kind is expected.fault
        assert fault.culprit is expected.culprit
        assert fault.seat == (seat if expected.culprit is Culprit.BOT else None)
    for ended in of_type(MatchEnded, seen):
        assert ended.termination.kind is expected.ending
        assert ended.termination.culprit is expected.ended_by
        assert ended.termination.seat == (seat if expected.ended_by is Culprit.BOT else None)


def check_words(outputs: list[Output], expected: Outcome, seat: int) -> None:
    """Check that the bot is told why it is refused, and its author what the fault was."""
    rejects = of_type(Reject, outputs)
    assert [reject.reason for reject in rejects] == ([expected.reason] if expected.reason else [])
    for reject in rejects:
        assert reject.seat == seat
        assert expected.told in reject.message
        assert expected.told, "a refusal has words"
    for fault in of_type(Fault, (record.event for record in of_type(Record, outputs))):
        assert expected.logged in fault.detail
        assert expected.logged, "a fault has words"
    others = [
        output for output in outputs if isinstance(output, Ask | Tell) and output.seat != seat
    ]
    if expected.logged:
        assert expected.logged not in repr(others), "nobody else reads them"
