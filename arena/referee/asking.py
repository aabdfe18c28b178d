"""Asking: how a question is put to a seat, for the first time or again.

Owns what the seat is sent and what the log keeps of it. Must not know why it is asked, nor
when its clock starts. Source: protocol.md ("Play": Decision; "What happens when" 9).
"""

from arena.referee.clock import MS, SeatClock
from arena.referee.decisions import Decisions
from arena.referee.events import DecisionAsked
from arena.referee.messages import Ask, AskAgain
from arena.referee.outbox import Outbox
from arena.rules.match import Match
from arena.rules.observation import observe
from arena.rules.question import Question


def ask(
    question: Question, *, decisions: Decisions, clock: SeatClock, match: Match, outbox: Outbox
) -> None:
    """Put the match's question to its seat, with all the news that it has not heard.

    Args:
        question: The match's.
        decisions: Those of the table; this one is opened.
        clock: What the seat has.
        match: The match.
        outbox: The table's; takes the record and the question.
    """
    seat = question.seat
    outbox.record(
        DecisionAsked(
            seat=seat,
            kind=question.kind,
            legal=question.legal,
            limit_ms=clock.limit_ns // MS,
            bank_ms=clock.bank_ns // MS,
        )
    )
    outbox.put(
        Ask(
            seat=seat,
            number=decisions.open(question).number,
            question=question,
            observation=observe(match, seat),
            news=outbox.take_news(seat),
            limit_ns=clock.limit_ns,
            bank_ns=clock.bank_ns,
        )
    )


def ask_again(
    seat: int, at_ns: int, *, decisions: Decisions, clock: SeatClock, match: Match
) -> AskAgain | None:
    """Put the pending question to a seat that is back; None if it is not asked anything.

    Args:
        seat: Who is back.
        at_ns: Now; what it has thought until then is gone.
        decisions: Those of the table; not changed.
        clock: What the seat had when it was asked.
        match: The match.
    """
    question = match.question
    pending = decisions.pending
    if question is None or pending is None or pending.seat != seat:
        return None
    left = clock.left_after(pending.think_ns(at_ns))
    return AskAgain(
        ask=Ask(
            seat=seat,
            number=pending.number,
            question=question,
            observation=observe(match, seat),
            news=(),
            limit_ns=left.limit_ns,
            bank_ns=left.bank_ns,
        )
    )
