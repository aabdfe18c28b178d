"""The golden walks pass over pipes, line by line."""

import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trio

from arena.bots.line_link import LineLink
from arena.server.admission import join_unasked
from arena.server.session import Session
from arena.wire.codec import LinesCodec
from arena.wire.terms import FRAME_MESSAGES, LINE_BYTES
from tests.bots.line_pipes import BotEnd, open_pipes
from tests.server.walks import Line, Status, Walk, read_walks, replay

WALKS = [walk for walk in read_walks() if walk.is_joined]
"""All but those of a Join that is refused: on pipes nobody joins."""


class PipeSide:
    """A bot's end of two pipes."""

    def __init__(self, link: LineLink, bot: BotEnd, session: Session) -> None:
        self._link = link
        self._bot = bot
        self._session = session
        self._heard = b""

    async def say(self, message: Line, times: int) -> None:
        """Write a line for each message."""
        if times > FRAME_MESSAGES:
            # Lines have no frames to overfill: what floods here is a line without an end.
            await self.say_raw(b"x" * LINE_BYTES)
            return
        for _ in range(times):
            await self.say_raw(json.dumps(message).encode())

    async def say_raw(self, data: bytes) -> None:
        """Write a line."""
        os.set_blocking(self._bot.stdout, False)
        left = memoryview(data + b"\n")
        while left:
            await trio.lowlevel.wait_writable(self._bot.stdout)
            left = left[os.write(self._bot.stdout, left) :]

    async def hear(self) -> Line | None:
        """Read a line."""
        while b"\n" not in self._heard:
            more = await self._bot.read()
            if not more:
                assert not self._heard, "half a line before the end"
                return None
            self._heard += more
        line, _, self._heard = self._heard.partition(b"\n")
        message: Line = json.loads(line)
        return message

    async def end(self) -> Status | None:
        """Wait for the end of stdin."""
        assert await self.hear() is None
        return None

    async def session(self) -> Session:
        """Return the arena's end."""
        return self._session


class Pipes:
    """Sessions over pipes."""

    joins = False

    @asynccontextmanager
    async def open(
        self,
        token: str,  # noqa: ARG002  # only a Join says it
        capacity: int,
    ) -> AsyncIterator[PipeSide]:
        """Open both pipes and the session."""
        async with trio.open_nursery() as nursery:
            link, bot = open_pipes(nursery)
            session = join_unasked(
                link,
                LinesCodec(),
                name="walker",
                version="1.0",
                language="",
                capacity=capacity,
                implies_ready=False,
                silence_hint=str,
            )
            nursery.start_soon(session.run)
            try:
                yield PipeSide(link, bot, session)
            finally:
                nursery.cancel_scope.cancel()
                link.close()
                bot.close()


@pytest.mark.parametrize("walk", WALKS, ids=[walk.name for walk in WALKS])
async def test_the_walk_passes_over_pipes(walk: Walk) -> None:
    await replay(walk, Pipes())


def test_all_walks_are_tried_but_those_of_a_refused_join() -> None:
    left_out = {walk.name for walk in read_walks()} - {walk.name for walk in WALKS}
    assert left_out == {"10-not-joined", "10-version-mismatch", "10-wrong-token"}
