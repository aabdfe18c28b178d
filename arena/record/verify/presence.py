"""Who sits at a table: seats taken, ready, lost and back again, in an order that can be.

Owns the comings and goings of one match. Must not know what it costs to go: that is
:mod:`arena.record.verify.conduct`'s. Shares nothing with the referee's own count.
Source: design.md §5 (start, reconnect); protocol.md ("What happens when").
"""

from typing import assert_never

from arena.referee.events import MatchStarted, SeatJoined, SeatLost, SeatReady, SeatReturned

Coming = SeatJoined | SeatReady | MatchStarted | SeatLost | SeatReturned
"""What there is to know of who is there."""


class Presence:
    """The seats of one match, as far as its log was read."""

    __slots__ = ("_away", "_has_started", "_joined", "_ready", "_seats", "gone")

    def __init__(self, seats: int) -> None:
        self._seats = seats
        self._joined: set[int] = set()
        self._ready: set[int] = set()
        self._away: set[int] = set()
        self._has_started = False
        self.gone: int | None = None
        """A seat that was lost while it was away: for good, so its fault comes next."""

    def is_away(self, seat: int) -> bool:
        """Whether a seat was lost and is not back: no answer can come from it."""
        return seat in self._away

    def wrong_with(self, event: Coming) -> str | None:
        """Take what is next; say what was to stand in its place if it cannot be."""
        wrong = None
        match event:
            case SeatJoined():
                wrong = self._enter(event.seat, self._joined, "joined")
            case SeatReady():
                if event.seat not in self._joined:
                    return f"seat_joined of seat {event.seat} before it is ready"
                wrong = self._enter(event.seat, self._ready, "ready")
            case MatchStarted():
                self._has_started = True
                wrong = self._missing()
            case SeatLost():
                if event.seat in self._away:
                    self.gone = event.seat
                self._away.add(event.seat)
            case SeatReturned():
                if event.seat not in self._away:
                    return f"seat_lost of seat {event.seat} before it is back"
                self._away.remove(event.seat)
            case _:
                assert_never(event)
        return wrong

    def _enter(self, seat: int, those: set[int], how: str) -> str | None:
        if self._has_started:
            return f"no seat_{how} once the match has started"
        if seat in those:
            return f"seat_{how} of seat {seat} once"
        those.add(seat)
        return None

    def _missing(self) -> str | None:
        for how, those in (("joined", self._joined), ("ready", self._ready)):
            if len(those) < self._seats:
                missing = min(set(range(self._seats)) - those)
                return f"seat_{how} of seat {missing} before the match starts"
        return None
