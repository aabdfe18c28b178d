"""Silent connections: who has connected to a port and said nothing waits with the system.

Owns that a server never sees such a connection, so that any number of them takes none of its
places. Must not know gRPC. Source: requirements.md S; tcp(7), TCP_DEFER_ACCEPT.
"""

import contextlib
import os
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Final

DEFER_S: Final = 3_600
"""How long a connection may wait for its first byte; the system then lets it in, or drops it."""
_OPEN: Final = Path("/proc/self/fd")


def leave_silent_outside(port: int) -> None:
    """Let connections to a TCP port of this process in only when they have said something.

    gRPC makes its sockets itself and takes no option for this, so they are looked for among
    what this process has open. Where the system's queue of such connections is full (4,096 by
    default), or it knows no such thing, they come in, and the server's own time limits hold.

    Args:
        port: Where this process listens already.
    """
    for listening in _listening():
        with listening:
            if listening.getsockname()[1] != port:
                continue
            with contextlib.suppress(OSError):
                listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_DEFER_ACCEPT, DEFER_S)


def _listening() -> Iterator[socket.socket]:
    """Give the TCP sockets on which this process listens, each as a duplicate to be closed."""
    for entry in _OPEN.iterdir():
        with contextlib.suppress(OSError):  # gone meanwhile
            if not str(entry.readlink()).startswith("socket:"):
                continue
            found = socket.socket(fileno=os.dup(int(entry.name)))
            if found.family in {socket.AF_INET, socket.AF_INET6} and found.getsockopt(
                socket.SOL_SOCKET, socket.SO_ACCEPTCONN
            ):
                yield found
            else:
                found.close()
