"""SeatListener: one address, one stream, and the two services that tools ask for."""

import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from pathlib import Path

import grpc
import pytest
import trio
import trio.testing
from grpc import aio
from grpc_health.v1 import health_pb2

from arena.errors import ConfigError, HostFault
from arena.server import play_server
from arena.server.grpc_link import GrpcLink
from arena.server.link import MAX_FRAME_BYTES, MOST_TAKEN_BYTES, LinkClosed
from arena.server.play_server import GRACE_S
from arena.server.runtime import GrpcRuntime, open_grpc_runtime
from arena.server.seat_listener import (
    MAX_CONNECTIONS,
    MAX_FRESH,
    MAX_SOCKET_PATH_BYTES,
    SeatListener,
    open_seat_listener,
    unix_address,
)
from tests.server.clients import Client, open_channel, open_client

LOOPBACK = "127.0.0.1:0"
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
NO_SETTINGS = b"\0\0\0\x04\0\0\0\0\0"
"""The client's SETTINGS, with nothing in it, which ends the greeting."""
HEALTH = health_pb2.HealthCheckResponse


@asynccontextmanager
async def open_listener(folder: Path) -> AsyncIterator[tuple[GrpcRuntime, SeatListener]]:
    """Open a listener on a socket in ``folder``."""
    async with (
        open_grpc_runtime() as runtime,
        open_seat_listener(runtime, unix_address(folder / "s")) as listener,
    ):
        yield runtime, listener


# --- addresses ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["plain", "with a space", "città", "100%41", "a#b?c"])
async def test_any_name_of_a_socket_will_do(tmp_path: Path, name: str) -> None:
    """The file has the very name that was given, and is removed at the end."""
    path = tmp_path / name
    async with (
        open_grpc_runtime() as runtime,
        open_seat_listener(runtime, unix_address(path)) as listener,
        open_client(runtime, listener.address) as client,
    ):
        assert path.is_socket()
        await client.write(b"here")
        assert (await (await listener.accept()).recv()).data == b"here"
    assert not path.exists()


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]"])
async def test_a_loopback_port_serves_bots_that_cannot_do_unix_sockets(host: str) -> None:
    """Port 0 becomes the port that the system gave."""
    async with (
        open_grpc_runtime() as runtime,
        open_seat_listener(runtime, f"{host}:0") as listener,
        open_client(runtime, listener.address) as client,
    ):
        assert listener.address.startswith(f"{host}:")
        assert not listener.address.endswith(":0")
        await client.write(b"here")
        assert (await (await listener.accept()).recv()).data == b"here"


@pytest.mark.parametrize(
    "address", ["0.0.0.0:0", "localhost:0", "unix:relative", "unix-abstract:x", "127.0.0.1:65536"]
)
async def test_other_addresses_are_refused(address: str) -> None:
    """Nothing without a token's protection leaves this machine."""
    async with open_grpc_runtime() as runtime:
        with pytest.raises(ConfigError, match="allowed are unix:/absolute/path"):
            async with open_seat_listener(runtime, address):
                pass


def test_a_path_that_is_too_long_is_refused_with_its_length() -> None:
    """The system would cut it, or say something else."""
    longest = Path("/" + "x" * (MAX_SOCKET_PATH_BYTES - 1))
    assert unix_address(longest) == f"unix:{longest}"
    with pytest.raises(ConfigError, match=rf"may have 107 bytes, {longest}y has 108"):
        unix_address(Path(f"{longest}y"))
    with pytest.raises(ConfigError, match="has 109"):
        unix_address(Path("/" + "é" * 54))


async def test_what_the_host_refuses_is_named(tmp_path: Path) -> None:
    """A file in the way, a folder that is missing, a port that is taken."""
    (tmp_path / "taken").touch()
    async with open_grpc_runtime() as runtime:
        for address, message in (
            (unix_address(tmp_path / "taken"), "the file exists; remove it"),
            (unix_address(tmp_path / "no folder" / "s"), "the system refuses it"),
        ):
            with pytest.raises(HostFault, match=message):
                async with open_seat_listener(runtime, address):
                    pass
        async with open_seat_listener(runtime, "127.0.0.1:0") as first:
            with pytest.raises(HostFault, match=f"cannot listen at {first.address}"):
                async with open_seat_listener(runtime, first.address):
                    pass
    assert (tmp_path / "taken").exists()


# --- streams --------------------------------------------------------------------------------


async def test_a_second_stream_is_told_that_there_is_room_for_one(tmp_path: Path) -> None:
    """The first notices nothing; when it is over, nobody can open the session again."""
    async with open_listener(tmp_path) as (runtime, listener):
        async with open_client(runtime, listener.address) as first:
            link = await listener.accept()
            listener.settle(link)
            await expect_taken(runtime, listener.address)
            await first.write(b"undisturbed")
            assert (await link.recv()).data == b"undisturbed"
            link.close()
            await first.end()
        await expect_taken(runtime, listener.address)


async def expect_taken(runtime: GrpcRuntime, address: str) -> None:
    """Open one more stream and be turned away."""
    async with open_client(runtime, address) as other:
        assert await other.read() is None
        code, message, reason = await other.end()
    assert (code, reason) == ("RESOURCE_EXHAUSTED", "CAPACITY")
    assert "one Play stream, which its bot has taken" in message


@pytest.mark.parametrize("address", ["unix", "127.0.0.1:0"])
async def test_a_silent_stranger_keeps_nobody_out(tmp_path: Path, address: str) -> None:
    """Several may be about to join; once one has, the others end."""
    where = unix_address(tmp_path / "s") if address == "unix" else address
    async with (
        open_grpc_runtime() as runtime,
        open_seat_listener(runtime, where) as listener,
        open_client(runtime, listener.address) as stranger,
    ):
        with trio.fail_after(30):
            await listener.accept()  # now: which of two is handed over first is open
            async with open_client(runtime, listener.address) as bot:
                link = await listener.accept()
                await bot.write(b"join")
                assert (await link.recv()).data == b"join"
                listener.settle(link)
                assert await stranger.read() is None
                code, _, reason = await stranger.end()
                assert (code, reason) == ("RESOURCE_EXHAUSTED", "CAPACITY")
                await bot.write(b"undisturbed")
                assert (await link.recv()).data == b"undisturbed"


async def test_the_newest_of_many_streams_takes_the_place_of_the_oldest(tmp_path: Path) -> None:
    """So silent strangers, as many as may be, hold the address for no time at all."""
    async with open_listener(tmp_path) as (runtime, listener), AsyncExitStack() as streams:
        strangers, links = [], []
        with trio.fail_after(30):
            for _ in range(MAX_FRESH):  # one by one: which of two is handed over first is open
                client = await streams.enter_async_context(open_client(runtime, listener.address))
                strangers.append(client)
                links.append(await listener.accept())
            async with open_client(runtime, listener.address) as bot:
                link = await listener.accept()
                await bot.write(b"join")
                assert (await link.recv()).data == b"join"
                assert await strangers[0].read() is None
                assert (await strangers[0].end())[2] == "CAPACITY"
                assert [link.is_open for link in links] == [False] + [True] * (MAX_FRESH - 1)


async def test_a_stream_whose_place_was_taken_is_not_handed_over(tmp_path: Path) -> None:
    """Nobody greets it: more may have come than anybody has yet accepted."""
    async with open_listener(tmp_path) as (runtime, listener), AsyncExitStack() as streams:
        ended = 0

        async def see_end(client: Client) -> None:
            nonlocal ended
            await client.end()
            ended += 1
            if ended == MAX_FRESH:
                watches.cancel_scope.cancel()

        with trio.fail_after(30):
            async with trio.open_nursery() as watches:
                for _ in range(2 * MAX_FRESH):
                    client = open_client(runtime, listener.address)
                    watches.start_soon(see_end, await streams.enter_async_context(client))
            links = [await listener.accept() for _ in range(MAX_FRESH)]
        assert all(link.is_open for link in links)


async def test_a_stream_that_ended_before_it_was_accepted_is_still_handed_over(
    tmp_path: Path,
) -> None:
    """That a bot came and left is news."""
    async with open_listener(tmp_path) as (runtime, listener):
        async with open_client(runtime, listener.address) as client:
            await listener._came.wait()
            client.call.cancel()
            await client.end()
        link = await listener.accept()
        with trio.fail_after(5), pytest.raises(LinkClosed):
            await link.recv()


async def test_the_end_of_the_listener_ends_the_stream_and_a_watch(tmp_path: Path) -> None:
    """At once: what is told at the end needs no grace."""
    async with open_grpc_runtime() as runtime, AsyncExitStack() as stack:
        async with open_seat_listener(runtime, unix_address(tmp_path / "s")) as listener:
            channel = await stack.enter_async_context(open_channel(runtime, listener.address))
            client = Client(runtime, channel)
            await client.start()
            await listener.accept()

            async def start_watch() -> aio.UnaryStreamCall[
                health_pb2.HealthCheckRequest, health_pb2.HealthCheckResponse
            ]:
                watch = channel.unary_stream(
                    "/grpc.health.v1.Health/Watch",
                    request_serializer=health_pb2.HealthCheckRequest.SerializeToString,
                    response_deserializer=HEALTH.FromString,
                )
                return watch(health_pb2.HealthCheckRequest())

            watch = await runtime.loop.run(start_watch())
            assert await runtime.loop.run(watch.read()) == HEALTH(status=HEALTH.SERVING)
            before = trio.current_time()
        assert trio.current_time() - before < GRACE_S
        assert await runtime.loop.run(watch.read()) == HEALTH(status=HEALTH.NOT_SERVING)
        code, message, reason = await client.end()
        assert (code, reason) == ("UNAVAILABLE", "SHUTDOWN")
        assert message == "the arena has closed this session"


async def test_a_message_above_the_limit_ends_the_stream(tmp_path: Path) -> None:
    """Above it a message reaches the session, which can say so; far above, gRPC says it."""
    async with open_listener(tmp_path) as (runtime, listener):
        async with open_client(runtime, listener.address) as client:
            link = await listener.accept()
            await client.write(bytes(MAX_FRAME_BYTES + 1))
            assert len((await link.recv()).data) == MAX_FRAME_BYTES + 1
            await client.write(bytes(MOST_TAKEN_BYTES + 1))
            with pytest.raises(LinkClosed):
                await link.recv()
            code, message, _ = await client.end()
        assert code == "RESOURCE_EXHAUSTED"
        assert "larger than max" in message


async def test_a_bug_in_a_stream_brings_the_runtime_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By itself gRPC would print it and go on."""

    async def fail(_: GrpcLink) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(GrpcLink, "serve", fail)
    with pytest.raises(ZeroDivisionError):
        async with (
            open_listener(tmp_path) as (runtime, listener),
            open_client(runtime, listener.address),
        ):
            await trio.sleep_forever()


async def test_garbage_on_the_socket_disturbs_nobody(tmp_path: Path) -> None:
    """The next client is served as if nothing had been."""
    async with open_listener(tmp_path) as (runtime, listener):
        with socket.socket(socket.AF_UNIX) as rude:
            rude.connect(str(tmp_path / "s"))
            rude.send(b"GET / HTTP/1.1\r\n\r\n" + bytes(range(256)))
            async with open_client(runtime, listener.address) as client:
                await client.write(b"polite")
                link = await listener.accept()
                assert (await link.recv()).data == b"polite"


# --- what one bot can hold --------------------------------------------------------------------


async def test_one_bot_cannot_hold_many_connections(tmp_path: Path) -> None:
    """One too many is closed at once; when they are gone, the next is served."""
    async with open_listener(tmp_path) as (runtime, listener):
        with ExitStack() as stack:
            for number in range(MAX_CONNECTIONS + 1):
                connection = stack.enter_context(trio.socket.socket(socket.AF_UNIX))
                await connection.connect(str(tmp_path / "s"))
                with trio.fail_after(5):
                    greeting = await connection.recv(1)
                assert bool(greeting) == (number < MAX_CONNECTIONS)
        await expect_served(runtime, listener)


async def test_more_silent_connections_than_have_places_keep_no_bot_out() -> None:
    """A port is open to all of this machine: whoever connects and says nothing takes no place."""
    async with open_grpc_runtime() as runtime, open_seat_listener(runtime, LOOPBACK) as listener:
        with ExitStack() as strangers:
            for _ in range(MAX_CONNECTIONS + 1):
                strangers.enter_context(connect(listener.address))
            await expect_served(runtime, listener)


@pytest.mark.parametrize(
    "said", [PREFACE[:5], PREFACE, PREFACE + NO_SETTINGS], ids=["half", "preface", "greeted"]
)
async def test_connections_that_carry_no_stream_go_when_their_time_is_over(
    monkeypatch: pytest.MonkeyPatch, said: bytes
) -> None:
    """As many as there may be, of those that stop in their greeting and after it."""
    monkeypatch.setattr(play_server, "HANDSHAKE_MS", 500)
    monkeypatch.setattr(play_server, "IDLE_MS", 500)
    async with open_grpc_runtime() as runtime, open_seat_listener(runtime, LOOPBACK) as listener:
        with ExitStack() as strangers, trio.fail_after(20):
            crowd = [
                strangers.enter_context(connect(listener.address)) for _ in range(MAX_CONNECTIONS)
            ]
            for stranger in crowd:
                stranger.sendall(said)
            for stranger in crowd:
                stream = trio.SocketStream(trio.socket.from_stdlib_socket(stranger))
                while await stream.receive_some():
                    pass
            await expect_served(runtime, listener)


async def expect_served(runtime: GrpcRuntime, listener: SeatListener) -> None:
    """Open a stream and be heard, as soon as the server has seen that others are gone."""
    with trio.fail_after(30):
        while not await is_heard(runtime, listener):
            pass


async def is_heard(runtime: GrpcRuntime, listener: SeatListener) -> bool:
    """Open a stream; whether it was taken and not refused."""
    is_taken = False
    async with open_client(runtime, listener.address) as client, trio.open_nursery() as race:

        async def give_up() -> None:
            await client.end()
            race.cancel_scope.cancel()

        race.start_soon(give_up)
        await client.write(b"here")
        assert (await (await listener.accept()).recv()).data == b"here"
        is_taken = True
        race.cancel_scope.cancel()
    return is_taken


def connect(address: str) -> socket.socket:
    """Open a bare connection."""
    host, _, port = address.rpartition(":")
    return socket.create_connection((host, int(port)))


async def test_a_client_that_would_compress_is_refused_in_words(tmp_path: Path) -> None:
    """Its size would say something about what is hidden."""
    async with (
        open_listener(tmp_path) as (runtime, listener),
        open_channel(runtime, listener.address, grpc.Compression.Gzip) as channel,
    ):
        client = Client(runtime, channel)
        await client.start()
        assert await client.read() is None
        code, message, _ = await client.end()
    assert (code, message) == ("UNIMPLEMENTED", "Compression algorithm 'gzip' is disabled.")


def test_importing_the_server_turns_grpcs_fork_handlers_off() -> None:
    """Before grpc is there: it reads the variable once."""
    code = "import arena.server, sys, os; print('grpc' in sys.modules, os.environ[sys.argv[1]])"
    done = subprocess.run(
        [sys.executable, "-c", code, "GRPC_ENABLE_FORK_SUPPORT"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["False", "0"]
