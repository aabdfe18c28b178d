"""MemoryLink: a session's bytes without gRPC or pipes, and the bot's end of them.

Owns two ends of one stream in the same process: what the arena sees as a Link, and what a
test does as the bot: read or not, answer, hang up, die. Must not know messages.

    link, bot = memory_link_pair()
    session = Session(link, ProtoCodec(), joined=..., capacity=1, now=trio_now_ns)
    bot.send(frame)
    frame = await bot.recv()
"""

from collections.abc import Callable
from typing import Final, Generic, TypeVar

import trio

from arena.referee.messages import Arrival
from arena.server.link import LinkClosed, LinkError, Received, deliver_each

MAX_UNREAD: Final = 4_096
"""Frames that may lie at an end unread; one more is a test that went wrong."""

Frame = TypeVar("Frame")


def trio_now_ns() -> int:
    """Read trio's clock in nanoseconds: under a MockClock, the time that it shows."""
    return round(trio.current_time() * 1e9)


def memory_link_pair(now: Callable[[], int] = trio_now_ns) -> tuple["MemoryLink", "FarEnd"]:
    """Make both ends of one stream; ``now`` stamps what arrives at the arena's."""
    link = MemoryLink(now)
    return link, FarEnd(link)


class _Queue(Generic[Frame]):
    """Frames on their way to one reader, until no more come."""

    def __init__(self) -> None:
        self._in, self._out = trio.open_memory_channel[Frame](MAX_UNREAD)

    def put(self, frame: Frame) -> None:
        self._in.send_nowait(frame)

    def end(self) -> None:
        """Let the reader have what is here, and then LinkClosed."""
        self._in.close()

    async def get(self) -> Frame:
        try:
            return await self._out.receive()
        except trio.EndOfChannel:
            raise LinkClosed from None

    def get_all(self) -> list[Frame]:
        """Take what is here already."""
        count = self._out.statistics().current_buffer_used
        return [self._out.receive_nowait() for _ in range(count)]


class MemoryLink:
    """The arena's end. A write ends at once, unless the bot has stopped reading."""

    def __init__(self, now: Callable[[], int]) -> None:
        self.on_idle: Callable[[], None] | None = None
        self.now = now
        self.to_arena: _Queue[Received] = _Queue()
        self.to_bot: _Queue[bytes] = _Queue()
        self.in_flight: bytes | None = None
        self.is_read = True
        self.is_open = True
        self.error: LinkError | None = None

    @property
    def is_busy(self) -> bool:
        """Whether a write is in flight."""
        return self.in_flight is not None

    def send(self, data: bytes) -> None:
        """Start writing one message at once; the link must not be busy.

        Raises:
            LinkClosed: The link is closed.
        """
        if not self.is_open:
            raise LinkClosed
        if self.in_flight is not None:
            raise AssertionError("a write while another is in flight")
        if self.is_read:
            self.to_bot.put(data)
        else:
            self.in_flight = data

    def when_idle(self, callback: Callable[[], None]) -> None:
        """Run a callback at once."""
        callback()

    async def recv(self) -> Received:
        """Wait for the next message; what was sent before the end is delivered first.

        Raises:
            LinkClosed: The stream is over and nothing is left to read.
        """
        return await self.to_arena.get()

    async def deliver(self, receive: Callable[[Received], None]) -> None:
        """Call ``receive`` with every message until the stream is over."""
        await deliver_each(self.recv, receive)

    def close(self, error: LinkError | None = None) -> None:
        """End the stream; a write in flight still goes out first. Idempotent."""
        if self.is_open:
            self.is_open = False
            self.error = error
            self.to_arena.end()
            if self.in_flight is None:
                self.to_bot.end()

    # --- for the bot's end --------------------------------------------------------------

    def end_write(self) -> None:
        """Let the write in flight end."""
        data, self.in_flight = self.in_flight, None
        if data is None:
            raise AssertionError("no write is in flight")
        self.to_bot.put(data)
        if not self.is_open:
            self.to_bot.end()
        elif self.on_idle is not None:
            self.on_idle()


class FarEnd:
    """The bot's end."""

    def __init__(self, link: MemoryLink) -> None:
        self._link = link

    @property
    def is_over(self) -> bool:
        """Whether the arena has closed the stream."""
        return not self._link.is_open

    @property
    def error(self) -> LinkError | None:
        """With what the arena closed it; None: in order, or not at all."""
        return self._link.error

    def send(self, data: bytes, *, lag_ns: int = 0) -> None:
        """Write one frame; it arrives now or, for all that the arena knows, ``lag_ns`` ago.

        A frame to a stream that is over is lost, as anywhere.
        """
        if self._link.is_open:
            now = self._link.now()
            arrival = Arrival(earliest_ns=now - lag_ns, latest_ns=now)
            self._link.to_arena.put(Received(data, arrival))

    async def recv(self) -> bytes:
        """Wait for the next frame.

        Raises:
            LinkClosed: The arena has closed the stream and nothing is left to read.
        """
        return await self._link.to_bot.get()

    def recv_all(self) -> list[bytes]:
        """Take the frames that have arrived; empty if there are none."""
        return self._link.to_bot.get_all()

    def stop_reading(self) -> None:
        """Read nothing more: the next write stays in flight."""
        self._link.is_read = False

    def read_one(self) -> None:
        """Read the message in flight and no other: its write ends."""
        self._link.end_write()

    def read_on(self) -> None:
        """Read again: the write in flight ends, and all that follow at once."""
        self._link.is_read = True
        if self._link.is_busy:
            self._link.end_write()

    def hang_up(self) -> None:
        """End the bot's half: nothing more comes from it, but it still reads."""
        self._link.to_arena.end()

    def die(self) -> None:
        """Break the stream: what is in flight is lost, and nothing can be sent."""
        self._link.in_flight = None
        self._link.close()
