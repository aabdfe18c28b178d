"""Whether the final standings of an event are those that its results come to.

Owns the comparison of ``standings.json``, byte for byte. Must not know match logs: that the
rows are right is :mod:`arena.tournament.verify_event`'s. Source: record.md ("Event log").
"""

from arena.errors import LogCorrupt
from arena.record.match_row import MatchRow
from arena.tournament.begun import Begun
from arena.tournament.event_file import EventFile
from arena.tournament.folder import EventFolder
from arena.tournament.standings import standings
from arena.tournament.standings_data import standings_json


def check_standings(
    folder: EventFolder, event: EventFile, begun: Begun, rows: tuple[MatchRow, ...]
) -> LogCorrupt | None:
    """Say what is wrong with the final standings, if anything is."""
    path = folder.standings
    expected = standings_json(
        standings(event, rows),
        commitments=begun.commitments,
        fingerprint=begun.freeze.fingerprint,
    )
    try:
        found = path.read_bytes()
    except OSError as error:
        return LogCorrupt(f"{path}: expected the final standings, found {error.strerror}")
    if found != expected:
        return LogCorrupt(f"{path}: not the standings that the results come to")
    return None
