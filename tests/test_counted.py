"""Numbers stand with their words as people say them."""

import re
from pathlib import Path

import pytest

import arena
from arena.counted import counted


@pytest.mark.parametrize(
    ("number", "unit", "said"),
    [
        (1, "board", "1 board"),
        (-1, "point", "-1 point"),
        (0, "board", "0 boards"),
        (2, "match", "2 matches"),
        (2, "process", "2 processes"),
        (3, "entry", "3 entries"),
        (2, "play", "2 plays"),
        (1, "slow answer", "1 slow answer"),
        (2, "slow answer", "2 slow answers"),
    ],
)
def test_a_number_stands_with_its_word(number: int, unit: str, said: str) -> None:
    assert counted(number, unit) == said


NEVER_ONE = {
    "bounds.files",  # a bound of thousands
    "last",  # more than a seed can deal
    "len(event.entrants)",  # less than two are refused before
    "len(self._last)",  # where enough of a window are void
    "stage.per_table",  # two, three or four
    "unnoted",  # one is a kill's work and is not told
}


def test_no_number_that_may_be_one_stands_with_a_plural() -> None:
    """In what people are told; numbers with a word of their own go through counted."""
    words = "board|round|bot|fault|folder|log|entrant|attempt|file|decision|deal"
    number = r"(?<!seat )\{(?!counted|[A-Z])([^{}]*)\}"
    plural = re.compile(rf"{number} (?:matches|(?:{words})s)\b")
    package = Path(arena.__file__).parent
    found = {
        f"{path.name}: {match[0]}"
        for room in ("bots", "check", "cli", "record", "tournament")
        for path in (package / room).rglob("*.py")
        for match in plural.finditer(path.read_text("utf-8"))
        if match[1] not in NEVER_ONE
    }
    assert found == set()
