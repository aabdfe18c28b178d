"""Strangers at the public address, and bots that send too much, over real gRPC."""

import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager

import pytest
import trio

from arena.server import remote_doors
from arena.server.link import MOST_TAKEN_BYTES
from arena.server.outgoing import MAX_QUEUED
from arena.server.public_listener import MAX_CONNECTIONS, ListenPlan, open_public_listener
from arena.server.remote_doors import MAX_FRESH, RemoteDoors
from arena.server.runtime import GrpcRuntime, open_grpc_runtime
from arena.v1 import play_pb2
from arena.wire.codec import ProtoCodec
from arena.wire.terms import FRAME_BYTES, GoodbyeReason
from tests.server.clients import Client, open_client
from tests.server.conversation import Said, frame

TOKEN = "0123456789abcdef0123456789abcdef"  # noqa: S105  # opens nothing
OTHER_TOKEN = TOKEN[::-1]
PATIENCE_S = 20
MOST_IN_FLIGHT = 16 << 20
"""Bytes that may have left for a bot that does not read: HTTP/2's window, which lies with the
bot, grows to some MiB on loopback."""


@asynccontextmanager
async def open_address(
    doors_opened: "list[RemoteDoors] | None" = None,
) -> AsyncIterator[tuple[GrpcRuntime, str]]:
    """Listen for two remote bots; the doors go into the list."""
    with trio.fail_after(PATIENCE_S):
        async with open_grpc_runtime() as runtime, trio.open_nursery() as nursery:
            names = {TOKEN: "far", OTHER_TOKEN: "away"}
            doors = RemoteDoors(nursery, names, ProtoCodec(), capacity=1, server="test")
            if doors_opened is not None:
                doors_opened.append(doors)
            async with open_public_listener(runtime, ListenPlan(), doors.take) as address:
                yield runtime, address
            nursery.cancel_scope.cancel()


async def join(client: Client, token: str = TOKEN) -> None:
    """Join, and be welcomed."""
    await client.write(frame(Said(join=play_pb2.Join(protocol_version=1, token=token))))
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


async def test_more_silent_connections_than_have_places_keep_nobody_out() -> None:
    """They say nothing, and stay; then the bot joins."""
    async with open_address() as (runtime, address):
        with ExitStack() as strangers:
            for _ in range(MAX_CONNECTIONS + 1):
                strangers.enter_context(connect(address))
            async with open_client(runtime, address) as bot:
                await join(bot)


async def test_as_many_silent_streams_as_may_be_keep_nobody_out() -> None:
    """The newest has the place of the oldest, which is told so."""
    async with open_address() as (runtime, address), AsyncExitStack() as stack:
        strangers = [
            await stack.enter_async_context(open_client(runtime, address)) for _ in range(MAX_FRESH)
        ]
        async with open_client(runtime, address) as bot:
            await join(bot)
            assert await strangers[0].read() is None
            code, words, reason = await strangers[0].end()
            assert (code, reason) == ("RESOURCE_EXHAUSTED", "CAPACITY")
            assert "have said no Join" in words


async def test_a_stream_that_says_nothing_is_shown_out_when_its_time_is_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With its reason; so is one that says half a message, which gRPC never hands over."""
    monkeypatch.setattr(remote_doors, "HANDSHAKE_S", 0.2)
    async with open_address() as (runtime, address), open_client(runtime, address) as silent:
        before = trio.current_time()
        assert await silent.read() is None
        assert (await silent.end())[0::2] == ("DEADLINE_EXCEEDED", "NOT_JOINED")
        assert 0.2 <= trio.current_time() - before < 2


async def test_a_bot_that_reads_nothing_ends_and_costs_a_bounded_memory() -> None:
    """Its stream ends with the reason once so much waits; the other bot notices nothing."""
    opened: list[RemoteDoors] = []
    async with open_address(opened) as (runtime, address), AsyncExitStack() as stack:
        deaf = await stack.enter_async_context(open_client(runtime, address))
        other = await stack.enter_async_context(open_client(runtime, address))
        await join(deaf)
        await join(other, OTHER_TOKEN)
        session = opened[0].by_name("far")[0].session
        assert session is not None
        words = "x" * 16_000
        sent = 0
        while not session.is_lost:
            sent += 1
            rejected = play_pb2.Rejected(message=words)
            session.queue(play_pb2.RefereeMessage(rejected=rejected))
            session.flush()
            assert sent < 2 * MAX_QUEUED, "it ends"
            await trio.lowlevel.checkpoint()
        assert session.tally.bytes_out < MOST_IN_FLIGHT
        near = opened[0].by_name("away")[0].session
        assert near is not None
        near.say_goodbye(GoodbyeReason.FINISHED, 0)
        assert await other.read() is not None
        assert (await other.end())[0] == "OK"
        while await deaf.read() is not None:
            pass
        assert (await deaf.end())[0::2] == ("RESOURCE_EXHAUSTED", "TOO_MANY_MESSAGES")
