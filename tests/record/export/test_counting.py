"""What a table says counts is what the rulings in the event's log leave of what was noted."""

from dataclasses import replace

import pytest

from arena.record.event_log import EventLine
from arena.record.export.counting import Counting
from tests.record.samples import make_header

MATCH = "s1-r2-p1-o0-m1"
HEADER = replace(make_header(), match=MATCH, attempt=1)
NAME = HEADER.seats[0].entrant


def line(kind: str, **fields: object) -> EventLine:
    return EventLine(seq=1, time="", kind=kind, fields=fields, chain="")


COUNTED = line("match_counted", match=MATCH, attempt=1)
OUT = line("ruling", act="disqualify", on=NAME)
BACK = line("ruling", act="reinstate", on=NAME)


def suspended(round_: int, name: str = NAME) -> EventLine:
    return line("entrant_suspended", entrant=name, stage=1, round=round_)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([], False),
        ([COUNTED], True),
        ([line("match_voided", match=MATCH, attempt=1)], False),
        ([line("match_counted", match=MATCH, attempt=2)], False),
        ([COUNTED, line("ruling", act="void", on=MATCH, attempt=1)], False),
        ([COUNTED, line("ruling", act="replay", on=MATCH, attempt=1)], False),
        ([COUNTED, line("ruling", act="adjust", on=MATCH, attempt=1)], True),
        ([COUNTED, OUT], False),
        ([OUT, COUNTED], False),
        ([COUNTED, OUT, BACK], True),
        ([COUNTED, line("ruling", act="disqualify", on="somebody else")], True),
        ([suspended(1), COUNTED], False),
        ([suspended(2), COUNTED], True),
        ([suspended(1, "somebody else"), COUNTED], True),
        ([suspended(1), BACK, COUNTED], True),
    ],
)
def test_the_last_word_on_an_attempt_stands(lines: list[EventLine], *, expected: bool) -> None:
    assert Counting(lines).counts(HEADER) is expected
