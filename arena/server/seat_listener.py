"""SeatListener: one small gRPC server per local session.

Owns the server behind one address: Play for one bot, health and reflection, nothing else.
The address is the session's identity, so a port is never shared. Must not know tokens,
messages or tables. Source: protocol.md, "Services"; performance.md, pitfalls 4, 5, 8, 13.
"""

import re
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import unquote

import grpc
import trio
from grpc import aio

from arena.errors import ConfigError, HostFault
from arena.server.grpc_link import GrpcLink, PlayContext
from arena.server.link import MOST_TAKEN_BYTES, LinkError
from arena.server.runtime import GrpcRuntime
from arena.server.side_services import MAX_SIDE_STREAMS, PLAY_SERVICE, SideServices
from arena.server.status import set_error
from arena.server.strangers import Strangers

PLAY_METHOD = f"/{PLAY_SERVICE}/Play"
"""The one method that bots play through."""
MAX_SOCKET_PATH_BYTES = 107
"""What Linux allows for the path of a Unix socket (108 with the closing zero)."""
MAX_CONNECTIONS = 64
"""Connections at once, strangers' included (a port is open to all of this machine); one more
is closed at once."""
MAX_FRESH = 6
"""Streams that may be about to say their Join; one more ends the oldest."""
GRACE_S = 0.2
"""How long the end of a server waits for streams whose end the bot has not taken yet."""

_UNIX = "unix:"
_ESCAPES = str.maketrans({"%": "%25", "?": "%3F", "#": "%23"})
"""A target is a URI; what has no meaning there stays as it is, for clients that do not decode."""
_LOOPBACK = re.compile(r"(127\.0\.0\.1|\[::1\]):(\d{1,5})")
_TAKEN = LinkError(
    "RESOURCE_EXHAUSTED", "CAPACITY", "this address serves one Play stream, which its bot has taken"
)
_SHUTDOWN = LinkError("UNAVAILABLE", "SHUTDOWN", "the arena has closed this session")

_OPTIONS = (
    # Above the limit, so that the session can say in words what was too large.
    ("grpc.max_receive_message_length", MOST_TAKEN_BYTES),
    # Else a second server takes the same port without a word, and half of the streams.
    ("grpc.so_reuseport", 0),
    # None: sizes of compressed messages would mix hidden and public parts.
    ("grpc.compression_enabled_algorithms_bitset", 1),
    # What one bot can hold: Play, a health watch, reflection, and room to come again.
    ("grpc.max_concurrent_streams", 8),
    ("grpc.max_allowed_incoming_connections", MAX_CONNECTIONS),
    ("grpc.server_handshake_timeout_ms", 10_000),
)
_MAX_RPCS = 2 * (MAX_FRESH + MAX_SIDE_STREAMS)
"""A last bound: what ends for somebody else's sake still counts for a moment."""


class SeatListener:
    """The server of one local session. Made by :func:`open_seat_listener`.

    Attributes:
        address: The gRPC target for the bot: ``unix:/…`` or ``127.0.0.1:PORT``.
    """

    def __init__(self, runtime: GrpcRuntime) -> None:
        self.address = ""
        self._runtime = runtime
        self._live: set[GrpcLink] = set()
        self._strangers = Strangers(MAX_FRESH)
        self._fresh: deque[GrpcLink] = deque()
        self._is_taken = False
        self._came = trio.Event()
        self._is_closing = False

    async def accept(self) -> GrpcLink:
        """Wait for the next Play stream. The deadline is the caller's.

        Several may be about to say their Join, so that silent strangers keep nobody out;
        once one is the bot's (:meth:`settle`), all others are turned away, also when it is
        over: a session is opened once. One that has come and ended before it was accepted
        is handed over all the same: its ``recv`` says that it is closed.
        """
        while not self._fresh:
            await self._came.wait()
        link = self._fresh.popleft()
        if not self._fresh:
            self._came = trio.Event()
        return link

    def settle(self, owner: GrpcLink) -> None:
        """Take a stream as the bot's own; all others end."""
        self._is_taken = True
        self._fresh.clear()
        self._strangers.remove(owner)
        self._strangers.end(_TAKEN)

    async def play(self, _requests: object, context: PlayContext) -> None:
        """Handle one Play stream, in asyncio's world."""
        if self._is_closing:
            set_error(context, _SHUTDOWN)
            return
        if self._is_taken:
            set_error(context, _TAKEN)
            return
        link = GrpcLink(self._runtime, context)
        self._live.add(link)
        ended = self._strangers.add(link)
        if ended is not None:
            self._fresh = deque(fresh for fresh in self._fresh if fresh is not ended)
        try:
            await link.start()
            self._fresh.append(link)
            self._came.set()
            await link.serve()
        except aio.BaseError:
            return  # the bot is gone before its stream has begun
        except Exception as error:  # noqa: BLE001  # gRPC would only print it
            self._runtime.crash(error)
        finally:
            self._live.discard(link)
            self._strangers.remove(link)

    def close(self) -> None:
        """Take no more streams and end those that live."""
        self._is_closing = True
        for link in list(self._live):
            link.close(_SHUTDOWN)


class _Methods(grpc.GenericRpcHandler):
    """The methods of one listener's server; every other is UNIMPLEMENTED."""

    def __init__(self, listener: SeatListener, side: SideServices) -> None:
        self._handlers = {
            # No serialisers: bytes in, bytes out.
            PLAY_METHOD: grpc.stream_stream_rpc_method_handler(listener.play),
            **side.handlers,
        }

    def service(
        self, handler_call_details: grpc.HandlerCallDetails
    ) -> "grpc.RpcMethodHandler[bytes, bytes] | None":
        return self._handlers.get(handler_call_details.method)


@asynccontextmanager
async def open_seat_listener(runtime: GrpcRuntime, address: str) -> AsyncIterator[SeatListener]:
    """Serve one local session at ``address`` for as long as the context is open.

    At the end, a stream that still lives ends UNAVAILABLE, and the socket's file is removed.

    Args:
        runtime: The process's runtime.
        address: ``unix:/path`` of a socket that does not exist yet, or ``127.0.0.1:PORT``
            (0: any free port) for bots that cannot do Unix sockets.

    Raises:
        ConfigError: The address is neither, or the path is too long.
        HostFault: This machine refuses the address.
    """
    path = _check_address(address)
    if path is not None:
        _check_free(path)
    listener = SeatListener(runtime)
    side = SideServices(runtime.loop)
    server, port = await runtime.loop.run(_start(address, _Methods(listener, side)))
    try:
        listener.address = address if path else f"{address.rpartition(':')[0]}:{port}"
        yield listener
    finally:
        listener.close()
        side.close()
        with trio.move_on_after(2 * GRACE_S, shield=True):
            await runtime.loop.run(server.stop(GRACE_S))
        del server  # only now may gRPC's object go, and it goes while the loop runs
        runtime.loop.run_ready()
        if path is not None:
            path.unlink(missing_ok=True)


def unix_address(path: Path) -> str:
    """Return the gRPC target of the Unix socket at ``path``, which need not exist yet.

    Raises:
        ConfigError: The path is longer than the system allows.
    """
    address = _UNIX + str(path.absolute()).translate(_ESCAPES)
    _check_address(address)
    return address


def _check_address(address: str) -> Path | None:
    """Return the path of a Unix socket, None for a loopback port; refuse everything else."""
    loopback = _LOOPBACK.fullmatch(address)
    if loopback is not None and int(loopback[2]) <= 65_535:  # noqa: PLR2004  # ports have 16 bits
        return None
    path = unquote(address.removeprefix(_UNIX))
    if not address.startswith(f"{_UNIX}/"):
        raise ConfigError(
            f"cannot listen for a bot at {address!r}: "
            "allowed are unix:/absolute/path, 127.0.0.1:PORT and [::1]:PORT"
        )
    size = len(path.encode())
    if size > MAX_SOCKET_PATH_BYTES:
        raise ConfigError(
            f"the path of a Unix socket may have {MAX_SOCKET_PATH_BYTES} bytes, "
            f"{path} has {size}: use a folder with a shorter name"
        )
    return Path(path)


def _check_free(path: Path) -> None:
    # gRPC would silently take the path away from whoever listens there.
    if path.exists():
        raise HostFault(f"cannot listen at {path}: the file exists; remove it")


async def _start(address: str, methods: _Methods) -> tuple[aio.Server, int]:
    server = aio.server(handlers=(methods,), options=_OPTIONS, maximum_concurrent_rpcs=_MAX_RPCS)
    try:
        port = server.add_insecure_port(address)
    except RuntimeError as error:
        raise HostFault(
            f"cannot listen at {address}: the system refuses it "
            "(is the port taken, or the folder missing or read-only?)"
        ) from error
    await server.start()
    return server, port
