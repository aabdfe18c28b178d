"""CSV that a spreadsheet shows and does not run.

Owns the form of a CSV page and the sign before texts that a spreadsheet would take for a formula:
a cell that begins with ``= + - @``, a tab or a carriage return, and is neither a number nor a bare
dash, gets an apostrophe before it. One that has apostrophes there already gets one more, so that
taking one away gives the text back. Names of bots and entrants never begin so
(:mod:`arena.bots.names`): they read back as they are. Must not know what the cells say.
"""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Final

FORMULA_SIGNS: Final = "=+-@\uff1d\uff0b\uff0d\uff20\t\r"
"""The wide forms are the same signs to some spreadsheets."""
GUARDED: Final = f"^'*[{re.escape(FORMULA_SIGNS)}]"
"""Matches texts that get an apostrophe, unless :data:`HARMLESS` does; for Arrow and polars too."""
HARMLESS: Final = r"^([+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?|-)$"
"""Matches numbers, and the dash that stands where there is nothing."""
_GUARDED: Final = re.compile(GUARDED)
_HARMLESS: Final = re.compile(HARMLESS)


def csv_page(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Write a page: a line a row, fields quoted where they must be, an empty field for None."""
    return "".join(f"{_line(row)}\n" for row in (header, *rows))


def _line(row: Sequence[object]) -> str:
    line = io.StringIO()
    # Fields are quoted that hold a character of the terminator, so it holds both ends of lines.
    csv.writer(line, lineterminator="\r\n").writerow([_cell(value) for value in row])
    return line.getvalue().removesuffix("\r\n")


def _cell(value: object) -> object:
    if isinstance(value, str) and _GUARDED.match(value) and not _HARMLESS.match(value):
        return f"'{value}"
    return value
