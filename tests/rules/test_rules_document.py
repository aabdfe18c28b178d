"""``docs/rules.md`` says what the code says, and holds every place that the code cites."""

import re
from pathlib import Path
from typing import Final

import pytest

import arena
from arena.rules.presets import PRESETS
from arena.rules.ruleset_text import OPTION_TYPES
from tests.rules.make_rules_document import DOCUMENT, meaning_and_source, sections, written_anew

TEXT: Final = DOCUMENT.read_text()
CODE: Final = sorted(Path(str(arena.__file__)).parent.rglob("*.py"))
ROWS: Final = {
    int(row[0]): row[1:]
    for row in (
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in TEXT.splitlines()
        if re.match(r"\| \d", line)
    )
}
"""The table of §3, by row: about, GL, CZ, IT, here."""


def test_the_tables_are_those_of_the_code() -> None:
    """Else: ``make docs``."""
    assert written_anew(TEXT) == TEXT


@pytest.mark.parametrize("key", OPTION_TYPES)
def test_every_option_says_what_it_means_and_where_it_is_from(key: str) -> None:
    meaning, source = meaning_and_source(key)
    assert len(meaning) > 10
    assert re.search(r"GL|CZ §\d|IT ¶\d|§[1-5]", source)


def test_every_option_stands_under_one_heading() -> None:
    assert [key for keys in sections().values() for key in keys] == list(OPTION_TYPES)


def test_every_ruleset_is_described() -> None:
    headings = " ".join(line for line in TEXT.splitlines() if line.startswith("### "))
    assert all(f"`{name}`" in headings for name in PRESETS)


def test_every_row_of_differences_says_what_is_done_here() -> None:
    """With options that exist; rows stand where the code cites them."""
    assert list(ROWS) == list(range(1, 33))
    for cells in ROWS.values():
        assert len(cells) == 5
        assert all(cells)
    named = {name for cells in ROWS.values() for name in re.findall(r"`([a-z_]+)", cells[-1])}
    assert named <= set(OPTION_TYPES)
    assert len(named) > 20


def test_every_place_that_the_code_cites_is_there() -> None:
    rows: set[int] = set()
    places: set[str] = set()
    for path in CODE:
        text = " ".join(path.read_text().split())
        for first, last in re.findall(r"§3 rows? (\d+)(?:-(\d+))?", text):
            rows |= set(range(int(first), int(last or first) + 1))
        places |= {"".join(place) for place in re.findall(r"rules\.md §(\d)\.?(\d|[a-f])?", text)}
    assert rows <= set(ROWS)
    assert len(places) > 5
    for place in places:
        section = re.search(rf"^## §{place[0]} .*?(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL)
        assert section, f"§{place}"
        mark = f"### {place[1]}. " if place[1:].isalpha() else f"{place[1:]}. "
        assert mark in section[0] or place[1:] == "", f"§{place}"
