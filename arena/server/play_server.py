"""PlayServer: a gRPC server with Play, health and reflection, and nothing else.

Owns the server behind one address, from its start to its end: its methods, the streams of
Play, and what connections may take of it. Must not know whose the address is, tokens,
messages or tables. Source: protocol.md, "Services" and "Rules of the wire" 6;
performance.md, pitfalls 4, 5, 8, 13; requirements.md P, S.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

import grpc
import trio
from grpc import aio

from arena.errors import HostFault
from arena.server.grpc_link import GrpcLink, PlayContext
from arena.server.link import MOST_TAKEN_BYTES, LinkError
from arena.server.runtime import GrpcRuntime
from arena.server.side_services import PLAY_SERVICE, SideServices
from arena.server.silent_connections import leave_silent_outside
from arena.server.status import set_error

PLAY_METHOD: Final = f"/{PLAY_SERVICE}/Play"
"""The one method that bots play through."""
GRACE_S: Final = 0.2
"""How long the end of a server waits for streams whose end the bot has not taken yet."""
HANDSHAKE_MS: Final = 5_000
"""How long a connection may take to be one of gRPC, TLS included."""
IDLE_MS: Final = 10_000
"""How long a connection may carry no stream; a bot that opens one late connects again."""
UNIX: Final = "unix:"
"""What the address of a Unix socket begins with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerBounds:
    """What whoever connects may take of one server."""

    connections: int
    """At once; one more is closed at once."""
    streams: int
    """At once, strangers' included; one more is refused."""
    side_streams: int
    """Watches and reflections among them."""
    keepalive: tuple[tuple[str, int], ...] = ()
    """gRPC's options by which a death is noticed that does not show by itself."""

    def options(self) -> tuple[tuple[str, int], ...]:
        """Give gRPC's options for such a server."""
        return (
            # Above the limit, so that the session can say in words what was too large.
            ("grpc.max_receive_message_length", MOST_TAKEN_BYTES),
            # Else a second server takes the same port without a word, and half of the streams.
            ("grpc.so_reuseport", 0),
            # None: sizes of compressed messages would mix hidden and public parts.
            ("grpc.compression_enabled_algorithms_bitset", 1),
            # What one bot can hold: Play, a health watch, reflection, and room to come again.
            ("grpc.max_concurrent_streams", 8),
            ("grpc.max_allowed_incoming_connections", self.connections),
            ("grpc.server_handshake_timeout_ms", HANDSHAKE_MS),
            ("grpc.max_connection_idle_ms", IDLE_MS),
            *self.keepalive,
        )


class PlayStreams:
    """The streams of Play at one server.

    Args:
        runtime: The process's runtime.
        take: Is given each stream that begins, in trio's thread.
        forget: Is given it again when it is over.
        closing: How streams end that live when the server ends.

    Attributes:
        refusal: How a stream ends that comes now; None: it is taken.
    """

    def __init__(
        self,
        runtime: GrpcRuntime,
        take: Callable[[GrpcLink], None],
        forget: Callable[[GrpcLink], None],
        closing: LinkError,
    ) -> None:
        self.refusal: LinkError | None = None
        self._runtime = runtime
        self._take = take
        self._forget = forget
        self._closing = closing
        self._live: set[GrpcLink] = set()

    async def play(self, _requests: object, context: PlayContext) -> None:
        """Handle one stream, in asyncio's world."""
        if self.refusal is not None:
            set_error(context, self.refusal)
            return
        link = GrpcLink(self._runtime, context)
        self._live.add(link)
        try:
            await link.start()
            self._offer(link)
            await link.serve()
        except aio.BaseError:
            return  # the bot is gone before its stream has begun
        except Exception as error:  # noqa: BLE001  # gRPC would only print it
            self._runtime.crash(error)
        finally:
            self._live.discard(link)
            self._forget(link)

    def close(self) -> None:
        """Take no more streams and end those that live."""
        self.refusal = self._closing
        for link in list(self._live):
            link.close(self._closing)

    def _offer(self, link: GrpcLink) -> None:
        """Hand a stream over, unless by now none is taken any more."""
        if self.refusal is None:
            self._take(link)
        else:
            link.close(self.refusal)


class _Methods(grpc.GenericRpcHandler):
    """The methods of one server; every other is UNIMPLEMENTED."""

    def __init__(self, streams: PlayStreams, side: SideServices) -> None:
        self._handlers = {
            # No serialisers: bytes in, bytes out.
            PLAY_METHOD: grpc.stream_stream_rpc_method_handler(streams.play),
            **side.handlers,
        }

    def service(
        self, handler_call_details: grpc.HandlerCallDetails
    ) -> "grpc.RpcMethodHandler[bytes, bytes] | None":
        return self._handlers.get(handler_call_details.method)


@asynccontextmanager
async def open_play_server(
    runtime: GrpcRuntime,
    address: str,
    streams: PlayStreams,
    bounds: ServerBounds,
    *,
    doubts: str,
    credentials: grpc.ServerCredentials | None = None,
) -> AsyncIterator[str]:
    """Serve Play for as long as the context is open; yields the address, with its port.

    Args:
        runtime: The process's runtime.
        address: A gRPC target: ``unix:/path``, or ``HOST:PORT``, where port 0 is any free one.
        streams: What takes the streams.
        bounds: What whoever connects may take.
        doubts: What may be the reason where the system refuses the address.
        credentials: Those of TLS, if any.

    Raises:
        HostFault: This machine refuses the address.
    """
    side = SideServices(runtime.loop, most=bounds.side_streams)

    async def start() -> tuple[aio.Server, int]:
        server = aio.server(
            handlers=(_Methods(streams, side),),
            options=bounds.options(),
            maximum_concurrent_rpcs=bounds.streams,
        )
        try:
            if credentials is None:
                port = server.add_insecure_port(address)
            else:
                port = server.add_secure_port(address, credentials)
        except RuntimeError as error:
            raise HostFault(
                f"cannot listen at {address}: the system refuses it ({doubts}?)"
            ) from error
        await server.start()
        return server, port

    server, port = await runtime.loop.run(start())
    try:
        if not address.startswith(UNIX):
            address = f"{address.rpartition(':')[0]}:{port}"
            # In a thread: it looks at all that is open here, while others may be thinking.
            await trio.to_thread.run_sync(leave_silent_outside, port)
        yield address
    finally:
        streams.close()
        side.close()
        with trio.move_on_after(2 * GRACE_S, shield=True):
            await runtime.loop.run(server.stop(GRACE_S))
        del server  # only now may gRPC's object go, and it goes while the loop runs
        runtime.loop.run_ready()
