"""A link over real pipes, with the bot's ends in the test's hands."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

import trio

from arena.bots.kept import Pipes
from arena.bots.line_link import LineLink


@dataclass
class BotEnd:
    """The bot's side of both pipes, without a bot."""

    stdin: int
    stdout: int
    open: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.open = {self.stdin, self.stdout}

    def close(self, *ends: int) -> None:
        """Close ends; all that are left if none is named."""
        for end in ends or tuple(self.open):
            self.open.discard(end)
            os.close(end)

    def read_all(self) -> bytes:
        """Read what is there."""
        os.set_blocking(self.stdin, False)
        data = bytearray()
        with suppress(BlockingIOError):
            while more := os.read(self.stdin, 1 << 20):
                data += more
        return bytes(data)

    async def read(self) -> bytes:
        """Wait for bytes and read them; nothing: the arena has closed its side."""
        await trio.lowlevel.wait_readable(self.stdin)
        return os.read(self.stdin, 1 << 20)

    async def read_to_end(self) -> bytes:
        """Read until the arena closes its side."""
        data = bytearray()
        while more := await self.read():
            data += more
        return bytes(data)


def open_pipes(nursery: trio.Nursery) -> tuple[LineLink, BotEnd]:
    """Make a link and the bot's side of its pipes; both are the caller's to close."""
    stdin, to_stdin = os.pipe()
    from_stdout, stdout = os.pipe()
    for end in (to_stdin, from_stdout):
        os.set_blocking(end, False)
    link = LineLink(nursery, Pipes(to_stdin=to_stdin, from_stdout=from_stdout))
    return link, BotEnd(stdin, stdout)


@asynccontextmanager
async def piped() -> AsyncIterator[tuple[LineLink, BotEnd]]:
    """Open a link and the bot's side of its pipes, for 20 s at most."""
    with trio.fail_after(20):
        async with trio.open_nursery() as nursery:
            link, bot = open_pipes(nursery)
            try:
                yield link, bot
            finally:
                link.close()
                bot.close()
                nursery.cancel_scope.cancel()
