"""The closed lists of what can go wrong and why a match ended.

Owns names only; what each costs is decided in :mod:`arena.referee.conduct`.
Source: design.md §5.
"""

from dataclasses import dataclass
from enum import StrEnum


class Culprit(StrEnum):
    """Whose mistake it was."""

    NOBODY = "nobody"
    BOT = "bot"
    REFEREE = "referee"
    HOST = "host"


class FaultKind(StrEnum):
    """Somebody's mistake."""

    LATE = "late"
    ILLEGAL = "illegal"
    NOT_HELD = "not_held"
    MALFORMED = "malformed"
    UNSOLICITED = "unsolicited"
    FLOOD = "flood"
    NOT_READING = "not_reading"
    NOT_READY = "not_ready"
    CRASHED = "crashed"
    LEFT = "left"
    LOST = "lost"
    REVOKE = "revoke"
    INFRACTION = "infraction"
    HOST_LAG = "host_lag"
    HOST = "host"
    REFEREE = "referee"


class Reason(StrEnum):
    """Why one message was refused (the names of the wire's ErrorReason)."""

    MALFORMED = "malformed"
    UNKNOWN_MESSAGE = "unknown_message"
    NOT_JOINED = "not_joined"
    STALE = "stale"
    ALREADY_ANSWERED = "already_answered"
    UNKNOWN_DECISION = "unknown_decision"
    WRONG_KIND = "wrong_kind"
    CARD_NOT_HELD = "card_not_held"
    ILLEGAL_CARD = "illegal_card"
    BAD_DECLARATION = "bad_declaration"
    BAD_SIGNAL = "bad_signal"
    TOO_MANY_MESSAGES = "too_many_messages"
    TOO_LARGE = "too_large"
    BAD_TOKEN = "bad_token"  # noqa: S105  # a name, not a secret
    REPLACED = "replaced"
    VERSION = "version"
    CAPACITY = "capacity"


class TerminationKind(StrEnum):
    """Why a match ended."""

    COMPLETED = "completed"
    FORFEIT_FAULTS = "forfeit_faults"
    FORFEIT_CRASH = "forfeit_crash"
    FORFEIT_LEFT = "forfeit_left"
    FORFEIT_NOT_READY = "forfeit_not_ready"
    FORFEIT_NOT_READING = "forfeit_not_reading"
    FORFEIT_FLOOD = "forfeit_flood"
    FORFEIT_LOST = "forfeit_lost"
    FORFEIT_SUSPENDED = "forfeit_suspended"
    ANNULLED = "annulled"
    ABORTED = "aborted"
    HOST_FAULT = "host_fault"
    REFEREE_FAULT = "referee_fault"
    DRAWN_AT_LIMIT = "drawn_at_limit"

    @property
    def is_forfeit(self) -> bool:
        """Whether one side lost the rest of the match by its own fault."""
        return self.value.startswith("forfeit_")

    @property
    def is_void(self) -> bool:
        """Whether the match counts for nobody and is played again."""
        return self in (self.HOST_FAULT, self.REFEREE_FAULT, self.ABORTED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Termination:
    """Why a match ended, and by whose doing; ``seat`` only where a bot's."""

    kind: TerminationKind
    culprit: Culprit = Culprit.NOBODY
    seat: int | None = None
    detail: str = ""
