"""A match's row follows from its log alone, written or read back."""

import pytest

from arena.errors import ConfigError, LogCorrupt
from arena.record.match_row import BoardRow, FaultCount, row_from_records
from arena.record.read import read_log
from arena.referee.faults import Culprit, FaultKind, TerminationKind
from tests.record.make_golden import GOLDENS, NAMES, Golden, goldens, play
from tests.record.samples import make_header


def test_a_completed_match() -> None:
    record = read_log(GOLDENS / "gamelake-4.completed.jsonl")
    row = row_from_records(record.header, record.records(), digest=record.sha256)
    assert (row.match_id, row.attempt) == ("s1-r1-p1-o0-m1", 1)
    assert (row.stage, row.round, row.pairing, row.orientation, row.slice) == (1, 1, 1, 0, 1)
    assert row.entrants == NAMES
    assert row.seats == NAMES * 2
    assert (row.first_board, row.boards_planned) == (1, 2)
    assert row.termination is TerminationKind.COMPLETED
    assert (row.culprit, row.culprit_seat, row.culprit_side) == (Culprit.NOBODY, None, None)
    assert [board.board for board in row.boards] == [1, 2]
    assert tuple(map(sum, zip(*(board.points for board in row.boards), strict=True))) == row.totals
    assert row.faults == ()
    assert row.digest == record.sha256
    assert row.duration_us == record.lines[-1].at_us
    assert row.counted


def test_a_forfeit_keeps_its_finished_boards_and_names_the_culprit() -> None:
    record = read_log(GOLDENS / "gamelake-4.forfeit_faults.jsonl")
    row = row_from_records(record.header, record.records())
    assert row.termination is TerminationKind.FORFEIT_FAULTS
    assert (row.culprit, row.culprit_seat, row.culprit_side) == (Culprit.BOT, 1, 1)
    assert row.winner == 0
    assert row.boards == ()
    assert row.faults == (FaultCount(seat=1, kind=FaultKind.LATE, count=3),)
    assert row.counted


def test_faults_are_counted_by_seat_and_kind() -> None:
    record = read_log(GOLDENS / "gamelake-4.refused.jsonl")
    row = row_from_records(record.header, record.records())
    assert row.faults == (
        FaultCount(seat=1, kind=FaultKind.MALFORMED, count=1),
        FaultCount(seat=1, kind=FaultKind.NOT_HELD, count=1),
    )


def test_a_board_ended_by_a_revoke_has_its_penalty_score() -> None:
    record = read_log(GOLDENS / "italian-tournament.revoke.jsonl")
    row = row_from_records(record.header, record.records())
    assert row.boards == (BoardRow(board=1, points=row.totals),)
    assert row.totals[0] >= 10


@pytest.mark.parametrize("case", ["aborted", "host_fault", "referee_fault"])
def test_a_void_attempt_does_not_count(case: str) -> None:
    record = read_log(GOLDENS / f"gamelake-4.{case}.jsonl")
    assert not row_from_records(record.header, record.records()).counted


@pytest.mark.parametrize("golden", tuple(goldens()), ids=lambda golden: golden.name)
def test_the_row_is_the_same_from_memory_and_from_the_file(golden: Golden) -> None:
    match, _ = play(golden)
    record = read_log(golden.path)
    assert row_from_records(record.header, match.records) == row_from_records(
        record.header, record.records()
    )


def test_a_log_without_an_end_has_no_row() -> None:
    record = read_log(GOLDENS / "gamelake-4.completed.jsonl")
    with pytest.raises(LogCorrupt, match="s1-r1-p1-o0-m1 attempt 1 says no end"):
        row_from_records(record.header, list(record.records())[:-1])


def test_a_header_with_another_id_has_no_row() -> None:
    record = read_log(GOLDENS / "gamelake-4.completed.jsonl")
    with pytest.raises(ConfigError, match="no match id"):
        row_from_records(make_header(match="friendly"), record.records())
