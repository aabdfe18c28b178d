"""TrioLoop: the small part of asyncio's event loop that grpc.aio runs on, inside trio.

Owns the running of asyncio callbacks in trio's thread: one thread, no locks. Must not know
gRPC's servers and streams, sessions, or messages. It leans on two private details of
asyncio, ``_set_running_loop`` and ``Handle._run``; whatever is not written here raises
NotImplementedError. Source: performance.md, "How grpcio and trio meet".
"""

import asyncio
import contextlib
import select
from asyncio.events import _set_running_loop
from collections import deque
from collections.abc import Callable, Coroutine, Generator
from contextvars import Context
from typing import Any, Final, NoReturn, TypeVar, TypeVarTuple

import outcome
import trio

from arena.server.arrivals import now_ns

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


GATHER_NS: Final = 500_000
"""How long events are taken in before what waits for idleness runs all the same."""


class TrioLoop(asyncio.AbstractEventLoop):
    """An asyncio loop whose callbacks run in trio's thread, between the steps of trio's tasks.

    Timers, readers and the pump are tasks of ``nursery``; ``crash`` is told, in trio's
    thread, of every exception that no asyncio task took.

    Attributes:
        event_ns: When the callback of the last event ran (``now_ns``); what it set off runs
            after it, one by one.
    """

    def __init__(self, nursery: trio.Nursery, crash: Callable[[BaseException], None]) -> None:
        self._nursery = nursery
        self._crash = crash
        self._token = trio.lowlevel.current_trio_token()
        self._ready: deque[asyncio.Handle] = deque()
        self._readers: dict[Any, asyncio.Handle] = {}
        self._timers: dict[asyncio.TimerHandle, trio.CancelScope] = {}
        self._runs: set[asyncio.Task[Any]] = set()
        self._is_running_callbacks = False
        self._is_closed = False
        self._kick = trio.Event()
        self.event_ns = now_ns()
        self._idle: list[Callable[[], object]] = []
        self._is_taking_events = False
        nursery.start_soon(self._pump)

    # --- what asyncio's Task, Future and wait ask of a loop -----------------------------

    def time(self) -> float:
        """Return trio's time in seconds."""
        return trio.current_time()

    def get_debug(self) -> bool:
        """Return False: asyncio's debug mode is not offered."""
        return False

    def is_running(self) -> bool:
        """Tell whether callbacks are still run."""
        return not self._is_closed

    def is_closed(self) -> bool:
        """Tell whether ``close`` was called."""
        return self._is_closed

    def create_future(self) -> asyncio.Future[Any]:
        """Make a future of this loop."""
        return asyncio.Future(loop=self)

    def create_task(
        self,
        coro: Generator[Any, None, T] | Coroutine[Any, Any, T],
        *,
        name: str | None = None,
        context: Context | None = None,
        **newer: Any,
    ) -> asyncio.Task[T]:
        """Make a task of this loop; its first step runs with the next callbacks.

        ``newer`` is what later Pythons pass on to Task (``eager_start`` from 3.13 on).
        """
        return asyncio.Task(coro, loop=self, name=name, context=context, **newer)

    def call_soon(
        self, callback: Callable[[*Ts], object], *args: *Ts, context: Context | None = None
    ) -> asyncio.Handle:
        """Run a callback with the next batch of callbacks."""
        handle = asyncio.Handle(callback, args, self, context)
        self._ready.append(handle)
        if not self._is_running_callbacks:
            self._kick.set()
        return handle

    def call_soon_threadsafe(
        self, callback: Callable[[*Ts], object], *args: *Ts, context: Context | None = None
    ) -> asyncio.Handle:
        """Run a callback soon, from any thread; dropped if trio's run is over.

        grpc.aio has one completion queue a process: it may still hold an event of a loop
        whose ``trio.run`` has ended, and hands it over while another loop runs.
        """
        handle = asyncio.Handle(callback, args, self, context)
        with contextlib.suppress(trio.RunFinishedError):
            self._token.run_sync_soon(self._run_soon, handle)
        return handle

    def call_later(
        self,
        delay: float,
        callback: Callable[[*Ts], object],
        *args: *Ts,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        """Run a callback ``delay`` seconds from now."""
        return self.call_at(self.time() + delay, callback, *args, context=context)

    def call_at(
        self,
        when: float,
        callback: Callable[[*Ts], object],
        *args: *Ts,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        """Run a callback at ``when``, in seconds of ``time``."""
        handle = asyncio.TimerHandle(when, callback, args, self, context)
        scope = self._timers[handle] = trio.CancelScope()
        self._nursery.start_soon(self._wait_for_timer, handle, scope)
        return handle

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        scope = self._timers.pop(handle, None)
        if scope is not None:
            scope.cancel()

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        """Tell the owner of a bug in a callback; without it, asyncio only prints one.

        It may come from any thread: a lost task's exception is reported when the garbage
        collector finds the task.
        """
        error = context.get("exception") or RuntimeError(context["message"])
        if not self._is_closed:
            with contextlib.suppress(trio.RunFinishedError):
                self._token.run_sync_soon(self._crash, error)

    # --- what grpc.aio asks for besides: one socket, to which its poller thread writes ----

    def add_reader(self, fd: Any, callback: Callable[[*Ts], Any], *args: *Ts) -> None:
        """Run a callback whenever ``fd``, a descriptor or socket, can be read."""
        self.remove_reader(fd)
        handle = self._readers[fd] = asyncio.Handle(callback, args, self)
        poll = select.poll()
        poll.register(fd, select.POLLIN)
        self._nursery.start_soon(self._wait_for_reader, fd, handle, poll)

    def remove_reader(self, fd: Any) -> bool:
        """Stop watching ``fd``, which may be closed at once; tell whether it was watched."""
        handle = self._readers.pop(fd, None)
        if handle is None:
            return False
        handle.cancel()
        trio.lowlevel.notify_closing(fd)
        return True

    # --- trio's side ------------------------------------------------------------------------

    @trio.lowlevel.enable_ki_protection
    def run_now(self, callback: Callable[[*Ts], object], *args: *Ts) -> None:
        """Run a callback inside the loop, and then all callbacks that are ready.

        Inside a callback, what is ready runs when that callback returns. Never call it
        between registering a task for a wake-up and its going to sleep: the wake-up would
        come first, and be lost.
        """
        if self._is_running_callbacks:
            callback(*args)
            return
        ready = self._ready
        self._is_running_callbacks = True
        _set_running_loop(self)
        try:
            callback(*args)
            while ready:
                handle = ready.popleft()
                if not handle.cancelled():
                    handle._run()  # noqa: SLF001  # there is no public way to run a Handle
        finally:
            _set_running_loop(None)
            self._is_running_callbacks = False

    def run_ready(self) -> None:
        """Run all callbacks that are ready."""
        self.run_now(_nothing)

    async def run(self, coro: Coroutine[Any, Any, T]) -> T:
        """Await an asyncio coroutine from a trio task.

        Cancelling the trio task cancels the coroutine and waits for its end.

        Raises:
            Exception: Whatever the coroutine raises.
        """
        if self._is_closed:
            coro.close()
            raise AssertionError("the asyncio loop is closed")
        waiter = trio.lowlevel.current_task()
        raise_cancel: Callable[[], NoReturn] | None = None
        # No run_ready here: the first step is the pump's, after this task has gone to sleep.
        task = self.create_task(coro)
        self._runs.add(task)

        def wake(_: asyncio.Task[T]) -> None:
            self._runs.discard(task)
            trio.lowlevel.reschedule(waiter, self._outcome(task, raise_cancel))

        def abort(raise_it: Callable[[], NoReturn]) -> trio.lowlevel.Abort:
            nonlocal raise_cancel
            raise_cancel = raise_it
            task.cancel()
            return trio.lowlevel.Abort.FAILED

        task.add_done_callback(wake)
        result: T = await trio.lowlevel.wait_task_rescheduled(abort)
        return result

    def close(self) -> None:
        """Stop watching, and give back whoever still waits in :meth:`run`.

        What comes late, from another thread or ``trio.run``, is dropped.
        """
        self._is_closed = True
        for task in tuple(self._runs):
            task.cancel()
        self.run_ready()
        for fd in tuple(self._readers):
            self.remove_reader(fd)
        for handle in tuple(self._timers):
            handle.cancel()

    @staticmethod
    def _outcome(
        task: asyncio.Task[T], raise_cancel: Callable[[], NoReturn] | None
    ) -> outcome.Outcome[T]:
        if task.cancelled():
            if raise_cancel is None:
                return outcome.Error(AssertionError("the asyncio loop has ended under a task"))
            return outcome.capture(raise_cancel)
        error = task.exception()
        return outcome.Value(task.result()) if error is None else outcome.Error(error)

    def _run_soon(self, handle: asyncio.Handle) -> None:
        if not self._is_closed:
            self.run_now(self._ready.append, handle)

    async def _pump(self) -> None:
        """Run what trio's tasks put in with ``call_soon`` without running it themselves."""
        while True:
            await self._kick.wait()
            self._kick = trio.Event()
            self.run_ready()

    async def _wait_for_timer(self, handle: asyncio.TimerHandle, scope: trio.CancelScope) -> None:
        with scope:
            await trio.sleep_until(handle.when())
            if self._timers.pop(handle, None) is not None:
                self.run_now(self._ready.append, handle)

    async def _wait_for_reader(self, fd: Any, handle: asyncio.Handle, poll: select.poll) -> None:
        with contextlib.suppress(trio.ClosedResourceError):
            while not handle.cancelled():
                await trio.lowlevel.wait_readable(fd)
                self._is_taking_events = True
                try:
                    self.run_now(self._take_events, handle, poll)
                    patience_ns = now_ns() + GATHER_NS
                    # Whatever is there already needs no round of trio's scheduler of its own.
                    while poll.poll(0) and now_ns() < patience_ns:
                        self.run_now(self._take_events, handle, poll)
                finally:
                    self._is_taking_events = False
                self._run_idle()

    def when_idle(self, callback: Callable[[], object]) -> None:
        """Run a callback once no event waits any more, but within about a millisecond."""
        self._idle.append(callback)
        if not self._is_taking_events:
            self._nursery.start_soon(self._run_idle_soon)

    async def _run_idle_soon(self) -> None:
        self._run_idle()

    def _run_idle(self) -> None:
        while self._idle:
            self.run_now(self._idle.pop())

    def _take_events(self, handle: asyncio.Handle, poll: select.poll) -> None:
        """Call a reader, and again while there is more, where its first call brought much.

        gRPC writes one byte an event, and its reader takes one byte and all events: under
        load nine wake-ups in ten would find nothing, each for a round of trio's scheduler.
        """
        ready_before = len(self._ready)
        if not handle.cancelled():
            handle._run()  # noqa: SLF001  # as above
        if len(self._ready) - ready_before > 1:
            while not handle.cancelled() and poll.poll(0):
                handle._run()  # noqa: SLF001  # as above
        self.event_ns = now_ns()


def _nothing() -> None:
    """Stand for the callback of a batch that has none of its own."""
