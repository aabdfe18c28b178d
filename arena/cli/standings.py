"""``arena standings``: how an event stands. Source: commands.md, design.md §2."""

from pathlib import Path
from typing import Annotated

import typer

from arena.cli.output import Format, chosen, emit, say
from arena.cli.tables import aligned
from arena.errors import ConfigError
from arena.record.event_log import event_log_head
from arena.record.results import Results
from arena.tournament.accounts import check_results
from arena.tournament.begun import read_begun
from arena.tournament.event_reading import parse_event
from arena.tournament.folder import EventFolder, EventPlace, locate, newest_again
from arena.tournament.standing import Standings
from arena.tournament.standings import standings
from arena.tournament.standings_data import standings_csv, standings_json
from arena.tournament.standings_text import published_lines, stage_table, standings_markdown


def command(
    event: Annotated[
        Path, typer.Argument(metavar="EVENT", help="An event file, or the folder of an event.")
    ],
    *,
    fmt: Annotated[Format, typer.Option("--format", help="How to print.")] = Format.TABLE,
    json: Annotated[bool, typer.Option("--json", help="Short for --format json.")] = False,
) -> None:
    """Show how an event stands, from its results alone."""
    place = locate(event)
    print_standings(place.folder, chosen(fmt, json=json))
    if place.file != place.folder.event_file:
        _say_of_the_file(place)


def _say_of_the_file(place: EventPlace) -> None:
    """Say where an event file is not what the standings above are about."""
    folder = place.folder
    if place.read() != folder.event_file.read_bytes():
        say(
            f"{place.file}: changed since {folder.path} was played; "
            f"these standings are of {folder.event_file}"
        )
    if (newest := newest_again(folder)) is not None:
        say(f"{newest}: a newer event of this name; see arena standings {newest}")


def print_standings(folder: EventFolder, fmt: Format) -> None:
    """Print the standings of an event's folder.

    Raises:
        ConfigError: Nothing has been played there, or its event file was changed.
        LogCorrupt: The results are not those that the event's log counts.
    """
    begun = read_begun(folder)
    if begun is None:
        raise ConfigError(f"{folder.path}: no event was run here; start one with arena run")
    place = EventPlace(file=folder.event_file, folder=folder)
    begun.refuse_another(place)
    event = (
        parse_event(place.read(), source=str(place.file))
        .only(begun.freeze.entrants)
        .under(begun.guards)
    )
    results = Results.open(folder.results, must_exist=True)
    try:
        rows = results.rows()
        check_results(event, rows, begun.noted, folder.results)
        table = standings(event, rows)
    finally:
        results.close()
    head = event_log_head(folder.event_log)
    published = published_lines(
        fingerprint=begun.freeze.fingerprint, commitments=begun.commitments, log_chain=head
    )
    match fmt:
        case Format.JSON:
            data = standings_json(
                table,
                commitments=begun.commitments,
                fingerprint=begun.freeze.fingerprint,
                log_chain=head,
            )
            emit(data, newline=False)
        case Format.CSV:
            emit(standings_csv(table), newline=False)
        case Format.MARKDOWN:
            emit(standings_markdown(table, published), newline=False)
        case Format.TABLE:
            emit(_text(table), newline=False)
            for line in published:
                emit(line)


def _text(table: Standings) -> str:
    pages = [f"{table.event}\n"]
    for stage in table.stages:
        laid_out = stage_table(stage)
        pages.append(f"{laid_out.title}\n")
        pages.append(aligned(laid_out.columns, laid_out.lines))
        pages += [f"· {note}\n" for note in laid_out.notes]
    return "".join(pages)
