"""GrpcLink: one bot's Play stream as a Link.

Owns the meeting of one grpc.aio stream, which lives in asyncio's world, with the trio task
that reads from it. Bytes both ways, without serialisers. Must not know messages, tokens
or servers. Source: performance.md, pitfalls 2, 9 and 14.
"""

import asyncio
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

_PROMPT_NS = 1_000_000
"""A message that comes this soon after it was asked for may have been waiting for that."""
_QUEUE_NS = 10_000_000
"""How long after a stall messages may still come out of the queue that it left."""

PlayContext = aio.ServicerContext[bytes, bytes]


class GrpcLink:
    """One Play stream. Made by the stream's handler, which then runs :meth:`serve`.

    A message is taken from gRPC when ``recv`` asks for it, so that asking costs time only
    after the one before has been dealt with; what the bot sends meanwhile waits under
    HTTP/2's flow control, not in memory of ours.
    """

    __slots__ = (
        "_arrivals",
        "_asked_ns",
        "_context",
        "_doubt_ns",
        "_doubt_until_ns",
        "_end",
        "_is_over",
        "_loop",
        "_read",
        "_unread",
        "_waiter",
        "_write",
        "on_idle",
    )

    def __init__(self, runtime: GrpcRuntime, context: PlayContext) -> None:
        self.on_idle: Callable[[], None] | None = None
        self._loop = runtime.loop
        self._arrivals = runtime.arrivals
        self._context = context
        self._end: asyncio.Future[LinkError | None] = self._loop.create_future()
        self._is_over = False
        self._read: asyncio.Task[bytes] | None = None
        self._write: asyncio.Task[None] | None = None
        self._waiter: trio.lowlevel.Task | None = None
        self._unread: Received | None = None
        self._asked_ns = self._doubt_ns = self._doubt_until_ns = 0

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
        if self._waiter is not None:
            raise AssertionError("two tasks read from one link")
        if self._read is None and self._unread is None and not self._is_over:
            self._loop.run_now(self._start_reading)
        if self._unread is not None:  # read for a recv that was cancelled
            await trio.lowlevel.checkpoint_if_cancelled()
            received, self._unread = self._unread, None
            return received
        if self._is_over:
            raise LinkClosed
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
        try:
            error = await self._end
        finally:
            # Also when gRPC cancels the handler, which cancels the end: the bot is gone.
            self._end_reading()
            if self._read is not None:
                self._read.cancel()
        if error is not None:
            set_error(self._context, error)

    def _start_reading(self) -> None:
        self._asked_ns = now_ns()
        self._read = self._loop.create_task(self._context.read())
        self._read.add_done_callback(self._on_read)

    def _on_read(self, read: asyncio.Task[bytes]) -> None:
        self._read = None
        if read.cancelled():
            self._end_reading()
        elif (error := read.exception()) is not None:
            self._end_reading()
            _raise_unless_ended(error)
        elif not isinstance(data := cast("object", read.result()), bytes):
            self._end_reading()  # aio.EOF: the bot has ended its half, or is gone
        elif self._waiter is None:
            self._unread = Received(data, self._arrival())
        else:
            self._wake(outcome.Value(Received(data, self._arrival())))

    def _arrival(self) -> Arrival:
        """Return when the message just read arrived.

        What arrives behind another during a stall of the loop is asked for, and so seen, only
        after the stall: it has the doubt of the first.
        """
        earliest_ns = self._arrivals.earliest_ns
        latest_ns = self._loop.event_ns
        if latest_ns < self._doubt_until_ns and latest_ns - self._asked_ns < _PROMPT_NS:
            earliest_ns = self._doubt_ns
        elif latest_ns - earliest_ns > _PROMPT_NS:
            self._doubt_ns = earliest_ns
            self._doubt_until_ns = latest_ns + _QUEUE_NS
        return Arrival(earliest_ns=earliest_ns, latest_ns=latest_ns)

    def _start_writing(self, data: bytes) -> None:
        self._write = self._loop.create_task(self._context.write(data))
        self._write.add_done_callback(self._on_written)

    def _on_written(self, write: asyncio.Task[None]) -> None:
        self._write = None
        if write.cancelled() or (error := write.exception()) is not None:
            self._end_reading()
            self._end.cancel()
            if not write.cancelled():
                _raise_unless_ended(error)
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
