"""Readiness: the seats of a table that have yet to say Ready.

Owns who is waited for and the timer of the start allowance. Must not know what not being
ready costs. Source: design.md §5 (start).
"""

from arena.referee.clock import MS
from arena.referee.events import SeatJoined, SeatReady
from arena.referee.messages import Begin, Timer, TimerKind
from arena.referee.outbox import Outbox


class Readiness:
    """Who is ready at one table.

    Args:
        outbox: The table's.
        start_ms: The start allowance of each seat.
        seats: How many the table has.
    """

    __slots__ = ("_outbox", "_seats", "_start_ms", "_unready")

    def __init__(self, outbox: Outbox, *, start_ms: int, seats: int) -> None:
        self._outbox = outbox
        self._start_ms = start_ms
        self._seats = range(seats)
        self._unready = set(self._seats)

    @property
    def is_complete(self) -> bool:
        """Whether every seat is ready."""
        return not self._unready

    def begin(self, begin: Begin) -> None:
        """Wait for the seats, each from its launch, that were not ready before the match began."""
        since_ns = begin.launched_ns or (begin.at_ns,) * len(self._seats)
        for seat in self._seats:
            self._outbox.record(SeatJoined(seat=seat))
        for seat in self._seats:
            if seat in self._unready:
                self._outbox.set_timer(_timer(seat), since_ns[seat] + self._start_ms * MS)
            else:
                self._outbox.record(SeatReady(seat=seat))

    def keep(self, seat: int) -> None:
        """Note that a seat was ready before the match began."""
        self._unready.discard(seat)

    def note(self, seat: int) -> bool:
        """Note that a seat is ready; False if it said so before, which is harmless."""
        if seat not in self._unready:
            return False
        self._unready.remove(seat)
        self._outbox.cancel_timer(_timer(seat))
        self._outbox.record(SeatReady(seat=seat))
        return True

    def describe_unready(self) -> str:
        """Say in words that a seat was not ready in time."""
        return f"no Ready within {self._start_ms} ms"


def _timer(seat: int) -> Timer:
    return Timer(kind=TimerKind.READY, seat=seat)
