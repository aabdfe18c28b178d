"""What holds for a whole match, as a bot sees it, and how it ended.

Owns the facts of ``MatchStarted`` and ``MatchEnded``. Must not know decisions or sessions.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from arena.v1 import match_pb2, play_pb2

if TYPE_CHECKING:
    from arena.rules.ruleset import Ruleset


class MatchInfo:
    """What holds for a whole match. ``message`` is all of it, as the referee sent it."""

    def __init__(self, message: play_pb2.MatchStarted) -> None:
        self.message = message
        self.table = message.table
        """The table's number in this session: tell matches at once apart by it."""
        self.match_id = message.match_id
        """A random name; says nothing about the event."""
        self.seat = message.seat
        """This bot's seat; seats count from 0 in turn order."""
        self.sides = tuple(message.sides)
        """The side of each seat, by seat."""
        self.seats = len(self.sides)
        """How many seats play."""
        self.side = self.sides[self.seat]
        """This bot's side."""
        self.partner = next(
            (s for s in range(self.seats) if s != self.seat and self.sides[s] == self.side), None
        )
        """The other seat of this side; None where each seat is alone."""
        self.bot_seed = message.bot_seed
        """Chance for this bot: the same in every attempt at this match."""

    @property
    def boards(self) -> int | None:
        """How many deals the match has; None in a match to a target."""
        return self.message.boards if self.message.WhichOneof("length") == "boards" else None

    @property
    def target(self) -> int | None:
        """The points that end the match; None in a match over a fixed number of deals."""
        return self.message.target if self.message.WhichOneof("length") == "target" else None

    @property
    def seat_names(self) -> tuple[str, ...]:
        """The bots' names by seat where the event shows them; else empty."""
        return tuple(self.message.seat_names)

    @property
    def clock(self) -> match_pb2.Clock:
        """The time allowances as applied, in milliseconds."""
        return self.message.clock

    @cached_property
    def ruleset(self) -> "Ruleset":
        """The game that is played, every option spelled out.

        Raises:
            ValueError: the arena is newer than this kit and plays by an option unknown here.
        """
        from arena.sdk.decoded import read_ruleset  # noqa: PLC0415 - only where it is wanted

        return read_ruleset(self.message.ruleset)


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchEnd:
    """How a match ended."""

    termination: str
    """Why, for instance ``completed`` or ``forfeit_faults``."""
    culprit_seat: int | None
    """The seat by whose doing, where a bot's; else None."""
    totals: tuple[int, ...]
    """Whole points, by side."""
    winner: int | None
    """The side that won; None = no side is ahead."""


def read_match_end(message: match_pb2.MatchResult) -> MatchEnd:
    """Read how a match ended; a kind of a newer arena is shown by its number."""
    kind = message.termination.kind
    known = match_pb2.TerminationKind.DESCRIPTOR.values_by_number.get(kind)
    return MatchEnd(
        termination=known.name.removeprefix("TERMINATION_KIND_").lower() if known else str(kind),
        culprit_seat=message.termination.seat if message.termination.HasField("seat") else None,
        totals=tuple(message.totals),
        winner=message.winner if message.HasField("winner") else None,
    )
