"""The head of a log holds everything that was fixed, and reads back."""

from dataclasses import fields, replace

import pytest

from arena.errors import ConfigError, LogCorrupt
from arena.record.header import SCHEMA, LogHeader, SeatHeader, header_fields, header_from_fields
from arena.record.lines import decode_line, encode_line
from arena.rules.presets import PRESETS
from arena.rules.ruleset import Ruleset
from tests.record.samples import make_header

HEADER = make_header()


def through_a_line(header: LogHeader) -> LogHeader:
    return header_from_fields(decode_line(encode_line(header_fields(header))))


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_a_header_round_trips_with_every_ruleset(name: str) -> None:
    header = make_header(PRESETS[name], boards=None)
    assert through_a_line(header) == header


def test_every_option_of_the_ruleset_is_written_out() -> None:
    written = header_fields(HEADER)["ruleset"]
    assert isinstance(written, dict)
    assert written.keys() == {field.name for field in fields(Ruleset)}


def test_partners_share_one_entry_and_seats_point_at_it() -> None:
    written = decode_line(encode_line(header_fields(HEADER)))
    assert written["seats"] == [0, 1, 0, 1]
    entrants = written["entrants"]
    assert isinstance(entrants, list)
    assert [entrant["name"] for entrant in entrants] == ["greedy", "random"]


def test_seats_of_one_entrant_with_other_options_are_kept_apart() -> None:
    seat = HEADER.seats[0]
    header = replace(HEADER, seats=(seat, replace(seat, options={}), seat, seat))
    assert through_a_line(header) == header


def test_what_is_absent_is_left_out() -> None:
    bare = SeatHeader(entrant="a", bot="a", version="", content_hash="")
    header = replace(
        HEADER, boards=None, commitment="", guessable_seed=False, conditions={}, resources={},
        guards=(), seats=(bare,) * 4,
    )  # fmt: skip
    written = header_fields(header)
    absent = {"boards", "seed_commitment", "guessable_seed", "conditions", "resources", "guards"}
    assert not absent & written.keys()
    assert written["entrants"] == [{"name": "a", "bot": "a"}]
    assert through_a_line(header) == header


def test_names_in_any_script_round_trip() -> None:
    header = make_header(names=('Zoë "🃏" O\'Neil', "שלום\u202eabc"))
    assert through_a_line(header) == header
    assert header.entrants == ('Zoë "🃏" O\'Neil', "שלום\u202eabc")


def test_fields_of_a_later_version_are_skipped() -> None:
    assert header_from_fields({**header_fields(HEADER), "weather": "fine"}) == HEADER


def test_a_later_schema_is_refused_naming_both() -> None:
    with pytest.raises(ConfigError, match=f"schema {SCHEMA + 1}.*up to {SCHEMA}.*9.9"):
        header_from_fields({"schema": SCHEMA + 1, "arena_version": "9.9"})


@pytest.mark.parametrize(
    ("field", "value", "named"),
    [
        ("match", 7, "match"),
        ("clock", {"limit_ms": "soon"}, "clock.limit_ms"),
        ("clock", {"limit_ms": 0}, "limit_ms = 0"),
        ("seats", [0, 1, 0, 9], "of 2 entrants"),
        ("seats", [0, 1, 0, -1], "of 2 entrants"),
        ("seats", [0, 1], "2 seats"),
        ("ruleset", {"name": "x", "seats": 4, "hand_size": 11}, "hand_size"),
    ],
)
def test_a_head_that_no_arena_writes_is_refused(field: str, value: object, named: str) -> None:
    with pytest.raises(LogCorrupt, match=named):
        header_from_fields({**header_fields(HEADER), field: value})
