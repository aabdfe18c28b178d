"""PublicListener: the one address at which remote bots join a run.

Owns where it is, TLS, and how much strangers may take of it: it is open to everybody who has a
token. Must not know tokens, messages or tables.
Source: protocol.md, "Services" and "Rules of the wire" 6; requirements.md P, S.
"""

import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import grpc

from arena.errors import ConfigError
from arena.server.certificates import read_pair
from arena.server.grpc_link import GrpcLink
from arena.server.link import LinkError
from arena.server.play_server import PlayStreams, ServerBounds, open_play_server
from arena.server.runtime import GrpcRuntime

MAX_CONNECTIONS: Final = 512
"""Connections at once; one more is closed at once."""
MAX_STREAMS: Final = 512
"""Streams at once, strangers' included; one more is refused."""
MAX_SIDE: Final = 128
"""Watches and reflections among them."""

_ADDRESS: Final = re.compile(r"(\[[0-9a-fA-F:]+\]|[0-9a-zA-Z.-]+):(\d{1,5})")
_LOOPBACK: Final = ("127.0.0.1", "[::1]")
_SHUTDOWN = LinkError("UNAVAILABLE", "SHUTDOWN", "the arena is closing")

_BOUNDS: Final = ServerBounds(
    connections=MAX_CONNECTIONS,
    streams=MAX_STREAMS,
    side_streams=MAX_SIDE,
    keepalive=(
        ("grpc.keepalive_time_ms", 20_000),
        ("grpc.keepalive_timeout_ms", 10_000),
        ("grpc.keepalive_permit_without_calls", 0),
        ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
    ),
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
    credentials = _credentials(plan)
    async with open_play_server(
        runtime,
        plan.address,
        PlayStreams(runtime, take, forget=lambda _: None, closing=_SHUTDOWN),
        _BOUNDS,
        doubts="is the port taken",
        credentials=credentials,
    ) as address:
        yield address


def _credentials(plan: ListenPlan) -> grpc.ServerCredentials | None:
    if plan.certificate is None or plan.key is None:
        return None
    return grpc.ssl_server_credentials([read_pair(plan.certificate, plan.key)])
