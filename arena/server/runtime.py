"""Runtime: the one asyncio loop a process has for grpc.aio, opened and closed in order.

Owns the life of the TrioLoop and of grpc.aio's process-wide state. Must not know servers,
streams or sessions. Source: performance.md, pitfalls 3, 5 and 9.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NoReturn

import trio
from grpc import aio

from arena.server.arrivals import Arrivals, current_arrivals
from arena.server.trio_loop import TrioLoop

_IS_OPEN: trio.lowlevel.RunVar[bool] = trio.lowlevel.RunVar("arena.server.runtime is open")


class GrpcRuntime:
    """What servers and clients of grpc.aio need to live in this ``trio.run``.

    Attributes:
        loop: The asyncio loop; ``await loop.run(coroutine)`` runs asyncio code from trio.
        arrivals: The instrument of this run; ``arrivals.watch_loop()`` keeps its stalls.
    """

    __slots__ = ("_nursery", "arrivals", "loop")

    def __init__(self, loop: TrioLoop, arrivals: Arrivals, nursery: trio.Nursery) -> None:
        self.loop = loop
        self.arrivals = arrivals
        self._nursery = nursery

    def crash(self, error: BaseException) -> None:
        """Bring down everything inside ``open_grpc_runtime``: ``error`` is a bug of ours."""
        self._nursery.start_soon(_raise, error)


@asynccontextmanager
async def open_grpc_runtime() -> AsyncIterator[GrpcRuntime]:
    """Open the process's runtime for grpc.aio; at most one may be open at a time.

    Everything that uses it is opened inside and closed before it: the end of a server is
    asyncio code, which needs the loop to be still running.

    Raises:
        BaseException: What the body raises, or what a callback or stream handler raised; in a
            group only where there are several.
    """
    if _IS_OPEN.get(False):
        raise AssertionError("two runtimes at once would take each other's gRPC events")
    _IS_OPEN.set(True)
    try:
        async with trio.open_nursery() as nursery:
            loop, host = await nursery.start(_host, nursery)
            try:
                await loop.run(_start_grpc())
                try:
                    yield GrpcRuntime(loop, current_arrivals(), nursery)
                finally:
                    # The last reference: stops gRPC's poller thread and closes its sockets.
                    aio.shutdown_grpc_aio()
                    loop.run_ready()
            finally:
                host.cancel()
    except BaseExceptionGroup as group:
        if len(group.exceptions) > 1:
            raise
        raise group.exceptions[0] from None
    finally:
        _IS_OPEN.set(False)


async def _start_grpc() -> None:
    """Hold grpc.aio's state, so that it does not go down with each server and come again."""
    aio.init_grpc_aio()


async def _host(
    owner: trio.Nursery, task_status: trio.TaskStatus[tuple[TrioLoop, trio.CancelScope]]
) -> None:
    """Keep the loop's own tasks, out of reach of a cancel: servers go down while they run."""

    def crash(error: BaseException) -> None:
        owner.start_soon(_raise, error)

    with trio.CancelScope(shield=True) as scope:
        async with trio.open_nursery() as nursery:
            # The rest of asyncio's interface is left out on purpose.
            loop = TrioLoop(nursery, crash)  # type: ignore[abstract]
            try:
                task_status.started((loop, scope))
                await trio.sleep_forever()
            finally:
                loop.close()


async def _raise(error: BaseException) -> NoReturn:
    raise error
