"""The results: a match counts once, in one transaction, whatever happens around it."""

import sqlite3
import threading
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa

from arena.errors import HostFault, LogCorrupt
from arena.record import results
from arena.record.match_row import BoardRow, FaultCount, MatchRow
from arena.record.results import Results
from arena.referee.faults import Culprit, FaultKind, TerminationKind
from tests.record.test_block_writer import disk_of

ROW = MatchRow(
    match_id="s1-r1-p1-o0-m1",
    attempt=1,
    stage=1,
    round=1,
    pairing=1,
    orientation=0,
    slice=1,
    entrants=('Zoë "🃏"', "שלום\u202e"),
    seats=('Zoë "🃏"', "שלום\u202e") * 2,
    first_board=1,
    boards_planned=2,
    termination=TerminationKind.FORFEIT_FAULTS,
    culprit=Culprit.BOT,
    culprit_seat=3,
    culprit_side=1,
    totals=(9, -2),
    winner=0,
    boards=(BoardRow(board=1, points=(9, -2)),),
    faults=(
        FaultCount(seat=1, kind=FaultKind.NOT_HELD, count=1),
        FaultCount(seat=3, kind=FaultKind.LATE, count=10),
        FaultCount(seat=3, kind=FaultKind.REVOKE, count=1),
    ),
    digest="d" * 64,
    duration_us=2**40,
    counted=True,
)
VOID = replace(
    ROW,
    termination=TerminationKind.HOST_FAULT,
    culprit=Culprit.HOST,
    culprit_seat=None,
    culprit_side=None,
    winner=None,
    boards=(),
    faults=(),
    boards_planned=None,
    counted=False,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "results.sqlite"


def test_rows_read_back_as_they_were_kept(path: Path) -> None:
    database = Results.open(path)
    assert database.void(VOID)
    assert database.count(replace(ROW, attempt=2))
    assert database.rows() == (VOID, replace(ROW, attempt=2))
    database.close()
    again = Results.open(path)
    assert again.rows() == (VOID, replace(ROW, attempt=2))
    assert again.counted_ids() == {ROW.match_id}
    again.close()


def test_counting_the_same_row_again_changes_nothing(path: Path) -> None:
    database = Results.open(path)
    assert database.count(ROW)
    assert not database.count(ROW)
    assert not database.count(replace(ROW, faults=ROW.faults[::-1]))
    assert database.rows() == (ROW,)
    database.close()


def test_another_result_for_the_same_attempt_is_refused(path: Path) -> None:
    database = Results.open(path)
    database.count(ROW)
    with pytest.raises(HostFault, match=r"s1-r1-p1-o0-m1 attempt 1.*a match counts once"):
        database.count(replace(ROW, totals=(0, 0)))
    with pytest.raises(HostFault, match="kept as void"):
        database.void(replace(ROW, counted=False))
    assert database.rows() == (ROW,)
    database.close()


def test_only_one_attempt_at_a_match_counts(path: Path) -> None:
    database = Results.open(path)
    database.count(ROW)
    with pytest.raises(HostFault, match=r"attempt 2 cannot be counted.*attempt 1 \(counted\)"):
        database.count(replace(ROW, attempt=2))
    assert database.void(replace(VOID, attempt=2))
    assert database.counted_ids() == {ROW.match_id}
    database.close()


def test_rows_come_in_the_order_of_the_schedule(path: Path) -> None:
    rows = [
        replace(
            ROW,
            match_id=f"s1-r{round_}-p{pairing}-o0-m{slice_}",
            round=round_,
            pairing=pairing,
            slice=slice_,
        )
        for round_ in (1, 2, 10)
        for pairing in (1, 11)
        for slice_ in (1, 2)
    ]
    database = Results.open(path)
    for row in reversed(rows):
        database.count(row)
    assert database.rows() == tuple(rows)
    database.close()


def test_a_failure_in_the_middle_leaves_nothing_behind(path: Path) -> None:
    database = Results.open(path)
    twice = replace(ROW, faults=(ROW.faults[0], ROW.faults[0]))
    with pytest.raises(HostFault, match=r"results\.sqlite.*UNIQUE"):
        database.count(twice)
    assert database.rows() == ()
    assert database.count(ROW)
    database.close()


def test_a_full_disk_is_a_fault_of_the_host_and_loses_nothing(path: Path) -> None:
    database = Results.open(path)
    database.count(ROW)
    other = replace(ROW, match_id="s1-r1-p1-o1-m1", orientation=1)
    wal = path.with_name(path.name + "-wal")
    with disk_of(wal.stat().st_size + 100), pytest.raises(HostFault, match=r"results\.sqlite"):
        database.count(other)
    assert database.rows() == (ROW,)
    assert database.count(other)
    database.close()


def test_counting_and_voiding_are_not_mixed_up(path: Path) -> None:
    database = Results.open(path)
    with pytest.raises(AssertionError, match=r"void\(\)"):
        database.count(VOID)
    with pytest.raises(AssertionError, match=r"count\(\)"):
        database.void(ROW)
    database.close()


def test_worker_threads_can_count_one_after_the_other(path: Path) -> None:
    database = Results.open(path)
    rows = [replace(ROW, match_id=f"s1-r1-p1-o0-m{n}", slice=n) for n in range(1, 9)]
    threads = [threading.Thread(target=database.count, args=(row,)) for row in rows]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert database.rows() == tuple(rows)
    database.close()


def test_a_reader_sees_committed_matches_while_the_event_runs(path: Path) -> None:
    database = Results.open(path)
    database.count(ROW)
    reader = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    assert reader.execute("select entrants from matches").fetchall() == [
        ('["Zo\\u00eb \\"\\ud83c\\udccf\\"", "\\u05e9\\u05dc\\u05d5\\u05dd\\u202e"]',)
    ]
    assert reader.execute("pragma journal_mode").fetchone() == ("wal",)
    reader.close()
    database.close()


def test_a_database_is_also_found_by_its_url(path: Path) -> None:
    database = Results.connect(f"sqlite:///{path}")
    database.count(ROW)
    assert database.rows() == (ROW,)
    database.close()


def test_the_tables_can_be_made_in_postgresql() -> None:
    dialect = sa.make_url("postgresql+psycopg://").get_dialect()()
    made = [
        str(sa.schema.CreateIndex(index).compile(dialect=dialect))
        for table in results._meta.sorted_tables
        for index in table.indexes
        if str(sa.schema.CreateTable(table).compile(dialect=dialect))
    ]
    assert made == ["CREATE UNIQUE INDEX one_counted_attempt ON matches (match_id) WHERE counted"]


def test_what_is_no_database_is_named(path: Path) -> None:
    path.write_bytes(b"not a database, but long enough to be looked at" * 100)
    with pytest.raises(LogCorrupt, match=r"results\.sqlite: file is not a database"):
        Results.open(path)


def test_results_of_an_arena_that_kept_no_plays_can_still_be_read(path: Path) -> None:
    kept = Results.open(path)
    kept.count(replace(ROW, plays="a digest"))
    kept.close()
    with sqlite3.connect(path) as database:
        database.execute("ALTER TABLE matches DROP COLUMN plays")
    database.close()
    older = Results.open(path, must_exist=True)
    assert older.rows() == (ROW,)
    older.close()


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(HostFault, match="nowhere"):
        Results.open(tmp_path / "nowhere" / "results.sqlite")


def test_a_database_that_must_exist_is_never_created(path: Path) -> None:
    with pytest.raises(LogCorrupt, match=r"results\.sqlite: no such file"):
        Results.open(path, must_exist=True)
    assert not path.exists()


@pytest.mark.parametrize(
    "change",
    [
        "update matches set termination = 'won'",
        "update matches set totals = '[1'",
        "update matches set totals = '7'",
        "update matches set totals = '[1, 2, 3]'",
        "update matches set entrants = '[[], {}]'",
        "update matches set duration_us = 'long'",
        "update matches set digest = x'ff'",
        "update matches set round = 2",
        "update matches set winner = 2",
        "update matches set culprit_seat = 4",
        "update matches set match_id = 'm'",
        "update matches set attempt = 'one'",
        "update boards set points = '{\"a\": 1}'",
        "update boards set board = 'x'",
        "update faults set kind = 'none' where kind = 'late'",
        "update faults set seat = -1 where kind = 'late'",
    ],
)
def test_rows_that_no_arena_writes_are_named_as_corrupt(path: Path, change: str) -> None:
    database = Results.open(path)
    database.count(ROW)
    database.close()
    with sqlite3.connect(path) as connection:
        connection.execute(change)
    connection.close()
    again = Results.open(path, must_exist=True)
    with pytest.raises(LogCorrupt, match=r"results\.sqlite"):
        again.rows()
    again.close()
