"""Whether an event that is over is settled, and its standings are what its results come to.

Owns the comparison of ``standings.json``, byte for byte in the form of its schema, and which
matches lack a result. Must not know match logs: that the rows are right is
:mod:`arena.tournament.verify_event`'s. Source: record.md ("Event log").
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import msgspec

from arena.errors import LogCorrupt
from arena.record.event_log import read_event_log
from arena.record.match_row import MatchRow
from arena.tournament.begun import Begun
from arena.tournament.comparing import comparison
from arena.tournament.event_file import EventFile
from arena.tournament.folder import EventFolder
from arena.tournament.rulings import fold, read_rulings
from arena.tournament.standings import standings
from arena.tournament.standings_data import SCHEMA, standings_json
from arena.tournament.standings_forms import charges_otherwise, in_form_of
from arena.tournament.suspension import with_suspensions

_SAME: Final = "the same, written another way"
_LONGEST: Final = 120
"""Characters of a value that a finding shows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsFound:
    """What is to be said of ``standings.json``; neither where it is what the results come to."""

    wrong: LogCorrupt | None = None
    note: str = ""


def check_standings(
    folder: EventFolder, event: EventFile, begun: Begun, rows: tuple[MatchRow, ...]
) -> StandingsFound:
    """Hold the final standings against the results, in the form of the file's schema."""
    path = folder.standings
    try:
        found = _content(path)
    except LogCorrupt as corrupt:
        return StandingsFound(wrong=corrupt)
    expected = standings_json(
        standings(event, rows, begun.rulings),
        commitments=begun.commitments,
        fingerprint=begun.freeze.fingerprint,
    )
    today = msgspec.json.decode(expected)
    try:
        document = msgspec.json.decode(found)
        as_then = in_form_of(document, today) if isinstance(document, dict) else None
    except (msgspec.DecodeError, RecursionError):
        return _otherwise(path, "found no JSON")
    if as_then == found:
        return StandingsFound()
    if as_then is None:
        return _otherwise(
            path,
            f"expected an object of schema 1 to {SCHEMA}, the forms that this arena reads, "
            f"found {_short(document)}",
        )
    if charges_otherwise(document, today):
        return StandingsFound(
            note=f"{path}: of an earlier arena, for which forfeits had another price: not compared"
        )
    return _otherwise(path, _first_difference(msgspec.json.decode(as_then), document, ""))


def _content(path: Path) -> bytes:
    if path.exists() and not path.is_file():  # to open a pipe waits for ever
        raise LogCorrupt(f"{path}: expected the final standings, found no regular file")
    try:
        return path.read_bytes()
    except OSError as error:
        raise LogCorrupt(f"{path}: expected the final standings, found {error.strerror}") from None


def is_behind_ruling(
    folder: EventFolder, event: EventFile, begun: Begun, rows: tuple[MatchRow, ...]
) -> bool:
    """Whether the standings are those from before the last ruling: a kill came between the two.

    Raises:
        LogCorrupt: The event's log is damaged.
        HostFault: It cannot be read.
    """
    rulings = read_rulings(read_event_log(folder.event_log), folder.event_log)
    if not rulings:
        return False
    now = begun.rulings
    before = replace(fold(rulings[:-1]), drawn=now.drawn, at_end=now.at_end)
    return check_standings(folder, event, replace(begun, rulings=before), rows).wrong is None


def _otherwise(path: Path, words: str) -> StandingsFound:
    return StandingsFound(
        wrong=LogCorrupt(f"{path}: not the standings that the results come to: {words}")
    )


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
    rulings = begun.rulings.at_end or begun.rulings
    compared = comparison(event, rows, rulings)
    if compared is not None and compared.is_decided:
        return []  # the rest is not needed
    settled = with_suspensions(event, rows, rulings)
    known = {row.match_id for row in settled.rows if not row.attempt or row.is_annulled}
    known |= {match for (match, _), noted in begun.noted.items() if noted.counted}
    lacking = [f"match {match} counted" for match in sorted(set(scheduled) - known)]
    return lacking if lacking or settled.is_over else ["every round drawn and complete"]
