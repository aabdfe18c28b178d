"""Which match log a command line means: a file, or a match of an event by its id.

Owns the words for what is no match log. Must not read logs. Source: commands.md (LOG, EVENT).
"""

import re
from pathlib import Path
from typing import NoReturn

from arena.errors import ConfigError
from arena.record.event_log import read_event_log
from arena.record.paths import (
    LOG_SUFFIX,
    PACKED_SUFFIX,
    attempts,
    find_log,
    parse_match_id,
)
from arena.tournament.accounts import noted_attempts
from arena.tournament.evidence import MANIFEST, evidence_match
from arena.tournament.folder import EVENT_FILE, EVENT_LOG, EventFolder, locate

_ATTEMPT = re.compile(r"(.+)\.a([1-9]\d{0,8})")


def named_log(where: Path, match: str | None) -> Path:
    """Find the log that was named.

    Args:
        where: A match log, an unpacked archive of evidence, or an EVENT if ``match`` is given.
        match: A match id; with ``.a2`` behind it the second attempt, else the one that counts.

    Raises:
        ConfigError: There is no such log; the message says what was given instead.
        LogCorrupt: The event's log, which says which attempt counts, is damaged.
    """
    if _is_event(where):
        folder = locate(where).folder
        if not match:
            _ask(where, folder)
        return _of_event(folder, match)
    if (where / MANIFEST).is_file():
        return _of_event(EventFolder(where), match or evidence_match(where))
    if where.is_dir():
        raise ConfigError(f"{where}: is a folder; give one match log{_for_instance(where)}")
    if not where.is_file():
        raise ConfigError(f"{where}: no such file")
    if match:
        raise ConfigError(f"{where}: is no event; a match id goes with an event's folder or file")
    if where.name == EVENT_LOG:
        raise ConfigError(
            f"{where}: is an event's own log, not a match's; give one match log"
            f"{_for_instance(where.parent)}"
        )
    return where


def folder_of_logs(where: Path, match: str | None) -> Path:
    """Find the folder in which a log lies or will lie; arguments as :func:`named_log` has them.

    Raises:
        ConfigError: There is none, or an EVENT was given without a match.
    """
    if not _is_event(where):
        return named_log(where, match).parent
    folder = locate(where).folder
    if match is None:
        _ask(where, folder)
    if not folder.logs.is_dir():
        raise ConfigError(f"{folder.path}: nothing was played there yet; start it with arena run")
    return folder.logs


def log_to_follow(where: Path, match: str | None) -> Path | None:
    """Find the log of the last attempt at a match, or the one named; None: not there yet.

    Raises:
        ConfigError: It is no name of a match, or no log.
    """
    if match is None or not _is_event(where):
        return named_log(where, match)
    folder = locate(where).folder
    found = _ATTEMPT.fullmatch(match)
    if found is not None:
        return find_log(folder.logs, str(parse_match_id(found[1])), int(found[2]))
    last = max(attempts(folder.logs, str(parse_match_id(match))), default=None)
    return None if last is None else find_log(folder.logs, match, last)


def _is_event(where: Path) -> bool:
    if where.is_dir():
        return (where / EVENT_FILE).is_file()
    return where.is_file() and where.suffix == ".toml"


def _ask(where: Path, folder: EventFolder) -> NoReturn:
    """Refuse an event without a match."""
    kind = "an event's folder" if where.is_dir() else "an event file"
    first = min(folder.logs.glob(f"*{LOG_SUFFIX}*"), default=None)
    if first is None:
        raise ConfigError(f"{where}: is {kind}, not a match log, and no match of it was played")
    match = first.name.partition(".")[0]
    raise ConfigError(f"{where}: is {kind}, not a match log; name a match, for instance {match}")


def _of_event(folder: EventFolder, name: str) -> Path:
    found = _ATTEMPT.fullmatch(name.removesuffix(".gz").removesuffix(LOG_SUFFIX))
    match = str(parse_match_id(found[1] if found else name))
    kept = attempts(folder.logs, match)
    wanted = int(found[2]) if found else _counted(folder, match) or max(kept, default=1)
    path = find_log(folder.logs, match, wanted)
    if path is None:
        has = f"there are attempts {', '.join(map(str, kept))}" if kept else "it has no log"
        raise ConfigError(f"{folder.path}: no log of match {match}, attempt {wanted}; {has}")
    return path


def _counted(folder: EventFolder, match: str) -> int | None:
    """Give the attempt that counts, as the event's log says."""
    if not folder.has_begun:
        return None
    # A ruling may have had the first that counted played again.
    notes = noted_attempts(read_event_log(folder.event_log), folder.event_log)
    return next((n for (one, n), note in notes.items() if one == match and note.counted), None)


def _for_instance(folder: Path) -> str:
    logs = (*folder.glob(f"*{PACKED_SUFFIX}"), *folder.glob(f"logs/*{PACKED_SUFFIX}"))
    found = min(logs, default=None)
    return f"; for instance {found}" if found else ""
