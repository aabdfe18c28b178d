"""The runtime: opened and closed in order, as often as one likes, leaving nothing."""

import gc
import threading
from pathlib import Path

import pytest
import trio

from arena.errors import ConfigError
from arena.server.runtime import open_grpc_runtime
from arena.server.seat_listener import open_seat_listener, unix_address
from arena.server.trio_loop import TrioLoop
from tests.server.clients import open_client

ROUNDS = 30


def _open_descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


async def _exchange(address: str) -> None:
    """Open everything, pass a message both ways, close everything."""
    async with (
        open_grpc_runtime() as runtime,
        open_seat_listener(runtime, address) as listener,
        open_client(runtime, listener.address) as client,
    ):
        link = await listener.accept()
        await client.write(b"ping")
        assert (await link.recv()).data == b"ping"
        link.send(b"pong")
        assert await client.read() == b"pong"


def test_a_process_can_open_it_again_and_again(tmp_path: Path) -> None:
    """In one run of trio and in many; no descriptor and no thread of Python is left."""
    address = unix_address(tmp_path / "s")

    async def several() -> None:
        for _ in range(ROUNDS // 3):
            await _exchange(address)

    trio.run(several)
    gc.collect()
    threads, descriptors = threading.active_count(), _open_descriptors()
    trio.run(several)
    for _ in range(ROUNDS // 3):
        trio.run(_exchange, address)
    gc.collect()
    assert threading.active_count() <= threads
    assert _open_descriptors() <= descriptors


async def test_two_at_once_are_refused() -> None:
    """They would take each other's events: grpc.aio has one queue a process."""
    async with open_grpc_runtime():
        with pytest.raises(AssertionError, match="two runtimes"):
            async with open_grpc_runtime():
                pass


async def test_what_the_body_raises_comes_out_bare() -> None:
    """A user's mistake is not wrapped in a group."""
    with pytest.raises(ConfigError, match="plain words"):
        async with open_grpc_runtime():
            raise ConfigError("plain words")


async def test_several_exceptions_come_out_as_a_group() -> None:
    """None of them is lost."""

    async def crash_twice() -> None:
        async with open_grpc_runtime() as runtime:
            runtime.crash(KeyError("one"))
            runtime.crash(ValueError("two"))
            await trio.sleep_forever()

    with pytest.raises(BaseExceptionGroup) as caught:
        await crash_twice()
    assert {type(error) for error in caught.value.exceptions} == {KeyError, ValueError}


async def test_a_bug_in_the_loop_itself_hangs_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Although servers cannot be stopped then: nothing runs their asyncio code any more."""

    def fail(*_: object) -> None:
        raise ZeroDivisionError

    async def serve() -> None:
        async with (
            open_grpc_runtime() as runtime,
            open_seat_listener(runtime, unix_address(tmp_path / "s")) as listener,
        ):
            monkeypatch.setattr(TrioLoop, "_take_events", fail)
            async with open_client(runtime, listener.address):
                await trio.sleep_forever()

    with trio.fail_after(5), pytest.raises(BaseExceptionGroup) as caught:
        await serve()
    assert caught.group_contains(ZeroDivisionError)


async def test_a_cancel_from_outside_closes_it_in_order(tmp_path: Path) -> None:
    """Servers go down while the loop still runs, although everything is cancelled."""
    path = tmp_path / "s"
    with trio.move_on_after(0.05) as scope:
        async with (
            open_grpc_runtime() as runtime,
            open_seat_listener(runtime, unix_address(path)) as listener,
            open_client(runtime, listener.address),
        ):
            await listener.accept()
            await trio.sleep_forever()
    assert scope.cancelled_caught
    assert not path.exists()
