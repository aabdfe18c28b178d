"""GrpcLink: one bot's Play stream as a Link.

Owns the meeting of one grpc.aio stream, which lives in asyncio's world, with the trio task
that reads from it. Bytes both ways, without serialisers. Must not know messages, tokens
or servers. Source: performance.md, pitfalls 2, 9 and 14.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import cast

import outcome
import trio
from grpc import aio

from arena.referee.messages import Arrival
from arena.server.arrivals import now_ns
from arena.server.link import LinkClosed, LinkError, Received
from arena.server.runtime import GrpcRuntime
from arena.server.status import set_error

MAX_UNREAD = 64
"""Messages kept for a task that does not read; then HTTP/2's flow control holds the bot."""

_PROMPT_NS = 1_000_000
"""A message that comes this soon after the read before it may have queued behind that one."""
_QUEUE_NS = 10_000_000
"""How long after a stall messages may still come out of the queue that it left."""

PlayContext = aio.ServicerContext[bytes, bytes]


class GrpcLink:
    """One Play stream. Made by the stream's handler, which then runs :meth:`serve`."""

    __slots__ = (
        "_arrivals",
        "_context",
        "_doubt_ns",
        "_doubt_until_ns",
        "_end",
        "_inbox",
        "_is_over",
        "_loop",
        "_reading_since_ns",
        "_room",
        "_waiter",
        "_write",
        "on_idle",
    )

    def __init__(self, runtime: GrpcRuntime, context: PlayContext) -> None:
        self.on_idle: Callable[[], None] | None = None
        loop = self._loop = runtime.loop
        self._arrivals = runtime.arrivals
        self._context = context
        self._end: asyncio.Future[LinkError | None] = loop.create_future()
        self._inbox: deque[Received] = deque()
        self._room: asyncio.Future[None] | None = None
        self._waiter: trio.lowlevel.Task | None = None
        self._write: asyncio.Task[None] | None = None
        self._is_over = False
        self._reading_since_ns = self._doubt_ns = self._doubt_until_ns = 0

    # --- trio's side: the Link ------------------------------------------------------------

    @property
    def is_busy(self) -> bool:
        """Whether a write is in flight."""
        return self._write is not None

    @property
    def is_open(self) -> bool:
        """Whether the link can still be written to."""
        return not self._end.done()

    def send(self, data: bytes) -> None:
        """Start writing one message at once; the link must not be busy.

        Raises:
            LinkClosed: The link is closed.
        """
        if self._end.done():
            raise LinkClosed
        if self._write is not None:
            raise AssertionError("gRPC loses a message written while another is in flight")
        self._loop.run_now(self._start_writing, data)  # the bytes leave before send returns

    async def recv(self) -> Received:
        """Wait for the next message; messages read before the end are delivered first.

        Raises:
            LinkClosed: The stream is over and nothing is left to read.
        """
        if self._inbox:
            # No full checkpoint: the inbox is bounded, so a task cannot go on here for ever.
            await trio.lowlevel.checkpoint_if_cancelled()
            if self._room is not None and not self._room.done():
                self._room.set_result(None)
            return self._inbox.popleft()
        if self._is_over:
            raise LinkClosed
        if self._waiter is not None:
            raise AssertionError("two tasks read from one link")
        self._waiter = trio.lowlevel.current_task()
        return cast("Received", await trio.lowlevel.wait_task_rescheduled(self._stop_waiting))

    def close(self, error: LinkError | None = None) -> None:
        """End the stream: orderly (``None``: status OK), or with an error. Idempotent."""
        if not self._end.done():
            self._end_reading()
            self._loop.run_now(self._end.set_result, error)

    def _stop_waiting(self, _: Callable[[], object]) -> trio.lowlevel.Abort:
        self._waiter = None
        return trio.lowlevel.Abort.SUCCEEDED

    # --- asyncio's side ---------------------------------------------------------------------

    async def serve(self) -> None:
        """Carry the stream from its start to its end, which :meth:`close` or the bot brings."""
        reading = self._loop.create_task(self._read())
        reading.add_done_callback(self._on_read_over)
        try:
            error = await self._end
        finally:
            # Also when gRPC cancels the handler, which cancels the end: the bot is gone.
            self._end_reading()
            reading.cancel()
        if error is not None:
            set_error(self._context, error)

    async def _read(self) -> None:
        while True:
            if len(self._inbox) >= MAX_UNREAD:
                self._room = self._loop.create_future()
                await self._room
                self._room = None
            self._reading_since_ns = now_ns()
            data: object = await self._context.read()
            if not isinstance(data, bytes):  # aio.EOF: the bot has ended its half, or is gone
                return
            received = Received(data, self._arrival())
            if self._waiter is None:
                self._inbox.append(received)
            else:
                self._wake(outcome.Value(received))

    def _arrival(self) -> Arrival:
        """Return when the message just read arrived.

        gRPC takes a message from a stream only when it is asked for one. What arrives behind
        another during a stall of the loop is therefore seen after the stall: it has the
        doubt of the first.
        """
        earliest_ns = self._arrivals.earliest_ns
        latest_ns = self._loop.event_ns
        if latest_ns < self._doubt_until_ns and latest_ns - self._reading_since_ns < _PROMPT_NS:
            earliest_ns = self._doubt_ns
        elif latest_ns - earliest_ns > _PROMPT_NS:
            self._doubt_ns = earliest_ns
            self._doubt_until_ns = latest_ns + _QUEUE_NS
        return Arrival(earliest_ns=earliest_ns, latest_ns=latest_ns)

    def _start_writing(self, data: bytes) -> None:
        self._write = self._loop.create_task(self._context.write(data))
        self._write.add_done_callback(self._on_written)

    def _on_read_over(self, reading: asyncio.Task[None]) -> None:
        self._end_reading()
        if not reading.cancelled():
            _raise_unless_ended(reading.exception())

    def _on_written(self, write: asyncio.Task[None]) -> None:
        self._write = None
        if write.cancelled() or write.exception() is not None:
            self._end_reading()
            self._end.cancel()
            if not write.cancelled():
                _raise_unless_ended(write.exception())
        elif self.on_idle is not None and not self._end.done():
            self.on_idle()

    def _end_reading(self) -> None:
        self._is_over = True
        if self._waiter is not None:
            self._wake(outcome.Error(LinkClosed()))

    def _wake(self, result: outcome.Outcome[Received]) -> None:
        waiter, self._waiter = self._waiter, None
        if waiter is not None:
            trio.lowlevel.reschedule(waiter, result)


def _raise_unless_ended(error: BaseException | None) -> None:
    """Raise what is no end of a stream: it is a bug, and brings the runtime down."""
    if error is not None and not isinstance(error, aio.BaseError):
        raise error
