"""The terms of a session: what bot and referee tell each other about the connection.

Owns the values that exist on the wire only: limits, resources, how a session began and
why it ends. Must not know the game.
Source: protocol.md, play.proto (Resources).
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Self

PROTOCOL_VERSION: Final = 1
"""The version of ``arena.v1`` that this arena speaks."""

FRAME_BYTES: Final = 64 * 1024
"""Size of a frame of messages at most."""
FRAME_MESSAGES: Final = 64
"""Messages in one frame at most."""
LINE_BYTES: Final = 1 << 20
"""Size of a line at most, its end included."""
MESSAGES_PER_DECISION: Final = 256
"""Messages at most that a bot may send between two decisions, for each table of its capacity."""
MESSAGES_PER_SECOND: Final = 2_000
"""Messages a second at most, for each table, beyond one for each decision."""
TEXT_BYTES: Final = 200
"""Size of a note and of every other free text from a bot at most, in UTF-8."""


class Resumed(StrEnum):
    """How a session began."""

    NEW = "new"
    CONTINUED = "continued"
    SNAPSHOT = "snapshot"


class GoodbyeReason(StrEnum):
    """Why a session ends in order."""

    FINISHED = "finished"
    EVENT_PAUSED = "event_paused"
    SHUTDOWN = "shutdown"
    SUSPENDED = "suspended"
    PROTOCOL = "protocol"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a bot may send; told in Welcome. Going over ends its session. 0 = not limited."""

    frame_bytes: int = FRAME_BYTES
    frame_messages: int = FRAME_MESSAGES
    messages_per_decision: int = 0
    messages_per_second: int = 0

    @classmethod
    def for_capacity(cls, tables: int) -> Self:
        """Return the limits of a bot that may play at so many tables."""
        return cls(
            messages_per_decision=MESSAGES_PER_DECISION * tables,
            messages_per_second=MESSAGES_PER_SECOND * tables,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Resources:
    """What a bot's processes may use together; told in MatchStarted. 0 = not limited."""

    cores: int = 0
    memory_mib: int = 0
    tasks: int = 0
    disk_mib: int = 0
