"""The golden walks pass over gRPC."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio

from arena.errors import ProtocolViolation
from arena.server.admission import admit
from arena.server.runtime import GrpcRuntime, open_grpc_runtime
from arena.server.seat_listener import open_seat_listener, unix_address
from arena.server.session import Session
from arena.v1 import play_pb2
from arena.wire.codec import ProtoCodec
from arena.wire.json_dialect import from_object, to_object
from tests.server.clients import Client, open_client
from tests.server.walks import Line, Status, Walk, read_walks, replay

WALKS = read_walks()


class StreamSide:
    """A bot's end of a Play stream."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._heard: list[play_pb2.RefereeMessage] = []
        self._session: Session | None = None
        self._has_joined = trio.Event()

    def admit(self, session: Session) -> None:
        """Note the arena's end."""
        self._session = session
        self._has_joined.set()

    async def say(self, message: Line, times: int) -> None:
        """Send one frame."""
        said = from_object(play_pb2.BotMessage(), dict(message), [])
        await self.say_raw(play_pb2.PlayRequest(messages=[said] * times).SerializeToString())

    async def say_raw(self, data: bytes) -> None:
        """Send bytes as a frame."""
        await self._client.write(data)

    async def hear(self) -> Line | None:
        """Take the next message of what came in frames."""
        while not self._heard:
            data = await self._client.read()
            if data is None:
                return None
            self._heard.extend(play_pb2.PlayResponse.FromString(data).messages)
        return to_object(self._heard.pop(0))

    async def end(self) -> Status | None:
        """Wait for the stream's status."""
        assert await self.hear() is None
        code, _, reason = await self._client.end()
        return Status(code=code, reason=reason.lower() or None)

    async def session(self) -> Session:
        """Wait for the arena's end."""
        await self._has_joined.wait()
        assert self._session is not None
        return self._session


class Streams:
    """Sessions over Unix sockets, each with a server of its own."""

    joins = True

    def __init__(self, runtime: GrpcRuntime, folder: Path) -> None:
        self._runtime = runtime
        self._folder = folder

    @asynccontextmanager
    async def open(self, token: str, capacity: int) -> AsyncIterator[StreamSide]:
        """Open a listener, and a client's stream to it."""
        address = unix_address(self._folder / token[-2:])
        async with (
            open_seat_listener(self._runtime, address) as listener,
            open_client(self._runtime, listener.address) as client,
            trio.open_nursery() as nursery,
        ):
            side = StreamSide(client)

            async def serve() -> None:
                link = await listener.accept()
                try:
                    session = await admit(
                        link, ProtoCodec(), token=token, capacity=capacity, server="0.1.0"
                    )
                except ProtocolViolation:
                    return
                side.admit(session)
                await session.run()

            nursery.start_soon(serve)
            yield side
            nursery.cancel_scope.cancel()


@pytest.mark.parametrize("walk", WALKS, ids=[walk.name for walk in WALKS])
async def test_the_walk_passes_over_grpc(walk: Walk, tmp_path: Path) -> None:
    async with open_grpc_runtime() as runtime:
        await replay(walk, Streams(runtime, tmp_path))
