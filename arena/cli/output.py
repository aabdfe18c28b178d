"""How commands print: the formats every command shares, and the JSON envelope.

Owns the words of ``--format``, the envelope {schema, kind, data}, and what happens when
nobody reads any more. Source: commands.md.
"""

import json
import os
import re
import sys
from collections.abc import Sequence
from enum import StrEnum
from typing import Final, TextIO

import msgspec
import typer

SCHEMA = 1
_HARMFUL: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029"  # controls, halves of characters
    "\u202a-\u202e\u2066-\u2069"  # marks that turn the direction of text
    "\xad\u180e\u200b\u2060-\u2064\ufeff]"  # invisible and part of no writing, unlike joiners
)
_BOLD_LINE: Final = re.compile("^\x1b\\[1m([^\x1b\n]*)\x1b\\[0m$", re.MULTILINE)
"""The one style of our own: the head of a table on a terminal. It ends where its line does."""
_UNBOUNDED = 100_000
"""Columns of a page that is no terminal: lines are as long as they are."""


class Format(StrEnum):
    """What ``--format`` offers."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"


class ProgressForm(StrEnum):
    """What ``--progress`` offers: ``auto`` is a bar on a terminal and lines elsewhere."""

    AUTO = "auto"
    LINES = "lines"
    JSON = "json"


def chosen(fmt: Format, *, json: bool) -> Format:
    """Give the format asked for; ``--json`` is short for ``--format json``."""
    return Format.JSON if json else fmt


def emit(text: str | bytes, *, newline: bool = True) -> None:
    """Print to stdout; a reader that has seen enough (``| head``) ends the command, done.

    What could command a terminal is escaped in a text (see :func:`harmless`), not in bytes.

    Raises:
        typer.Exit: Nobody reads any more.
    """
    try:
        typer.echo(text if isinstance(text, bytes) else _shown(text), nl=newline)
    except BrokenPipeError:
        _silence(sys.stdout)
        raise typer.Exit from None


def say(text: str) -> None:
    """Tell whoever waits, on stderr; an event goes on where nobody listens."""
    try:
        typer.echo(harmless(text), err=True)
    except OSError:
        _silence(sys.stderr)


def harmless(text: str) -> str:
    """Escape what could command a terminal; names and texts of bots come by here."""
    return _HARMFUL.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def _shown(text: str) -> str:
    """Escape a text but for the style of whole lines, which can do no harm."""
    parts = _BOLD_LINE.split(text)  # plain, bold, plain, bold, ..., plain
    return "".join(
        typer.style(harmless(part), bold=True) if place % 2 else harmless(part)
        for place, part in enumerate(parts)
    )


def _silence(stream: TextIO) -> None:
    """Let a stream that nobody reads swallow the rest, also what Python still holds back."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, stream.fileno())
    os.close(null)


def print_json(value: object) -> None:
    """Print one JSON value on one line; what could command a terminal is escaped as JSON does."""
    try:
        text = msgspec.json.encode(value).decode()
    except UnicodeEncodeError:  # the name of a file that is no Unicode
        text = json.dumps(msgspec.to_builtins(value), separators=(",", ":"))
    emit(_HARMFUL.sub(lambda found: f"\\u{ord(found[0]):04x}", text))


def print_envelope(kind: str, data: object) -> None:
    """Print data in the envelope of every JSON output."""
    print_json({"schema": SCHEMA, "kind": kind, "data": data})


def print_rows(header: Sequence[str], rows: Sequence[Sequence[str]], fmt: Format) -> None:
    """Print rows as an aligned table, CSV or Markdown; JSON is the caller's."""
    match fmt:
        case Format.CSV:
            from arena.record.csv_page import csv_page  # noqa: PLC0415  # start-up time counts

            emit(csv_page(header, rows), newline=False)
        case Format.MARKDOWN:
            emit("| " + " | ".join(header) + " |")
            emit("| " + " | ".join("---" for _ in header) + " |")
            for row in rows:
                emit("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |")
        case _:
            from arena.cli.tables import aligned  # noqa: PLC0415  # start-up time counts

            emit(aligned(header, rows), newline=False)
