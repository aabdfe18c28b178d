"""Bots' ends of Play streams for the server's tests.

Owns a client in the server's own loop, for what is said and answered, and client processes,
for what needs another: kills, stalls, many at once.
"""

import asyncio
import contextlib
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import grpc
import trio
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status
from grpc import aio

from arena.server.play_server import PLAY_METHOD
from arena.server.runtime import GrpcRuntime


class Client:
    """One Play stream, driven step by step from a trio task."""

    def __init__(self, runtime: GrpcRuntime, channel: aio.Channel) -> None:
        self._runtime = runtime
        self._channel = channel
        self.call: aio.StreamStreamCall[bytes, bytes]

    async def start(self) -> None:
        """Start the stream; it may be refused at once."""

        async def start() -> None:
            self.call = self._channel.stream_stream(PLAY_METHOD)()
            with contextlib.suppress(aio.AioRpcError):  # read() and end() tell it too
                await self.call.wait_for_connection()

        await self._runtime.loop.run(start())

    async def write(self, data: bytes) -> None:
        """Send one message; nothing happens if the stream has ended."""

        async def write() -> None:
            with contextlib.suppress(aio.AioRpcError, asyncio.InvalidStateError):
                await self.call.write(data)

        await self._runtime.loop.run(write())

    async def read(self) -> bytes | None:
        """Take one message; None at the end, whatever the status."""

        async def read() -> bytes | None:
            try:
                data = await self.call.read()
            except aio.AioRpcError:
                return None
            return data if isinstance(data, bytes) else None

        return await self._runtime.loop.run(read())

    async def done_writing(self) -> None:
        """End this half of the stream."""
        await self._runtime.loop.run(self.call.done_writing())

    async def end(self) -> tuple[str, str, str]:
        """Wait for the end; return the status code's name, the message, and the reason."""

        async def end() -> tuple[str, str, str]:
            code = await self.call.code()
            trailers = await self.call.trailing_metadata()
            return code.name, await self.call.details(), _reason(trailers)

        return await self._runtime.loop.run(end())


def _reason(trailers: aio.Metadata) -> str:
    for key, value in trailers:
        if key == "grpc-status-details-bin":
            status = Status.FromString(value if isinstance(value, bytes) else value.encode())
            info = ErrorInfo()
            assert status.details[0].Unpack(info)
            return str(info.reason)
    return ""


@asynccontextmanager
async def open_channel(
    runtime: GrpcRuntime,
    address: str,
    compression: grpc.Compression = grpc.Compression.NoCompression,
) -> AsyncIterator[aio.Channel]:
    """Open a channel of its own to ``address`` in the server's loop."""

    async def make() -> aio.Channel:
        own = (("grpc.use_local_subchannel_pool", 1),)
        return aio.insecure_channel(address, options=own, compression=compression)

    channel = await runtime.loop.run(make())
    try:
        yield channel
    finally:
        with trio.CancelScope(shield=True):
            await runtime.loop.run(channel.close())


@asynccontextmanager
async def open_client(runtime: GrpcRuntime, address: str) -> AsyncIterator[Client]:
    """Open a Play stream to ``address``."""
    async with open_channel(runtime, address) as channel:
        client = Client(runtime, channel)
        await client.start()
        yield client


@contextmanager
def bot_process(mode: str, *addresses: str, think_ms: int = 0) -> Iterator[subprocess.Popen[str]]:
    """Run ``bot_process.py`` beside the test; it is killed at the end."""
    script = Path(__file__).with_name("bot_process.py")
    command = [sys.executable, str(script), mode, str(think_ms), *addresses]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()
