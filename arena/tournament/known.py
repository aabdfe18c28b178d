"""Known: all that an event's folder says of it, read without playing.

Owns reading log, event file and results together, with the checks that they fit each other.
Must not write, build or start anything. Source: record.md ("The event folder").
"""

from dataclasses import dataclass

from arena.errors import ConfigError
from arena.record.match_row import MatchRow
from arena.record.results import Results
from arena.tournament.accounts import check_results, check_unnoted
from arena.tournament.begun import Begun, read_begun
from arena.tournament.entered import read_event
from arena.tournament.event_file import EventFile
from arena.tournament.folder import EventFolder, EventPlace


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """An event that has begun: how it began, its entrants, every attempt at a match."""

    folder: EventFolder
    begun: Begun
    event: EventFile
    rows: tuple[MatchRow, ...]


def read_known(folder: EventFolder) -> Known:
    """Read what an event's folder holds.

    Raises:
        ConfigError: Nothing has been played there, or its event file was changed.
        LogCorrupt: The results are not those that the event's log counts.
        HostFault: Something cannot be read.
    """
    begun = read_begun(folder)
    if begun is None:
        raise ConfigError(f"{folder.path}: no event was run here; start one with arena run")
    place = EventPlace(file=folder.event_file, folder=folder)
    begun.refuse_another(place)
    event = read_event(place, begun).under(begun.guards)
    results = Results.open(folder.results, must_exist=True)
    try:
        rows = begun.rulings.set_aside_in(results.rows())
    finally:
        results.close()
    check_results(event, rows, begun.noted, folder.results)
    check_unnoted(rows, begun.noted, folder.logs, folder.results)
    return Known(folder=folder, begun=begun, event=event, rows=rows)
