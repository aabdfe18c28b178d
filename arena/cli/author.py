"""What an author wants to know of a match of theirs: the cards that the referee played.

Owns the lines that ``arena match`` adds. Must not play.
"""

from collections.abc import Iterator

from arena.cli.decisions import decisions
from arena.cli.output import say
from arena.counted import counted
from arena.record.match_row import MatchRow
from arena.record.paths import find_log
from arena.record.read import MatchRecord, read_log
from arena.record.results import Results
from arena.tournament.folder import EventFolder

MOST_AUTOPLAYS = 20
"""So many are told in full; the rest are counted."""


def tell_autoplays(folder: EventFolder) -> int:
    """Say which cards the referee had to play, and at which decision; return how many."""
    told = 0
    for row, record in _played(folder):
        for decided in decisions(record, range(len(row.seats))):
            if decided.is_autoplayed:
                told += 1
                if told <= MOST_AUTOPLAYS:
                    say(f"\n{row.match_id}, {row.seats[decided.seat]}: {decided}")
    if told > MOST_AUTOPLAYS:
        say(f"\n… and {counted(told - MOST_AUTOPLAYS, 'more card')} that the referee played")
    return told


def _played(folder: EventFolder) -> Iterator[tuple[MatchRow, MatchRecord]]:
    for row in counted_rows(folder):
        path = find_log(folder.logs, row.match_id, row.attempt)
        if path is not None:
            yield row, read_log(path)


def counted_rows(folder: EventFolder) -> list[MatchRow]:
    """List the matches of a folder that count."""
    results = Results.open(folder.results, must_exist=True)
    try:
        return [row for row in results.rows() if row.counted]
    finally:
        results.close()
