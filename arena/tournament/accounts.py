"""Accounts: the results held against the event's log, which seals what was counted.

Owns what the log notes of an attempt and the comparison. A row that the log lacks is the work
of a kill between the two and is legal; everything else that differs was changed afterwards.
Must not write anything. Source: record.md ("Event log", "Results database").
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Final

from arena.errors import LogCorrupt
from arena.record.event_log import EventLine
from arena.record.match_row import MatchRow, row_from_records
from arena.record.paths import find_log
from arena.record.read import read_log
from arena.record.verify.log import judge
from arena.rules.ruleset import DeclarationScored
from arena.rules.scoring import add_to_totals
from arena.tournament.event_file import EventFile

_COUNTED: Final = "match_counted"
_VOIDED: Final = "match_voided"

Attempt = tuple[str, int]
"""A match id and the number of an attempt at it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """What the event's log says of an attempt; ``totals`` by side."""

    seq: int
    counted: bool
    digest: str
    termination: str
    totals: tuple[int, ...]


def noted_attempts(lines: Iterable[EventLine], path: Path) -> dict[Attempt, Noted]:
    """Read what an event's log counts and voids; a replay takes the count back.

    Raises:
        LogCorrupt: A line lacks a field, or notes what another one notes already.
    """
    noted: dict[Attempt, Noted] = {}
    counted: dict[str, int] = {}
    for line in lines:
        if line.kind == "ruling" and line.fields.get("act") == "replay":
            match, number = line.fields.get("on"), line.fields.get("attempt")
            if isinstance(match, str) and isinstance(number, int) and (match, number) in noted:
                noted[match, number] = replace(noted[match, number], counted=False)
                counted.pop(match, None)
        if line.kind not in (_COUNTED, _VOIDED):
            continue
        attempt, note = _noted(line, path)
        earlier = noted.get(attempt)
        before = None if earlier is None else earlier.seq
        if note.counted:
            before = counted.setdefault(attempt[0], line.seq) if before is None else before
        if before not in (None, line.seq):
            raise LogCorrupt(
                f"{path}, seq {line.seq}: match {attempt[0]} attempt {attempt[1]} was noted "
                f"by seq {before} already; a match counts once"
            )
        noted[attempt] = note
    return noted


def check_results(
    event: EventFile, rows: Iterable[MatchRow], noted: Mapping[Attempt, Noted], results: Path
) -> None:
    """Hold every row against the event's log, and its totals against its boards.

    Args:
        event: The event as frozen.
        rows: Every attempt in the results, read after the log was.
        noted: What the log says of each attempt.
        results: The database, for messages.

    Raises:
        LogCorrupt: They differ, or the results lack what the log noted.
    """
    present = {(row.match_id, row.attempt): row for row in rows}
    for (match, attempt), note in noted.items():
        where = f"{results}: match {match} attempt {attempt}"
        row = present.get((match, attempt))
        if row is None:
            does = "counts" if note.counted else "voids"
            raise LogCorrupt(
                f"{where}: found no row, expected one: the event's log {does} it (seq {note.seq})"
            )
        for what, found, expected in (
            ("counted", row.counted, note.counted),
            ("digest", row.digest, note.digest),
            ("termination", row.termination.value, note.termination),
            ("totals", row.totals, note.totals),
        ):
            if found != expected:
                raise LogCorrupt(
                    f"{where}: {what}: found {_shown(found)}, expected {_shown(expected)}, "
                    f"as the event's log has it (seq {note.seq})"
                )
    for row in present.values():
        _check_boards(event, row, results)


def check_unnoted(
    rows: Iterable[MatchRow],
    noted: Mapping[Attempt, Noted],
    logs: Path,
    results: Path,
    seeds: Collection[bytes] = (),
) -> None:
    """Derive the rows that the event's log lacks anew from the logs of their matches.

    Nothing seals such a row: a kill came between it and its line. It is believed only where the
    match's own log, whole, says the same, and is what rules, clocks, seals and seed make it.

    Args:
        rows: Every attempt in the results.
        noted: What the event's log says of each attempt.
        logs: The folder of the logs.
        results: The database, for messages.
        seeds: By which the deals are proven, where they are known.

    Raises:
        LogCorrupt: A log is missing, was cut, says something else or is not as it was played.
        HostFault: A log cannot be read.
    """
    for row in rows:
        if (row.match_id, row.attempt) in noted:
            continue
        where = f"{results}: match {row.match_id} attempt {row.attempt}"
        path = find_log(logs, row.match_id, row.attempt)
        if path is None:
            raise LogCorrupt(
                f"{where}: the event's log does not know it, and it has no log in {logs}"
            )
        log = read_log(path)
        if not log.complete:
            raise LogCorrupt(f"{where}: the event's log does not know it, and {path} is not whole")
        if (first := judge(log, seeds).first) is not None:
            raise LogCorrupt(
                f"{where}: the event's log does not know it, and its own is wrong: {first}"
            )
        derived = row_from_records(log.header, log.records(), digest=log.sha256)
        for field in fields(MatchRow):
            found, expected = getattr(row, field.name), getattr(derived, field.name)
            if field.name != "duration_us" and found != expected:
                raise LogCorrupt(
                    f"{where}: {field.name}: found {_shown(found)}, expected {_shown(expected)}, "
                    f"as {path} has it"
                )


def _check_boards(event: EventFile, row: MatchRow, results: Path) -> None:
    """Refuse totals that are not what the boards come to."""
    where = f"{results}: match {row.match_id} attempt {row.attempt}"
    if row.stage > len(event.stages):
        raise LogCorrupt(
            f"{where}: stage: found {row.stage}, expected 1 to {len(event.stages)}, "
            "the stages of the event"
        )
    ruleset = event.stages[row.stage - 1].ruleset
    if not row.counted:
        return  # its boards count for nobody
    if row.termination.is_forfeit and ruleset.decl_scored is DeclarationScored.IMMEDIATELY:
        return  # words of the deal that was broken off are in the totals, in no board
    expected: tuple[int, ...] = (0,) * ruleset.side_count
    for board in row.boards:
        if len(board.points) != len(expected):
            raise LogCorrupt(
                f"{where}: board {board.board}: found points {_shown(board.points)}, "
                f"expected {len(expected)} numbers"
            )
        expected = add_to_totals(ruleset, expected, board.points)
    if row.totals != expected:
        raise LogCorrupt(
            f"{where}: totals: found {_shown(row.totals)}, expected {_shown(expected)}, "
            "the sum of its boards' points"
        )


def _noted(line: EventLine, path: Path) -> tuple[Attempt, Noted]:
    match line.fields:
        case {
            "match": str(match),
            "attempt": int(attempt),
            "digest": str(digest),
            "termination": str(termination),
            "totals": list(totals),
        } if type(attempt) is int and all(type(total) is int for total in totals):
            return (match, attempt), Noted(
                seq=line.seq,
                counted=line.kind == _COUNTED,
                digest=digest,
                termination=termination,
                totals=tuple(totals),
            )
        case _:
            raise LogCorrupt(
                f"{path}, seq {line.seq}: {line.kind}: expected match, attempt, digest, "
                f"termination and totals (text, number, text, text, numbers), found "
                f"{_shown(line.fields)}"
            )


def _shown(value: object) -> str:
    """Show a value in a message, not more than a line's worth."""
    text = repr(list(value) if isinstance(value, tuple) else value)
    return text if len(text) <= 200 else f"{text[:200]} …"  # noqa: PLR2004
