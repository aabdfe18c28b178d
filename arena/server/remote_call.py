"""RemoteCall: a Play stream from the bot's side, for the adapter of line bots.

Owns the channel to a referee elsewhere and one stream over it. Must not know messages or
commands. Source: protocol.md ("Services", "Rules of the wire" 6, 7).
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

import grpc
import trio
from grpc import aio

from arena.server.play_server import PLAY_METHOD
from arena.server.runtime import GrpcRuntime
from arena.server.status import STATUS_DETAILS
from arena.wire.status import decode_status

_OPTIONS: Final = (("grpc.keepalive_time_ms", 20_000), ("grpc.keepalive_timeout_ms", 10_000))


@dataclass(frozen=True, slots=True, kw_only=True)
class Referee:
    """Where to play, and what opens it. Never log ``token``."""

    address: str
    token: str
    capacity: int
    is_tls: bool
    authority: bytes | None = None
    """The PEM of who vouches for the referee's certificate; None: those this machine knows."""

    def __repr__(self) -> str:
        """Show the address alone."""
        return f"Referee(address={self.address!r})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a stream ended: the name of gRPC's status code, and the arena's words."""

    code: str
    words: str


class RemoteCall:
    """One Play stream, driven from trio tasks: one that reads, and who writes."""

    def __init__(self, runtime: GrpcRuntime, call: "aio.StreamStreamCall[bytes, bytes]") -> None:
        self._runtime = runtime
        self._call = call

    async def write(self, data: bytes) -> None:
        """Send a frame; that the stream is over is told by ``read`` and ``end``."""
        await self._runtime.loop.run(self._write(data))

    async def read(self) -> bytes | None:
        """Take the next frame; None: the stream is over."""
        return await self._runtime.loop.run(self._read())

    async def end(self) -> Ended:
        """Wait for the end of the stream, and say how it was."""
        return await self._runtime.loop.run(self._end())

    async def _write(self, data: bytes) -> None:
        with contextlib.suppress(aio.AioRpcError, asyncio.InvalidStateError):
            await self._call.write(data)

    async def _read(self) -> bytes | None:
        try:
            data = await self._call.read()
        except aio.AioRpcError:
            return None
        return data if isinstance(data, bytes) else None

    async def _end(self) -> Ended:
        code = await self._call.code()
        words = await self._call.details() or ""
        for key, value in await self._call.trailing_metadata():
            if key == STATUS_DETAILS and isinstance(value, bytes):
                error = decode_status(value)
                words = f"{error.reason}: {error.message}" if error is not None else words
        return Ended(code=code.name, words=words)


@asynccontextmanager
async def open_call(runtime: GrpcRuntime, referee: Referee) -> AsyncIterator[RemoteCall]:
    """Open a channel and begin a Play stream; both end with the context."""

    async def start() -> "tuple[aio.Channel, aio.StreamStreamCall[bytes, bytes]]":
        if referee.is_tls:
            credentials = grpc.ssl_channel_credentials(referee.authority)
            channel = aio.secure_channel(referee.address, credentials, options=_OPTIONS)
        else:
            channel = aio.insecure_channel(referee.address, options=_OPTIONS)
        return channel, channel.stream_stream(PLAY_METHOD)()

    channel, call = await runtime.loop.run(start())
    try:
        yield RemoteCall(runtime, call)
    finally:
        with trio.CancelScope(shield=True):
            await runtime.loop.run(channel.close())
