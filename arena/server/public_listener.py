"""PublicListener: the one address at which remote bots join a run.

Owns the server behind it: Play for everybody who has a token, health and reflection, nothing
else; TLS, and what strangers may take of it. Must not know tokens, messages or tables.
Source: protocol.md, "Services" and "Rules of the wire" 6; requirements.md P, S.
"""

import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import grpc
import trio
from grpc import aio

from arena.errors import ConfigError, HostFault
from arena.server.certificates import read_pair
from arena.server.grpc_link import GrpcLink, PlayContext
from arena.server.link import MOST_TAKEN_BYTES, LinkError
from arena.server.runtime import GrpcRuntime
from arena.server.seat_listener import GRACE_S, PLAY_METHOD
from arena.server.side_services import SideServices
from arena.server.status import set_error

MAX_CONNECTIONS: Final = 512
"""Connections at once; one more is closed at once."""
MAX_STREAMS: Final = 512
"""Streams at once, strangers' included; one more is refused."""
MAX_SIDE: Final = 128
"""Watches and reflections among them."""

_ADDRESS: Final = re.compile(r"(\[[0-9a-fA-F:]+\]|[0-9a-zA-Z.-]+):(\d{1,5})")
_LOOPBACK: Final = ("127.0.0.1", "[::1]")
_SHUTDOWN = LinkError("UNAVAILABLE", "SHUTDOWN", "the arena is closing")

_OPTIONS: Final = (
    ("grpc.max_receive_message_length", MOST_TAKEN_BYTES),
    ("grpc.so_reuseport", 0),
    ("grpc.compression_enabled_algorithms_bitset", 1),
    ("grpc.max_concurrent_streams", 8),
    ("grpc.max_allowed_incoming_connections", MAX_CONNECTIONS),
    ("grpc.server_handshake_timeout_ms", 10_000),
    # A connection that carries no stream, for instance half-open, is not kept.
    ("grpc.max_connection_idle_ms", 30_000),
    # A remote death does not show by itself.
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 0),
    ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListenPlan:
    """Where remote bots join, and how the way there is protected.

    Raises:
        ConfigError: The address is none, or would carry tokens unprotected over a network.
    """

    address: str = "127.0.0.1:0"
    """``HOST:PORT``; port 0 is any free one."""
    certificate: Path | None = None
    """A PEM file; with it ``key``, and the connections are TLS."""
    key: Path | None = None
    allows_insecure: bool = False
    """Whether an address that is not loopback may go without TLS."""

    def __post_init__(self) -> None:
        found = _ADDRESS.fullmatch(self.address)
        if found is None or int(found[2]) > 65_535:  # noqa: PLR2004  # ports have 16 bits
            raise ConfigError(f"listen {self.address!r}: allowed is HOST:PORT, as 127.0.0.1:7070")
        if (self.certificate is None) != (self.key is None):
            raise ConfigError("TLS takes both a certificate and a key: --tls-cert and --tls-key")
        if self.certificate is None and found[1] not in _LOOPBACK and not self.allows_insecure:
            raise ConfigError(
                f"listen {self.address}: without TLS only 127.0.0.1 and [::1]; give --tls-cert "
                "and --tls-key, or --insecure-listen where the network itself is protected"
            )


@asynccontextmanager
async def open_public_listener(
    runtime: GrpcRuntime, plan: ListenPlan, take: Callable[[GrpcLink], None]
) -> AsyncIterator[str]:
    """Serve remote bots for as long as the context is open; yields the address with its port.

    Args:
        runtime: The process's runtime.
        plan: Where, and how protected.
        take: Is given each stream that begins, in trio's thread.

    Raises:
        ConfigError: A file of the certificate cannot be read or used.
        HostFault: This machine refuses the address.
    """
    listener = _Listener(runtime, take)
    side = SideServices(runtime.loop, most=MAX_SIDE)
    handlers = {PLAY_METHOD: grpc.stream_stream_rpc_method_handler(listener.play), **side.handlers}
    server, port = await runtime.loop.run(_start(plan, _Methods(handlers)))
    try:
        yield f"{plan.address.rpartition(':')[0]}:{port}"
    finally:
        listener.close()
        side.close()
        with trio.move_on_after(2 * GRACE_S, shield=True):
            await runtime.loop.run(server.stop(GRACE_S))
        del server  # only now may gRPC's object go, and it goes while the loop runs
        runtime.loop.run_ready()


class _Listener:
    """The handler of Play."""

    def __init__(self, runtime: GrpcRuntime, take: Callable[[GrpcLink], None]) -> None:
        self._runtime = runtime
        self._take = take
        self._links: set[GrpcLink] = set()
        self._is_closing = False

    async def play(self, _requests: object, context: PlayContext) -> None:
        """Handle one Play stream, in asyncio's world."""
        if self._is_closing:
            set_error(context, _SHUTDOWN)
            return
        link = GrpcLink(self._runtime, context)
        self._links.add(link)
        try:
            await link.start()
            self._take(link)
            await link.serve()
        except aio.BaseError:
            return  # the bot is gone before its stream has begun
        except Exception as error:  # noqa: BLE001  # gRPC would only print it
            self._runtime.crash(error)
        finally:
            self._links.discard(link)

    def close(self) -> None:
        """Take no more streams and end those that live."""
        self._is_closing = True
        for link in list(self._links):
            link.close(_SHUTDOWN)


class _Methods(grpc.GenericRpcHandler):
    """The methods of the public server; every other is UNIMPLEMENTED."""

    def __init__(self, handlers: "dict[str, grpc.RpcMethodHandler[bytes, bytes]]") -> None:
        self._handlers = handlers

    def service(
        self, handler_call_details: grpc.HandlerCallDetails
    ) -> "grpc.RpcMethodHandler[bytes, bytes] | None":
        return self._handlers.get(handler_call_details.method)


async def _start(plan: ListenPlan, methods: _Methods) -> tuple[aio.Server, int]:
    credentials = _credentials(plan)
    server = aio.server(handlers=(methods,), options=_OPTIONS, maximum_concurrent_rpcs=MAX_STREAMS)
    try:
        if credentials is None:
            port = server.add_insecure_port(plan.address)
        else:
            port = server.add_secure_port(plan.address, credentials)
    except RuntimeError as error:
        raise HostFault(
            f"cannot listen at {plan.address}: the system refuses it (is the port taken?)"
        ) from error
    await server.start()
    return server, port


def _credentials(plan: ListenPlan) -> grpc.ServerCredentials | None:
    if plan.certificate is None or plan.key is None:
        return None
    return grpc.ssl_server_credentials([read_pair(plan.certificate, plan.key)])
