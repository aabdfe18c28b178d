"""Whether an event's folder is what was played: schedule, logs, results, standings.

Owns holding every file of the folder against the event's log, which seals what was counted,
and against what follows from the event file alone. How one log is judged is
:mod:`arena.record.verify.log`'s. Must not write anything nor print.
Source: record.md ("arena verify", "Event log"), design.md §6.

Whoever rewrites the whole folder and its event log is found out only by the published head
of the chain; a seed that was revealed is held against the commitments here.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from arena.errors import ConfigError, HostFault, LogCorrupt
from arena.record.event_log import EventLine, event_log_head, read_event_log
from arena.record.header import LogHeader
from arena.record.match_row import MatchRow, row_from_records
from arena.record.paths import attempts, find_log, log_path
from arena.record.read import MatchRecord
from arena.record.rerun import Difference
from arena.record.results import Results
from arena.record.verify.deals import DealProof
from arena.record.verify.log import LogVerdict, verify_log
from arena.tournament.accounts import Attempt, Noted, check_results, check_unnoted
from arena.tournament.begun import Begun, read_begun
from arena.tournament.entered import read_event
from arena.tournament.event_file import EventFile
from arena.tournament.fixed_deals import check_fixed_deals
from arena.tournament.folder import EventFolder, EventPlace
from arena.tournament.plan import stage_plan
from arena.tournament.schedule import MatchPlan, StagePlan, for_attempt
from arena.tournament.suspension import Suspensions
from arena.tournament.verify_seeds import revealed, seeds_wrong
from arena.tournament.verify_standings import check_standings, unsettled

Finding = Difference | LogCorrupt
"""Something wrong, as one sentence by ``str``."""

_LOG_NAMES: Final = "*.jsonl*"


@dataclass(frozen=True, slots=True, kw_only=True)
class EventVerdict:
    """What was found of an event; it is good where ``wrong`` is empty."""

    wrong: tuple[Finding, ...]
    matches: int
    """Matches that count."""
    logs: int
    plays: int
    deals: DealProof
    head: str
    """The head of the event log's chain: compare it with the published one."""
    is_closed: bool
    notes: tuple[str, ...]
    """What is legal and worth knowing: attempts that a kill broke off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Event:
    """An event as its folder has it."""

    folder: EventFolder
    begun: Begun
    event: EventFile
    lines: tuple[EventLine, ...]
    seeds: tuple[bytes, ...]
    """Empty before they are revealed."""
    schedule: Mapping[str, tuple[StagePlan, MatchPlan]]
    rows: dict[Path, MatchRow] = field(default_factory=dict)
    """What each log comes to, worked out once."""

    @property
    def log(self) -> Path:
        """The event's own log."""
        return self.folder.event_log


def revealed_seeds(folder: EventFolder) -> tuple[bytes, ...]:
    """Read the seeds that an event's log reveals, by stage; none before the end.

    Raises:
        LogCorrupt: The log is damaged, or what it reveals is no seeds.
    """
    lines = read_event_log(folder.event_log) if folder.event_log.is_file() else ()
    return revealed(lines, folder.event_log)


def verify_event(folder: EventFolder) -> EventVerdict:
    """Verify everything that an event's folder holds.

    Raises:
        ConfigError: Nothing was played here, or a later arena wrote it.
        HostFault: A file cannot be read.
        LogCorrupt: The event's log or file is damaged, so that nothing can be held against it.
    """
    opened = _open(folder)
    verdicts: dict[Attempt, LogVerdict] = {}
    wrong: list[Finding] = []
    notes: list[str] = []
    wrong += _lines_wrong(opened)
    for attempt in sorted(_kept(opened)):
        path = find_log(folder.logs, *attempt)
        if path is None:
            continue
        verdict = verify_log(path, opened.seeds)
        verdicts[attempt] = verdict
        noted = opened.begun.noted.get(attempt)
        wrong += _log_wrong(opened, attempt, verdict, noted)
        wrong += _twin_wrong(log_path(folder.logs, *attempt), verdict)
        if noted is None and not wrong:
            notes.append(
                f"{path}: neither counted nor voided: it is being played, or a kill broke it off"
            )
    wrong += _missing(opened, verdicts)
    wrong += _foreign_files(opened)
    wrong += _results_wrong(opened, verdicts, notes)
    return EventVerdict(
        wrong=tuple(wrong),
        matches=sum(noted.counted for noted in opened.begun.noted.values()),
        logs=len(verdicts),
        plays=sum(verdict.plays for verdict in verdicts.values()),
        deals=_deals(opened, verdicts.values()),
        head=event_log_head(folder.event_log),
        is_closed=opened.begun.is_closed,
        notes=tuple(notes),
    )


def rebuild_results(folder: EventFolder) -> int:
    """Make the results database anew from the logs that the event's log notes.

    The old one is replaced once the new one is whole. The caller keeps other runs out.

    Returns:
        How many attempts it holds.

    Raises:
        LogCorrupt: A noted log is missing or not what was noted; nothing is replaced.
        HostFault: The disk does not take it.
    """
    opened = _open(folder)
    rows = []
    for attempt, noted in opened.begun.noted.items():
        path = find_log(folder.logs, *attempt)
        if path is None:
            raise LogCorrupt(f"{folder.logs}: no log of match {attempt[0]} attempt {attempt[1]}")
        verdict = verify_log(path, opened.seeds)
        for finding in _log_wrong(opened, attempt, verdict, noted):
            raise LogCorrupt(str(finding))
        assert verdict.record is not None  # noqa: S101  # else there is a finding
        rows.append(_row(opened, verdict.record, noted))
    draft = folder.results.with_name(f".{folder.results.name}")
    _remove(draft)
    results = Results.open(draft)
    try:
        for row in rows:
            (results.count if row.counted else results.void)(row)
    finally:
        results.close()
    try:
        _remove(folder.results)
        draft.replace(folder.results)
    except OSError as error:
        raise HostFault(f"{folder.results}: cannot be replaced: {error.strerror}") from error
    return len(rows)


def _remove(database: Path) -> None:
    """Remove a database with what SQLite keeps beside it."""
    for suffix in ("", "-wal", "-shm"):
        database.with_name(database.name + suffix).unlink(missing_ok=True)


def _open(folder: EventFolder) -> _Event:
    begun = read_begun(folder)
    if begun is None:
        raise ConfigError(f"{folder.path}: no event was run here; start one with arena run")
    place = EventPlace(file=folder.event_file, folder=folder)
    try:
        begun.refuse_another(place)
    except ConfigError as error:
        raise LogCorrupt(str(error)) from None
    event = read_event(place, begun).under(begun.guards)
    lines = read_event_log(folder.event_log)
    # Fields and rounds that were drawn are taken from the log; others need no results.
    known = Suspensions(event, begun.rulings)
    schedule = {
        match.id: (plan, match)
        for plan in (stage_plan(event, stage + 1) for stage in range(len(event.stages)))
        for sitting in known.sittings_known(plan.stage) or ()
        for match in sitting.matches
    }
    return _Event(
        folder=folder,
        begun=begun,
        event=event,
        lines=lines,
        seeds=revealed(lines, folder.event_log),
        schedule=schedule,
    )


def _lines_wrong(opened: _Event) -> Iterator[Finding]:
    """Look at what the event's log says by itself: seeds, schedule, order of attempts."""
    begun = opened.begun
    yield from seeds_wrong(opened.event, begun, opened.lines, opened.log)
    last: Counter[str] = Counter()
    for (match, attempt), noted in begun.noted.items():
        if match not in opened.schedule:
            yield _difference(opened.log, noted.seq, "a match of the schedule", match)
        elif attempt <= last[match]:
            yield _difference(
                opened.log, noted.seq, f"an attempt after {last[match]}", f"attempt {attempt}"
            )
        last[match] = attempt
    if begun.is_closed:
        # The organiser may rule on an event that is over.
        end = next(line for line in reversed(opened.lines) if line.kind != "ruling")
        if end.kind != "event_closed":
            yield _difference(opened.log, end.seq, "nothing after event_closed", end.kind)
        if not opened.seeds:
            yield _difference(opened.log, end.seq, "seed_revealed", "the event closed")


def _kept(opened: _Event) -> set[Attempt]:
    matches = opened.schedule.keys() | {match for match, _ in opened.begun.noted}
    present = {path.name.partition(".")[0] for path in opened.folder.logs.glob(_LOG_NAMES)}
    return {
        (match, attempt)
        for match in matches & present
        for attempt in attempts(opened.folder.logs, match)
    }


def _log_wrong(  # noqa: PLR0911  # one reason after another
    opened: _Event, attempt: Attempt, verdict: LogVerdict, noted: Noted | None
) -> Iterator[Finding]:
    """Hold one log against itself, the schedule and what is noted of it; the first thing only."""
    record = verdict.record
    if record is not None and (record.header.match, record.header.attempt) != attempt:
        header = record.header
        found = f"match {header.match} attempt {header.attempt}"
        yield _difference(verdict.path, 1, f"match {attempt[0]} attempt {attempt[1]}", found)
        return
    is_broken_off = record is not None and not record.complete and noted is None
    if verdict.first is not None and not (
        is_broken_off and record is not None and verdict.first.seq > len(record.lines)
    ):
        yield verdict.first
        return
    if record is None:
        return
    if (wrong := _header_wrong(opened, record.header)) is not None:
        what, expected, found = wrong
        yield _difference(verdict.path, 1, f"{what} {expected}", found)
        return
    stage = opened.event.stages[opened.schedule[attempt[0]][1].stage - 1]
    if (first := check_fixed_deals(opened.event, stage, record)) is not None:
        yield first
        return
    if noted is None:
        return
    if noted.digest and noted.digest != record.sha256:
        expected = f"the digest {noted.digest} that seq {noted.seq} of {opened.log.name} notes"
        yield _difference(verdict.path, len(record.lines), expected, record.sha256)
        return
    row = _row(opened, record, noted)
    for what, by_log, by_note in (
        ("counted", row.counted, noted.counted),
        ("termination", row.termination.value, noted.termination),
        ("totals", list(row.totals), list(noted.totals)),
    ):
        if by_log != by_note:
            yield _difference(
                opened.log, noted.seq, f"{what} {by_log}, as the match's log", str(by_note)
            )
            return


def _twin_wrong(plain: Path, verdict: LogVerdict) -> Iterator[Finding]:
    """Hold a plain log against its compressed form; a kill while it was made leaves both."""
    record = verdict.record
    if record is None or plain == verdict.path or not plain.is_file():
        return
    with plain.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != record.sha256:
        yield _difference(plain, 1, f"the log that {verdict.path.name} holds", found)


def _header_wrong(opened: _Event, header: LogHeader) -> tuple[str, str, str] | None:
    """Compare a log's head with what the event file and the freeze make it."""
    plan, scheduled = opened.schedule[header.match]
    match = for_attempt(plan, scheduled, header.attempt)
    stage = opened.event.stages[match.stage - 1]
    names = [opened.event.entrants[index].name for index in match.seats]
    hashes = opened.begun.freeze.entrants
    commitment = "" if opened.event.deals else opened.begun.commitments[match.stage - 1]
    for what, expected, found in (
        ("entrants", names, [seat.entrant for seat in header.seats]),
        ("bots", [hashes[name] for name in names], [seat.content_hash for seat in header.seats]),
        ("first_board", match.first_board, header.first_board),
        ("boards", match.boards, header.boards),
        ("ruleset", stage.ruleset, header.ruleset),
        ("clock", stage.clock, header.clock),
        ("conduct", stage.conduct, header.conduct),
        ("seed_commitment", commitment, header.commitment),
    ):
        if expected != found:
            return what, str(expected), str(found)
    return None


def _missing(opened: _Event, verdicts: Mapping[Attempt, LogVerdict]) -> Iterator[Finding]:
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


def _foreign_files(opened: _Event) -> Iterator[Finding]:
    for path in sorted(opened.folder.logs.glob(_LOG_NAMES)):
        if path.name.partition(".")[0] not in opened.schedule:
            yield LogCorrupt(f"{path}: expected logs of the schedule only")


def _results_wrong(
    opened: _Event, verdicts: Mapping[Attempt, LogVerdict], notes: list[str]
) -> Iterator[Finding]:
    """Hold the results against the logs, and the standings against the results."""
    folder = opened.folder
    try:
        results = Results.open(folder.results, must_exist=True)
        try:
            rows = results.rows()
        finally:
            results.close()
        check_results(opened.event, rows, opened.begun.noted, folder.results)
        check_unnoted(rows, opened.begun.noted, folder.logs, folder.results, opened.seeds)
    except LogCorrupt as corrupt:
        yield corrupt
        return
    for row in rows:
        verdict = verdicts.get((row.match_id, row.attempt))
        noted = opened.begun.noted.get((row.match_id, row.attempt))
        if noted is None or verdict is None or verdict.record is None or verdict.first:
            continue
        if (expected := _row(opened, verdict.record, noted)) != row:
            what = next(
                name for name in MatchRow.__slots__ if getattr(row, name) != getattr(expected, name)
            )
            yield LogCorrupt(
                f"{folder.results}: match {row.match_id} attempt {row.attempt}: {what}: expected "
                f"{getattr(expected, what)}, as its log has it, found {getattr(row, what)}"
            )
            return
    if opened.begun.is_closed:
        end = next(line for line in opened.lines if line.kind == "event_closed")
        for what in unsettled(opened.event, opened.begun, rows, opened.schedule):
            yield _difference(opened.log, end.seq, what, "the event closed")
    elif not folder.standings.exists():
        return
    wrong = check_standings(folder, opened.event, opened.begun, rows)
    if wrong is not None and (opened.begun.is_closed or opened.seeds):
        yield wrong
    elif wrong is not None:  # a pause left them, and play went on
        notes.append(f"{wrong}; they count for nothing before the event is closed")


def _row(opened: _Event, record: MatchRecord, noted: Noted) -> MatchRow:
    if record.path not in opened.rows:
        row = row_from_records(record.header, record.records(), digest=noted.digest)
        (opened.rows[record.path],) = opened.begun.rulings.set_aside_in((row,))
    return opened.rows[record.path]


def _deals(opened: _Event, verdicts: Iterable[LogVerdict]) -> DealProof:
    proofs = {verdict.deals for verdict in verdicts}
    best = DealProof.PROVEN if opened.seeds else DealProof.NOT_YET
    worse = (DealProof.WRONG, DealProof.NOT_YET, DealProof.NO_SEED)
    return next((proof for proof in worse if proof in proofs), best)


def _difference(path: Path, seq: int, expected: str, found: str) -> Difference:
    return Difference(file=str(path), seq=seq, expected=expected, found=found)
