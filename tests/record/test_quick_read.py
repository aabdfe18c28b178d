"""The quick way to read a line gives what the other way gives, or leaves the line to it."""

import json
from dataclasses import replace

import pytest

from arena.record import read
from arena.record.quick_read import read_quickly
from arena.record.read import LogLine, read_log
from tests.record.make_golden import Golden, goldens


def slowly(golden: Golden, line: LogLine, seats: int) -> LogLine:
    return read._any_line(golden.path, line.seq, line.raw[:-1], seats)


@pytest.mark.parametrize("golden", tuple(goldens()), ids=lambda golden: golden.name)
def test_both_ways_give_the_same_values(golden: Golden) -> None:
    record = read_log(golden.path)
    seats = len(record.header.seats)
    plain = [line for line in record.lines if line.is_plain]
    if golden.case != "forfeit_not_ready":
        assert plain
    for line in plain:
        assert slowly(golden, line, seats) == replace(line, is_plain=False)


PLAYED = {"seq": 7, "at_us": 9, "event": "card_played", "seat": 1, "card": "D3"}
TIMES = {"think_us": 5, "lag_us": 2}


def written(fields: dict[str, object]) -> bytes:
    return json.dumps(fields, separators=(",", ":")).encode()


def test_a_plain_line_is_read_quickly() -> None:
    assert read_quickly(written(PLAYED | TIMES), 7, 4) is not None


@pytest.mark.parametrize(
    "raw",
    [
        written({**PLAYED, **TIMES, "seat": 4}),
        written({**PLAYED, **TIMES, "seat": -1}),
        written({**PLAYED, **TIMES, "seq": 8}),
        written({**PLAYED, **TIMES, "card": "X3"}),
        written({**PLAYED, **TIMES, "at_us": 9.0}),
        written({**PLAYED, **TIMES, "note": "hm"}),
        written({**PLAYED, **TIMES, "more": 1}),
        written({**TIMES, **PLAYED}),
        written(PLAYED),
        written(PLAYED | TIMES).replace(b",", b", "),
        written(PLAYED | TIMES)[:-1],
        written(PLAYED | TIMES).replace(b'"D3"', b'"D3","card":"D3"'),
        b"",
        b"\xff" * 40,
        b'"' * 40,
    ],
)
def test_a_line_with_anything_else_in_it_is_left_to_the_other_way(raw: bytes) -> None:
    assert read_quickly(raw, 7, 4) is None
