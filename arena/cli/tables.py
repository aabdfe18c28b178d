"""Aligned tables, for a terminal of any width and for pages that have none.

Owns how rows are laid out: in columns as wide as what stands in them; where a terminal is
too narrow for that, row by row, each cell with the name of its column. Nothing is cut,
and no name or number is broken in two. Must not know what the cells mean.
"""

import shutil
import sys
from collections.abc import Sequence

import typer
from rich.cells import cell_len

GAP = "  "


def aligned(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Lay out rows under their header, for stdout as it is; lines end in a newline."""
    widths = [max(map(cell_len, column)) for column in zip(header, *rows, strict=True)]
    if sum(widths) + len(GAP) * (len(widths) - 1) > _width():
        return "".join(_block(header, row) for row in rows)
    head = _line(header, widths).rstrip()
    if sys.stdout.isatty():
        head = typer.style(head, bold=True)
    return f"{head}\n" + "".join(_line(row, widths) for row in rows)


def _width() -> int:
    """Columns of the terminal, or no bound."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else sys.maxsize


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = [
        cell + " " * (width - cell_len(cell)) for cell, width in zip(cells, widths, strict=True)
    ]
    return GAP.join(padded).rstrip() + "\n"


def _block(header: Sequence[str], row: Sequence[str]) -> str:
    """Lay out one row: the first two cells as its head, the others that say something below."""
    width = max(map(cell_len, header[2:]), default=0)
    lines = [" ".join(filter(None, row[:2]))]
    for name, cell in zip(header[2:], row[2:], strict=True):
        if cell:
            lines.append(f"{GAP}{name}{' ' * (width - cell_len(name))}{GAP}{cell}")
    return "".join(f"{line}\n" for line in lines)
