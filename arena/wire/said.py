"""What a bot said, as values.

Owns the closed set of things that can come in from a bot once its bytes are read. Must
not know bytes, and must not judge: whether an answer is legal is for the referee.
"""

from arena.referee.faults import Reason
from arena.rules.question import Answer
from arena.rules.values import value


@value
class JoinSaid:
    """A bot wants to open a session; ``capacity`` 0 = it did not say. Never log ``token``."""

    protocol_version: int
    token: str
    name: str
    version: str
    language: str
    capacity: int
    resume_after: int | None

    def __repr__(self) -> str:
        """Show the bot without its token."""
        return f"JoinSaid(name={self.name!r}, version={self.version!r})"


@value
class ReadySaid:
    """A bot is ready for the match of a table."""

    table: int


@value
class AnswerSaid:
    """A well-formed answer; ``size`` in bytes on the wire."""

    decision_id: int
    answer: Answer
    value_thirds: int | None
    note: str
    size: int


@value
class LeaveSaid:
    """A bot leaves a table, or with ``table`` None all of them."""

    table: int | None
    reason: str


@value
class Unreadable:
    """Bytes, or a message, that say nothing; ``message`` tells the bot's author why.

    ``decision_id`` where the message was an answer that names one; ``size`` in bytes.
    """

    reason: Reason
    message: str
    decision_id: int | None
    size: int


BotSaid = JoinSaid | ReadySaid | AnswerSaid | LeaveSaid | Unreadable
