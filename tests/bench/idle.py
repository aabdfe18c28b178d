"""What 256 idle sessions cost the server: memory, and processor while nobody plays.

The clients are one other process with 256 channels, so that only the server is measured.
Source: performance.md ("Bars").
"""

import asyncio
import contextlib
import resource
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

import trio
from grpc import aio

from arena.server.admission import admit
from arena.server.play_server import PLAY_METHOD
from arena.server.runtime import open_grpc_runtime
from arena.server.seat_listener import open_seat_listener, unix_address
from arena.v1 import play_pb2
from arena.wire.codec import ProtoCodec
from tests.bench.report import Bar

SESSIONS = 256
IDLE_S = 5.0
TOKEN = "0" * 32


async def _clients(folder: Path) -> None:
    """Join every session, and wait for the end of each."""
    join = play_pb2.PlayRequest(
        messages=[play_pb2.BotMessage(join=play_pb2.Join(protocol_version=1, token=TOKEN))]
    ).SerializeToString()

    async def session(number: int) -> None:
        async with aio.insecure_channel(unix_address(folder / str(number))) as channel:
            call: aio.StreamStreamCall[bytes, bytes] = channel.stream_stream(PLAY_METHOD)()
            await call.write(join)
            with contextlib.suppress(aio.AioRpcError):  # the server ends: so do we
                while await call.read() is not aio.EOF:
                    pass

    await asyncio.gather(*(session(number) for number in range(SESSIONS)))


async def _measure() -> tuple[float, float]:
    """Give the memory in MB that the sessions took, and the share of a core they use idle."""
    with tempfile.TemporaryDirectory(prefix="idle") as name:
        folder = Path(name)
        async with (
            open_grpc_runtime() as runtime,
            AsyncExitStack() as stack,
            trio.open_nursery() as nursery,
        ):
            before = _memory_mb()
            listeners = [
                await stack.enter_async_context(
                    open_seat_listener(runtime, unix_address(folder / str(number)))
                )
                for number in range(SESSIONS)
            ]
            command = [sys.executable, "-m", "tests.bench.idle", name]
            nursery.start_soon(partial(trio.run_process, command, check=False))
            for listener in listeners:
                link = await listener.accept()
                session = await admit(link, ProtoCodec(), token=TOKEN, capacity=1, server="bench")
                nursery.start_soon(session.run)
            cpu, began = time.process_time(), time.monotonic()
            await trio.sleep(IDLE_S)
            share = (time.process_time() - cpu) / (time.monotonic() - began)
            memory = _memory_mb() - before
            for listener in listeners:
                listener.streams.close()
    return memory, share


def _memory_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


def bench() -> Sequence[Bar]:
    """Measure once: neither figure depends on the machine's speed of the moment."""
    memory, share = trio.run(_measure)
    return [
        Bar(name="idle-memory", figure=memory, goal=60, unit="MB", at_least=False),
        Bar(name="idle-cpu", figure=100 * share, goal=1, unit="% of a core", at_least=False),
    ]


if __name__ == "__main__":
    asyncio.run(_clients(Path(sys.argv[1])))
