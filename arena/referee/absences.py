"""Absences: the seats of a table whose bots have lost their streams and may come back.

Owns who is away, the timer that bounds it, and what is left to ask of one that is back.
Must not know what coming back too late costs. Source: design.md §5 (reconnect),
protocol.md ("What happens when" 9).
"""

from arena.referee.clock import MS, SeatClock
from arena.referee.decisions import Decisions
from arena.referee.events import SeatLost, SeatReturned
from arena.referee.messages import Ask, AskAgain, Timer, TimerKind
from arena.referee.outbox import Outbox
from arena.rules.match import Match
from arena.rules.observation import observe


class Absences:
    """Who is away from one table.

    Args:
        outbox: The table's.
        reconnect_ms: How long a seat may be away.
        seats: How many the table has.
    """

    __slots__ = ("_away", "_outbox", "_reconnect_ms", "_seats")

    def __init__(self, outbox: Outbox, *, reconnect_ms: int, seats: int) -> None:
        self._outbox = outbox
        self._reconnect_ms = reconnect_ms
        self._seats = range(seats)
        self._away: set[int] = set()

    def begin(self, seat: int, at_ns: int) -> None:
        """Note that a seat is lost, and tell the others; its allowance runs from now."""
        if seat not in self._away:
            self._away.add(seat)
            lost = SeatLost(seat=seat)
            self._outbox.record(lost)
            self._outbox.post(lost, self._seats)
            self._outbox.set_timer(_timer(seat), at_ns + self._reconnect_ms * MS)

    def end(self, seat: int) -> None:
        """Note that a seat is back, and tell the others, if they were told that it was lost."""
        if seat in self._away:
            self._away.remove(seat)
            back = SeatReturned(seat=seat)
            self._outbox.record(back)
            self._outbox.post(back, self._seats)
            self._outbox.cancel_timer(_timer(seat))

    def describe_lost(self) -> str:
        """Say in words that a seat was away for too long."""
        return f"its stream broke and it did not come back within {self._reconnect_ms} ms"


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


def _timer(seat: int) -> Timer:
    return Timer(kind=TimerKind.RETURN, seat=seat)
