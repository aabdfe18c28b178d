"""Whether an event's folder is what was played: schedule, logs, results, standings.

Owns holding every file of the folder against the event's log, which seals what was counted,
and against what follows from the event file alone. How one log is judged is
:mod:`arena.record.verify.log`'s. Must not write anything nor print.
Source: record.md ("arena verify", "Event log"), design.md §6.

Whoever rewrites the whole folder and its event log is found out only by the published head
of the chain; a seed that was revealed is held against the commitments here.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.errors import HostFault, LogCorrupt
from arena.record.event_log import event_log_head, read_event_log
from arena.record.match_row import MatchRow
from arena.record.paths import find_log, log_path
from arena.record.results import Results
from arena.record.verify.deals import DealProof
from arena.record.verify.log import LogVerdict, verify_log
from arena.tournament.accounts import Attempt, check_results, check_unnoted
from arena.tournament.comparing import comparison
from arena.tournament.folder import EventFolder
from arena.tournament.suspension import with_suspensions
from arena.tournament.verify_bots import bots_wrong
from arena.tournament.verify_draws import draws_wrong
from arena.tournament.verify_end import LogEnd, check_end
from arena.tournament.verify_event_log import event_log_wrong
from arena.tournament.verify_logs import (
    BROKEN_OFF,
    foreign_files,
    kept,
    log_wrong,
    missing,
    twin_wrong,
)
from arena.tournament.verify_opened import Finding, Opened, difference, open_event
from arena.tournament.verify_seeds import revealed, seeds_wrong
from arena.tournament.verify_standings import check_standings, is_behind_ruling, unsettled


@dataclass(frozen=True, slots=True, kw_only=True)
class EventVerdict:
    """What was found of an event; it is good where ``wrong`` is empty."""

    wrong: tuple[Finding, ...]
    matches: int
    """Matches that were played and count, as ruled."""
    logs: int
    plays: int
    deals: DealProof
    head: str
    """The head of the event log's chain: compare it with the published one."""
    end: LogEnd
    notes: tuple[str, ...]
    """What is legal and worth knowing: attempts that a kill broke off."""

    @property
    def is_closed(self) -> bool:
        """Whether the event is over, by the end of its log."""
        return self.end is LogEnd.CLOSED


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
    opened = open_event(folder)
    verdicts: dict[Attempt, LogVerdict] = {}
    wrong: list[Finding] = []
    notes: list[str] = []
    wrong += _lines_wrong(opened)
    for attempt in sorted(kept(opened)):
        path = find_log(folder.logs, *attempt)
        if path is None:
            continue
        verdict = verify_log(path, opened.seeds)
        verdicts[attempt] = verdict
        noted = opened.begun.noted.get(attempt)
        wrong += log_wrong(opened, attempt, verdict, noted)
        wrong += twin_wrong(log_path(folder.logs, *attempt), verdict)
        if noted is None and not wrong:
            notes.append(f"{path}: {BROKEN_OFF}")
    wrong += missing(opened, verdicts)
    wrong += foreign_files(opened)
    end = LogEnd.CLOSED if opened.begun.is_closed else LogEnd.OPEN
    matches = sum(noted.counted for noted in opened.begun.noted.values())
    try:
        rows = _results(opened, notes)
    except LogCorrupt as corrupt:
        wrong.append(corrupt)
    else:
        noted_rows = [row for row in rows if (row.match_id, row.attempt) in opened.begun.noted]
        settled = with_suspensions(opened.event, noted_rows, opened.begun.rulings)
        matches = sum(row.scores and row.attempt > 0 for row in settled.rows)
        compared = comparison(opened.event, noted_rows, opened.begun.rulings)
        is_decided = compared is not None and compared.is_decided
        ended = check_end(
            folder,
            opened.begun,
            opened.lines,
            rows,
            is_played=is_decided or settled.matches_left == 0,
        )
        end = ended.end
        notes += ended.notes
        notes += [] if compared is None else [f"comparison {compared.words}"]
        wrong += (
            *_rows_wrong(opened, verdicts, rows),
            *draws_wrong(opened.event, opened.lines, rows, opened.log),
            *ended.wrong,
            *_standings_wrong(opened, rows, notes),
        )
    wrong += bots_wrong(folder, opened.event, opened.begun.freeze, notes)
    return EventVerdict(
        wrong=tuple(wrong),
        matches=matches,
        logs=len(verdicts),
        plays=sum(verdict.plays for verdict in verdicts.values()),
        deals=_deals(opened, verdicts.values()),
        head=event_log_head(folder.event_log),
        end=end,
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
    opened = open_event(folder)
    rows = []
    for attempt, noted in opened.begun.noted.items():
        path = find_log(folder.logs, *attempt)
        if path is None:
            raise LogCorrupt(f"{folder.logs}: no log of match {attempt[0]} attempt {attempt[1]}")
        verdict = verify_log(path, opened.seeds)
        for finding in log_wrong(opened, attempt, verdict, noted):
            raise LogCorrupt(str(finding))
        assert verdict.record is not None  # noqa: S101  # else there is a finding
        rows.append(opened.row(verdict.record, noted))
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


def _lines_wrong(opened: Opened) -> Iterator[Finding]:
    """Look at what the event's log says by itself: seeds, schedule, order of attempts."""
    begun = opened.begun
    names = [entrant.name for entrant in opened.event.entrants]
    seated = {
        match: {names[index] for index in plan.seats}
        for match, (_, plan) in opened.schedule.items()
    }
    text = opened.folder.event_file.read_text("utf-8")
    yield from event_log_wrong(
        opened.event, begun, opened.lines, text=text, seated=seated, path=opened.log
    )
    yield from seeds_wrong(opened.event, begun, opened.lines, opened.log)
    last: Counter[str] = Counter()
    for (match, attempt), noted in begun.noted.items():
        if match not in opened.schedule:
            yield difference(opened.log, noted.seq, "a match of the schedule", match)
        elif attempt <= last[match]:
            yield difference(
                opened.log, noted.seq, f"an attempt after {last[match]}", f"attempt {attempt}"
            )
        last[match] = attempt
    if begun.is_closed:
        # The organiser may rule on an event that is over.
        end = next(line for line in reversed(opened.lines) if line.kind != "ruling")
        if end.kind != "event_closed":
            yield difference(opened.log, end.seq, "nothing after event_closed", end.kind)
        if not opened.seeds:
            yield difference(opened.log, end.seq, "seed_revealed", "the event closed")


def _results(opened: Opened, notes: list[str]) -> tuple[MatchRow, ...]:
    """Read the results and hold them against the event's log.

    Raises:
        LogCorrupt: They are not what the log counts.
    """
    folder, begun = opened.folder, opened.begun
    results = Results.open(folder.results, must_exist=True)
    try:
        kept_rows = results.rows()
    finally:
        results.close()
    rows = begun.rulings.set_aside_in(kept_rows)
    if rows != kept_rows:
        notes.append(
            f"{folder.results}: still counts what a ruling has played again: a kill came between; "
            f"arena run {folder.path} mends it"
        )
    check_results(opened.event, rows, begun.noted, folder.results)
    check_unnoted(rows, begun.noted, folder.logs, folder.results, opened.seeds)
    return rows


def _rows_wrong(
    opened: Opened, verdicts: Mapping[Attempt, LogVerdict], rows: Sequence[MatchRow]
) -> Iterator[Finding]:
    """Hold the results against the match logs; the first thing only."""
    for row in rows:
        verdict = verdicts.get((row.match_id, row.attempt))
        noted = opened.begun.noted.get((row.match_id, row.attempt))
        if noted is None or verdict is None or verdict.record is None or verdict.first:
            continue
        if (expected := opened.row(verdict.record, noted)) != row:
            what = next(
                name for name in MatchRow.__slots__ if getattr(row, name) != getattr(expected, name)
            )
            yield LogCorrupt(
                f"{opened.folder.results}: match {row.match_id} attempt {row.attempt}: {what}: "
                f"expected {getattr(expected, what)}, as its log has it, found {getattr(row, what)}"
            )
            return


def _standings_wrong(
    opened: Opened, rows: tuple[MatchRow, ...], notes: list[str]
) -> Iterator[Finding]:
    """Hold the standings against the results."""
    folder, event, begun = opened.folder, opened.event, opened.begun
    if begun.is_closed:
        end = next(line for line in opened.lines if line.kind == "event_closed")
        left = unsettled(event, begun, rows, opened.schedule)
        if left and begun.is_cut and begun.rulings.was_published:
            notes.append("published after finish_by had cut it: some matches were never played")
            left = []
        for what in left:
            yield difference(opened.log, end.seq, what, "the event closed")
    elif not folder.standings.exists():
        return
    found = check_standings(folder, event, begun, rows)
    if found.note:
        notes.append(found.note)
    if found.wrong is None:
        return
    if is_behind_ruling(folder, event, begun, rows):
        notes.append(
            f"{folder.standings}: older than the last ruling: a kill came between; "
            f"arena run {folder.path} writes them anew"
        )
    elif begun.is_closed or opened.seeds:
        yield found.wrong
    else:  # a pause left them, and play went on
        notes.append(f"{found.wrong}; they count for nothing before the event is closed")


def _deals(opened: Opened, verdicts: Iterable[LogVerdict]) -> DealProof:
    proofs = {verdict.deals for verdict in verdicts}
    best = DealProof.PROVEN if opened.seeds else DealProof.NOT_YET
    worse = (DealProof.WRONG, DealProof.NOT_YET, DealProof.NO_SEED)
    return next((proof for proof in worse if proof in proofs), best)
