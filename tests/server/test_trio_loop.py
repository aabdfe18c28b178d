"""TrioLoop: asyncio's promises, kept inside trio."""

import asyncio
import contextlib
import gc
import socket
import threading
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing

from arena.server import runtime as runtime_module
from arena.server.runtime import open_grpc_runtime
from arena.server.seat_listener import open_seat_listener, unix_address
from arena.server.trio_loop import TrioLoop
from tests.server.clients import open_client

ASKED_BY_GRPC = {
    "add_reader",
    "call_at",
    "call_later",
    "call_soon",
    "call_soon_threadsafe",
    "close",
    "create_future",
    "create_task",
    "get_debug",
    "is_closed",
    "is_running",
    "remove_reader",
    "time",
}
"""Every method of asyncio's loop that grpc.aio, Task, Future and wait_for call on ours."""


async def test_grpc_asks_for_no_other_method_of_the_loop(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A release of grpcio that asks for more fails here, before a match does."""
    offered = {name for name in dir(asyncio.AbstractEventLoop) if not name.startswith("_")}
    asked: set[str] = set()

    class Listening(TrioLoop):
        def __getattribute__(self, name: str) -> Any:
            if name in offered:
                asked.add(name)
            return super().__getattribute__(name)

    monkeypatch.setattr(runtime_module, "TrioLoop", Listening)
    async with (
        open_grpc_runtime() as runtime,
        open_seat_listener(runtime, unix_address(tmp_path / "s")) as listener,
        open_client(runtime, listener.address) as client,
    ):
        link = await listener.accept()
        await client.write(b"one")
        await link.recv()
        link.send(b"two")
        assert await client.read() == b"two"
        client.call.cancel()
        await client.end()
    assert asked >= {"add_reader", "call_soon", "create_future", "create_task"}
    assert asked <= ASKED_BY_GRPC


async def test_every_other_method_raises_not_implemented() -> None:
    """What grpc.aio does not need is not there, and says so."""
    offered = {name for name in dir(asyncio.AbstractEventLoop) if not name.startswith("_")}
    async with open_grpc_runtime() as runtime:
        for name in offered - ASKED_BY_GRPC - {"call_exception_handler"}:
            assert getattr(TrioLoop, name) is getattr(asyncio.AbstractEventLoop, name), name
        with pytest.raises(NotImplementedError):
            runtime.loop.run_forever()


async def test_callbacks_run_in_order_and_in_trios_thread() -> None:
    """What trio code puts in is run soon, even if nothing else happens."""
    seen: list[tuple[int, int]] = []
    async with open_grpc_runtime() as runtime:
        for number in range(3):
            runtime.loop.call_soon(lambda n: seen.append((n, threading.get_ident())), number)
        cancelled = runtime.loop.call_soon(seen.append, (9, 9))
        cancelled.cancel()
        assert seen == []
        await trio.testing.wait_all_tasks_blocked()
    assert seen == [(number, threading.get_ident()) for number in range(3)]


async def test_timers_fire_in_order_of_time_unless_cancelled() -> None:
    """A cancelled timer leaves no task behind either."""
    fired: list[str] = []
    both = trio.Event()

    def fire(name: str) -> None:
        fired.append(name)
        if len(fired) == 2:
            both.set()

    async with open_grpc_runtime() as runtime:
        tasks = len(_tasks_of_loop())
        runtime.loop.call_later(0.02, fire, "late")
        runtime.loop.call_later(0.01, fire, "early")
        runtime.loop.call_later(0.005, fire, "never").cancel()
        with trio.fail_after(2):
            await both.wait()
        await trio.testing.wait_all_tasks_blocked()
        assert len(_tasks_of_loop()) == tasks
    assert fired == ["early", "late"]


def _tasks_of_loop() -> list[trio.lowlevel.Task]:
    """List all of trio's tasks below the current one's oldest parent."""
    root = trio.lowlevel.current_root_task()
    assert root is not None
    found = [root]
    for task in found:
        found += [child for nursery in task.child_nurseries for child in nursery.child_tasks]
    return found


async def test_another_thread_can_put_a_callback_in() -> None:
    """It runs in trio's thread."""
    ran = trio.Event()
    async with open_grpc_runtime() as runtime:
        thread = threading.Thread(target=runtime.loop.call_soon_threadsafe, args=(ran.set,))
        thread.start()
        with trio.fail_after(2):
            await ran.wait()
        thread.join()


def test_a_callback_from_a_run_that_is_over_is_swallowed() -> None:
    """grpc.aio's queue may still hold an event of an earlier loop: nothing happens."""
    seen: list[str] = []

    async def main() -> TrioLoop:
        async with open_grpc_runtime() as runtime:
            return runtime.loop

    async def late(loop: TrioLoop) -> None:
        loop.call_soon_threadsafe(seen.append, "too late")
        await trio.testing.wait_all_tasks_blocked()

    loop = trio.run(main)
    loop.call_soon_threadsafe(seen.append, "too late")
    trio.run(late, loop)
    assert loop.is_closed()
    assert seen == []


async def test_run_gives_results_and_exceptions() -> None:
    """An asyncio coroutine is awaited like a trio one."""

    async def answer() -> int:
        await asyncio.sleep(0)
        return 42

    async def fail() -> None:
        raise KeyError("mine")

    async with open_grpc_runtime() as runtime:
        assert await runtime.loop.run(answer()) == 42
        with pytest.raises(KeyError, match="mine"):
            await runtime.loop.run(fail())


async def test_a_cancel_of_trio_cancels_the_coroutine_and_waits_for_its_end() -> None:
    """Clean-up written for asyncio is done before trio goes on."""
    steps: list[str] = []

    async def stubborn() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            await asyncio.sleep(0)
            steps.append("cleaned up")
            raise

    async with open_grpc_runtime() as runtime:
        with trio.move_on_after(0.01) as scope:
            await runtime.loop.run(stubborn())
        steps.append("went on")
    assert scope.cancelled_caught
    assert steps == ["cleaned up", "went on"]


async def test_a_coroutine_that_refuses_its_cancel_gives_its_result() -> None:
    """As with trio's own: the cancel is not delivered, the value is."""

    async def refuse() -> str:
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        return "done all the same"

    async with open_grpc_runtime() as runtime:
        with trio.move_on_after(0.01):
            assert await runtime.loop.run(refuse()) == "done all the same"


async def test_asyncios_own_tools_work() -> None:
    """wait_for, shield, gather, Lock and Condition are what grpc.aio is made of."""

    async def main() -> list[str]:
        lock, condition, said = asyncio.Lock(), asyncio.Condition(), list[str]()

        async def waiter(name: str) -> None:
            async with condition:
                await condition.wait()
            async with lock:
                said.append(name)

        async def caller() -> None:
            async with condition:
                condition.notify_all()

        await asyncio.gather(waiter("a"), waiter("b"), caller())
        try:
            await asyncio.wait_for(asyncio.shield(asyncio.Event().wait()), 0.01)
        except TimeoutError:
            said.append("timed out")
        return said

    async with open_grpc_runtime() as runtime:
        assert await runtime.loop.run(main()) == ["a", "b", "timed out"]
        for task in asyncio.all_tasks(runtime.loop):
            task.cancel()  # what shield has left
        await trio.testing.wait_all_tasks_blocked()


async def test_a_reader_is_called_while_there_is_something_to_read() -> None:
    """And no more once it is removed."""
    ours, theirs = socket.socketpair()
    read = trio.Event()
    with ours, theirs:
        async with open_grpc_runtime() as runtime:
            runtime.loop.add_reader(ours, lambda: (ours.recv(1), read.set()))
            theirs.send(b"x")
            with trio.fail_after(2):
                await read.wait()
            assert runtime.loop.remove_reader(ours)
            assert not runtime.loop.remove_reader(ours)
            theirs.send(b"y")
            await trio.testing.wait_all_tasks_blocked()
            assert ours.recv(1) == b"y"


async def test_a_reader_that_brings_much_is_called_until_there_is_no_more() -> None:
    """In one go: gRPC's socket has a byte for each event, and would wake the loop for each."""
    ours, theirs = socket.socketpair()
    steps: list[str] = []
    with ours, theirs:
        async with open_grpc_runtime() as runtime:

            def read() -> None:
                ours.recv(1)
                steps.append("read")
                if len(steps) == 1:
                    for _ in range(2):
                        runtime.loop.call_soon(steps.append, "what it brought")

            theirs.send(b"123")
            runtime.loop.add_reader(ours, read)
            await trio.testing.wait_all_tasks_blocked()
            runtime.loop.remove_reader(ours)
    assert steps == ["read", "read", "read", "what it brought", "what it brought"]


async def test_a_bug_in_a_callback_brings_the_runtime_down() -> None:
    """By itself asyncio would only print it."""

    async def divide() -> None:
        async with open_grpc_runtime() as runtime:
            runtime.loop.call_soon(lambda: 1 // 0)
            await trio.sleep_forever()

    with pytest.raises(ZeroDivisionError):
        await divide()


async def test_an_exception_that_nobody_takes_brings_the_runtime_down() -> None:
    """Also one that asyncio reports only when the task is collected."""

    async def fail() -> None:
        raise ZeroDivisionError

    async def lose_a_task() -> None:
        async with open_grpc_runtime() as runtime:
            runtime.loop.create_task(fail())
            await trio.testing.wait_all_tasks_blocked()
            gc.collect()
            await trio.sleep_forever()

    with pytest.raises(ZeroDivisionError):
        await lose_a_task()


async def test_a_closed_loop_runs_nothing() -> None:
    """Whoever still asks is told so, instead of waiting for ever."""

    async def nothing() -> None:
        raise AssertionError("never run")

    async with open_grpc_runtime() as runtime:
        loop = runtime.loop
    with pytest.raises(AssertionError, match="closed"):
        await loop.run(nothing())


class _Waits(trio.abc.Instrument):
    """Counts trio's waits for input and output."""

    def __init__(self) -> None:
        self.count = 0

    def before_io_wait(self, timeout: float) -> None:  # noqa: ARG002  # trio's signature
        self.count += 1


async def test_events_that_are_there_already_are_taken_in_one_round() -> None:
    waits = _Waits()
    rounds: list[int] = []
    ours, theirs = socket.socketpair()
    with ours, theirs:
        async with open_grpc_runtime() as runtime:

            def read() -> None:
                ours.recv(1)
                rounds.append(waits.count)

            theirs.send(b"123")
            runtime.loop.add_reader(ours, read)
            trio.lowlevel.add_instrument(waits)
            with trio.fail_after(5):
                while len(rounds) < 3:
                    await trio.lowlevel.checkpoint()
            runtime.loop.remove_reader(ours)
    assert len(set(rounds)) == 1


async def test_what_waits_for_idleness_runs_after_all_that_was_ready() -> None:
    """So answers that came together leave together; and nothing waits for ever."""
    order: list[str] = []
    async with open_grpc_runtime() as runtime:

        def at_once() -> None:
            runtime.loop.when_idle(lambda: order.append("idle"))
            runtime.loop.call_soon(order.append, "ready")

        runtime.loop.run_now(at_once)
        assert order == ["ready"]
        with trio.fail_after(5):
            while len(order) < 2:
                await trio.lowlevel.checkpoint()
    assert order == ["ready", "idle"]
