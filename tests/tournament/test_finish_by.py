"""``finish_by`` is a time with its zone or a duration; anything else is refused in one line."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import ConfigError
from arena.tournament.event_file import EventFile
from arena.tournament.event_reading import parse_event
from arena.tournament.event_text import event_text
from arena.tournament.finish_by import FinishBy, parse_finish_by
from tests.tournament.results import event_of

NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)
ZONES = st.integers(-1_439, 1_439).map(lambda minutes: timezone(timedelta(minutes=minutes)))


@pytest.mark.parametrize(
    ("text", "within"),
    [
        ("90s", timedelta(seconds=90)),
        ("2h 30m", timedelta(hours=2, minutes=30)),
        ("2h30m", timedelta(hours=2, minutes=30)),
        ("3d", timedelta(days=3)),
        (" 1d 1h 1m 1s ", timedelta(days=1, hours=1, minutes=1, seconds=1)),
    ],
)
def test_a_duration_bounds_each_run_anew(text: str, within: timedelta) -> None:
    found = parse_finish_by(text)
    assert found == FinishBy(within=within)
    assert found.left_at(NOW) == found.left_at(NOW + timedelta(days=400)) == within


@pytest.mark.parametrize("text", ["2026-12-01T18:00:00+01:00", "2026-12-01T17:00:00Z"])
def test_a_time_with_its_zone_leaves_less_the_later_a_run_starts(text: str) -> None:
    found = parse_finish_by(text)
    assert found.left_at(NOW) == timedelta(hours=5)
    assert found.left_at(NOW + timedelta(hours=4)) == timedelta(hours=1)


def test_a_run_after_that_time_goes_on_unbounded() -> None:
    found = parse_finish_by("2026-12-01T12:00:00Z")
    assert found.left_at(NOW) is None
    assert found.left_at(NOW + timedelta(days=1)) is None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("soon", "finish_by: 'soon' is not allowed; allowed: a time with its zone"),
        ("", "is not allowed; allowed: a time with its zone"),
        ("30", "'30' is not allowed"),
        ("0s", "'0s' is not allowed; a run may take from 1s to 366d"),
        ("367d", "'367d' is not allowed; a run may take from 1s to 366d"),
        ("2026-12-01T18:00:00", "'2026-12-01T18:00:00' lacks its zone"),
        ("2026-12-01", "'2026-12-01' lacks its zone"),
        ("18:00", "'18:00' is not allowed"),
    ],
)
def test_anything_else_is_refused(text: str, told: str) -> None:
    with pytest.raises(ConfigError, match=r"^finish_by: ") as refusal:
        parse_finish_by(text)
    assert told in str(refusal.value)


@given(
    st.builds(FinishBy, within=st.integers(1, 366 * 86_400).map(lambda s: timedelta(seconds=s)))
    | st.builds(FinishBy, at=st.datetimes(timezones=ZONES))
)
def test_what_is_written_reads_back_as_the_same_moment(ends: FinishBy) -> None:
    assert parse_finish_by(str(ends)) == ends


def file_with(line: str) -> bytes:
    text = event_text(event_of("a", "b"))
    assert text.count('# finish_by = "2h 30m"') == 1
    return text.replace('# finish_by = "2h 30m"', line).encode()


def read(line: str) -> EventFile:
    return parse_event(file_with(line), source="cup.toml")


def test_an_event_file_may_hold_it_as_a_text_or_as_a_time_of_toml() -> None:
    by_text = read('finish_by = "2026-12-01T18:00:00+01:00"')
    assert read("finish_by = 2026-12-01T18:00:00+01:00").finish_by == by_text.finish_by
    assert by_text.finish_by == FinishBy(at=datetime(2026, 12, 1, 17, tzinfo=UTC))
    assert parse_event(event_text(by_text).encode(), source="again") == by_text


@pytest.mark.parametrize("value", ["2026-12-01T18:00:00", "2026-12-01", "18:00:00", "90", '""'])
def test_an_event_file_with_anything_else_is_refused_by_name(value: str) -> None:
    with pytest.raises(ConfigError, match=r"^cup\.toml: finish_by: "):
        read(f"finish_by = {value}")
