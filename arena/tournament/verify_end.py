"""Whether the log of an event still has its end.

Owns what lies beside ``event.jsonl`` and proves that lines of it are missing: results, standings.
Cutting whole lines off needs no new chain. Must not judge those files themselves
(:mod:`arena.tournament.verify_event`). Source: record.md ("Event log").

A run notes a match in the log before the next one counts, writes the standings when all of them
are noted, then reveals the seeds and closes the log; a ruling stands in the log before it is in the
standings. So what is known there and not in the log was in it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

import msgspec

from arena.counted import counted
from arena.errors import HostFault, LogCorrupt
from arena.record.event_log import EventLine
from arena.record.match_row import MatchRow
from arena.tournament.begun import Begun
from arena.tournament.folder import EventFolder
from arena.tournament.rulings import Act

_REOPENING = (Act.REPLAY, Act.REINSTATE)
"""Rulings after which matches may be left to play, whatever older standings say."""


class LogEnd(StrEnum):
    """How an event's log ends, in words."""

    CLOSED = "closed"
    OPEN = "not closed yet"
    CUT = "closed or about to be, but the end of its log is missing"


@dataclass(frozen=True, slots=True, kw_only=True)
class EndFound:
    """How a log ends, what proves that lines were cut off, and what may be a kill's work."""

    end: LogEnd
    wrong: tuple[LogCorrupt, ...] = ()
    notes: tuple[str, ...] = ()


def check_end(
    folder: EventFolder,
    begun: Begun,
    lines: Sequence[EventLine],
    rows: Sequence[MatchRow],
    *,
    is_played: bool,
) -> EndFound:
    """Say how an event's log ends.

    Args:
        folder: The event's.
        begun: What its log says.
        lines: The lines of the log.
        rows: Every attempt in the results.
        is_played: Whether by the log no match is left.

    Raises:
        HostFault: A file cannot be read.
    """
    log = folder.event_log
    document = _standings(folder.standings)
    wrong = [
        LogCorrupt(
            f"{log}: its end is missing: {folder.standings.name} knows the ruling {what!r}, which "
            "stands in the log first"
        )
        for what in _rulings_unknown(document, lines)
    ]
    notes = [note] if (note := _cut_line(log)) else []
    if begun.is_closed:
        return EndFound(end=LogEnd.CLOSED, wrong=tuple(wrong), notes=tuple(notes))
    unnoted = sum((row.match_id, row.attempt) not in begun.noted for row in rows)
    is_reopened = any(line.fields.get("act") in _REOPENING for line in lines)
    is_final = not is_reopened and _is_final(document)
    if is_final and (unnoted or not is_played):
        noted_matches = sum(noted.counted for noted in begun.noted.values())
        wrong.append(
            LogCorrupt(
                f"{log}: its end is missing: it counts {counted(noted_matches, 'match')}, and by "
                f"{folder.standings.name}, which is written after it, all were played"
            )
        )
    elif is_final:
        notes.append(
            f"{log}: all is played, but its last lines (seed_revealed, event_closed) are missing: "
            f"cut off, or a kill came just then; the published head tells, and arena run "
            f"{folder.path} writes them"
        )
    elif unnoted > 1:
        notes.append(
            f"{log}: lacks {unnoted} attempts that {folder.results.name} holds; a kill leaves one: "
            "its end was cut off, or it was copied before them"
        )
    is_cut = bool(wrong) or is_final or unnoted > 1
    return EndFound(
        end=LogEnd.CUT if is_cut else LogEnd.OPEN, wrong=tuple(wrong), notes=tuple(notes)
    )


def _standings(path: Path) -> Any:
    """Read what standings say, whatever they are; their form is judged elsewhere."""
    try:
        return msgspec.json.decode(path.read_bytes()) if path.is_file() else None
    except (msgspec.DecodeError, RecursionError):
        return None
    except OSError as error:
        raise HostFault(f"{path}: cannot be read: {error.strerror}") from error


def _stages(document: Any) -> Iterator[dict[str, Any]]:
    match document:
        case {"data": {"stages": [*stages]}}:
            yield from (stage for stage in stages if isinstance(stage, dict))
        case _:
            pass


def _rulings_unknown(document: Any, lines: Sequence[EventLine]) -> Iterator[str]:
    """Name the rulings that standings rest on and a log does not hold."""
    known = {
        (line.fields.get("act"), line.fields.get("on")) for line in lines if line.kind == "ruling"
    }
    match document:
        case {"data": {"published": True}} if (Act.PUBLISH, "") not in known:
            yield Act.PUBLISH.value
        case _:
            pass
    for stage in _stages(document):
        for act, key in ((Act.VOID, "voided"), (Act.REPLAY, "replayed"), (Act.ADJUST, "adjusted")):
            for match in _list(stage, key):
                if isinstance(match, str) and (act, match) not in known:
                    yield f"{act} {match}"
        for line in _list(stage, "entrants"):
            match line:
                case {"disqualified": True, "name": str(name)}:
                    if (Act.DISQUALIFY, name) not in known:
                        yield f"{Act.DISQUALIFY} {name}"
                case _:
                    pass


def _is_final(document: Any) -> bool:
    """Whether standings say that no match is left, or none of those left is needed."""
    left = []
    for stage in _stages(document):
        match stage:
            case {"comparison": {"decided": True}}:
                left.append(0)
            case {"matches_counted": int(counted), "matches_planned": int(planned)}:
                left.append(planned - counted)
            case _:
                return False
    return bool(left) and max(left) <= 0


def _list(stage: dict[str, Any], key: str) -> list[Any]:
    value = stage.get(key)
    return value if isinstance(value, list) else []


def _cut_line(log: Path) -> str:
    """Say so where the last line of a log has no end."""
    try:
        content = log.read_bytes()
    except OSError as error:
        raise HostFault(f"{log}: cannot be read: {error.strerror}") from error
    rest = len(content) - content.rfind(b"\n") - 1
    if not rest:
        return ""
    return (
        f"{log}: its last line is cut after {counted(rest, 'byte')}: by a kill, or afterwards; "
        "left out"
    )
