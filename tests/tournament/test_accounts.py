"""Results are held against the event's log, and totals against boards."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from arena.errors import LogCorrupt
from arena.record.event_log import EventLine
from arena.record.match_row import BoardRow, MatchRow
from arena.referee.faults import TerminationKind
from arena.tournament.accounts import check_results, check_unnoted, noted_attempts
from tests.tournament.results import all_rows, even, event_of, forfeited, voided

EVENT = event_of("one", "two")
ROWS = tuple(all_rows(EVENT, even))
PATH = Path("results.sqlite")


def lines_of(*rows: MatchRow) -> list[EventLine]:
    return [
        EventLine(
            seq=seq,
            time="",
            chain="",
            kind="match_counted" if row.counted else "match_voided",
            fields={
                "match": row.match_id,
                "attempt": row.attempt,
                "digest": row.digest,
                "termination": row.termination.value,
                "totals": list(row.totals),
            },
        )
        for seq, row in enumerate(rows, start=1)
    ]


NOTED = noted_attempts(lines_of(*ROWS), Path("event.jsonl"))


def test_rows_that_the_log_counts_are_good() -> None:
    check_results(EVENT, ROWS, NOTED, PATH)


def test_a_row_that_a_kill_kept_out_of_the_log_is_good() -> None:
    noted = noted_attempts(lines_of(*ROWS[1:]), Path("event.jsonl"))
    check_results(EVENT, ROWS, noted, PATH)


def test_forfeits_and_void_attempts_are_good() -> None:
    rows = (voided(ROWS[0]), forfeited(replace(ROWS[0], attempt=2), 1, 1))
    check_results(EVENT, rows, noted_attempts(lines_of(*rows), Path("event.jsonl")), PATH)


def test_a_row_that_is_gone_is_told() -> None:
    told = rf"{ROWS[0].match_id} attempt 1: found no row, .* counts it \(seq 1\)"
    with pytest.raises(LogCorrupt, match=told):
        check_results(EVENT, ROWS[1:], NOTED, PATH)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda row: replace(row, digest="x"), "digest: found 'x', expected ''"),
        (lambda row: replace(row, totals=(22, 0)), r"totals: found \[22, 0\], expected \[14, 8\]"),
        (
            lambda row: replace(row, termination=TerminationKind.ANNULLED),
            "termination: found 'annulled', expected 'completed'",
        ),
        (lambda row: replace(row, counted=False), "counted: found False, expected True"),
        (
            lambda row: replace(row, boards=row.boards[1:]),
            r"totals: found \[14, 8\], expected \[7, 4\], the sum of its boards",
        ),
        (
            lambda row: replace(row, boards=(BoardRow(board=1, points=(1,)),)),
            r"board 1: found points \[1\], expected 2 numbers",
        ),
    ],
)
def test_a_row_that_was_changed_is_told(change: Callable[[MatchRow], MatchRow], told: str) -> None:
    with pytest.raises(LogCorrupt, match=f"{ROWS[0].match_id} attempt 1: {told}"):
        check_results(EVENT, (change(ROWS[0]), *ROWS[1:]), NOTED, PATH)


def test_a_row_of_a_stage_that_is_not_there_is_told() -> None:
    with pytest.raises(LogCorrupt, match="stage: found 9, expected 1 to 1"):
        check_results(EVENT, (replace(ROWS[0], stage=9),), {}, PATH)


@pytest.mark.parametrize(
    "fields", [{"match": []}, {"attempt": "1"}, {"attempt": True}, {"totals": ["x"]}, {"digest": 1}]
)
def test_a_line_with_odd_fields_is_corrupt(fields: dict[str, object]) -> None:
    (line,) = lines_of(ROWS[0])
    line = replace(line, fields={**line.fields, **fields})
    with pytest.raises(LogCorrupt, match=r"event\.jsonl, seq 1: match_counted: expected match,"):
        noted_attempts([line], Path("event.jsonl"))


@pytest.mark.parametrize("attempt", [1, 2])
def test_a_log_that_counts_a_match_twice_is_corrupt(attempt: int) -> None:
    lines = lines_of(ROWS[0], replace(ROWS[0], attempt=attempt))
    with pytest.raises(LogCorrupt, match="was noted by seq 1 already"):
        noted_attempts(lines, Path("event.jsonl"))


def test_a_row_that_nothing_seals_is_believed_only_as_its_own_log_has_it(tmp_path: Path) -> None:
    row = ROWS[0]
    with pytest.raises(LogCorrupt, match=r"does not know it, and it has no log"):
        check_unnoted([row], {}, tmp_path, PATH)
    noted = noted_attempts(lines_of(row), PATH)
    check_unnoted([row], noted, tmp_path, PATH)
