"""``arena replay``: a match trick by trick, as plain text. Source: record.md."""

from pathlib import Path
from typing import Annotated

import typer

from arena.cli.output import emit
from arena.errors import ConfigError
from arena.record.read import read_log
from arena.record.text import replay_lines


def command(
    log: Annotated[Path, typer.Argument(metavar="LOG", help="A match log: .jsonl or .jsonl.gz.")],
    *,
    seat: Annotated[int | None, typer.Option(min=0, help="Show only what this seat saw.")] = None,
) -> None:
    """Show a match trick by trick."""
    if log.is_dir():
        found = min((*log.glob("*.jsonl.gz"), *log.glob("logs/*.jsonl.gz")), default=None)
        hint = f"; for instance {found}" if found else ""
        raise ConfigError(f"{log}: is a folder; give one match log{hint}")
    if not log.is_file():
        raise ConfigError(f"{log}: no such file")
    record = read_log(log)
    seats = record.header.ruleset.seats
    if seat is not None and seat >= seats:
        raise ConfigError(f"--seat {seat}: allowed are 0 to {seats - 1}")
    for line in replay_lines(record, seat):
        emit(line)
