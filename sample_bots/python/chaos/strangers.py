"""Acts of callers at the referee's door that are no bots: they connect and speak no gRPC.

They knock at this bot's own door, which is the only one it should know, and leave it as it was.
"""

import contextlib
import os
import socket
import time

CONNECTIONS = 1_000
HOLD_S = 1.0
RUBBISH = (
    b"GET / HTTP/1.1\r\nHost: arena\r\n\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\xff" * 4096,
    b"\x16\x03\x01" + bytes(512),
    os.urandom(4096),
)


def many_streams() -> None:
    """Open a thousand connections, say nothing on them, and hold them for a second."""
    held: list[socket.socket] = []
    # The door may have a limit: so much the better.
    with contextlib.suppress(OSError):
        held.extend(_connect() for _ in range(CONNECTIONS))
    time.sleep(HOLD_S)
    for connection in held:
        connection.close()


def garbage() -> None:
    """Send what is no HTTP/2, and what begins as if it were."""
    for number in range(200):
        try:
            with _connect() as there:
                there.settimeout(0.05)
                there.sendall(RUBBISH[number % len(RUBBISH)])
                there.recv(64)
        except OSError:
            continue


def _connect() -> socket.socket:
    address = os.environ["ARENA_ADDRESS"]
    if address.startswith("unix:"):
        there = socket.socket(socket.AF_UNIX)
        there.settimeout(2)
        there.connect(address.removeprefix("unix:"))
        return there
    host, _, port = address.rpartition(":")
    return socket.create_connection((host, int(port)), timeout=2)
