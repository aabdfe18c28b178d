"""Strangers at the public address, and bots that send too much, over real gRPC."""

import socket
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager

import pytest
import trio

from arena.server.link import MOST_TAKEN_BYTES
from arena.server.public_listener import ListenPlan, open_public_listener
from arena.server.remote_doors import RemoteDoors
from arena.server.runtime import GrpcRuntime, open_grpc_runtime
from arena.v1 import play_pb2
from arena.wire.codec import ProtoCodec
from arena.wire.terms import FRAME_BYTES
from tests.server.clients import Client, open_client
from tests.server.conversation import Said, frame

TOKEN = "0123456789abcdef0123456789abcdef"  # noqa: S105  # opens nothing
PATIENCE_S = 20
CROWD = 300


@asynccontextmanager
async def open_address() -> AsyncIterator[tuple[GrpcRuntime, str]]:
    """Listen for one remote bot."""
    with trio.fail_after(PATIENCE_S):
        async with open_grpc_runtime() as runtime, trio.open_nursery() as nursery:
            doors = RemoteDoors(nursery, {TOKEN: "far"}, ProtoCodec(), capacity=1, server="test")
            async with open_public_listener(runtime, ListenPlan(), doors.take) as address:
                yield runtime, address
            nursery.cancel_scope.cancel()


async def join(client: Client) -> None:
    """Join, and be welcomed."""
    await client.write(frame(Said(join=play_pb2.Join(protocol_version=1, token=TOKEN))))
    data = await client.read()
    assert data is not None
    (message,) = play_pb2.PlayResponse.FromString(data).messages
    assert message.HasField("welcome")


def connect(address: str) -> socket.socket:
    """Open a bare connection."""
    host, _, port = address.rpartition(":")
    return socket.create_connection((host, int(port)), timeout=PATIENCE_S)


@pytest.mark.parametrize("size", [FRAME_BYTES + 1, MOST_TAKEN_BYTES - 64])
async def test_a_frame_above_the_limit_ends_the_session_in_words(size: int) -> None:
    """Up to 1 MiB it is the arena that says so, with its own reason."""
    async with open_address() as (runtime, address), open_client(runtime, address) as bot:
        await join(bot)
        await bot.write(bytes(size))
        assert await bot.read() is None
        code, words, reason = await bot.end()
        assert (code, reason) == ("RESOURCE_EXHAUSTED", "TOO_LARGE")
        assert str(FRAME_BYTES) in words


async def test_a_message_of_100_mb_is_refused_and_the_next_bot_gets_in() -> None:
    """By gRPC, from its length alone."""
    async with open_address() as (runtime, address):
        async with open_client(runtime, address) as rude:
            await rude.write(bytes(100_000_000))
            assert await rude.read() is None
            assert (await rude.end())[0] == "RESOURCE_EXHAUSTED"
        async with open_client(runtime, address) as bot:
            await join(bot)


async def test_garbage_and_half_open_connections_keep_nobody_out() -> None:
    """No preface, a preface without more, a preface and random bytes; then the bot joins."""
    preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
    async with open_address() as (runtime, address):
        with ExitStack() as strangers:
            for said in (b"", b"GET / HTTP/1.1\r\n\r\n", preface, preface + bytes(range(256))):
                strangers.enter_context(connect(address)).sendall(said)
            async with open_client(runtime, address) as bot:
                await join(bot)


async def test_300_connections_at_once_keep_nobody_out() -> None:
    """They say nothing, and stay; then the bot joins."""
    async with open_address() as (runtime, address):
        with ExitStack() as strangers:
            for _ in range(CROWD):
                strangers.enter_context(connect(address))
            async with open_client(runtime, address) as bot:
                await join(bot)
