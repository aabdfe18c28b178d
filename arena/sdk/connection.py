"""The stream to the referee: reads, stamps the time, writes, and decides nothing.

Owns grpc.aio. Must not know what the frames mean.
"""

import asyncio
from time import monotonic_ns
from typing import TYPE_CHECKING, Final

import grpc
import grpc.aio

from arena.errors import ArenaError
from arena.sdk.session import Session
from arena.v1 import play_pb2

if TYPE_CHECKING:
    from google.protobuf.message import Message

    _Call = grpc.aio.StreamStreamCall[Message, play_pb2.PlayResponse]

_METHOD: Final = "/arena.v1.RefereeService/Play"
_WELCOME_SECONDS: Final = 30
_CLOSE_SECONDS: Final = 1
_OVER: Final = "Internal error from Core"
"""What grpc.aio says of a write after the end: the status that ended the stream is lost."""
# A proxy of the environment must not come between a bot and the referee of its own machine.
_CHANNEL_OPTIONS: Final = (("grpc.enable_http_proxy", 0),)


class SessionLost(ArenaError):
    """The conversation with the referee was refused, or was over before Goodbye."""


async def converse(address: str, session: Session) -> None:
    """Open the stream, keep the session going, and return after Goodbye.

    Raises:
        SessionLost: the stream was refused, broke, or ended without Goodbye.
        BotFailure: the author's code failed.
    """
    async with grpc.aio.insecure_channel(address, options=_CHANNEL_OPTIONS) as channel:
        call = channel.stream_stream(
            _METHOD,
            request_serializer=play_pb2.PlayRequest.SerializeToString,
            response_deserializer=play_pb2.PlayResponse.FromString,
        )()
        try:
            await _talk(call, session)
        except TimeoutError:
            raise SessionLost(f"{address}: no Welcome within {_WELCOME_SECONDS} s") from None
        except grpc.aio.AioRpcError as error:
            raise SessionLost(_broken(address, error.code(), error.details())) from None
        except asyncio.InvalidStateError:
            # A write after the referee has ended the stream.
            code, details = await call.code(), await call.details()
            raise SessionLost(_broken(address, code, details)) from None
        if session.goodbye is None:
            code, details = await call.code(), await call.details()
            raise SessionLost(_broken(address, code, details))


async def _talk(call: "_Call", session: Session) -> None:
    async with asyncio.timeout(_WELCOME_SECONDS):
        await call.write(session.join())
        frame = await call.read()
    while isinstance(frame, play_pb2.PlayResponse):
        for reply in session.receive(frame, monotonic_ns()):
            await call.write(reply)
        if session.goodbye is not None:
            await _leave(call)
            return
        frame = await call.read()


async def _leave(call: "_Call") -> None:
    """Half-close, and give the referee a moment to end the stream its way."""
    try:
        async with asyncio.timeout(_CLOSE_SECONDS):
            await call.done_writing()
            while isinstance(await call.read(), play_pb2.PlayResponse):
                pass
    except (TimeoutError, grpc.aio.AioRpcError, asyncio.InvalidStateError):
        pass  # all has been said


def _broken(address: str, code: grpc.StatusCode, details: str | None) -> str:
    if details == _OVER:
        return f"{address}: the stream was over when the bot answered; the referee ended it"
    if code is grpc.StatusCode.OK:
        return f"{address}: the referee closed the stream without Goodbye"
    return f"{address}: the stream ended with {code.name}: {details or 'no details'}"
