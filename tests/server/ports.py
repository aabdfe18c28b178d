"""A seat that only notes what its session tells it."""

from collections.abc import Callable
from dataclasses import dataclass, field

from arena.referee.faults import FaultKind, Reason
from arena.referee.messages import Arrival
from arena.wire.said import AnswerSaid


def nothing() -> None:
    """Do nothing."""


@dataclass(slots=True)
class NotedSeat:
    """Notes everything, in order, and then does what it is made to do."""

    ready_ns: list[int] = field(default_factory=list)
    answers: list[int] = field(default_factory=list)
    """The numbers of the decisions answered."""
    misfits: list[tuple[Reason, int | None]] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    """What was wrong with each misfit."""
    gone: list[tuple[FaultKind, str]] = field(default_factory=list)
    ways: list[str] = field(default_factory=list)
    """How its bot went and came back."""
    frames: int = 0
    """How many frames said something to it."""
    when_ready: Callable[[], None] = nothing
    when_frame_ends: Callable[[], None] = nothing
    when_gone: Callable[[], None] = nothing

    def on_ready(self, at_ns: int) -> None:
        """Note a Ready."""
        self.ready_ns.append(at_ns)
        self.when_ready()

    def on_answer(
        self,
        number: int,
        said: AnswerSaid,  # noqa: ARG002  # the port's, as below
        arrival: Arrival,  # noqa: ARG002
        crowd: int,  # noqa: ARG002
    ) -> None:
        """Note an answer."""
        self.answers.append(number)

    def on_misfit(
        self,
        reason: Reason,
        message: str,
        *,
        number: int | None,
        size: int,  # noqa: ARG002
        at_ns: int,  # noqa: ARG002
    ) -> None:
        """Note a misfit."""
        self.misfits.append((reason, number))
        self.words.append(message)

    def on_frame_end(self) -> None:
        """Note the end of a frame."""
        self.frames += 1
        self.when_frame_ends()

    def on_lost(self, at_ns: int) -> None:  # noqa: ARG002
        """Note that the bot's stream broke."""
        self.ways.append("lost")

    def on_snapshot(self) -> None:
        """Note that the match is to be announced again."""
        self.ways.append("snapshot")

    def on_returned(self, at_ns: int) -> None:  # noqa: ARG002
        """Note that the bot is back."""
        self.ways.append("returned")

    def on_gone(self, kind: FaultKind, detail: str, at_ns: int) -> None:  # noqa: ARG002
        """Note the end."""
        self.gone.append((kind, detail))
        self.when_gone()
