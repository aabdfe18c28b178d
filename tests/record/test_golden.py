"""Golden logs: every ruleset and every end of a match, reproduced from the log alone."""

from pathlib import Path

import pytest

from arena.record.lines import decode_line, encode_line
from arena.record.read import read_log
from arena.record.rerun import check, expected_lines
from arena.record.text import replay_lines
from arena.record.verify.sent import audit_sent
from arena.referee.events import MatchEnded
from arena.referee.faults import TerminationKind
from arena.rules.presets import PRESETS
from tests.record.make_golden import GOLDENS, NOT_PLAYED, OLD_GOLDENS, Golden, goldens, write

ALL = tuple(goldens())
TIMES = {"at_us", "think_us", "lag_us", "cpu_us", "loop_stall_max_us", "time", "chain"}
WORDS = {"detail"}


def without(line: bytes, names: set[str]) -> bytes:
    return encode_line({key: value for key, value in decode_line(line).items() if key not in names})


def each() -> pytest.MarkDecorator:
    return pytest.mark.parametrize("golden", ALL, ids=lambda golden: golden.name)


@each()
def test_a_golden_log_is_there_and_flawless(golden: Golden) -> None:
    assert golden.path.exists(), "make it: python -m tests.record.make_golden"
    record = read_log(golden.path)
    assert record.complete
    assert check(record) == ()


@each()
def test_the_rules_reproduce_every_line_byte_for_byte_after_removing_times(golden: Golden) -> None:
    record = read_log(golden.path)
    reproduced = [without(line, TIMES) for line in expected_lines(record)]
    assert reproduced == [without(line.raw, TIMES) for line in record.lines]


@each()
def test_the_referee_of_today_makes_the_same_log(golden: Golden, tmp_path: Path) -> None:
    """Times included; only the words of a fault's detail may change."""
    today = write(golden, tmp_path).read_bytes().splitlines()
    free = WORDS | {"chain"}
    assert [without(line, free) for line in today] == [
        without(line.raw, free) for line in read_log(golden.path).lines
    ]


@each()
def test_what_seats_were_sent_follows_from_a_golden_log(golden: Golden) -> None:
    """If this fails because seats are sent something new, raise the log's schema."""
    audit = audit_sent(read_log(golden.path))
    assert audit.first is None
    assert audit.missing == ""


@pytest.mark.parametrize("path", sorted(OLD_GOLDENS.iterdir()), ids=lambda path: path.name)
def test_a_log_of_the_first_schema_is_readable_for_ever(path: Path) -> None:
    record = read_log(path)
    assert record.header.schema == 1
    assert record.complete
    assert check(record) == ()
    assert audit_sent(record).missing == "views not recorded"
    assert list(replay_lines(record, None))
    # Nothing but the schema and the digests came with the second one.
    today = (GOLDENS / path.name).read_bytes().splitlines()
    free = WORDS | {"chain", "schema", "views"}
    assert [without(line, free) for line in today] == [
        without(line.raw, free) for line in record.lines
    ]


@each()
def test_every_golden_log_can_be_told(golden: Golden) -> None:
    record = read_log(golden.path)
    for seat in (None, *range(golden.ruleset.seats)):
        told = list(replay_lines(record, seat))
        assert all(char.isprintable() for line in told for char in line)
        assert any(line.startswith("Match ended:") for line in told)


def test_every_ruleset_ends_in_every_way_in_some_golden_log() -> None:
    seen = {
        (golden.name.partition(".")[0], record.event.termination.kind)
        for golden in ALL
        for record in read_log(golden.path).records()
        if isinstance(record.event, MatchEnded)
    }
    assert seen == {
        (preset, kind) for preset in PRESETS for kind in TerminationKind if kind not in NOT_PLAYED
    }


def test_every_file_in_the_folder_is_a_golden_log_that_is_checked() -> None:
    assert {path.name for path in GOLDENS.iterdir()} == {golden.name for golden in ALL}
