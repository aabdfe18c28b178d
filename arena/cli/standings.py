"""``arena standings``: how an event stands. Source: commands.md, design.md §2."""

from pathlib import Path
from typing import Annotated

import typer

from arena.cli.output import Format, chosen, print_rows
from arena.errors import ConfigError
from arena.record.event_log import event_log_head, read_event_log
from arena.record.results import Results
from arena.tournament.event_reading import load_event
from arena.tournament.folder import EventFolder, locate
from arena.tournament.freeze import Freeze
from arena.tournament.standing import Standings
from arena.tournament.standings import standings
from arena.tournament.standings_data import standings_csv, standings_json
from arena.tournament.standings_text import stage_table, standings_markdown


def command(
    event: Annotated[Path, typer.Argument(help="An event file, or the folder of an event.")],
    *,
    fmt: Annotated[Format, typer.Option("--format", help="How to print.")] = Format.TABLE,
    json: Annotated[bool, typer.Option("--json", help="Short for --format json.")] = False,
) -> None:
    """Show how an event stands, from its results alone."""
    print_standings(locate(event).folder, chosen(fmt, json=json))


def print_standings(folder: EventFolder, fmt: Format) -> None:
    """Print the standings of an event's folder.

    Raises:
        ConfigError: Nothing has been played there.
    """
    if not folder.has_begun:
        raise ConfigError(f"{folder.path}: no event was run here; start one with arena run")
    opened = read_event_log(folder.event_log)[0]
    frozen = Freeze.from_fields(opened.fields)
    event = load_event(folder.event_file).only(frozen.entrants)
    results = Results.open(folder.results)
    try:
        table = standings(event, results.rows())
    finally:
        results.close()
    match fmt:
        case Format.JSON:
            commitments = opened.fields.get("commitments")
            data = standings_json(
                table,
                commitments=commitments if isinstance(commitments, list) else [],
                fingerprint=frozen.fingerprint,
            )
            typer.echo(data, nl=False)
        case Format.CSV:
            typer.echo(standings_csv(table), nl=False)
        case Format.MARKDOWN:
            typer.echo(standings_markdown(table), nl=False)
        case Format.TABLE:
            _print_table(table)
            typer.echo(f"fingerprint {frozen.fingerprint}")
            typer.echo(f"log chain   {event_log_head(folder.event_log)}")


def _print_table(table: Standings) -> None:
    typer.echo(table.event)
    for stage in table.stages:
        laid_out = stage_table(stage)
        typer.echo(laid_out.title)
        print_rows(laid_out.columns, laid_out.lines, Format.TABLE)
        for note in laid_out.notes:
            typer.echo(f"· {note}")
