"""The bridge under load and abuse: many sessions, kills, cancels; nothing hangs or is left."""

import asyncio
import contextlib
import os
import random
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from pathlib import Path

import pytest
import trio
import trio.testing

from arena.server.link import LinkClosed
from arena.server.runtime import GrpcRuntime, open_grpc_runtime
from arena.server.seat_listener import SeatListener, open_seat_listener, unix_address
from tests.server.clients import bot_process, open_client

TABLES = 64
SEATS = 4


@asynccontextmanager
async def open_listeners(
    folder: Path, count: int
) -> AsyncIterator[tuple[GrpcRuntime, list[SeatListener]]]:
    """Open one runtime and a listener for each of ``count`` sessions."""
    async with open_grpc_runtime() as runtime, AsyncExitStack() as stack:
        yield (
            runtime,
            [
                await stack.enter_async_context(
                    open_seat_listener(runtime, unix_address(folder / str(number)))
                )
                for number in range(count)
            ],
        )


async def play_rounds(listeners: Sequence[SeatListener], rounds: int) -> None:
    """Pass the turn round one table's seats."""
    links = [await listener.accept() for listener in listeners]
    for link in links:
        assert (await link.recv()).data == b"hello"
    for number in range(rounds):
        for seat, link in enumerate(links):
            data = f"{number} {seat}".encode()
            link.send(data)
            assert (await link.recv()).data == data


async def test_64_tables_of_4_seats_are_all_served_at_once(tmp_path: Path) -> None:
    """256 sessions connect together; none waits for another."""
    async with open_listeners(tmp_path, TABLES * SEATS) as (_, listeners):
        with bot_process("echo", *(listener.address for listener in listeners)):
            with trio.fail_after(30):
                async with trio.open_nursery() as nursery:
                    for table in range(TABLES):
                        seats = listeners[table * SEATS : (table + 1) * SEATS]
                        nursery.start_soon(play_rounds, seats, 3)


async def test_a_killed_process_closes_its_link_and_no_other(tmp_path: Path) -> None:
    """SIGKILL leaves no time for a goodbye; the loss is seen at once all the same."""
    async with open_listeners(tmp_path, SEATS) as (_, listeners):
        with ExitStack() as stack:
            bots = [
                stack.enter_context(bot_process("echo", listener.address)) for listener in listeners
            ]
            with trio.fail_after(20):
                links = [await listener.accept() for listener in listeners]
                for link in links:
                    await link.recv()
                os.kill(bots[0].pid, signal.SIGKILL)
                with pytest.raises(LinkClosed):
                    await links[0].recv()
                for link in links[1:]:
                    link.send(b"still there?")
                    assert (await link.recv()).data == b"still there?"


async def test_random_cancels_leave_nothing_behind(tmp_path: Path) -> None:
    """Tables, streams and clients that end at any moment leave a runtime as good as new."""
    luck = random.Random(4)  # noqa: S311  # the same luck every time
    async with open_listeners(tmp_path, 8) as (runtime, listeners):
        idle_tasks = len(asyncio.all_tasks(runtime.loop))
        for _ in range(15):
            with trio.fail_after(10):
                async with trio.open_nursery() as nursery:
                    for listener in listeners:
                        nursery.start_soon(_for_a_while, luck, _serve, listener)
                        nursery.start_soon(_for_a_while, luck, _talk, runtime, listener)
        with trio.fail_after(5):
            while len(asyncio.all_tasks(runtime.loop)) > idle_tasks:
                await trio.testing.wait_all_tasks_blocked(0.01)
        for listener in listeners:
            while listener._fresh:
                assert not (await listener.accept()).is_open
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_serve, 1, listener)
                with trio.fail_after(5):
                    assert await _talk(1, runtime, listener) == 1


async def _serve(messages: int, listener: SeatListener) -> None:
    """Echo so many messages, as a table would that gives its link back at its end."""
    link = await listener.accept()
    try:
        with contextlib.suppress(LinkClosed):
            for _ in range(messages):
                received = await link.recv()
                if not link.is_busy:
                    link.send(received.data)
    finally:
        link.close()


async def _talk(messages: int, runtime: GrpcRuntime, listener: SeatListener) -> int:
    """Send so many messages; return how many were answered before the end."""
    async with open_client(runtime, listener.address) as client:
        for number in range(messages):
            await client.write(b"card")
            if await client.read() is None:
                return number
    return messages


async def _for_a_while(
    luck: random.Random, task: Callable[..., Awaitable[object]], *args: object
) -> None:
    """Run ``task`` with a number of messages and a deadline that luck gives."""
    with trio.move_on_after(luck.choice((0, 0.001, 0.01, 0.05))):
        await task(luck.randrange(6), *args)


@pytest.mark.slow
async def test_256_idle_sessions_cost_next_to_nothing(tmp_path: Path) -> None:
    """At most 60 MB of memory, and 1 % of a core."""
    before = _resident_bytes()
    async with open_listeners(tmp_path, TABLES * SEATS) as (_, listeners):
        with bot_process("echo", *(listener.address for listener in listeners)):
            with trio.fail_after(30):
                for listener in listeners:
                    await (await listener.accept()).recv()
            assert _resident_bytes() - before <= 60 * 1024 * 1024
            cpu_s = time.process_time()
            await trio.sleep(2)
            assert time.process_time() - cpu_s <= 0.02


def _resident_bytes() -> int:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")
