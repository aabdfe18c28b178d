"""A bot's pipes as a link: whole lines in, whole lines out, one write in flight."""

import os
from contextlib import suppress

import pytest
import trio
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.referee.faults import Reason
from arena.server.arrivals import now_ns
from arena.server.link import Link, LinkClosed, Received
from arena.wire.codec import LinesCodec
from arena.wire.said import ReadySaid, Unreadable
from arena.wire.terms import FRAME_MESSAGES, LINE_BYTES
from tests.bots.line_pipes import piped

PIPE_BYTES = 65_536
"""What a pipe holds here."""


def _refuse(_: Received) -> None:
    raise LinkClosed("of another link")


async def test_a_line_leaves_before_send_returns() -> None:
    async with piped() as (link, bot):
        as_link: Link = link
        as_link.send(b"one\n")
        assert os.read(bot.stdin, 100) == b"one\n"
        assert not link.is_busy
        assert link.is_open


async def test_lines_that_are_there_together_are_received_together() -> None:
    async with piped() as (link, bot):
        os.write(bot.stdout, b'{"a":1}\n{"b":2}\r\n{"c"')
        assert (await link.recv()).data == b'{"a":1}\n{"b":2}\r\n'
        os.write(bot.stdout, b":3}\n")
        assert (await link.recv()).data == b'{"c":3}\n'


async def test_half_a_line_is_waited_for() -> None:
    async with piped() as (link, bot):
        os.write(bot.stdout, b'{"ready":')
        with trio.move_on_after(0) as scope:
            await link.recv()
        assert scope.cancelled_caught
        before = now_ns()
        os.write(bot.stdout, b'{"table":1}}\n')
        received = await link.recv()
        assert received.data == b'{"ready":{"table":1}}\n'
        assert before <= received.arrival.latest_ns, "it arrives with its end"


async def test_a_cancelled_recv_loses_nothing() -> None:
    async with piped() as (link, bot):
        os.write(bot.stdout, b"x\n" * (FRAME_MESSAGES + 1))
        for _ in range(3):
            with trio.CancelScope() as scope:
                scope.cancel()
                await link.recv()
        assert (await link.recv()).data == b"x\n" * FRAME_MESSAGES
        with trio.CancelScope() as scope:
            scope.cancel()
            await link.recv()
        assert (await link.recv()).data == b"x\n"


async def test_a_flood_comes_in_frames_and_lets_others_run_between() -> None:
    async with piped() as (link, bot):
        os.write(bot.stdout, b"{}\n" * 1_000)
        turns = 0

        async def count() -> None:
            nonlocal turns
            while True:
                await trio.lowlevel.checkpoint()
                turns += 1

        async with trio.open_nursery() as nursery:
            nursery.start_soon(count)
            sizes: list[int] = []
            while sum(sizes) < 1_000:
                sizes.append(len((await link.recv()).data.splitlines()))
            nursery.cancel_scope.cancel()
        assert max(sizes) == FRAME_MESSAGES
        assert turns >= len(sizes) - 2


@settings(deadline=None)
@given(
    lines=st.lists(st.binary(max_size=40).filter(lambda line: b"\n" not in line), max_size=90),
    cuts=st.lists(st.integers(1, 60), min_size=1),
)
async def test_however_lines_are_cut_they_come_whole_and_in_order(
    lines: list[bytes], cuts: list[int]
) -> None:
    written = b"".join(line + b"\n" for line in lines)
    received = b""
    async with piped() as (link, bot):
        left, step = written, 0
        while left:
            piece = left[: cuts[step % len(cuts)]]
            left = left[len(piece) :]
            step += 1
            os.write(bot.stdout, piece)
            if b"\n" in piece:
                data = (await link.recv()).data
                assert data.endswith(b"\n")
                received += data
        bot.close(bot.stdout)
        with suppress(LinkClosed):
            while True:
                received += (await link.recv()).data
    assert received == written


async def test_what_was_written_before_the_end_is_delivered_first() -> None:
    async with piped() as (link, bot):
        os.write(bot.stdout, b'{"one":1}\n{"two":2}')
        bot.close()
        assert (await link.recv()).data == b'{"one":1}\n'
        assert (await link.recv()).data == b'{"two":2}', "the last line may lack its end"
        for _ in range(2):
            with pytest.raises(LinkClosed):
                await link.recv()


@pytest.mark.parametrize("over", [0, 1, 3 * PIPE_BYTES])
async def test_a_line_that_is_too_long_is_cut_refused_and_over_at_its_end(over: int) -> None:
    long = b"x" * (LINE_BYTES - 1 + over) + b"\n"
    ready = b'{"ready":{"table":1}}\n'
    received: list[Received] = []
    async with piped() as (link, bot):
        os.set_blocking(bot.stdout, False)

        async def write() -> None:
            left = memoryview(long + ready)
            while left:
                await trio.lowlevel.wait_writable(bot.stdout)
                left = left[os.write(bot.stdout, left) :]

        async with trio.open_nursery() as nursery:
            nursery.start_soon(write)
            while not received or not received[-1].data.endswith(ready):
                received.append(await link.recv())
    data = b"".join(one.data for one in received)
    assert len(data) <= LINE_BYTES + PIPE_BYTES + len(ready)
    first, last = LinesCodec().decode(data)
    assert isinstance(first, Unreadable)
    assert (first.reason is Reason.TOO_LARGE) == (over > 0)
    assert last == ReadySaid(table=1)


async def test_a_full_pipe_makes_the_link_busy_until_the_bot_has_read() -> None:
    async with piped() as (link, bot):
        idle = trio.Event()
        link.on_idle = idle.set
        data = bytes(range(256)) * 1_024
        link.send(data)
        with pytest.raises(AssertionError, match="in flight"):
            link.send(b"more\n")
        read = b""
        while not idle.is_set():
            await trio.testing.wait_all_tasks_blocked()
            read += bot.read_all()
        assert read + bot.read_all() == data
        assert not link.is_busy
        link.send(b"more\n")
        assert bot.read_all() == b"more\n"


async def test_a_write_in_flight_goes_out_before_the_end_of_a_closed_link() -> None:
    async with piped() as (link, bot):
        calls: list[str] = []
        link.on_idle = lambda: calls.append("idle")
        link.send(b"x" * 4 * PIPE_BYTES)
        link.close()
        assert not link.is_open
        assert await bot.read_to_end() == b"x" * 4 * PIPE_BYTES
        assert not calls, "a closed link has nothing more to say"


async def test_close_ends_both_pipes_and_whoever_reads() -> None:
    async with piped() as (link, bot):
        async with trio.open_nursery() as nursery:

            async def read() -> None:
                with pytest.raises(LinkClosed):
                    await link.recv()

            nursery.start_soon(read)
            await trio.testing.wait_all_tasks_blocked()
            link.close()
            link.close()
        assert os.read(bot.stdin, 10) == b""
        with pytest.raises(BrokenPipeError):
            os.write(bot.stdout, b"x\n")
        with pytest.raises(LinkClosed):
            link.send(b"x\n")
        with pytest.raises(LinkClosed):
            await link.recv()


async def test_a_bot_that_closes_its_stdin_is_heard_out_and_then_gone() -> None:
    async with piped() as (link, bot):
        os.write(bot.stdout, b"last words\n")
        bot.close(bot.stdin)
        assert link.is_open, "nobody knows before the next write"
        for _ in range(2):
            link.send(b"lost\n")
        assert [link.is_open, link.is_busy] == [False, False]
        assert (await link.recv()).data == b"last words\n"
        with pytest.raises(LinkClosed):
            await link.recv()


async def test_a_silent_bot_that_closes_its_stdin_is_gone_at_the_next_write() -> None:
    async with piped() as (link, bot), trio.open_nursery() as nursery:

        async def read() -> None:
            with pytest.raises(LinkClosed):
                await link.recv()

        nursery.start_soon(read)
        await trio.testing.wait_all_tasks_blocked()
        bot.close(bot.stdin)
        link.send(b"lost\n")


async def test_a_bot_that_dies_over_a_write_in_flight_leaves_no_write_behind() -> None:
    async with piped() as (link, bot):
        idle = trio.Event()
        link.on_idle = idle.set
        link.send(b"x" * 4 * PIPE_BYTES)
        bot.close()
        await idle.wait()
        assert not link.is_busy
        assert not link.is_open
        with pytest.raises(LinkClosed):
            await link.recv()


async def test_lines_are_delivered_until_the_link_is_closed() -> None:
    async with piped() as (link, bot):
        heard: list[bytes] = []

        def hear(received: Received) -> None:
            heard.append(received.data)
            if len(heard) == 2:
                link.close()

        os.write(bot.stdout, b"x\n" * 3 * FRAME_MESSAGES)
        await link.deliver(hear)
        assert heard == [b"x\n" * FRAME_MESSAGES] * 2


async def test_what_is_raised_for_a_line_comes_out_of_its_delivery() -> None:
    async with piped() as (link, bot):
        os.write(bot.stdout, b"x\n")
        with pytest.raises(LinkClosed, match="of another link"):
            await link.deliver(_refuse)


async def test_an_arrival_is_an_interval_that_holds_the_moment_of_the_write() -> None:
    async with piped() as (link, bot):
        for _ in range(20):
            await trio.lowlevel.checkpoint()
            written_ns = now_ns()
            os.write(bot.stdout, b"now\n")
            arrival = (await link.recv()).arrival
            assert arrival.earliest_ns <= written_ns <= arrival.latest_ns <= now_ns()


async def test_lines_of_one_read_arrived_with_it() -> None:
    """What waits in the link is not later than it was."""
    async with piped() as (link, bot):
        os.write(bot.stdout, b"x\n" * (2 * FRAME_MESSAGES))
        first = await link.recv()
        assert (await link.recv()).arrival == first.arrival


async def test_no_descriptor_is_left() -> None:
    async with piped() as (link, _):
        ends = (link._stdin, link._stdout)
    for end in ends:
        with pytest.raises(OSError, match="Bad file descriptor"):
            os.fstat(end)
