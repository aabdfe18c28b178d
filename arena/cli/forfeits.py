"""What became of bots that forfeited, in words their authors can use.

Owns the report after the standings. Must not know why a match was forfeited: the log says it.
"""

import shlex
from collections import Counter
from collections.abc import Sequence

from arena.cli.output import say
from arena.record.match_row import MatchRow
from arena.record.paths import find_log
from arena.record.read import read_log
from arena.referee.events import MatchEnded
from arena.tournament.folder import EventFolder
from arena.tournament.forfeited import forfeited
from arena.tournament.known import read_known
from arena.tournament.suspension import with_suspensions

MOST_TOLD = 3
"""So many forfeits are told in full; the rest are counted."""


def tell_forfeits(folder: EventFolder) -> int:
    """Say which matches were forfeited, by whom and why; return how many."""
    forfeits = _forfeits(folder)
    for row in forfeits[:MOST_TOLD]:
        who = "" if row.culprit_seat is None else f" by {row.seats[row.culprit_seat]}"
        say(f"\n{row.match_id}: {row.termination.value}{who}, seat {row.culprit_seat}")
        say(_why(folder, row))
        log = find_log(folder.logs, row.match_id, row.attempt)
        say(f"log: {log}; what bots said: {folder.stderr}")
    if len(forfeits) > MOST_TOLD:
        say(f"\n… and {len(forfeits) - MOST_TOLD} more forfeited matches")
    return len(forfeits)


def count_forfeits(folder: EventFolder) -> None:
    """Say how many matches were forfeited by whom and where to look, if any were."""
    forfeits = _forfeits(folder)
    if forfeits:
        by = Counter(
            row.seats[row.culprit_seat] for row in forfeits if row.culprit_seat is not None
        )
        who = "".join(f"; {name}: {number}" for name, number in by.most_common())
        say(f"matches forfeited: {len(forfeits)}{who}{_first(folder, forfeits)}")
        say(f"what bots said: {folder.stderr}")


def _first(folder: EventFolder, forfeits: Sequence[MatchRow]) -> str:
    """Say how to look at the first that was played; what a suspended bot left has no log."""
    played = [row for row in forfeits if row.attempt]
    if not played:
        return ""
    return f"; the first: arena replay {shlex.quote(str(folder.path))} {played[0].match_id}"


def _forfeits(folder: EventFolder) -> tuple[MatchRow, ...]:
    known = read_known(folder)
    return forfeited(with_suspensions(known.event, known.rows, known.begun.rulings).rows)


def _why(folder: EventFolder, row: MatchRow) -> str:
    """Give the last word of the log on how the match ended."""
    path = find_log(folder.logs, row.match_id, row.attempt)
    if path is None:
        return "its log is not there any more"
    ends = [line.event for line in read_log(path).lines if isinstance(line.event, MatchEnded)]
    return ends[-1].termination.detail if ends else "its log says no end"
