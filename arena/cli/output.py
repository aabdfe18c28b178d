"""How commands print: the formats every command shares, and the JSON envelope.

Owns the words of ``--format`` and the envelope {schema, kind, data}. Source: commands.md.
"""

from collections.abc import Sequence
from enum import StrEnum

import msgspec
import typer

SCHEMA = 1


class Format(StrEnum):
    """What ``--format`` offers."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"


def chosen(fmt: Format, *, json: bool) -> Format:
    """Give the format asked for; ``--json`` is short for ``--format json``."""
    return Format.JSON if json else fmt


def print_json(value: object) -> None:
    """Print one JSON value on one line."""
    typer.echo(msgspec.json.encode(value))


def print_envelope(kind: str, data: object) -> None:
    """Print data in the envelope of every JSON output."""
    print_json({"schema": SCHEMA, "kind": kind, "data": data})


def print_rows(header: Sequence[str], rows: Sequence[Sequence[str]], fmt: Format) -> None:
    """Print rows as an aligned table, CSV or Markdown; JSON is the caller's."""
    match fmt:
        case Format.CSV:
            import csv  # noqa: PLC0415  # rarely needed, and start-up time counts
            import sys  # noqa: PLC0415

            writer = csv.writer(sys.stdout, lineterminator="\n")
            writer.writerow(header)
            writer.writerows(rows)
        case Format.MARKDOWN:
            typer.echo("| " + " | ".join(header) + " |")
            typer.echo("| " + " | ".join("---" for _ in header) + " |")
            for row in rows:
                typer.echo("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |")
        case _:
            from rich.console import Console  # noqa: PLC0415
            from rich.table import Table  # noqa: PLC0415

            table = Table(box=None, pad_edge=False, header_style="bold")
            for name in header:
                table.add_column(name, overflow="fold")
            for row in rows:
                table.add_row(*row)
            Console(highlight=False, markup=False).print(table)
