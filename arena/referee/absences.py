"""Absences: the seats of a table whose bots have lost their streams and may come back.

Owns who is away and the timer that bounds it. Must not know what coming back too late costs.
Source: design.md §5 (reconnect), protocol.md ("What happens when" 9).
"""

from arena.referee.clock import MS
from arena.referee.events import SeatLost, SeatReturned
from arena.referee.messages import Timer, TimerKind
from arena.referee.outbox import Outbox


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


def _timer(seat: int) -> Timer:
    return Timer(kind=TimerKind.RETURN, seat=seat)
