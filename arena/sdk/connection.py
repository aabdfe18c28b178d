"""The stream to a referee elsewhere: reads, stamps the time, writes, and decides nothing.

Owns grpc.aio, and for a bot of several tables the thread in which its author's code runs, so
that reading goes on meanwhile. Must not know what the frames mean.
"""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from time import monotonic_ns
from typing import TYPE_CHECKING, Final

import grpc
import grpc.aio

from arena.sdk.lost import CLOSE_SECONDS, METHOD, WELCOME_SECONDS, SessionLost, told_end
from arena.sdk.session import Arrived, Session
from arena.v1 import play_pb2

if TYPE_CHECKING:
    from google.protobuf.message import Message

    _Call = grpc.aio.StreamStreamCall[Message, play_pb2.PlayResponse]

_MOST_WAITING: Final = 1024
"""Frames that are read ahead: one for each table that a bot may have, and more."""
_OVER: Final = "Internal error from Core"
"""What grpc.aio says of a write after the end: the status that ended the stream is lost."""
# A proxy of the environment must not come between a bot and the referee of its own machine.
_CHANNEL_OPTIONS: Final = (("grpc.enable_http_proxy", 0),)


async def converse(address: str, session: Session, *, is_busy: bool = False) -> None:
    """Open the stream, keep the session going, and return after Goodbye.

    Args:
        address: The gRPC target of the referee.
        session: What answers the frames.
        is_busy: Whether frames may come while an answer is being computed, because several
            tables are played: then reading goes on in the meantime, each question is stamped
            when it came, and what has come is answered together. A bot of one table is
            spared the two changes of thread a card.

    Raises:
        SessionLost: the stream was refused, broke, or ended without Goodbye.
        BotFailure: the author's code failed.
    """
    async with grpc.aio.insecure_channel(address, options=_CHANNEL_OPTIONS) as channel:
        call = channel.stream_stream(
            METHOD,
            request_serializer=play_pb2.PlayRequest.SerializeToString,
            response_deserializer=play_pb2.PlayResponse.FromString,
        )()
        try:
            await _welcome(call, session)
            await (_talk_and_read if is_busy else _talk)(call, session)
        except TimeoutError:
            raise SessionLost(f"{address}: no Welcome within {WELCOME_SECONDS} s") from None
        except grpc.aio.AioRpcError as error:
            raise SessionLost(_broken(address, error.code(), error.details())) from None
        except asyncio.InvalidStateError:
            # A write after the referee has ended the stream.
            code, details = await call.code(), await call.details()
            raise SessionLost(_broken(address, code, details)) from None
        if session.goodbye is None:
            code, details = await call.code(), await call.details()
            raise SessionLost(_broken(address, code, details))


async def _welcome(call: "_Call", session: Session) -> None:
    """Join, and take in the frame that answers it."""
    async with asyncio.timeout(WELCOME_SECONDS):
        await call.write(session.join())
        frame = await call.read()
    if isinstance(frame, play_pb2.PlayResponse):
        for reply in session.receive((Arrived(frame, monotonic_ns()),)):
            await call.write(reply)


async def _talk(call: "_Call", session: Session) -> None:
    """Take frames in one by one."""
    while session.goodbye is None:
        frame = await call.read()
        if not isinstance(frame, play_pb2.PlayResponse):
            return
        for reply in session.receive((Arrived(frame, monotonic_ns()),)):
            await call.write(reply)
    await _leave(call)


async def _talk_and_read(call: "_Call", session: Session) -> None:
    """Take in all frames that have come, while a thread computes and the next are read."""
    inbox: asyncio.Queue[Arrived | None] = asyncio.Queue(_MOST_WAITING)
    loop = asyncio.get_running_loop()
    with ThreadPoolExecutor(1, "bot") as thread:
        reading = asyncio.create_task(_read(call, inbox))
        try:
            while session.goodbye is None:
                frames = await _all_that_came(inbox)
                if not frames:
                    break
                replies = session.receive(frames)
                while (
                    reply := await loop.run_in_executor(thread, next, replies, None)
                ) is not None:
                    await call.write(reply)
            if session.goodbye is not None:
                await call.done_writing()
                await asyncio.wait((reading,), timeout=CLOSE_SECONDS)
            elif (error := await reading) is not None:
                raise error
        finally:
            reading.cancel()


async def _read(
    call: "_Call", inbox: "asyncio.Queue[Arrived | None]"
) -> grpc.aio.AioRpcError | None:
    """Stamp and keep every frame, None at the end; give what broke the stream, if that did."""
    error: grpc.aio.AioRpcError | None = None
    try:
        while isinstance(frame := await call.read(), play_pb2.PlayResponse):
            await inbox.put(Arrived(frame, monotonic_ns()))
    except grpc.aio.AioRpcError as broken:
        error = broken
    await inbox.put(None)
    return error


async def _all_that_came(inbox: "asyncio.Queue[Arrived | None]") -> list[Arrived]:
    """Wait for a frame and take all that are there; none at the end."""
    frames: list[Arrived] = []
    frame = await inbox.get()
    while frame is not None:
        frames.append(frame)
        if inbox.empty():
            return frames
        frame = inbox.get_nowait()
    if frames:
        inbox.put_nowait(None)  # the end, for the next call
    return frames


async def _leave(call: "_Call") -> None:
    """Half-close, and give the referee a moment to end the stream its way."""
    try:
        async with asyncio.timeout(CLOSE_SECONDS):
            await call.done_writing()
            while isinstance(await call.read(), play_pb2.PlayResponse):
                pass
    except (TimeoutError, grpc.aio.AioRpcError, asyncio.InvalidStateError):
        pass  # all has been said


def _broken(address: str, code: grpc.StatusCode, details: str | None) -> str:
    if details == _OVER:
        return f"{address}: the stream was over when the bot answered; the referee ended it"
    return told_end(address, code.name, details)
