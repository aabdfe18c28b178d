"""Skipped keys: what the referee cannot know of a line that an adapter carried to it.

Owns remembering which keys of a command's lines no message has, until the referee refuses the
message that was left without them. Must not know pipes or streams.
Source: protocol.md ("Bots that speak lines").
"""

from collections import deque
from typing import Final

from arena.v1 import play_pb2
from arena.wire.codec import name_skipped
from arena.wire.from_bot import read_message
from arena.wire.json_dialect import line_to_message
from arena.wire.said import Unreadable

MOST_KEPT: Final = 64
"""Messages whose refusal is awaited; a bot that sends more without waiting has other worries."""


class SkippedKeys:
    """Reads a command's lines, and puts skipped keys into what the referee says of them."""

    def __init__(self) -> None:
        self._awaited: deque[tuple[str, str]] = deque(maxlen=MOST_KEPT)
        """Each refusal to come, as a referee words it, and as it is told here."""

    def read(self, line: bytes) -> play_pb2.BotMessage:
        """Read a line from the command.

        Raises:
            ProtocolViolation: It is no message.
        """
        skipped: list[str] = []
        message = line_to_message(line, skipped)
        said = read_message(message, len(line))
        if isinstance(said, Unreadable):
            self._awaited.append((said.message, name_skipped(said.message, skipped)))
        return message

    def complete(self, rejected: play_pb2.Rejected) -> None:
        """Add to a refusal by the referee the keys that never reached it."""
        for awaited in self._awaited:
            if awaited[0] == rejected.message:
                rejected.message = awaited[1]
                self._awaited.remove(awaited)
                return
