"""Time bound: which round of a run still fits before the time that ``finish_by`` gives it.

Owns the pace of a run, the verdict on each round before its first match, and what is said of a
run that was cut. The first round of a run is always begun, so that every run gets on. Must not
know clocks, tables or who stops a run. Source: issue "Tournaments to trust" (Resume and rule).

Nothing is expected of a plan: time per match is what this run has taken so far, starts of bots
and tables side by side included, and a quarter more is allowed for. Where that says no while
earlier rounds are still in play, the verdict waits: their end may show a better pace.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from arena.counted import counted
from arena.tournament.drawn import Place

SLACK_PERCENT: Final = 25
"""How much longer than the matches so far those of a further round may take."""


class Room(Enum):
    """Whether there is room for a round."""

    BEGIN = auto()
    WAIT = auto()
    CUT = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """How far a run came whose time was up; rounds are those of all stages, as far as known."""

    by: str
    """The event's ``finish_by``."""
    rounds_complete: int
    rounds_planned: int
    matches_beyond: int
    """Matches that count of rounds that are not complete."""
    matches_left: int

    def __str__(self) -> str:
        """Say it in words."""
        rounds = f"{self.rounds_complete} of {counted(self.rounds_planned, 'round')}"
        beyond = (
            f" and {counted(self.matches_beyond, 'match')} of later ones"
            if self.matches_beyond
            else ""
        )
        left = f"left: {counted(self.matches_left, 'match')}"
        return f"finish_by {self.by}: cut after {rounds}{beyond}; {left}"

    def to_fields(self) -> dict[str, object]:
        """Give what the line ``event_paused`` says of it beside its words."""
        return {
            "rounds_complete": self.rounds_complete,
            "rounds_planned": self.rounds_planned,
            "matches_left": self.matches_left,
        }


class TimeBound:
    """What a run may still begin."""

    def __init__(
        self, allowed_ns: int, left_in_round: Callable[[Place], int], *, tables: int = 1
    ) -> None:
        """Begin a run.

        Args:
            allowed_ns: How long it may take.
            left_in_round: Counts the matches of a round that do not count yet; 0 once it is
                complete.
            tables: Matches at once: at a round's end all but one of them may idle.
        """
        self._allowed_ns = allowed_ns
        self._left_in_round = left_in_round
        self._idle = tables - 1
        self._begun: set[Place] = set()
        self._counted = 0

    def count(self) -> None:
        """Learn that a match counts."""
        self._counted += 1

    def room_for(self, place: Place, elapsed_ns: int) -> Room:
        """Say whether a match of a round may begin, so long after the run did."""
        if place in self._begun:
            return Room.BEGIN
        in_play = sum(map(self._left_in_round, self._begun))
        if not self._begun or self._fits(in_play + self._left_in_round(place), elapsed_ns):
            self._begun.add(place)
            return Room.BEGIN
        return Room.WAIT if in_play else Room.CUT

    def _fits(self, matches: int, elapsed_ns: int) -> bool:
        """Whether so many matches will have been played in time; not before one was."""
        if not self._counted:
            return False
        needed_ns = (matches + self._idle) * elapsed_ns // self._counted
        return elapsed_ns + needed_ns * (100 + SLACK_PERCENT) // 100 <= self._allowed_ns
