"""Tables: aligned where there is room, row by row where there is not, never broken."""

import pytest
from rich.cells import cell_len

from arena.cli import tables

HEADER = ("rank", "entrant", "points/board", "faults")
ROWS = (
    ("1", "Così è 🂡 bello", "+10.00", ""),
    ("2", "שחקן", "-10.00", "late 2, crashed 1"),
    ("", "日本の棋士", "", ""),
)


def test_columns_are_as_wide_as_what_stands_in_them() -> None:
    page = tables.aligned(HEADER, ROWS)
    lines = page.splitlines()
    assert len(lines) == 4
    assert all(line == line.rstrip() for line in lines)
    for line, row in zip(lines, (HEADER, *ROWS), strict=True):
        for place in (2, 3):
            if row[place]:
                before = line[: line.index(row[place])]
                assert cell_len(before) == cell_len(lines[0][: lines[0].index(HEADER[place])])


def test_a_page_that_is_no_terminal_has_no_width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    long = ("1", "x" * 500, "+1.00", "")
    assert "x" * 500 in tables.aligned(HEADER, [long])


@pytest.mark.parametrize("columns", [10, 30, 40])
def test_on_a_narrow_terminal_each_row_is_a_block_and_nothing_is_cut(
    monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setattr(tables, "_width", lambda: columns)
    assert tables.aligned(HEADER, ROWS) == (
        "1 Così è 🂡 bello\n"
        "  points/board  +10.00\n"
        "2 שחקן\n"
        "  points/board  -10.00\n"
        "  faults        late 2, crashed 1\n"
        "日本の棋士\n"
    )


def test_a_table_that_just_fits_stays_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    width = max(map(cell_len, tables.aligned(HEADER, ROWS).splitlines()))
    monkeypatch.setattr(tables, "_width", lambda: width)
    assert tables.aligned(HEADER, ROWS).startswith("rank  entrant")
    monkeypatch.setattr(tables, "_width", lambda: width - 1)
    assert tables.aligned(HEADER, ROWS).startswith("1 Così")
