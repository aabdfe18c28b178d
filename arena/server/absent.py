"""The session of a bot that never came.

Owns what stands in for a link where there is none, so that tables need not know the
difference. Must not know why the bot is absent.
"""

from collections.abc import Callable

from arena.referee.faults import FaultKind
from arena.server.link import LinkClosed, LinkError, Received
from arena.server.session import Session
from arena.wire.codec import ProtoCodec
from arena.wire.said import JoinSaid
from arena.wire.terms import PROTOCOL_VERSION


class _NoLink:
    """The link of a bot that never came."""

    on_idle: Callable[[], None] | None = None
    is_busy = False
    is_open = False

    def send(self, data: bytes) -> None:  # noqa: ARG002  # the Link's
        raise LinkClosed

    def when_idle(self, callback: Callable[[], None]) -> None:
        callback()

    async def recv(self) -> Received:
        raise LinkClosed

    async def deliver(self, receive: Callable[[Received], None]) -> None:
        """Deliver nothing."""

    def close(self, error: LinkError | None = None) -> None:
        """Nothing is open."""


def absent_session(kind: FaultKind, detail: str) -> Session:
    """Make the session of a bot that did not join: gone from the start, with the reason."""
    joined = JoinSaid(
        protocol_version=PROTOCOL_VERSION,
        token="",
        name="",
        version="",
        language="",
        capacity=1,
        resume_after=None,
    )
    session = Session(_NoLink(), ProtoCodec(), joined=joined, capacity=1)
    session.lose(kind, detail)
    return session
