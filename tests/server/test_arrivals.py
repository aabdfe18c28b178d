"""Arrivals: when things happen, as the server sees it."""

import math
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import trio

from arena.server.arrivals import (
    HANDOVER_NS,
    OVERSLEPT_NS,
    Arrivals,
    LoopWatch,
    current_arrivals,
    now_ns,
    trio_deadline,
)

MS = 1_000_000


def be_busy(duration_ns: int) -> None:
    """Keep trio's thread from going on: the stall that a real referee might have."""
    until = now_ns() + duration_ns
    while now_ns() < until:
        pass


@contextmanager
def written_after(delay_ns: int) -> Iterator[tuple[socket.socket, list[int]]]:
    """Give a socket to which another thread writes after a while, and when it did."""
    ours, theirs = socket.socketpair()
    moments: list[int] = []
    begun = threading.Event()

    def write() -> None:
        begun.set()
        threading.Event().wait(delay_ns / 1e9)
        moments.append(now_ns())
        theirs.send(b"x")

    with ours, theirs:
        thread = threading.Thread(target=write)
        thread.start()
        begun.wait()
        try:
            yield ours, moments
        finally:
            thread.join()


async def sleep_on_time(duration_ns: int) -> None:
    """Sleep until a sleep has ended at its time, on a machine that is busy with other things."""
    overslept = OVERSLEPT_NS
    while overslept >= OVERSLEPT_NS:
        began_ns = now_ns()
        await trio.sleep(duration_ns / 1e9)
        overslept = now_ns() - began_ns - duration_ns


async def test_a_moment_of_the_clock_is_a_deadline_of_trio() -> None:
    """A moment 1 s from now is 1 s away for trio too."""
    deadline = trio_deadline(now_ns() + 1_000 * MS)
    assert math.isclose(deadline - trio.current_time(), 1.0, abs_tol=0.05)


async def test_what_comes_while_the_loop_sleeps_comes_at_the_end_of_the_sleep() -> None:
    """No part of the sleep is doubt: a bot that thinks for long is not excused by it."""
    arrivals = current_arrivals()
    await trio.sleep(2 * HANDOVER_NS / 1e9)  # any stall of the start-up no longer counts
    with written_after(30 * MS) as (ours, moments):
        await trio.lowlevel.wait_readable(ours)
        arrival = arrivals.arrival()
    assert moments[0] <= arrival.earliest_ns <= arrival.latest_ns


async def test_what_comes_while_the_loop_is_busy_may_have_come_when_the_stall_began() -> None:
    """The referee's own work is the doubt, and doubt favours the bot."""
    arrivals = current_arrivals()
    await trio.lowlevel.checkpoint()
    before_ns = now_ns()
    await trio.lowlevel.checkpoint()
    with written_after(5 * MS) as (ours, moments):
        be_busy(40 * MS)
        busy_until_ns = now_ns()
        await trio.lowlevel.wait_readable(ours)
        arrival = arrivals.arrival()
    assert before_ns <= arrival.earliest_ns <= moments[0]
    assert arrival.latest_ns >= busy_until_ns


async def test_what_is_handed_over_soon_after_a_stall_may_have_come_in_it() -> None:
    """The layers below take a moment; what comes later is no longer excused."""
    arrivals = current_arrivals()
    ours, theirs = socket.socketpair()
    with ours, theirs:
        is_soon = False
        while not is_soon:  # on a machine that is busy with other things
            await trio.lowlevel.checkpoint()
            before_ns = now_ns()
            be_busy(20 * MS)
            ended_ns = now_ns()
            await trio.sleep(HANDOVER_NS / 5e9)
            is_soon = now_ns() - ended_ns < HANDOVER_NS // 2
        theirs.send(b"x")
        await trio.lowlevel.wait_readable(ours)
        soon = arrivals.arrival()
        await sleep_on_time(2 * HANDOVER_NS)
        after_ns = now_ns()
        await trio.lowlevel.wait_readable(ours)
        late = arrivals.arrival()
    assert soon.earliest_ns <= before_ns
    assert late.earliest_ns > after_ns - 2 * HANDOVER_NS


def test_what_comes_in_a_wait_that_ended_too_late_may_have_come_since_it_began() -> None:
    """This process did not run when it had to, and nobody knows since when it did not."""
    arrivals = Arrivals()
    with arrivals.watch_loop() as watch:
        before_ns = now_ns()
        arrivals.before_io_wait(timeout=0.005)
        began_ns = now_ns()
        be_busy(5 * MS + OVERSLEPT_NS + 5 * MS)
        arrivals.after_io_wait(timeout=0.005)
    assert before_ns <= arrivals.arrival().earliest_ns <= began_ns
    assert watch.stall_max_ns > OVERSLEPT_NS


def test_what_comes_in_a_wait_that_ended_before_its_time_came_at_its_end() -> None:
    arrivals = Arrivals()
    arrivals.before_io_wait(timeout=60)
    be_busy(3 * OVERSLEPT_NS)
    before_ns = now_ns()
    arrivals.after_io_wait(timeout=60)
    assert before_ns <= arrivals.arrival().earliest_ns


async def test_a_watch_keeps_the_longest_stall_since_it_was_opened() -> None:
    """Matches that overlap each have their own maximum."""
    arrivals = current_arrivals()
    with arrivals.watch_loop() as first:
        be_busy(20 * MS)
        await trio.lowlevel.checkpoint()
        with arrivals.watch_loop() as second:
            await trio.lowlevel.checkpoint()
            before_ns = second.stall_max_ns
            be_busy(5 * MS)
            await trio.lowlevel.checkpoint()
            assert second.stall_max_ns >= max(before_ns, 5 * MS)
        kept_ns = second.stall_max_ns
        be_busy(40 * MS)
        await trio.lowlevel.checkpoint()
    assert second.stall_max_ns == kept_ns
    assert first.stall_max_ns >= 40 * MS


def test_a_watch_tells_microseconds_to_the_log() -> None:
    """The log's times are in microseconds, rounded down."""
    watch = LoopWatch()
    watch.stall_max_ns = 1_999
    assert watch.stall_max_us == 1


def test_each_run_of_trio_has_one_instrument() -> None:
    """Links of every kind share it within a run."""

    async def main() -> tuple[object, object]:
        return current_arrivals(), current_arrivals()

    first, again = trio.run(main)
    other, _ = trio.run(main)
    assert first is again
    assert first is not other
