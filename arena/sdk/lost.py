"""How a session is lost, whichever way it was carried.

Owns the words an author reads when the stream was refused or broke, and the waits that both
ways share. Must not know either way.
"""

from typing import Final

from arena.errors import ArenaError

METHOD: Final = "/arena.v1.RefereeService/Play"
WELCOME_SECONDS: Final = 30
CLOSE_SECONDS: Final = 1


class SessionLost(ArenaError):
    """The conversation with the referee was refused, or was over before Goodbye."""


def told_end(address: str, code: str, details: str | None) -> str:
    """Say how a stream ended that should have ended with Goodbye.

    Args:
        address: The gRPC target of the referee.
        code: The name of gRPC's status code.
        details: The referee's words, if there are any.
    """
    if code == "OK":
        return f"{address}: the referee closed the stream without Goodbye"
    return f"{address}: the stream ended with {code}: {details or 'no details'}"
