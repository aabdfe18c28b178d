"""Repeats: matches that were played before, card by card, and so prove nothing new.

Owns telling them apart. Must not know standings. Two cycles on the same boards between bots
that never vary give the same cards twice; counted twice, they would look like twice as much
evidence. Source: requirements.md L; issue "Tournaments to trust".
"""

from collections.abc import Iterable
from dataclasses import dataclass

from arena.record.match_row import BoardRow, MatchRow
from arena.referee.faults import TerminationKind


@dataclass(frozen=True, slots=True, kw_only=True)
class _Played:
    """What two matches have in common where one repeats the other."""

    stage: int
    seats: tuple[str, ...]
    first_board: int
    termination: TerminationKind
    boards: tuple[BoardRow, ...]
    plays: str


def repeats(counted: Iterable[MatchRow]) -> frozenset[str]:
    """Find the matches that only repeat others.

    A match repeats an earlier one (in the order of the schedule) with the same entrants at
    the same seats, the same boards and the same cards. It is left out only where all
    orientations of its boards are repeats: else a board that was played anew in one of them
    would lose its other half.

    Args:
        counted: The matches that count, in any order.

    Returns:
        Their ids.
    """
    seen: set[_Played] = set()
    turned: dict[tuple[int, int, int, int], list[tuple[str, bool]]] = {}
    for row in sorted((row for row in counted if not row.is_annulled), key=_place):
        played = _Played(
            stage=row.stage,
            seats=row.seats,
            first_board=row.first_board,
            termination=row.termination,
            boards=row.boards,
            plays=row.plays,
        )
        is_repeat = bool(row.plays) and played in seen
        seen.add(played)
        place = row.stage, row.round, row.pairing, row.slice
        turned.setdefault(place, []).append((row.match_id, is_repeat))
    return frozenset(
        match
        for matches in turned.values()
        if all(is_repeat for _, is_repeat in matches)
        for match, _ in matches
    )


def _place(row: MatchRow) -> tuple[int, ...]:
    return row.stage, row.round, row.pairing, row.orientation, row.slice
