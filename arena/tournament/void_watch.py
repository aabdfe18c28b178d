"""VoidWatch: when spoiled matches pause the event.

Owns the two limits of design.md §5: a match void three times, or 5 % void of the last 100.
What it counts comes from the results and the event's log, so a restart forgets nothing. Must
not know how an event is paused. An attempt that an operator broke off is nobody's fault and
is not counted.
"""

from collections import Counter, deque
from collections.abc import Iterable, Mapping
from typing import Final

from arena.record.match_row import MatchRow
from arena.referee.faults import TerminationKind
from arena.tournament.accounts import Attempt, Noted

MOST_ATTEMPTS: Final = 3
"""A match void so often pauses the event, and each time that it is void again."""
LAST_ATTEMPTS: Final = 100
MOST_VOID: Final = 5
"""So many void of the last hundred pause the event."""


class VoidWatch:
    """Counts void attempts."""

    def __init__(self, rows: Iterable[MatchRow], noted: Mapping[Attempt, Noted]) -> None:
        """Take up the count.

        Args:
            rows: Every attempt in the results.
            noted: What the event's log says of attempts, in its order.
        """
        self._voids = Counter(row.match_id for row in rows if is_spoiled(row.termination))
        spoiled = (_is_spoiled_word(note.termination) for note in noted.values())
        self._last = deque(spoiled, maxlen=LAST_ATTEMPTS)

    def add(self, row: MatchRow) -> str | None:
        """Take in an attempt.

        Returns:
            Why the event is to pause, where it is.
        """
        is_void = is_spoiled(row.termination)
        self._last.append(is_void)
        if not is_void:
            return None
        self._voids[row.match_id] += 1
        voids, recent = self._voids[row.match_id], sum(self._last)
        if voids >= MOST_ATTEMPTS:
            return f"match {row.match_id} was void {voids} times; its logs say why"
        if recent >= MOST_VOID:
            return (
                f"{recent} of the last {len(self._last)} attempts at matches were void, the last "
                f"one of {row.match_id} ({row.termination.value}); the logs say why"
            )
        return None


def is_spoiled(kind: TerminationKind) -> bool:
    """Whether host or referee spoiled an attempt."""
    return kind.is_void and kind is not TerminationKind.ABORTED


def _is_spoiled_word(word: str) -> bool:
    return word in set(TerminationKind) and is_spoiled(TerminationKind(word))
