"""The table of tamperings names exactly those that are tested."""

from pathlib import Path

from tests.record.test_tampering import TAMPERINGS
from tests.record.verify.test_conduct import CONDUCT
from tests.tournament.test_public_seed import FORGED as OF_PUBLIC_CHANCE
from tests.tournament.test_verify_draws import TAMPERINGS as OF_DRAWS
from tests.tournament.test_verify_event import TAMPERINGS as OF_EVENTS
from tests.tournament.test_verify_lines import HEADS, LINES

DOCUMENT = Path(__file__).parents[3] / "docs" / "tampering.md"
BY_OTHER_TESTS = {
    "a plausible time shifted",
    "a forged seal",
    "a log cut at any byte",
    "a digest of what was sent",
    "the digests of the last seals left out",
    "all digests of what was sent left out",
    "a ruling dropped or edited, the event's log chained anew",
    "a last draw dropped, with its matches",
    "a row that the event's log lacks, edited",
    "a row that the event's log lacks, with its log",
    "a frozen copy changed or dropped",
    "matches cut off the end of `event.jsonl`",
    "a ruling cut off the end of `event.jsonl`",
}
"""Rows that tests of their own prove: test_conduct, test_tampering, test_cut, test_sent,
test_verify_event, test_verify_bots, test_verify_end, test_drawing."""


def test_every_row_is_tested_and_every_test_has_its_row() -> None:
    tables = DOCUMENT.read_text("utf-8").partition("## One log")[2].partition("## What cannot")[0]
    rows = {
        line.split("|")[1].strip()
        for line in tables.splitlines()
        if line.startswith("|") and not line.startswith(("| ---", "| tampering"))
    }
    of_events = {*OF_EVENTS, *OF_DRAWS, *LINES, *HEADS, *OF_PUBLIC_CHANCE}
    assert rows == {*TAMPERINGS, *CONDUCT, *of_events, *BY_OTHER_TESTS}
