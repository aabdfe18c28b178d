"""``arena standings``: how an event stands. Source: commands.md, design.md §2."""

from dataclasses import replace
from typing import Annotated

import typer

from arena.cli.options import EventArgument, FormatOption, JsonOption
from arena.cli.output import Format, chosen, emit, say
from arena.cli.standings_views import print_faults, print_matches, print_pairings
from arena.cli.tables import aligned
from arena.errors import ConfigError
from arena.record.event_log import event_log_head
from arena.tournament.event_file import EventFile
from arena.tournament.folder import EventFolder, EventPlace, locate, newest_again
from arena.tournament.known import read_known
from arena.tournament.standing import Standings
from arena.tournament.standings import standings
from arena.tournament.standings_data import standings_csv, standings_json
from arena.tournament.standings_text import (
    published_lines,
    stage_table,
    standings_markdown,
    state_word,
)


def command(
    event: EventArgument,
    *,
    pairings: Annotated[
        bool, typer.Option("--pairings", help="Each pair of entrants instead, with Elo and LOS.")
    ] = False,
    crosstable: Annotated[
        bool, typer.Option("--crosstable", help="Points per board of each against each instead.")
    ] = False,
    faults: Annotated[
        bool, typer.Option("--faults", help="Faults and forfeits of each entrant instead.")
    ] = False,
    matches: Annotated[
        bool, typer.Option("--matches", help="Each settled match instead, with its id.")
    ] = False,
    tag: Annotated[
        str | None, typer.Option(help="Show the entrants with this tag alone, at their ranks.")
    ] = None,
    fmt: FormatOption = Format.TABLE,
    json: JsonOption = False,
) -> None:
    """Show how an event stands, from its results alone."""
    place = locate(event)
    views = {
        "--pairings": pairings,
        "--crosstable": crosstable,
        "--faults": faults,
        "--matches": matches,
    }
    asked = [view for view, is_asked in views.items() if is_asked]
    if len(asked) > 1:
        raise ConfigError(f"{' and '.join(asked)}: give one of them")
    if asked and tag is not None:
        raise ConfigError(f"--tag goes with the standings, not with {asked[0]}")
    fmt = chosen(fmt, json=json)
    match asked:
        case ["--faults"]:
            print_faults(place.folder, fmt)
        case ["--matches"]:
            print_matches(place.folder, fmt)
        case [_]:
            print_pairings(place.folder, fmt, is_cross=crosstable)
        case _:
            print_standings(place.folder, fmt, tag=tag)
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
        laid_out = stage_table(stage, was_published=table.was_published)
        pages.append(f"{laid_out.title}\n")
        pages.append(aligned(laid_out.columns, laid_out.lines))
        pages += [f"· {note}\n" for note in laid_out.notes]
    if word := state_word(table):
        pages.append(f"{word}\n")
    return "".join(pages)
