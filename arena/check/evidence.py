"""What the matches of a check showed. Owns values only."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from arena.bots.exits import Exit
from arena.referee.events import AnswerRejected, AnswerTiming, Fault, LogEvent, MatchEnded
from arena.referee.faults import Culprit, FaultKind, Reason, Termination
from arena.rules.events import DealScored
from arena.rules.ruleset import Ruleset


def median(numbers: Iterable[int]) -> int:
    """Give the upper median; 0 of none."""
    ordered = sorted(numbers)
    return ordered[len(ordered) // 2] if ordered else 0


class Twist(StrEnum):
    """What is unusual of a match, so that a rule can be tried."""

    NONE = "none"
    LATE = "stopped for moments, so that answers come late"
    """With a short limit."""
    REPEATED = "each question twice"
    """As a bot may get it that comes back to a match."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """One match of the bot against a shipped one.

    ``own`` are the bot's seats, ``limit_ms`` is what each decision had.
    """

    ruleset: Ruleset
    limit_ms: int
    own: frozenset[int]
    events: tuple[LogEvent, ...]
    timings: tuple[tuple[int, AnswerTiming], ...]
    """Seat and timing of every answer."""
    twist: Twist = Twist.NONE
    tables: int = 1
    seconds: float = 0.0
    """How long it took."""

    @property
    def termination(self) -> Termination:
        """Why it ended."""
        return next(e.termination for e in self.events if isinstance(e, MatchEnded))

    @property
    def boards(self) -> int:
        """How many boards were finished."""
        return sum(isinstance(event, DealScored) for event in self.events)

    @property
    def is_void(self) -> bool:
        """Whether it says nothing of the bot; a match in which answers come late always does."""
        end = self.termination
        is_others = end.kind.is_forfeit and end.seat not in self.own
        return (end.kind.is_void or is_others) and self.twist is not Twist.LATE

    def faults(self, *kinds: FaultKind) -> list[Fault]:
        """List the bot's faults of these kinds."""
        return [
            event
            for event in self.events
            if isinstance(event, Fault)
            and event.culprit is Culprit.BOT
            and event.seat in self.own
            and event.kind in kinds
        ]

    def rejected(self, *reasons: Reason) -> list[AnswerRejected]:
        """List the bot's refused messages with these reasons."""
        return [
            event
            for event in self.events
            if isinstance(event, AnswerRejected)
            and event.seat in self.own
            and event.reason in reasons
        ]

    def think_us(self) -> list[int]:
        """List how long the bot thought over each answer, at least: what a verdict takes."""
        return [timing.think_us for seat, timing in self.timings if seat in self.own]

    def most_us(self) -> list[int]:
        """List how long the bot thought over each answer, at most."""
        own = (timing for seat, timing in self.timings if seat in self.own)
        return [timing.think_us + timing.lag_us for timing in own]


@dataclass(slots=True, kw_only=True)
class Evidence:
    """All that was seen of a bot's processes and matches."""

    capacity: int = 1
    """How many tables the bot's manifest says it can play at once."""
    joined_capacity: int = 1
    """The same, as far as its Join agrees."""
    played: list[Played] = field(default_factory=list)
    void: list[Played] = field(default_factory=list)
    """Matches that say nothing of the bot: this machine failed, or the opponent."""
    joining_ns: list[int] = field(default_factory=list)
    """From launch to Join, of each process that joined."""
    absent: list[str] = field(default_factory=list)
    """Why a process did not join."""
    exits: list[Exit] = field(default_factory=list)
    """How its processes ended."""
    goodbyes: list[Exit] = field(default_factory=list)
    """How those ended that stayed until Goodbye; a crash before is another rule's."""
    peaks: list[tuple[int, int]] = field(default_factory=list)
    """MiB that each bot's processes had at most, added up, and MiB allowed; 0: not measured, and
    not limited."""
    output_bytes: int = 0
    """The most that one process's kept output takes."""
    last_words: str = ""
    """How the last process ended that did not exit well after Goodbye, with its last lines."""
    guards: tuple[str, ...] = ()
    untried: list[str] = field(default_factory=list)
    """What there was no time for."""

    @property
    def boards(self) -> int:
        """How many boards were finished."""
        return sum(match.boards for match in self.played)

    @property
    def usual_us(self) -> int:
        """How long half of the answers took at most, in matches without a twist; 0: none."""
        usual = [match for match in self.played if match.twist is Twist.NONE]
        return median(us for match in usual for us in match.most_us())

    @property
    def board_s(self) -> float:
        """How many seconds a board took in matches without a twist; 0 where none was finished."""
        usual = [match for match in self.played if match.twist is Twist.NONE]
        return sum(match.seconds for match in usual) / max(1, sum(m.boards for m in usual))
