"""When things happen: the server's one clock, and the moments of trio's loop.

Owns ``now_ns``, the conversion to trio's deadlines, and the instrument from which a
message's Arrival is taken as an interval. Must not know links, gRPC or time limits.
Source: design.md §4 (4), performance.md pitfall 14.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager

import trio

from arena.referee.clock import HOST_LAG_FLOOR_NS
from arena.referee.messages import Arrival

now_ns = time.perf_counter_ns
"""The server's only clock: monotonic nanoseconds. trio's own clock runs on the same source."""

SLEPT_NS = 500_000
"""A wait for input or output that took this long did sleep: nothing was there when it began."""
STALL_NS = 1_000_000
"""From this long on, the work between two waits is a stall: something must have come in it."""
HANDOVER_NS = 5_000_000
"""How long after a stall the layers below may still hand over what came in it: gRPC's threads
compete with the bots for the processor, and give out queued messages one by one."""
OVERSLEPT_NS = HOST_LAG_FLOOR_NS
"""A wait that ended so long after its time: this process did not run when it should have."""


def trio_deadline(at_ns: int) -> float:
    """Convert a moment of ``now_ns`` to a deadline in seconds of ``trio.current_time``."""
    return trio.current_time() + (at_ns - now_ns()) / 1e9


class LoopWatch:
    """The longest time that trio's loop did not look since this watch began.

    It looks when it waits; it does not between two waits, nor when a wait ends after its time.

    Attributes:
        stall_max_ns: That time in nanoseconds; a stall still under way is not in it yet.
    """

    __slots__ = ("stall_max_ns",)

    def __init__(self) -> None:
        self.stall_max_ns = 0

    @property
    def stall_max_us(self) -> int:
        """The same in microseconds, as the log has it."""
        return self.stall_max_ns // 1_000


class Arrivals(trio.abc.Instrument):
    """The instrument that knows since when a message may have been waiting.

    The loop alternates between waiting for input and running tasks. What a wait reports
    arrived, if that wait slept, at its end: arrivals end a sleep. If the wait found it there
    already, it came while tasks ran, at the earliest when the wait before that one had ended.
    Shortly after a stall both may be true, and doubt favours the bot: the stall counts.
    A wait that ended long after it had to is a stall too: this process had no processor, or
    was stopped, and nobody knows since when.
    A stamp taken by the waiting task itself would charge the bot for the referee's own work.

    Attributes:
        earliest_ns: Since when what the last wait reported may have been there.
    """

    __slots__ = (
        "_notable_ns",
        "_stall_began_ns",
        "_stall_counts_until_ns",
        "_wait_began_ns",
        "_wait_due_ns",
        "_wait_ended_ns",
        "_watches",
        "earliest_ns",
    )

    def __init__(self) -> None:
        self._wait_began_ns = self._wait_ended_ns = self.earliest_ns = now_ns()
        self._stall_began_ns = self._stall_counts_until_ns = 0
        self._wait_due_ns = self._wait_began_ns
        self._watches: list[LoopWatch] = []
        self._notable_ns = 0

    def before_io_wait(self, timeout: float) -> None:
        """Note the end of a batch of tasks, and when the wait has to end (seconds from now)."""
        now = now_ns()
        self._wait_began_ns = now
        self._wait_due_ns = now + int(timeout * 1e9)
        busy = now - self._wait_ended_ns
        if busy > STALL_NS:
            self._stall_began_ns = self._wait_ended_ns
            self._stall_counts_until_ns = now + HANDOVER_NS
        if busy > self._notable_ns:
            self._note_stall(busy)

    def after_io_wait(self, timeout: float) -> None:  # noqa: ARG002  # trio's signature
        """Note the end of a wait, and since when its news may have been there."""
        now = now_ns()
        overslept = now - self._wait_due_ns
        if overslept > OVERSLEPT_NS:
            if self._wait_began_ns > self._stall_counts_until_ns:  # else one stall with that
                self._stall_began_ns = self._wait_began_ns
            self._stall_counts_until_ns = now + HANDOVER_NS
            if overslept > self._notable_ns:
                self._note_stall(overslept)
        if now < self._stall_counts_until_ns:
            self.earliest_ns = self._stall_began_ns
        elif now - self._wait_began_ns >= SLEPT_NS:
            self.earliest_ns = now
        else:
            self.earliest_ns = self._wait_ended_ns
        self._wait_ended_ns = now

    def arrival(self) -> Arrival:
        """Return the interval in which what trio reported last has arrived.

        To be called in the very callback or task step that trio woke for it.
        """
        return Arrival(earliest_ns=self.earliest_ns, latest_ns=now_ns())

    @contextmanager
    def watch_loop(self) -> Iterator[LoopWatch]:
        """Keep the longest stall of trio's loop for as long as the context is open."""
        watch = LoopWatch()
        self._watches.append(watch)
        self._notable_ns = 0
        try:
            yield watch
        finally:
            self._watches.remove(watch)

    def _note_stall(self, stall_ns: int) -> None:
        for watch in self._watches:
            watch.stall_max_ns = max(watch.stall_max_ns, stall_ns)
        # Compared once a loop: below the least of all maxima there is nothing to note.
        self._notable_ns = min((watch.stall_max_ns for watch in self._watches), default=stall_ns)


_ARRIVALS: trio.lowlevel.RunVar[Arrivals] = trio.lowlevel.RunVar("arena.server.arrivals")


def current_arrivals() -> Arrivals:
    """Return the instrument of this ``trio.run``, installing it at the first call."""
    try:
        return _ARRIVALS.get()
    except LookupError:
        arrivals = Arrivals()
        trio.lowlevel.add_instrument(arrivals)
        _ARRIVALS.set(arrivals)
        return arrivals
