"""``arena standings``: how an event stands. Source: commands.md, design.md §2."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.output import Format, chosen, emit, print_envelope, print_rows, say
from arena.cli.tables import aligned
from arena.errors import ConfigError
from arena.record.event_log import event_log_head
from arena.tournament.event_file import EventFile
from arena.tournament.folder import EventFolder, EventPlace, locate, newest_again
from arena.tournament.known import read_known
from arena.tournament.pairings_data import (
    PAIRING_COLUMNS,
    pairing_cells,
    pairing_data,
    pairings_csv,
)
from arena.tournament.standing import StageStandings, Standings
from arena.tournament.standings import standings
from arena.tournament.standings_data import standings_csv, standings_json
from arena.tournament.standings_text import published_lines, stage_table, standings_markdown


def command(
    event: Annotated[
        Path, typer.Argument(metavar="EVENT", help="An event file, or the folder of an event.")
    ],
    *,
    pairings: Annotated[
        bool, typer.Option("--pairings", help="Each pair of entrants instead, with Elo and LOS.")
    ] = False,
    crosstable: Annotated[
        bool, typer.Option("--crosstable", help="Points per board of each against each instead.")
    ] = False,
    tag: Annotated[
        str | None, typer.Option(help="Show the entrants with this tag alone, at their ranks.")
    ] = None,
    fmt: Annotated[Format, typer.Option("--format", help="How to print.")] = Format.TABLE,
    json: Annotated[bool, typer.Option("--json", help="Short for --format json.")] = False,
) -> None:
    """Show how an event stands, from its results alone."""
    place = locate(event)
    if pairings and crosstable:
        raise ConfigError("--pairings and --crosstable: give one of them")
    if pairings or crosstable:
        if tag is not None:
            raise ConfigError("--tag goes with the standings, not with --pairings or --crosstable")
        _print_pairings(place.folder, chosen(fmt, json=json), is_cross=crosstable)
    else:
        print_standings(place.folder, chosen(fmt, json=json), tag=tag)
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


def print_standings(folder: EventFolder, fmt: Format, *, tag: str | None = None) -> None:
    """Print the standings of an event's folder, or of its entrants with a tag.

    Raises:
        ConfigError: Nothing has been played there, its event file was changed, or nobody
            has the tag.
        LogCorrupt: The results are not those that the event's log counts.
    """
    known = read_known(folder)
    begun = known.begun
    table = standings(known.event, known.rows, begun.rulings)
    if tag is not None:
        table = _tagged(table, known.event, tag)
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


def _print_pairings(folder: EventFolder, fmt: Format, *, is_cross: bool) -> None:
    """Print what each pair came to, stage by stage; all of it for information."""
    known = read_known(folder)
    table = standings(known.event, known.rows, known.begun.rulings)
    if fmt is Format.JSON:
        data = [
            {"stage": stage.stage, "pairings": [pairing_data(one) for one in stage.pairings]}
            for stage in table.stages
        ]
        print_envelope("pairings", data)
        return
    if fmt is Format.CSV and not is_cross:
        emit(pairings_csv(table.stages), newline=False)
        return
    for stage in table.stages:
        if fmt is not Format.CSV:
            emit(f"Stage {stage.stage}: {stage.ruleset} (for information)")
        if is_cross:
            print_rows(*_cross(stage), fmt)
        else:
            print_rows(PAIRING_COLUMNS, [pairing_cells(one) for one in stage.pairings], fmt)


def _cross(stage: StageStandings) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Lay out points of each entrant (a line) against each (a column), in ranking order."""
    names = [entrant.name for entrant in stage.entrants]
    points: dict[tuple[str, str], str] = {}
    for pairing in stage.pairings:
        if pairing.points is not None:
            points[pairing.first, pairing.second] = f"{float(pairing.points):+.2f}"
            points[pairing.second, pairing.first] = f"{-float(pairing.points):+.2f}"
    lines = [
        (
            "" if entrant.rank is None else str(entrant.rank),
            entrant.name,
            *(points.get((entrant.name, other), "") for other in names),
        )
        for entrant in stage.entrants
    ]
    return ("rank", "entrant", *names), lines


def _tagged(table: Standings, event: EventFile, tag: str) -> Standings:
    """Leave out who has not the tag; ranks stay those among all."""
    names = {entrant.name for entrant in event.entrants if tag in entrant.tags}
    if not names:
        there = sorted({word for entrant in event.entrants for word in entrant.tags})
        known = f"tags of this event: {', '.join(there)}" if there else "nobody has a tag"
        raise ConfigError(f"--tag: no entrant has the tag {tag!r} ({known})")
    return replace(
        table,
        stages=tuple(
            replace(stage, entrants=tuple(line for line in stage.entrants if line.name in names))
            for stage in table.stages
        ),
    )


def _text(table: Standings) -> str:
    pages = [f"{table.event}\n"]
    for stage in table.stages:
        laid_out = stage_table(stage)
        pages.append(f"{laid_out.title}\n")
        pages.append(aligned(laid_out.columns, laid_out.lines))
        pages += [f"· {note}\n" for note in laid_out.notes]
    if not table.practice and not table.is_provisional:
        word = "published: final" if table.is_published else "not published yet: provisional"
        pages.append(f"{word}\n")
    return "".join(pages)
