"""Match ids have one form; the log of every attempt has its place."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import ConfigError
from arena.record.paths import (
    MatchId,
    attempts,
    every_attempt,
    find_log,
    log_path,
    packed_path,
    parse_match_id,
)

numbers = st.integers(min_value=1, max_value=10**6)
ids = st.builds(
    MatchId,
    stage=numbers,
    round=numbers,
    pairing=numbers,
    orientation=st.integers(min_value=0, max_value=23),
    slice=numbers,
)


@given(ids)
def test_every_match_id_reads_back(match: MatchId) -> None:
    assert parse_match_id(str(match)) == match


@pytest.mark.parametrize(
    "text",
    [
        "",
        "s1-r1-p1-o0",
        "s0-r1-p1-o0-m1",
        "s1-r01-p1-o0-m1",
        "S1-r1-p1-o0-m1",
        "s1-r1-p1-o0-m1 ",
        "s1-r1-p1-o0-m\u0661",
        f"s{'1' * 5000}-r1-p1-o0-m1",
        "s1-r1-p1-o0-m1234567890",
    ],
)
def test_another_text_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ConfigError, match="s1-r1-p1-o0-m1"):
        parse_match_id(text)


@given(st.lists(ids, max_size=6))
def test_ids_sort_in_the_order_of_the_schedule(matches: list[MatchId]) -> None:
    by_fields = sorted(matches, key=lambda m: (m.stage, m.round, m.pairing, m.orientation, m.slice))
    assert sorted(matches) == by_fields


def test_attempts_are_found_whether_compressed_or_not(tmp_path: Path) -> None:
    match = "s1-r1-p1-o0-m1"
    for attempt in (1, 2, 10):
        log_path(tmp_path, match, attempt).touch()
    packed_path(log_path(tmp_path, match, 3)).touch()
    log_path(tmp_path, "s1-r1-p1-o0-m12", 7).touch()
    (tmp_path / f"{match}.a4.jsonl.gz.part").touch()
    assert attempts(tmp_path, match) == (1, 2, 3, 10)
    (tmp_path / "notes.jsonl").touch()
    (tmp_path / "s1-r1-p1-o0-m1.a0.jsonl").touch()
    every = {(match, attempt) for attempt in (1, 2, 3, 10)} | {("s1-r1-p1-o0-m12", 7)}
    assert every_attempt(tmp_path) == every


def test_the_compressed_form_of_a_log_is_preferred(tmp_path: Path) -> None:
    plain = log_path(tmp_path, "s1-r1-p1-o0-m1", 1)
    assert find_log(tmp_path, "s1-r1-p1-o0-m1", 1) is None
    plain.touch()
    assert find_log(tmp_path, "s1-r1-p1-o0-m1", 1) == plain
    packed_path(plain).touch()
    assert find_log(tmp_path, "s1-r1-p1-o0-m1", 1) == packed_path(plain)
