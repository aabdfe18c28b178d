"""GrpcLink: a stream of gRPC as a link, both ends in the test's hands."""

import statistics
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio
import trio.testing

from arena.server.arrivals import now_ns
from arena.server.grpc_link import MAX_UNREAD, GrpcLink
from arena.server.link import Link, LinkClosed, LinkError, Received
from arena.server.runtime import GrpcRuntime, open_grpc_runtime
from arena.server.seat_listener import open_seat_listener, unix_address
from tests.server.clients import Client, bot_process, open_client
from tests.server.test_arrivals import MS, be_busy


@asynccontextmanager
async def open_pair(folder: Path) -> AsyncIterator[tuple[GrpcLink, Client]]:
    """Open a link and the client at its other end."""
    async with (
        open_grpc_runtime() as runtime,
        open_seat_listener(runtime, unix_address(folder / "s")) as listener,
        open_client(runtime, listener.address) as client,
    ):
        yield await listener.accept(), client


@asynccontextmanager
async def open_process(
    folder: Path, mode: str, think_ms: int = 0
) -> AsyncIterator[tuple[GrpcRuntime, GrpcLink]]:
    """Open a link to a bot process, which has said hello."""
    async with (
        open_grpc_runtime() as runtime,
        open_seat_listener(runtime, unix_address(folder / "s")) as listener,
    ):
        with bot_process(mode, listener.address, think_ms=think_ms):
            with trio.fail_after(10):
                link = await listener.accept()
                assert (await link.recv()).data == b"hello"
            yield runtime, link


async def end_of_write(link: Link) -> None:
    """Wait until the write in flight has ended."""
    idle = trio.Event()
    link.on_idle = idle.set
    if link.is_busy:
        with trio.fail_after(5):
            await idle.wait()
    link.on_idle = None


async def test_bytes_go_both_ways_in_order(tmp_path: Path) -> None:
    """Empty ones too: what bytes mean is not the link's business."""
    async with open_pair(tmp_path) as (link, client):
        for data in (b"one", b"", b"three"):
            await client.write(data)
        assert [(await link.recv()).data for _ in range(3)] == [b"one", b"", b"three"]
        for data in (b"uno", b"", b"tre"):
            link.send(data)
            await end_of_write(link)
        assert [await client.read() for _ in range(3)] == [b"uno", b"", b"tre"]


async def test_a_write_has_begun_when_send_returns_and_one_more_is_a_bug(tmp_path: Path) -> None:
    """Of two at once gRPC would lose one; whoever sends asks is_busy first."""
    async with open_pair(tmp_path) as (link, client):
        link.send(b"one")
        assert link.is_busy
        with pytest.raises(AssertionError, match="in flight"):
            link.send(b"two")
        await end_of_write(link)
        assert await client.read() == b"one"
        link.send(b"two")


async def test_on_idle_may_send_the_next_message(tmp_path: Path) -> None:
    """That is how frames batch what became ready while a write was in flight."""
    waiting = [b"three", b"two"]
    async with open_pair(tmp_path) as (link, client):

        def send_next() -> None:
            if waiting:
                link.send(waiting.pop())

        link.on_idle = send_next
        link.send(b"one")
        assert [await client.read() for _ in range(3)] == [b"one", b"two", b"three"]


async def test_a_bug_in_on_idle_brings_the_runtime_down(tmp_path: Path) -> None:
    """It is not lost in asyncio."""

    def fail() -> None:
        raise ZeroDivisionError

    async def send() -> None:
        async with open_pair(tmp_path) as (link, _):
            link.on_idle = fail
            link.send(b"one")
            await trio.sleep_forever()

    with pytest.raises(ZeroDivisionError):
        await send()


async def test_a_bot_that_floods_is_held_by_flow_control(tmp_path: Path) -> None:
    """A few messages are kept; nothing is lost when reading goes on."""
    async with open_pair(tmp_path) as (link, client), trio.open_nursery() as nursery:

        async def flood() -> None:
            for number in range(200):
                await client.write(number.to_bytes(4, "big") + bytes(16_000))

        nursery.start_soon(flood)
        assert (await link.recv()).data[:4] == bytes(4)
        await trio.testing.wait_all_tasks_blocked(0.1)
        assert len(link._unread) == MAX_UNREAD
        for number in range(1, 200):
            assert (await link.recv()).data[:4] == number.to_bytes(4, "big")


async def test_a_cancelled_recv_loses_nothing(tmp_path: Path) -> None:
    """What comes between two waits is there for the second."""
    async with open_pair(tmp_path) as (link, client):
        with trio.move_on_after(0.01) as scope:
            await link.recv()
        assert scope.cancelled_caught
        await client.write(b"one")
        with trio.move_on_after(0):
            await link.recv()
        await client.write(b"two")
        assert [(await link.recv()).data for _ in range(2)] == [b"one", b"two"]


async def test_two_readers_are_a_bug(tmp_path: Path) -> None:
    """Nobody could tell which gets what."""
    async with open_pair(tmp_path) as (link, _), trio.open_nursery() as nursery:
        nursery.start_soon(link.recv)
        await trio.testing.wait_all_tasks_blocked()
        with pytest.raises(AssertionError, match="two tasks"):
            await link.recv()
        nursery.cancel_scope.cancel()


async def test_a_bot_that_ends_its_half_is_read_to_the_end_and_can_be_told_the_result(
    tmp_path: Path,
) -> None:
    """Closing right after the last card is never a loss."""
    async with open_pair(tmp_path) as (link, client):
        await client.write(b"last card")
        await client.done_writing()
        assert (await link.recv()).data == b"last card"
        with pytest.raises(LinkClosed):
            await link.recv()
        assert link.is_open
        link.send(b"result")
        link.close()
        assert await client.read() == b"result"
        assert await client.end() == ("OK", "", "")


async def test_a_bot_that_drops_the_stream_closes_the_link(tmp_path: Path) -> None:
    """Nothing can be sent, and nothing comes."""
    async with open_pair(tmp_path) as (link, client):
        client.call.cancel()
        with pytest.raises(LinkClosed):
            await link.recv()
        await trio.testing.wait_all_tasks_blocked()
        assert not link.is_open
        with pytest.raises(LinkClosed):
            link.send(b"too late")


async def test_what_a_bot_says_before_it_drops_the_stream_is_read(tmp_path: Path) -> None:
    """A process that plays its last card and exits has played it."""
    async with open_pair(tmp_path) as (link, client):
        with trio.move_on_after(0.01):
            await link.recv()
        await client.write(b"last card")
        client.call.cancel()
        assert (await link.recv()).data == b"last card"
        with pytest.raises(LinkClosed):
            await link.recv()


async def test_an_orderly_close_ends_the_stream_ok_and_wakes_the_reader(tmp_path: Path) -> None:
    """What was being written arrives before the end."""
    async with open_pair(tmp_path) as (link, client):
        outcomes: list[str] = []

        async def read() -> None:
            try:
                await link.recv()
            except LinkClosed:
                outcomes.append("closed")

        async with trio.open_nursery() as nursery:
            nursery.start_soon(read)
            await trio.testing.wait_all_tasks_blocked()
            link.send(b"goodbye")
            link.close()
            link.close(LinkError("INTERNAL", "TOO_LATE", "the first close counts"))
            assert not link.is_open
        assert outcomes == ["closed"]
        assert await client.read() == b"goodbye"
        assert await client.end() == ("OK", "", "")


async def test_on_idle_is_not_called_after_close(tmp_path: Path) -> None:
    """There is nothing left to be sent."""
    async with open_pair(tmp_path) as (link, client):
        link.on_idle = lambda: pytest.fail("called after close")
        link.send(b"goodbye")
        link.close()
        assert await client.read() == b"goodbye"
        await client.end()
        assert not link.is_busy


async def test_an_error_is_told_as_a_status_with_its_reason(tmp_path: Path) -> None:
    """A program can act on the reason, a person can read the message."""
    async with open_pair(tmp_path) as (link, client):
        link.close(LinkError("UNAUTHENTICATED", "BAD_TOKEN", "the token is not yours: città"))
        assert await client.read() is None
        end = await client.end()
        assert end == ("UNAUTHENTICATED", "the token is not yours: città", "BAD_TOKEN")


async def test_a_bot_that_does_not_read_keeps_the_link_busy_and_memory_bounded(
    tmp_path: Path,
) -> None:
    """HTTP/2's window is what it can have; then one write stays in flight."""
    message = bytes(16_384)
    sent = 0
    async with open_process(tmp_path, "deaf") as (_, link):
        with trio.move_on_after(1.0):
            while True:
                link.send(message)
                sent += len(message)
                await end_of_write_or_ever(link)
        assert link.is_busy
        assert sent < 16 * 1024 * 1024
        link.close()
        assert not link.is_open


async def end_of_write_or_ever(link: Link) -> None:
    """Wait for the end of the write, however long."""
    idle = trio.Event()
    link.on_idle = idle.set
    if link.is_busy:
        await idle.wait()


async def test_deliver_hands_over_every_message_until_the_end(tmp_path: Path) -> None:
    """What was read for a wait that was cancelled comes first."""
    got: list[bytes] = []

    def receive(received: Received) -> None:
        got.append(received.data)
        if received.data == b"three":
            link.send(b"enough")

    async with open_pair(tmp_path) as (link, client):
        await client.write(b"one")
        with trio.move_on_after(0):
            await link.recv()
        await trio.testing.wait_all_tasks_blocked()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(link.deliver, receive)
            for data in (b"two", b"three"):
                await client.write(data)
            assert await client.read() == b"enough"
            client.call.cancel()
    assert got == [b"one", b"two", b"three"]


async def test_deliver_ends_when_receive_closes_the_link(tmp_path: Path) -> None:
    """And gives over nothing more."""
    got: list[bytes] = []

    def receive(received: Received) -> None:
        got.append(received.data)
        link.close()

    async with open_pair(tmp_path) as (link, client):
        await client.write(b"one")
        await client.write(b"two")
        with trio.fail_after(5):
            await link.deliver(receive)
    assert got == [b"one"]


async def test_what_receive_raises_comes_out_of_deliver(tmp_path: Path) -> None:
    """It belongs to the task that asked for the messages; the link stays usable."""

    def fail(_: Received) -> None:
        raise KeyError("mine")

    async with open_pair(tmp_path) as (link, client):
        await client.write(b"one")
        with pytest.raises(KeyError, match="mine"):
            await link.deliver(fail)
        await client.write(b"two")
        assert (await link.recv()).data == b"two"


async def test_what_receive_raises_after_closing_the_link_brings_the_runtime_down(
    tmp_path: Path,
) -> None:
    """Nobody waits for it any more, and it is a bug all the same."""

    async def deliver() -> None:
        async with open_pair(tmp_path) as (link, client):

            def fail(_: Received) -> None:
                link.close()
                raise ZeroDivisionError

            await client.write(b"one")
            await link.deliver(fail)
            await trio.sleep_forever()

    with pytest.raises(ZeroDivisionError):
        await deliver()


async def test_a_cancelled_deliver_loses_nothing(tmp_path: Path) -> None:
    """The next reader gets what comes after."""
    got: list[bytes] = []
    async with open_pair(tmp_path) as (link, client):
        with trio.move_on_after(0.01):
            await link.deliver(lambda received: got.append(received.data))
        await client.write(b"one")
        assert (await link.recv()).data == b"one"
    assert got == []


async def test_a_stall_of_the_server_is_not_the_bots_time(tmp_path: Path) -> None:
    """A bot that thinks 10 ms while the server is busy for 40 is not seen to think 40."""
    async with open_process(tmp_path, "echo", think_ms=10) as (_, link):
        thoughts_ns = []
        for _ in range(5):
            asked_ns = now_ns()
            link.send(b"card?")
            be_busy(40 * MS)
            busy_until_ns = now_ns()
            arrival = (await link.recv()).arrival
            thoughts_ns.append(arrival.earliest_ns - asked_ns)
            assert arrival.latest_ns >= busy_until_ns
        assert statistics.median(thoughts_ns) <= 15 * MS


async def test_a_message_behind_another_has_the_same_doubt(tmp_path: Path) -> None:
    """Both came during the stall; gRPC hands over the second only when it is asked for it."""
    async with open_process(tmp_path, "twice", think_ms=5) as (_, link):
        thoughts_ns = []
        for _ in range(5):
            asked_ns = now_ns()
            link.send(b"cards?")
            be_busy(40 * MS)
            first, second = (await link.recv()).arrival, (await link.recv()).arrival
            thoughts_ns.append(second.earliest_ns - asked_ns)
            assert second.latest_ns >= first.latest_ns
        assert statistics.median(thoughts_ns) <= 15 * MS


async def test_a_server_with_nothing_to_do_has_no_doubt(tmp_path: Path) -> None:
    """A bot's long thought is its own: it is not read as lag of the host."""
    async with open_process(tmp_path, "echo", think_ms=50) as (_, link):
        asked_ns = now_ns()
        link.send(b"card?")
        arrival = (await link.recv()).arrival
        assert arrival.earliest_ns - asked_ns >= 45 * MS
        assert arrival.latest_ns - arrival.earliest_ns < 40 * MS
