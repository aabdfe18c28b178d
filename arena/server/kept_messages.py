"""KeptMessages: what a session that can be resumed was sent last.

Owns the buffer of protocol.md's walk 9 and what a bot has missed since a message it names.
Must not know links or tables.
"""

from collections import deque
from typing import Final

from arena.v1 import play_pb2

KEPT: Final = 256
"""Messages that are kept for a bot that comes back."""


class KeptMessages:
    """The latest messages of one session, with dense sequence numbers from 1."""

    __slots__ = ("_messages",)

    def __init__(self) -> None:
        self._messages: deque[play_pb2.RefereeMessage] = deque(maxlen=KEPT)

    def append(self, message: play_pb2.RefereeMessage) -> None:
        """Keep a message that has its sequence number; the oldest may go."""
        self._messages.append(message)

    def after(self, sequence: int | None) -> list[play_pb2.RefereeMessage] | None:
        """List what followed a message.

        Args:
            sequence: The last that the bot has; None: it has none.

        Returns:
            The messages in order; None where some are no longer kept, or where there never
            was such a message.
        """
        if sequence is None or not self._messages:
            return None
        first, last = self._messages[0].sequence, self._messages[-1].sequence
        if not first - 1 <= sequence <= last:
            return None
        return [message for message in self._messages if message.sequence > sequence]
