"""The arithmetic of limit, bank, increment and margin."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import ConfigError
from arena.referee.clock import MS, NO_LIMIT_MS, PRESETS, Clock, SeatClock


def seat_clock(**allowances: int) -> SeatClock:
    return SeatClock.full(Clock(**allowances))


def test_a_decision_is_due_after_limit_bank_and_margin() -> None:
    clock = seat_clock(limit_ms=100, bank_ms=50, margin_ms=10)
    assert clock.due_ns(7) == 7 + 160 * MS
    assert clock.time_ns == 150 * MS
    assert not clock.is_late(160 * MS)
    assert clock.is_late(160 * MS + 1)


def test_thinking_within_the_limit_leaves_the_bank_alone() -> None:
    clock = seat_clock(limit_ms=100, bank_ms=50)
    assert clock.after(100 * MS) is clock


def test_the_bank_is_used_by_what_exceeds_the_limit() -> None:
    clock = seat_clock(limit_ms=100, bank_ms=50)
    assert clock.after(130 * MS).bank_ns == 20 * MS
    assert clock.after(130 * MS).after(115 * MS).bank_ns == 5 * MS


def test_the_margin_never_makes_a_bank_negative() -> None:
    clock = seat_clock(limit_ms=100, bank_ms=50, margin_ms=10)
    assert clock.after(160 * MS).bank_ns == 0


def test_the_increment_is_added_after_each_own_decision() -> None:
    clock = seat_clock(limit_ms=100, bank_ms=50, increment_ms=5)
    assert clock.after(0).bank_ns == 55 * MS
    assert clock.after(10**12).bank_ns == 5 * MS
    assert clock.after(105 * MS) is clock


def test_no_bank_grows_beyond_a_day() -> None:
    """So that it stays a number of the wire, however long the match."""
    day = Clock(limit_ms=NO_LIMIT_MS, bank_ms=NO_LIMIT_MS, increment_ms=NO_LIMIT_MS)
    clock = SeatClock.full(day)
    for _ in range(60):
        clock = clock.after(0)
    assert clock.bank_ns == NO_LIMIT_MS * MS


def test_only_an_interval_that_hides_the_verdict_is_in_doubt() -> None:
    clock = seat_clock(limit_ms=50, margin_ms=10)
    late, early = 61 * MS, 49 * MS
    assert clock.is_in_doubt(early, late)
    assert not clock.is_in_doubt(early, 60 * MS), "in time either way"
    assert not clock.is_in_doubt(61 * MS, 80 * MS), "late either way"
    assert not clock.is_in_doubt(51 * MS, late), "no wider than what the host is allowed"
    strict = seat_clock(limit_ms=50, margin_ms=1)
    assert not strict.is_in_doubt(45 * MS, 54 * MS), "nor than a host can promise at all"
    remote = seat_clock(limit_ms=50, margin_ms=200)
    assert not remote.is_in_doubt(60 * MS, 260 * MS), "the margin covers it"


def test_a_late_seat_is_told_in_words_what_it_had() -> None:
    words = seat_clock(limit_ms=100, bank_ms=50).describe_late(161 * MS)
    assert words == "thought 161 ms; allowed were 100 ms, 50 ms of bank and 10 ms of margin"


@given(
    limit_ms=st.integers(1, 10_000),
    bank_ms=st.integers(0, 60_000),
    increment_ms=st.integers(0, 1_000),
    thinks_ns=st.lists(st.integers(0, 10**11), max_size=20),
)
def test_no_bank_is_ever_negative_and_none_grows_but_by_increments(
    limit_ms: int, bank_ms: int, increment_ms: int, thinks_ns: list[int]
) -> None:
    clock = seat_clock(limit_ms=limit_ms, bank_ms=bank_ms, increment_ms=increment_ms)
    for think_ns in thinks_ns:
        before_ns = clock.bank_ns
        clock = clock.after(think_ns)
        assert increment_ms * MS <= clock.bank_ns <= before_ns + increment_ms * MS
    assert clock.bank_ns <= (bank_ms + increment_ms * len(thinks_ns)) * MS


def test_the_named_clocks_are_those_of_the_design() -> None:
    assert PRESETS["fast"].limit_ms == 100
    assert PRESETS["normal"] == Clock(
        limit_ms=1_000, bank_ms=0, margin_ms=10, start_ms=30_000, reconnect_ms=10_000
    )
    assert (PRESETS["long"].limit_ms, PRESETS["long"].bank_ms) == (5_000, 60_000)


@pytest.mark.parametrize(
    ("name", "value", "least"),
    [("limit_ms", 0, 1), ("bank_ms", -1, 0), ("margin_ms", -5, 0), ("start_ms", -1, 0)],
)
def test_an_impossible_allowance_is_refused_by_name(name: str, value: int, least: int) -> None:
    with pytest.raises(ConfigError, match=f"{name} = {value} .* from {least}"):
        Clock(**{name: value})


def test_an_allowance_above_a_day_is_refused_by_name() -> None:
    with pytest.raises(ConfigError, match=f"bank_ms = {NO_LIMIT_MS + 1} .* up to {NO_LIMIT_MS}"):
        Clock(bank_ms=NO_LIMIT_MS + 1)
