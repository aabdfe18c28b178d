"""Whether a match log is what the arena wrote: rules, seals, and the event that counts it.

Owns putting the three together. How the rules judge a log is :mod:`arena.record.rerun`'s;
must not know how a verdict is printed. Source: record.md ("Match log", "Event log").
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.errors import LogCorrupt
from arena.record.event_log import EventLine, read_event_log
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


def vouch(record: MatchRecord) -> Verdict:
    """Hold a log against the rules and its seals, and against the event it lies in.

    A log that ends early is judged as far as it goes. Someone who can rewrite the event's
    log as well is not found out here: compare its head with the published one.
    """
    beside = record.path.resolve().parent
    event_log = beside.parent / _EVENT_LOG
    if beside.name != _LOGS or not event_log.is_file():
        return _verdict(record, None, None, rerun(record))
    try:
        note = _note(event_log, record)
    except LogCorrupt as corrupt:
        return _verdict(record, event_log, None, (*rerun(record), corrupt))
    return _verdict(record, event_log, note, (*rerun(record), *_digests(record, event_log, note)))


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


def _note(event_log: Path, record: MatchRecord) -> EventLine | None:
    """Find the line of the event's log that notes this attempt."""
    own = (record.header.match, record.header.attempt)
    for line in read_event_log(event_log):
        if line.kind in _NOTES and (line.fields.get("match"), line.fields.get("attempt")) == own:
            return line
    return None


def _digests(
    record: MatchRecord, event_log: Path, note: EventLine | None
) -> Iterator[Difference | LogCorrupt]:
    noted = None if note is None else note.fields.get("digest")
    # An attempt that left no whole log is noted without a digest.
    if note is not None and noted and noted != record.sha256:
        yield LogCorrupt(
            f"{record.path}: its digest is {record.sha256}, but {event_log.name}, seq {note.seq}, "
            f"noted {noted}"
        )
