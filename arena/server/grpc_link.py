"""GrpcLink: one bot's Play stream as a Link.

Owns the meeting of one grpc.aio stream, which lives in asyncio's world, with the trio task
that reads from it. Bytes both ways, without serialisers. Must not know messages, tokens
or servers. Source: performance.md, pitfalls 2, 9 and 14.
"""

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from typing import Any, cast

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
    """One Play stream. Made by the stream's handler, which runs :meth:`start`, :meth:`serve`.

    gRPC's own coroutines, one for a read and one for a write, are stepped here, without an
    asyncio task: their only wait is for one future. So a write has begun when ``send``
    returns, and a read is never cancelled: gRPC would write into memory that is gone.
    The next message is asked for when the one before has been dealt with; what the bot
    sends meanwhile waits under HTTP/2's flow control, not in memory of ours.
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
        "_reading",
        "_receive",
        "_unread",
        "_waiter",
        "_writing",
        "on_idle",
    )

    def __init__(self, runtime: GrpcRuntime, context: PlayContext) -> None:
        self.on_idle: Callable[[], None] | None = None
        self._loop = runtime.loop
        self._arrivals = runtime.arrivals
        self._context = context
        self._end: asyncio.Future[LinkError | None] = self._loop.create_future()
        self._is_over = False
        self._reading: Coroutine[Any, Any, object] | None = None
        self._writing: Coroutine[Any, Any, None] | None = None
        self._waiter: trio.lowlevel.Task | None = None
        self._receive: Callable[[Received], None] | None = None
        self._unread: Received | None = None
        self._asked_ns = self._doubt_ns = self._doubt_until_ns = 0

    # --- trio's side: the Link ------------------------------------------------------------

    @property
    def is_busy(self) -> bool:
        """Whether a write is in flight."""
        return self._writing is not None

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
        if self._writing is not None:
            raise AssertionError("gRPC loses a message written while another is in flight")
        writing = self._context.write(data)
        try:
            written: asyncio.Future[None] = writing.send(None)
        except aio.BaseError as error:
            self._lose()
            raise LinkClosed from error
        self._writing = writing
        written.add_done_callback(self._on_written)

    async def recv(self) -> Received:
        """Wait for the next message; messages read before the end are delivered first.

        Raises:
            LinkClosed: The stream is over and nothing is left to read.
        """
        received = await self._take_unread()
        if received is None:
            if self._is_over:
                raise LinkClosed
            received = await self._wait()
        return received

    async def deliver(self, receive: Callable[[Received], None]) -> None:
        """Call ``receive`` with every message, at once, until the stream is over."""
        while (received := await self._take_unread()) is not None:
            receive(received)
        if not self._is_over:
            self._receive = receive
            try:
                with contextlib.suppress(LinkClosed):
                    await self._wait()
            finally:
                self._receive = None

    def close(self, error: LinkError | None = None) -> None:
        """End the stream: orderly (``None``: status OK), or with an error. Idempotent."""
        if not self._end.done():
            self._end_reading()
            self._loop.run_now(self._end.set_result, error)

    async def _take_unread(self) -> Received | None:
        """Return what was read for a wait that was cancelled; else see that gRPC is asked."""
        if self._waiter is not None:
            raise AssertionError("two tasks read from one link")
        received, self._unread = self._unread, None
        if received is not None:
            try:
                await trio.lowlevel.checkpoint()
            except trio.Cancelled:
                self._unread = received
                raise
        elif self._reading is None and not self._is_over:
            self._ask()
        return received

    async def _wait(self) -> Received:
        self._waiter = trio.lowlevel.current_task()
        return cast("Received", await trio.lowlevel.wait_task_rescheduled(self._stop_waiting))

    def _stop_waiting(self, _: Callable[[], object]) -> trio.lowlevel.Abort:
        self._waiter = None
        return trio.lowlevel.Abort.SUCCEEDED

    def _wake(self, result: outcome.Outcome[Received]) -> None:
        waiter, self._waiter = self._waiter, None
        self._receive = None
        if waiter is not None:
            trio.lowlevel.reschedule(waiter, result)

    # --- asyncio's side ---------------------------------------------------------------------

    async def start(self) -> None:
        """Send the stream's headers: from then on the link may be used.

        gRPC would send them with the first message, and once more with a status that comes
        while that message is in flight: it refuses the second, and the stream never ends.
        """
        await self._context.send_initial_metadata(())

    async def serve(self) -> None:
        """Carry the stream from its start to its end, which :meth:`close` or the bot brings."""
        try:
            error = await self._end
        finally:
            # Also when gRPC cancels the handler, and with it the end: the bot is gone.
            self._end_reading()
        if error is not None:
            set_error(self._context, error)

    def _ask(self) -> None:
        """Ask gRPC for the next message."""
        self._asked_ns = now_ns()
        reading = self._context.read()
        try:
            read: asyncio.Future[None] = reading.send(None)
        except aio.BaseError:
            self._end_reading()
        else:
            self._reading = reading
            read.add_done_callback(self._on_read)

    def _on_read(self, _: object) -> None:
        data = _finish(self._reading)
        self._reading = None
        if self._is_over:
            return
        if not isinstance(data, bytes):  # aio.EOF: the bot has ended its half, or is gone
            self._end_reading()
            return
        received = Received(data, self._arrival())
        if self._receive is not None:
            try:
                self._receive(received)
            except BaseException as error:  # noqa: BLE001  # it belongs to the task that waits
                self._wake(outcome.Error(error))
            else:
                if self._receive is not None:
                    self._ask()
        elif self._waiter is not None:
            self._wake(outcome.Value(received))
        else:
            self._unread = received

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

    def _on_written(self, _: object) -> None:
        is_lost = _finish(self._writing) is aio.EOF
        self._writing = None
        if is_lost:
            self._lose()
        elif self.on_idle is not None and not self._end.done():
            self.on_idle()

    def _lose(self) -> None:
        self._end_reading()
        self._end.cancel()

    def _end_reading(self) -> None:
        self._is_over = True
        self._wake(outcome.Error(LinkClosed()))


def _finish(coroutine: Coroutine[Any, Any, object] | None) -> object:
    """Take the last step of a read or write whose future is done; EOF if its stream is over."""
    if coroutine is None:
        raise AssertionError("gRPC reports what was not begun")
    try:
        coroutine.send(None)
    except StopIteration as end:
        return end.value
    except aio.BaseError:
        return aio.EOF
    raise AssertionError("a read or write of gRPC waits more than once")
