"""Link: the bytes of one session, whatever carries them.

Owns the Protocol that gRPC streams and pipes implement, so that everything above knows
neither. Must not know messages, tables or time limits.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from arena.referee.faults import Reason
from arena.referee.messages import Arrival
from arena.wire.status import CODE_OF_REASON

MAX_FRAME_BYTES = 65_536
"""The largest message either side may send (protocol.md, "Play"). A link may hand over one
that is a little larger, so that the session can answer it in words."""


MOST_TAKEN_BYTES = 1 << 20
"""The largest message that gRPC takes in, as long as a line may be. What is above the limit
ends the session with words of ours; what is above this too, gRPC refuses unread."""


class LinkClosed(Exception):
    """The other side is gone, or this side closed the link."""


@dataclass(frozen=True, slots=True)
class Received:
    """One message of the bot as bytes, and when it arrived."""

    data: bytes
    arrival: Arrival


@dataclass(frozen=True, slots=True)
class LinkError:
    """How a broken session ends: a gRPC status code's name, a Reason's name, a message."""

    code: str
    reason: str
    message: str


def ending(reason: Reason, words: str) -> LinkError:
    """Make the end of a session that is broken off for a reason."""
    return LinkError(CODE_OF_REASON[reason], reason.name, words)


async def deliver_each(
    recv: Callable[[], Awaitable[Received]], receive: Callable[[Received], None]
) -> None:
    """Deliver what a link receives, for a link that has nothing quicker than its ``recv``."""
    while True:
        try:
            received = await recv()
        except LinkClosed:
            return
        receive(received)


class Link(Protocol):
    """One session's bytes. At most one write is in flight; one task reads."""

    on_idle: Callable[[], None] | None
    """Called in trio's thread when the write in flight has ended (not after close)."""

    @property
    def is_busy(self) -> bool:
        """Whether a write is in flight."""

    @property
    def is_open(self) -> bool:
        """Whether the link can still be written to.

        A bot that has ended its own half is still written to: it may want the result.
        """

    def send(self, data: bytes) -> None:
        """Start writing one message at once; the link must not be busy.

        Raises:
            LinkClosed: The link is closed.
        """

    def when_idle(self, callback: Callable[[], None]) -> None:
        """Run a callback once all that has arrived, here or elsewhere, is taken in.

        Where that cannot be told it runs at once; it never waits more than about 1 ms.
        """

    async def recv(self) -> Received:
        """Wait for the next message; messages read before the end are delivered first.

        A cancelled ``recv`` loses nothing.

        Raises:
            LinkClosed: The stream is over, or was closed here, and nothing is left to read.
        """

    async def deliver(self, receive: Callable[[Received], None]) -> None:
        """Call ``receive`` with every message, at once, until the stream is over.

        It saves a round of the scheduler a message against ``recv``. ``receive`` must not
        wait; what it raises comes out here. A cancel loses nothing.
        """

    def close(self, error: LinkError | None = None) -> None:
        """End the stream: orderly (``None``: status OK), or with an error. Idempotent.

        A message whose write is in flight still goes out before the end of the stream.
        """
