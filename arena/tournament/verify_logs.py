"""Whether the match logs of an event's folder are those of its schedule, and as they were noted.

Owns holding each log against the schedule, the freeze and the event's log. How a log is judged by
itself is :mod:`arena.record.verify.log`'s. Source: record.md ("arena verify").
"""

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from arena.errors import LogCorrupt
from arena.record.paths import every_attempt
from arena.record.verify.log import LogVerdict
from arena.tournament.accounts import Attempt, Noted
from arena.tournament.fixed_deals import check_fixed_deals
from arena.tournament.verify_opened import Finding, Opened, difference

BROKEN_OFF: Final = "neither counted nor voided: it is being played, or a kill broke it off"
"""What is said of an attempt that has no end, and of which the event's log says nothing."""
_LOG_NAMES: Final = "*.jsonl*"


def kept(opened: Opened) -> set[Attempt]:
    """Find the attempts that have a log, of matches that the schedule or the event's log knows."""
    matches = opened.schedule.keys() | {match for match, _ in opened.begun.noted}
    return {one for one in every_attempt(opened.folder.logs) if one[0] in matches}


def log_wrong(  # noqa: PLR0911  # one reason after another
    opened: Opened, attempt: Attempt, verdict: LogVerdict, noted: Noted | None
) -> Iterator[Finding]:
    """Hold one log against itself, the schedule and what is noted of it; the first thing only."""
    record = verdict.record
    if record is not None and (record.header.match, record.header.attempt) != attempt:
        header = record.header
        found = f"match {header.match} attempt {header.attempt}"
        yield difference(verdict.path, 1, f"match {attempt[0]} attempt {attempt[1]}", found)
        return
    is_broken_off = record is not None and not record.complete and noted is None
    if verdict.first is not None and not (
        is_broken_off and record is not None and verdict.first.seq > len(record.lines)
    ):
        yield verdict.first
        return
    if record is None:
        return
    if (wrong := opened.heads.wrong_with(record.header)) is not None:
        what, expected, found = wrong
        yield difference(verdict.path, 1, f"{what} {expected}", found)
        return
    stage = opened.event.stages[opened.schedule[attempt[0]][1].stage - 1]
    if (first := check_fixed_deals(opened.event, stage, record)) is not None:
        yield first
        return
    if noted is None:
        return
    if noted.digest and noted.digest != record.sha256:
        expected = f"the digest {noted.digest} that seq {noted.seq} of {opened.log.name} notes"
        yield difference(verdict.path, len(record.lines), expected, record.sha256)
        return
    row = opened.row(record, noted)
    for what, by_log, by_note in (
        ("counted", row.counted, noted.counted),
        ("termination", row.termination.value, noted.termination),
        ("totals", list(row.totals), list(noted.totals)),
    ):
        if by_log != by_note:
            yield difference(
                opened.log, noted.seq, f"{what} {by_log}, as the match's log", str(by_note)
            )
            return


def twin_wrong(plain: Path, verdict: LogVerdict) -> Iterator[Finding]:
    """Hold a plain log against its compressed form; a kill while it was made leaves both."""
    record = verdict.record
    if record is None or plain == verdict.path or not plain.is_file():
        return
    with plain.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != record.sha256:
        yield difference(plain, 1, f"the log that {verdict.path.name} holds", found)


def missing(opened: Opened, verdicts: Mapping[Attempt, LogVerdict]) -> Iterator[Finding]:
    """Find attempts without a log: those noted, and those before one that is there."""
    logs = opened.folder.logs
    last: dict[str, int] = {}
    for match, attempt in (*opened.begun.noted, *verdicts):
        last[match] = max(attempt, last.get(match, 0))
    for match, attempt in ((m, a) for m, most in last.items() for a in range(1, most + 1)):
        noted = opened.begun.noted.get((match, attempt))
        if (match, attempt) not in verdicts and (noted is None or noted.digest):
            yield LogCorrupt(
                f"{logs}: expected the log of match {match} attempt {attempt}, found none"
            )


def foreign_files(opened: Opened) -> Iterator[Finding]:
    """Find logs of matches that the schedule does not know."""
    for path in sorted(opened.folder.logs.glob(_LOG_NAMES)):
        if path.name.partition(".")[0] not in opened.schedule:
            yield LogCorrupt(f"{path}: expected logs of the schedule only")
