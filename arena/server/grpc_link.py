"""GrpcLink: one bot's Play stream as a Link.

Owns the meeting of one grpc.aio stream, which lives in asyncio's world, with the trio task
that reads from it. Bytes both ways, without serialisers. Must not know messages, tokens
or servers. Source: performance.md, pitfalls 2, 9 and 14.
"""

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Coroutine
from typing import Any, cast

import outcome
import trio
from grpc import aio

from arena.referee.messages import Arrival
from arena.server.link import LinkClosed, LinkError, Received
from arena.server.runtime import GrpcRuntime
from arena.server.status import set_error

MAX_UNREAD = 16
"""Messages kept for a task that does not read; then HTTP/2's flow control holds the bot."""

PlayContext = aio.ServicerContext[bytes, bytes]


class GrpcLink:
    """One Play stream. Made by the stream's handler, which runs :meth:`start`, :meth:`serve`.

    gRPC's own coroutines, one for a read and one for a write, are stepped here, without an
    asyncio task: their only wait is for one future. So a write has begun when ``send``
    returns, and a read is never cancelled: gRPC would write into memory that is gone.
    gRPC is asked for the next message ahead of time, so that it is stamped when it comes.
    """

    __slots__ = (
        "_arrivals",
        "_context",
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
        self._unread: deque[Received] = deque()

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
            self._end.cancel()
            raise LinkClosed from error
        self._writing = writing
        written.add_done_callback(self._on_written)

    def when_idle(self, callback: Callable[[], None]) -> None:
        """Run a callback once all that has arrived is taken in."""
        self._loop.when_idle(callback)

    async def recv(self) -> Received:
        """Wait for the next message; messages read before the end are delivered first.

        Raises:
            LinkClosed: The stream is over and nothing is left to read.
        """
        if self._waiter is not None:
            raise AssertionError("two tasks read from one link")
        if self._unread:
            # No more than that: the queue is short, so a task cannot go on here for ever.
            await trio.lowlevel.checkpoint_if_cancelled()
            received = self._unread.popleft()
            self._ask()
            return received
        if self._is_over:
            raise LinkClosed
        self._ask()
        return await self._wait()

    async def deliver(self, receive: Callable[[Received], None]) -> None:
        """Call ``receive`` with every message, at once, until the stream is over.

        It saves a round of trio's scheduler a message against ``recv``. ``receive`` must not
        wait; what it raises comes out here. A cancel loses nothing.
        """
        with contextlib.suppress(LinkClosed):
            while self._unread:
                receive(await self.recv())
            if not self._is_over:
                self._ask()
                self._receive = receive
                await self._wait()

    def close(self, error: LinkError | None = None) -> None:
        """End the stream: orderly (``None``: status OK), or with an error. Idempotent."""
        if not self._end.done():
            self._end_reading()
            self._loop.run_now(self._end.set_result, error)

    async def _wait(self) -> Received:
        self._waiter = trio.lowlevel.current_task()
        return cast("Received", await trio.lowlevel.wait_task_rescheduled(self._stop_waiting))

    def _stop_waiting(self, _: Callable[[], object]) -> trio.lowlevel.Abort:
        self._waiter = self._receive = None
        return trio.lowlevel.Abort.SUCCEEDED

    def _wake(self, result: outcome.Outcome[Received]) -> None:
        waiter = self._waiter
        self._waiter = self._receive = None
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
            # Also when gRPC cancels the handler, and with it the end: the bot is gone. What
            # it said last may still be in the read under way, which comes to its end too.
            if self._reading is None:
                self._end_reading()
        if error is not None:
            set_error(self._context, error)

    def _ask(self) -> None:
        """Ask gRPC for the next message, unless it is asked already or nobody would take it.

        Never after the end: gRPC has then let go of the call, and would follow a null pointer.
        """
        is_wanted = not (self._is_over or self._end.done()) and len(self._unread) < MAX_UNREAD
        if self._reading is not None or not is_wanted:
            return
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
        earliest_ns, latest_ns = self._arrivals.earliest_ns, self._loop.event_ns
        received = Received(data, Arrival(earliest_ns=earliest_ns, latest_ns=latest_ns))
        if self._receive is not None:
            try:
                self._receive(received)
            except BaseException as error:
                if self._waiter is None:  # it closed the link first: the runtime must hear of it
                    raise
                self._wake(outcome.Error(error))
        elif self._waiter is not None:
            self._wake(outcome.Value(received))
        else:
            self._unread.append(received)
        if self._end.done():
            self._end_reading()
        else:
            self._ask()

    def _on_written(self, _: object) -> None:
        is_lost = _finish(self._writing) is aio.EOF
        self._writing = None
        if is_lost:
            self._end.cancel()
        elif self.on_idle is not None and not self._end.done():
            self.on_idle()

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
