"""SeatListener: one small gRPC server per local session.

Owns what one address takes: the one Play stream of its bot, and its end.
The address is the session's identity, so a port is never shared. Must not know tokens,
messages or tables. Source: protocol.md, "Services" and "Rules of the wire" 6.
"""

import re
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import unquote

import trio

from arena.errors import ConfigError, HostFault
from arena.server.grpc_link import GrpcLink
from arena.server.link import LinkError
from arena.server.play_server import UNIX, PlayStreams, ServerBounds, open_play_server
from arena.server.runtime import GrpcRuntime
from arena.server.side_services import MAX_SIDE_STREAMS
from arena.server.strangers import Strangers

MAX_SOCKET_PATH_BYTES = 107
"""What Linux allows for the path of a Unix socket (108 with the closing zero)."""
MAX_CONNECTIONS = 64
"""Strangers' included: a port is open to all of this machine."""
MAX_FRESH = 6
"""Streams that may be about to say their Join; one more ends the oldest."""

_ESCAPES = str.maketrans({"%": "%25", "?": "%3F", "#": "%23"})
"""A target is a URI; what has no meaning there stays as it is, for clients that do not decode."""
_LOOPBACK = re.compile(r"(127\.0\.0\.1|\[::1\]):(\d{1,5})")
_TAKEN = LinkError(
    "RESOURCE_EXHAUSTED", "CAPACITY", "this address serves one Play stream, which its bot has taken"
)
_SHUTDOWN = LinkError("UNAVAILABLE", "SHUTDOWN", "the arena has closed this session")

_BOUNDS = ServerBounds(
    connections=MAX_CONNECTIONS,
    # What ends for somebody else's sake still counts for a moment.
    streams=2 * (MAX_FRESH + MAX_SIDE_STREAMS),
    side_streams=MAX_SIDE_STREAMS,
)


class SeatListener:
    """The server of one local session. Made by :func:`open_seat_listener`.

    Attributes:
        address: The gRPC target for the bot: ``unix:/…`` or ``127.0.0.1:PORT``.
        streams: Its streams, for the server.
    """

    def __init__(self, runtime: GrpcRuntime) -> None:
        self.address = ""
        self._strangers = Strangers(MAX_FRESH)
        self.streams = PlayStreams(
            runtime, self._take, forget=self._strangers.remove, closing=_SHUTDOWN
        )
        self._fresh: deque[GrpcLink] = deque()
        self._came = trio.Event()

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
        self.streams.refusal = _TAKEN
        self._fresh.clear()
        self._strangers.remove(owner)
        self._strangers.end(_TAKEN)

    def _take(self, link: GrpcLink) -> None:
        ended = self._strangers.add(link)
        if ended is not None:
            self._fresh = deque(fresh for fresh in self._fresh if fresh is not ended)
        self._fresh.append(link)
        self._came.set()


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
    try:
        async with open_play_server(
            runtime,
            address,
            listener.streams,
            _BOUNDS,
            doubts="is the port taken, or the folder missing or read-only",
        ) as listener.address:
            yield listener
    finally:
        if path is not None:
            path.unlink(missing_ok=True)


def unix_address(path: Path) -> str:
    """Return the gRPC target of the Unix socket at ``path``, which need not exist yet.

    Raises:
        ConfigError: The path is longer than the system allows.
    """
    address = UNIX + str(path.absolute()).translate(_ESCAPES)
    _check_address(address)
    return address


def _check_address(address: str) -> Path | None:
    """Return the path of a Unix socket, None for a loopback port; refuse everything else."""
    loopback = _LOOPBACK.fullmatch(address)
    if loopback is not None and int(loopback[2]) <= 65_535:  # noqa: PLR2004  # ports have 16 bits
        return None
    path = unquote(address.removeprefix(UNIX))
    if not address.startswith(f"{UNIX}/"):
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
