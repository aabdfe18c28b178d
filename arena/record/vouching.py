"""Whether a match log is what the arena wrote: rules, seals, and the event that counts it.

Owns putting the three together. How the rules judge a log is :mod:`arena.record.rerun`'s;
must not know how a verdict is printed. Source: record.md ("Match log", "Event log").
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from arena.errors import LogCorrupt
from arena.record.event_log import EventLine, read_event_log
from arena.record.paths import log_path
from arena.record.read import MatchRecord
from arena.record.rerun import Difference, rerun

_NOTES: Final = ("match_counted", "match_voided")
_LOGS: Final = "logs"
_EVENT_LOG: Final = "event.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What was found; a log is good as far as it goes where ``wrong`` is empty."""

    wrong: tuple[Difference | LogCorrupt, ...]
    """Each as one sentence by ``str``; a Difference also says what was expected."""
    events: int
    """Lines that were checked."""
    is_complete: bool
    event_log: Path | None
    """The log of the event in whose folder the match log lies."""
    note: EventLine | None
    """What that one says of this attempt, if anything."""
    is_set_aside: bool = False
    """Whether a later ruling there had the match played again."""


def vouch(record: MatchRecord) -> Verdict:
    """Hold a log against the rules and its seals, and against the event it lies in.

    A log that ends early is judged as far as it goes. Someone who can rewrite the event's
    log as well is not found out here: compare its head with the published one.
    """
    event_log = event_log_beside(record.path)
    if event_log is None:
        return _verdict(record, None, None, rerun(record))
    try:
        notes = Notes(event_log)
    except LogCorrupt as corrupt:
        return _verdict(record, event_log, None, (*rerun(record), corrupt))
    wrong: tuple[Difference | LogCorrupt, ...] = (*rerun(record), *notes.differences(record))
    verdict = _verdict(record, event_log, notes.of(record), wrong)
    return replace(verdict, is_set_aside=notes.sets_aside(record))


def event_log_beside(path: Path) -> Path | None:
    """Find the log of the event in whose folder a match log lies; None where it lies alone."""
    beside = path.resolve().parent
    event_log = beside.parent / _EVENT_LOG
    return event_log if beside.name == _LOGS and event_log.is_file() else None


class Notes:
    """What an event's log notes of its matches.

    Raises:
        LogCorrupt: The event's log is not what was written.
        HostFault: It cannot be read.
    """

    def __init__(self, event_log: Path) -> None:
        self._name = event_log.name
        self._lines: dict[tuple[object, object], EventLine] = {}
        self._set_aside: set[tuple[object, object]] = set()
        for line in read_event_log(event_log):
            if line.kind in _NOTES:
                attempt = line.fields.get("match"), line.fields.get("attempt")
                self._lines.setdefault(attempt, line)
            elif line.kind == "ruling" and line.fields.get("act") == "replay":
                self._set_aside.add((line.fields.get("on"), line.fields.get("attempt")))

    def of(self, record: MatchRecord) -> EventLine | None:
        """Give the line that notes the attempt that a log is of."""
        return self._lines.get((record.header.match, record.header.attempt))

    def sets_aside(self, record: MatchRecord) -> bool:
        """Whether the attempt that a log is of counts no more, since the match was played again."""
        return (record.header.match, record.header.attempt) in self._set_aside

    def differences(self, record: MatchRecord) -> Iterator[LogCorrupt]:
        """Hold a log against its own name, and against the digest that is noted of it."""
        header, name = record.header, record.path.name.removesuffix(".gz")
        due = log_path(record.path.parent, header.match, header.attempt).name
        if name != due:
            yield LogCorrupt(f"{record.path}: its head names the log {due}")
            return
        note = self.of(record)
        noted = None if note is None else note.fields.get("digest")
        # An attempt that left no whole log is noted without a digest.
        if note is not None and noted and noted != record.sha256:
            yield LogCorrupt(
                f"{record.path}: its digest is {record.sha256}, but {self._name}, seq {note.seq}, "
                f"noted {noted}"
            )


def _verdict(
    record: MatchRecord,
    event_log: Path | None,
    note: EventLine | None,
    wrong: Iterator[Difference] | tuple[Difference | LogCorrupt, ...],
) -> Verdict:
    return Verdict(
        wrong=tuple(wrong),
        events=len(record.lines),
        is_complete=record.complete,
        event_log=event_log,
        note=note,
    )
