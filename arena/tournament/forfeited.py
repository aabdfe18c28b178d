"""Forfeited: the one list of forfeits that status, runs and standings count by.

Owns which matches are forfeits as results score: rulings and suspensions applied, repeats left
out, matches that nobody played because of a suspension in. Must not know who prints it.
Source: design.md §5 ("What a forfeit scores", "Rulings").
"""

from collections.abc import Iterable

from arena.record.match_row import MatchRow
from arena.tournament.repeats import repeats


def forfeited(settled: Iterable[MatchRow]) -> tuple[MatchRow, ...]:
    """List the matches that count as forfeited, in the order of the schedule.

    Args:
        settled: Results as :func:`arena.tournament.suspension.with_suspensions` gives them.
    """
    counted = [row for row in settled if row.counted]
    again = repeats(counted)
    found = [row for row in counted if row.termination.is_forfeit and row.match_id not in again]
    return tuple(sorted(found, key=_place))


def _place(row: MatchRow) -> tuple[int, ...]:
    return row.stage, row.round, row.pairing, row.orientation, row.slice
