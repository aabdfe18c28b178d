"""What is exported: a log, a folder of logs, or the folder of an event.

Owns finding the files, and the rows that all of them give: of each match log in the order of
the names, then of the event's log. Must not know file formats, nor who may read what
(:mod:`arena.tournament.revealing`). Source: record.md ("arena export").
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.errors import ConfigError
from arena.record.event_log import EventLine, read_event_log
from arena.record.export.counting import Counting
from arena.record.export.rows import log_rows
from arena.record.export.tables import Row
from arena.record.paths import LOG_SUFFIX, PACKED_SUFFIX, packed_path
from arena.record.read import MatchRecord, read_log

_EVENT_LOG: Final = "event.jsonl"
_LOGS: Final = "logs"


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Match logs, and the event's log that counts them and knows the sessions, if any."""

    logs: tuple[Path, ...]
    event_log: Path | None = None
    match: str | None = None
    """The one match of which sessions are wanted; None: all."""

    def tables(self) -> Iterator[tuple[str, Row]]:
        """Give every row with its table; one log at a time is held in memory.

        Raises:
            HostFault: A file cannot be read.
            LogCorrupt: A log is damaged.
        """
        for record, is_counted in self.records():
            yield from log_rows(record, is_counted=is_counted)
        for row in self.sessions():
            yield "sessions", row

    def records(self) -> Iterator[tuple[MatchRecord, bool | None]]:
        """Read each log, and whether the event's log counts it (None without one)."""
        counting = None if self.event_log is None else Counting(read_event_log(self.event_log))
        for path in self.logs:
            record = read_log(path)
            yield record, None if counting is None else counting.counts(record.header)

    def sessions(self) -> Iterator[Row]:
        """Give the rows of the table ``sessions``."""
        if self.event_log is None:
            return
        for line in read_event_log(self.event_log):
            if line.kind == "session_closed" and self._concerns(line.fields.get("matches")):
                yield _session(line)

    def _concerns(self, matches: object) -> bool:
        if self.match is None:
            return True
        return isinstance(matches, list) and self.match in matches


def find_source(place: Path) -> Source:
    """Find what lies at a path.

    Args:
        place: A match log, an event's folder, its ``logs`` folder, or a folder of logs.

    Raises:
        ConfigError: There is no match log.
    """
    if place.is_file():
        if place.name == _EVENT_LOG:
            raise ConfigError(f"{place}: is an event's own log; give the event's folder")
        match = place.name.partition(".")[0]
        event_log = _beside(place.resolve().parent)
        return Source(logs=(place,), event_log=event_log, match=match)
    if not place.is_dir():
        raise ConfigError(f"{place}: no such file or folder")
    event_log = _beside(place.resolve())
    if (place / _EVENT_LOG).is_file():
        event_log, place = place / _EVENT_LOG, place / _LOGS
    logs = sorted(
        path
        for suffix in (LOG_SUFFIX, PACKED_SUFFIX)
        for path in place.rglob(f"*{suffix}")
        # A kill while a log was compressed leaves both forms of it.
        if path.name != _EVENT_LOG and not packed_path(path).exists()
    )
    if not logs:
        raise ConfigError(f"{place}: holds no match log")
    return Source(logs=tuple(logs), event_log=event_log)


def _beside(folder: Path) -> Path | None:
    """Find the event's log of a folder of logs."""
    event_log = folder.parent / _EVENT_LOG
    return event_log if folder.name == _LOGS and event_log.is_file() else None


def _session(line: EventLine) -> Row:
    fields = line.fields
    matches = fields.get("matches")
    return (
        line.seq,
        fields.get("entrant"),
        "\t".join(map(str, matches)) if isinstance(matches, list) else None,
        *(
            fields.get(name)
            for name in (
                "start_us",
                "ready_us",
                "cpu_us",
                "peak_memory",
                "bytes_in",
                "bytes_out",
                "exit",
            )
        ),
    )
