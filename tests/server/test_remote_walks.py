"""The golden walk of a bot that comes back passes over gRPC, at the public address."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trio

from arena.server.public_listener import ListenPlan, open_public_listener
from arena.server.remote_doors import RemoteDoor, RemoteDoors
from arena.server.runtime import GrpcRuntime, open_grpc_runtime
from arena.server.session import Session
from arena.wire.codec import ProtoCodec
from tests.server.clients import Client, open_client
from tests.server.test_grpc_walks import StreamSide
from tests.server.walks import Walk, read_walks, replay

WALKS = read_walks(remote=True)


class RemoteSide(StreamSide):
    """A bot's end of a stream to the public address."""

    def __init__(self, client: Client, door: RemoteDoor) -> None:
        super().__init__(client)
        self._door = door

    async def session(self) -> Session:
        """Wait for the arena's end, which outlives a stream."""
        return await self._door.joined()


class Remote:
    """Sessions of remote bots: they all come in at one address."""

    joins = True

    def __init__(self, runtime: GrpcRuntime, doors: RemoteDoors, address: str) -> None:
        self._runtime = runtime
        self._doors = doors
        self._address = address

    @asynccontextmanager
    async def open(self, token: str, capacity: int) -> AsyncIterator[RemoteSide]:  # noqa: ARG002  # the doors'
        """Open one more stream of a bot."""
        (door,) = self._doors.by_name(token)
        async with open_client(self._runtime, self._address) as client:
            yield RemoteSide(client, door)


@pytest.mark.parametrize("walk", WALKS, ids=[walk.name for walk in WALKS])
async def test_the_walk_passes_at_the_public_address(walk: Walk) -> None:
    names = {token: token for token in walk.setup["tokens"]}
    async with open_grpc_runtime() as runtime, trio.open_nursery() as nursery:
        doors = RemoteDoors(nursery, names, ProtoCodec(), capacity=1, server="0.1.0")
        async with open_public_listener(runtime, ListenPlan(), doors.take) as address:
            await replay(walk, Remote(runtime, doors, address))
        nursery.cancel_scope.cancel()


def test_there_is_such_a_walk() -> None:
    assert [walk.name for walk in WALKS] == ["09-reconnect"]
