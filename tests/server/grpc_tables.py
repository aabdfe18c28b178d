"""Tables over real gRPC with bots on the kit, all in one process and one loop.

Owns the way from a listener to a joined session, and the bots' side of it.
"""

import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import trio

from arena.sdk import Bot, Card, View
from arena.sdk.session import Arrived
from arena.sdk.session import Session as BotSession
from arena.server.admission import admit
from arena.server.runtime import GrpcRuntime
from arena.server.seat_listener import SeatListener, open_seat_listener, unix_address
from arena.server.session import Session
from arena.v1 import play_pb2
from arena.wire.codec import ProtoCodec
from arena.wire.terms import GoodbyeReason
from tests.server.clients import Client, open_client

TOKEN = "0123456789abcdef0123456789abcdef"  # noqa: S105  # opens nothing


class FirstLegal(Bot):
    """Plays the first legal card."""

    def __init__(self) -> None:
        self.plays = 0

    def play(self, view: View) -> Card:
        """Count, and play."""
        self.plays += 1
        return view.legal[0]


class AtManyTables(FirstLegal):
    """The same at 64 tables at once."""

    capacity = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatOverGrpc:
    """A joined session and the client at its other end."""

    session: Session
    client: Client


@asynccontextmanager
async def open_seat(runtime: GrpcRuntime, folder: Path, name: str) -> AsyncIterator[SeatOverGrpc]:
    """Open a listener and a client, and let the client join; the session is listened to."""
    async with (
        open_seat_listener(runtime, unix_address(folder / name)) as listener,
        open_client(runtime, listener.address) as client,
        trio.open_nursery() as nursery,
    ):
        join = play_pb2.Join(protocol_version=1, token=TOKEN)
        request = play_pb2.PlayRequest(messages=[play_pb2.BotMessage(join=join)])
        await client.write(request.SerializeToString())
        session = await _admit(listener)
        nursery.start_soon(session.run)
        welcome = await client.read()
        assert welcome is not None
        yield SeatOverGrpc(session=session, client=client)
        nursery.cancel_scope.cancel()


async def _admit(listener: SeatListener, capacity: int = 1) -> Session:
    link = await listener.accept()
    return await admit(link, ProtoCodec(), token=TOKEN, capacity=capacity, server="test")


@asynccontextmanager
async def open_kit_bots(
    runtime: GrpcRuntime, folder: Path, bots: Sequence[FirstLegal]
) -> AsyncIterator[list[Session]]:
    """Let bots join; at the end they are told goodbye and have ended their streams."""
    async with AsyncExitStack() as doors:
        listeners = [
            await doors.enter_async_context(
                open_seat_listener(runtime, unix_address(folder / str(number)))
            )
            for number in range(len(bots))
        ]
        async with trio.open_nursery() as playing:
            for listener, bot in zip(listeners, bots, strict=True):
                playing.start_soon(play, runtime, listener.address, bot)
            sessions = [
                await _admit(listener, bot.capacity)
                for listener, bot in zip(listeners, bots, strict=True)
            ]
            for session in sessions:
                playing.start_soon(session.run)
            yield sessions
            for session in sessions:
                session.say_goodbye(GoodbyeReason.FINISHED, 1_000)


async def play(runtime: GrpcRuntime, address: str, bot: Bot) -> None:
    """Play one session to its end."""
    session = BotSession(bot, TOKEN)
    async with open_client(runtime, address) as client:
        await _write_all(client, [session.join()])
        while (data := await client.read()) is not None:
            frame = play_pb2.PlayResponse.FromString(data)
            await _write_all(client, list(session.receive([Arrived(frame, time.monotonic_ns())])))
        assert session.goodbye is not None
        assert (await client.end())[0] == "OK"


async def _write_all(client: Client, frames: Sequence[play_pb2.PlayRequest]) -> None:
    for frame in frames:
        await client.write(frame.SerializeToString())
