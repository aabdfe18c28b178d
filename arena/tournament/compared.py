"""What a comparison came to, as a value, and in a few words.

Owns the closed list of outcomes. Must not know how one is found
(:mod:`arena.tournament.comparing`).
"""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import assert_never

from arena.counted import counted
from arena.tournament.rating.elo import Tally
from arena.tournament.rating.sequential import SequentialTest, Standing
from arena.tournament.statistics import Interval


class Outcome(StrEnum):
    """How a comparison stands or ended."""

    OPEN = "open"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    UNDECIDED = "undecided"
    """All boards were played and nothing is decided."""
    FORFEITED = "forfeited"
    """A bot forfeited too many matches."""
    DISQUALIFIED = "disqualified"
    """By ruling a bot is out, so that no board counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What is known of a comparison; points, interval and tally are of A, for information."""

    entrants: tuple[str, str]
    test: SequentialTest
    outcome: Outcome
    standing: Standing
    points: Fraction | None
    """A's per board; None before a board was played out."""
    interval: Interval | None
    tally: Tally
    most_boards: int
    forfeits: tuple[int, int]

    @property
    def is_decided(self) -> bool:
        """Whether it is over, however many boards were played."""
        return self.outcome is not Outcome.OPEN

    @property
    def words(self) -> str:
        """Say how it stands, without what was asked."""
        after = f"after {counted(self.standing.groups, 'board')}"
        match self.outcome:
            case Outcome.ACCEPTED | Outcome.REJECTED:
                return f"decided: {self.outcome.value} {after}"
            case Outcome.UNDECIDED:
                return f"undecided {after}: all boards are played"
            case Outcome.FORFEITED:
                a, b = self.entrants
                lost, lost_too = self.forfeits
                return f"given up {after}: matches forfeited by {a}: {lost}, by {b}: {lost_too}"
            case Outcome.DISQUALIFIED:
                return "void: by ruling a bot is out, and no board counts"
            case Outcome.OPEN:
                return f"open {after}"
            case _:
                assert_never(self.outcome)
