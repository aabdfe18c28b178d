"""Whether an event that is over is settled, and its standings are what its results come to.

Owns the comparison of ``standings.json``, byte for byte, and which matches lack a
result. Must not know match logs: that the rows are right is
:mod:`arena.tournament.verify_event`'s. Source: record.md ("Event log").
"""

from collections.abc import Iterable
from typing import Final

import msgspec

from arena.errors import LogCorrupt
from arena.record.match_row import MatchRow
from arena.tournament.begun import Begun
from arena.tournament.event_file import EventFile
from arena.tournament.folder import EventFolder
from arena.tournament.standings import standings
from arena.tournament.standings_data import standings_json
from arena.tournament.suspension import with_suspensions

_SAME: Final = "the same, written another way"
_LONGEST: Final = 120
"""Characters of a value that a finding shows."""


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
    if path.exists() and not path.is_file():  # to open a pipe waits for ever
        return LogCorrupt(f"{path}: expected the final standings, found no regular file")
    try:
        found = path.read_bytes()
    except OSError as error:
        return LogCorrupt(f"{path}: expected the final standings, found {error.strerror}")
    if found == expected:
        return None
    try:
        words = _first_difference(msgspec.json.decode(expected), msgspec.json.decode(found), "")
    except (msgspec.DecodeError, RecursionError):
        words = "found no JSON"
    return LogCorrupt(f"{path}: not the standings that the results come to: {words}")


def _first_difference(expected: object, found: object, where: str) -> str:
    """Name the first place where two JSON values differ."""
    if isinstance(expected, dict) and isinstance(found, dict):
        if odd := sorted(expected.keys() ^ found.keys()):
            what = "expected" if odd[0] in expected else "found, not expected"
            return f"{where.removeprefix('.')}.{odd[0]}: {what}"
        pairs = [(f"{where}.{key}", expected[key], found[key]) for key in expected]
    elif isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        pairs = [(f"{where}[{n}]", expected[n], found[n]) for n in range(len(expected))]
    elif expected == found:
        return _SAME
    else:
        return f"{where.removeprefix('.')}: expected {_short(expected)}, found {_short(found)}"
    differing = ((one, other, deeper) for deeper, one, other in pairs if one != other)
    first = next(differing, None)
    return _SAME if first is None else _first_difference(*first)


def _short(value: object) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} …"


def unsettled(
    event: EventFile, begun: Begun, rows: tuple[MatchRow, ...], scheduled: Iterable[str]
) -> list[str]:
    """Say what an event that is closed lacks: matches, or else a round that was not drawn.

    A match is lacking if it neither counts nor was barred by a suspension or ruling.
    """
    # Later rulings dealt no card, so they excuse nothing.
    settled = with_suspensions(event, rows, begun.rulings.at_end or begun.rulings)
    known = {row.match_id for row in settled.rows if not row.attempt}  # settled unplayed
    known |= {match for (match, _), noted in begun.noted.items() if noted.counted}
    lacking = [f"match {match} counted" for match in sorted(set(scheduled) - known)]
    return lacking if lacking or settled.is_over else ["every round drawn and complete"]
