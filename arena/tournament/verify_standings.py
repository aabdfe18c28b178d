"""Whether an event that is over is settled, and its standings are what its results come to.

Owns the comparison of ``standings.json``, byte for byte, and which matches lack a
result. Must not know match logs: that the rows are right is
:mod:`arena.tournament.verify_event`'s. Source: record.md ("Event log").
"""

from collections.abc import Iterable

from arena.errors import LogCorrupt
from arena.record.match_row import MatchRow
from arena.tournament.begun import Begun
from arena.tournament.event_file import EventFile
from arena.tournament.folder import EventFolder
from arena.tournament.standings import standings
from arena.tournament.standings_data import standings_json
from arena.tournament.suspension import with_suspensions


def check_standings(
    folder: EventFolder, event: EventFile, begun: Begun, rows: tuple[MatchRow, ...]
) -> LogCorrupt | None:
    """Say what is wrong with the final standings, if anything is."""
    path = folder.standings
    expected = standings_json(
        standings(event, rows, begun.rulings),
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


def unsettled(
    event: EventFile, begun: Begun, rows: tuple[MatchRow, ...], scheduled: Iterable[str]
) -> list[str]:
    """List the scheduled matches that neither count nor were barred by a suspension or ruling."""
    settled = with_suspensions(event, rows, begun.rulings).rows
    known = {row.match_id for row in settled if not row.attempt}  # settled without being played
    known |= {match for (match, _), noted in begun.noted.items() if noted.counted}
    return sorted(set(scheduled) - known)
