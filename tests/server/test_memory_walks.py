"""The golden walks pass in memory, as frames and as lines, byte for byte."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trio

from arena.errors import ProtocolViolation
from arena.server.admission import admit
from arena.server.arrivals import now_ns
from arena.server.link import LinkClosed
from arena.server.session import Session
from arena.testing.memory_link import FarEnd, MemoryLink, memory_link_pair
from arena.v1 import play_pb2
from arena.wire.codec import Codec, LinesCodec, ProtoCodec
from arena.wire.json_dialect import from_object, line_to_referee_message, message_to_line, to_object
from tests.server.walks import Line, Status, Walk, read_walks, replay

WALKS = read_walks()


class MemorySide:
    """A bot's end of a stream in memory, which speaks frames or lines."""

    def __init__(self, far: FarEnd, codec: Codec) -> None:
        self._far = far
        self._codec = codec
        self._heard: list[play_pb2.RefereeMessage] = []
        self._session: Session | None = None
        self._has_joined = trio.Event()

    def admit(self, session: Session) -> None:
        """Note the arena's end."""
        self._session = session
        self._has_joined.set()

    async def say(self, message: Line, times: int) -> None:
        """Send one frame, or so many lines at once."""
        said = from_object(play_pb2.BotMessage(), dict(message), [])
        if isinstance(self._codec, LinesCodec):
            await self.say_raw(message_to_line(said) * times)
        else:
            frame = play_pb2.PlayRequest(messages=[said] * times)
            await self.say_raw(frame.SerializeToString())

    async def say_raw(self, data: bytes) -> None:
        """Send bytes as they are."""
        self._far.send(data)

    async def hear(self) -> Line | None:
        """Take the next message of what came."""
        while not self._heard:
            try:
                data = await self._far.recv()
            except LinkClosed:
                return None
            self._heard = self._read(data)
            # Nothing is in the bytes but these messages, in the one way to write them.
            assert self._codec.encode(self._heard) == data
        return to_object(self._heard.pop(0))

    async def end(self) -> Status | None:
        """Wait for the end."""
        assert await self.hear() is None
        error = self._far.error
        if error is None:
            return Status(code="OK", reason=None)
        return Status(code=error.code, reason=error.reason.lower())

    async def session(self) -> Session:
        """Wait for the arena's end."""
        await self._has_joined.wait()
        assert self._session is not None
        return self._session

    def _read(self, data: bytes) -> list[play_pb2.RefereeMessage]:
        if isinstance(self._codec, LinesCodec):
            return [line_to_referee_message(line) for line in data.splitlines()]
        return list(play_pb2.PlayResponse.FromString(data).messages)


class Memory:
    """Sessions over links in memory."""

    joins = True

    def __init__(self, codec: Codec) -> None:
        self._codec = codec

    @asynccontextmanager
    async def open(self, token: str, capacity: int) -> AsyncIterator[MemorySide]:
        """Open both ends of a stream."""
        link, far = memory_link_pair(now_ns)
        side = MemorySide(far, self._codec)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._serve, link, side, token, capacity)
            yield side
            nursery.cancel_scope.cancel()

    async def _serve(self, link: MemoryLink, side: MemorySide, token: str, capacity: int) -> None:
        try:
            session = await admit(link, self._codec, token=token, capacity=capacity, server="0.1.0")
        except ProtocolViolation:
            return
        side.admit(session)
        await session.run()


@pytest.mark.parametrize("codec", [ProtoCodec(), LinesCodec()], ids=["frames", "lines"])
@pytest.mark.parametrize("walk", WALKS, ids=[walk.name for walk in WALKS])
async def test_the_walk_passes_in_memory(walk: Walk, codec: Codec) -> None:
    await replay(walk, Memory(codec))
