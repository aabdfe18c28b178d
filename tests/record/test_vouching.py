"""A log is held against the rules, its seals, and the event in whose folder it lies."""

from pathlib import Path

import pytest

from arena.errors import LogCorrupt
from arena.record.event_log import EventLog
from arena.record.read import read_log
from arena.record.vouching import vouch
from tests.record.make_golden import GOLDENS

NAME = "s1-r1-p1-o0-m1.a1.jsonl"
GOLDEN = GOLDENS / "gamelake-4.completed.jsonl"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Put a good log where an event would have it."""
    path = tmp_path / "logs" / NAME
    path.parent.mkdir()
    path.write_bytes(GOLDEN.read_bytes())
    return path


def note(log: Path, digest: str, kind: str = "match_counted") -> Path:
    path = log.parent.parent / "event.jsonl"
    header = read_log(log).header
    with EventLog(path, wall_time=lambda: "2026-01-01T00:00:00.000Z") as event:
        event.append(kind, match=header.match, attempt=header.attempt, digest=digest)
    return path


def test_a_good_log_alone_is_vouched_for_by_nothing_outside_it() -> None:
    verdict = vouch(read_log(GOLDEN))
    assert (verdict.wrong, verdict.is_complete) == ((), True)
    assert (verdict.event_log, verdict.note) == (None, None)
    assert verdict.events == len(GOLDEN.read_bytes().splitlines())


@pytest.mark.parametrize("kind", ["match_counted", "match_voided"])
def test_the_event_s_log_vouches_for_its_digest(log: Path, kind: str) -> None:
    event_log = note(log, read_log(log).sha256, kind)
    verdict = vouch(read_log(log))
    assert verdict.wrong == ()
    assert verdict.event_log == event_log
    assert verdict.note is not None
    assert verdict.note.kind == kind


def test_a_log_that_the_event_does_not_know_is_no_forgery_yet(log: Path) -> None:
    (log.parent.parent / "event.jsonl").touch()
    verdict = vouch(read_log(log))
    assert (verdict.wrong, verdict.note) == ((), None)


def test_another_match_that_obeys_rules_and_seals_is_told_by_its_digest(log: Path) -> None:
    note(log, "0" * 64)
    (wrong,) = vouch(read_log(log)).wrong
    assert isinstance(wrong, LogCorrupt)
    assert f"{read_log(log).sha256}, but event.jsonl, seq 1, noted {'0' * 64}" in str(wrong)


def test_an_event_s_log_that_was_edited_vouches_for_nothing(log: Path) -> None:
    note(log, read_log(log).sha256)
    path = note(log, "x", "other")
    path.write_bytes(path.read_bytes().replace(b"counted", b"scored!"))
    (wrong,) = vouch(read_log(log)).wrong
    assert "event.jsonl, seq 2: expected chain" in str(wrong)


def test_a_log_that_was_cut_is_good_as_far_as_it_goes(log: Path) -> None:
    log.write_bytes(log.read_bytes()[:-200])
    verdict = vouch(read_log(log))
    assert (verdict.wrong, verdict.is_complete) == ((), False)
    note(log, "0" * 64)
    assert len(vouch(read_log(log)).wrong) == 1
