"""What a fault costs: the conduct policy of an event as validated data.

Owns the limits per kind of fault and the count of them in one match. Source: design.md §5.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Final

from arena.counted import counted
from arena.errors import ConfigError
from arena.referee.ending import forfeit
from arena.referee.faults import Culprit, FaultKind, Reason, Termination, TerminationKind

LEAST_LIMIT: Final = 3
"""No limit falls below this, however short the match."""
ANY_NUMBER: Final = 1_000_000
"""A limit of faults that no match reaches."""
TARGET_MATCH_BOARDS: Final = 100
"""A match to a target counts as this many boards."""

COUNTED_AS: Final[Mapping[FaultKind, FaultKind]] = MappingProxyType(
    {
        FaultKind.LATE: FaultKind.LATE,
        FaultKind.ILLEGAL: FaultKind.ILLEGAL,
        FaultKind.NOT_HELD: FaultKind.ILLEGAL,
        FaultKind.MALFORMED: FaultKind.MALFORMED,
        FaultKind.UNSOLICITED: FaultKind.MALFORMED,
        FaultKind.REVOKE: FaultKind.REVOKE,
        FaultKind.INFRACTION: FaultKind.INFRACTION,
    }
)
"""Towards which limit a fault counts; the kinds left out end the match by themselves."""

FAULT_OF_REASON: Final[Mapping[Reason, FaultKind | None]] = MappingProxyType(
    {
        Reason.MALFORMED: FaultKind.MALFORMED,
        Reason.UNKNOWN_MESSAGE: FaultKind.MALFORMED,
        Reason.WRONG_KIND: FaultKind.MALFORMED,
        Reason.BAD_DECLARATION: FaultKind.MALFORMED,
        Reason.BAD_SIGNAL: FaultKind.MALFORMED,
        Reason.TOO_MANY_MESSAGES: FaultKind.MALFORMED,
        Reason.TOO_LARGE: FaultKind.MALFORMED,
        Reason.NOT_JOINED: FaultKind.UNSOLICITED,
        Reason.UNKNOWN_DECISION: FaultKind.UNSOLICITED,
        Reason.CARD_NOT_HELD: FaultKind.NOT_HELD,
        Reason.ILLEGAL_CARD: FaultKind.ILLEGAL,
        Reason.STALE: None,
        Reason.ALREADY_ANSWERED: None,
        Reason.BAD_TOKEN: None,
        Reason.REPLACED: None,
        Reason.VERSION: None,
        Reason.CAPACITY: None,
    }
)
"""The fault behind a refused message; None where it is no fault at a table."""

FAULT_OF_STOP: Final[Mapping[Culprit, FaultKind]] = MappingProxyType(
    {Culprit.HOST: FaultKind.HOST, Culprit.REFEREE: FaultKind.REFEREE}
)
"""The fault behind a match that is stopped from outside, by whose it is; an organiser has none."""
FORFEIT_OF_GONE: Final[Mapping[FaultKind, TerminationKind]] = MappingProxyType(
    {
        FaultKind.CRASHED: TerminationKind.FORFEIT_CRASH,
        FaultKind.LEFT: TerminationKind.FORFEIT_LEFT,
        FaultKind.LOST: TerminationKind.FORFEIT_LOST,
        FaultKind.NOT_READY: TerminationKind.FORFEIT_NOT_READY,
        FaultKind.FLOOD: TerminationKind.FORFEIT_FLOOD,
        FaultKind.NOT_READING: TerminationKind.FORFEIT_NOT_READING,
    }
)
"""How a match ends when a bot is gone, by the way it went."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conduct:
    """Faults allowed in a match of 100 boards, by kind; the one that reaches it forfeits.

    A card not held counts as ``illegal``, an unsolicited message as ``malformed``.

    Raises:
        ConfigError: A limit is below 1.
    """

    late: int = 10
    illegal: int = 3
    malformed: int = 3
    revoke: int = 3
    infraction: int = 10
    illegal_tries: int = 3
    """Refused cards in one decision after which the referee plays for the seat."""

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if value < 1:
                raise ConfigError(
                    f"conduct: {field.name} = {value} is too small; "
                    f"allowed are whole numbers from 1"
                )

    def limit_of(self, kind: FaultKind, boards: int | None) -> int | None:
        """Say which fault of a kind forfeits a match of so many boards.

        Args:
            kind: The kind of fault.
            boards: Boards of the match; None for a match to a target.

        Returns:
            max(3, limit * boards / 100 rounded up), or None for a kind that is not counted.
        """
        counted_as = COUNTED_AS.get(kind)
        if counted_as is None:
            return None
        limit: int = getattr(self, counted_as.value)
        in_match = -(-limit * (boards or TARGET_MATCH_BOARDS) // 100)
        return max(LEAST_LIMIT, in_match)


class FaultCount:
    """The faults of each seat in one match, and whether one of them was one too many."""

    __slots__ = ("_boards", "_conduct", "_counts")

    def __init__(self, conduct: Conduct, *, boards: int | None) -> None:
        self._conduct = conduct
        self._boards = boards
        self._counts: dict[tuple[int, FaultKind], int] = {}

    def add(self, seat: int, kind: FaultKind, detail: str) -> Termination | None:
        """Count a fault of a seat; ``detail`` tells its author what it was.

        Returns:
            The forfeit of the match, if this fault reached its limit, else None.
        """
        limit = self._conduct.limit_of(kind, self._boards)
        if limit is None:
            return None
        key = (seat, COUNTED_AS[kind])
        count = self._counts.get(key, 0) + 1
        self._counts[key] = count
        if count < limit:
            return None
        words = f"{counted(count, 'fault')} counted as {key[1].value}, the limit of this match"
        return forfeit(TerminationKind.FORFEIT_FAULTS, seat, f"{words}; the last: {detail}")
