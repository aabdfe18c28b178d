"""``arena entry``: packed bots into an event, a list of them, and out again.

Owns the words and the exit status. Source: commands.md; issue "Tournaments to trust" 7.
"""

import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from arena.check.conditions import conditions_of
from arena.check.entering import Desk, enter
from arena.cli.main import BAD, DONE
from arena.cli.options import EventArgument, EventFolderOption, FormatOption, JsonAlone, JsonOption
from arena.cli.output import Format, chosen, emit, print_envelope, print_rows, say
from arena.cli.trio_run import only, run_trio
from arena.counted import counted
from arena.errors import ConfigError
from arena.tournament.begun import read_begun
from arena.tournament.entered import home_of, named
from arena.tournament.entries import Entry, entries_of, submissions, withdraw
from arena.tournament.event_reading import parse_terms
from arena.tournament.folder import EventPlace, create_folder, locate, locked

app = typer.Typer(pretty_exceptions_enable=False)


@app.callback()
def group() -> None:
    """Enter packed bots in an event, list or remove them; before its first start only."""


@app.command("add")
def add(
    event: EventArgument,
    archives: Annotated[
        list[Path], typer.Argument(metavar="ARCHIVE", help="What arena pack made.")
    ],
    *,
    out: EventFolderOption = None,
    name: Annotated[
        str | None, typer.Option(help="The entrant's name, of one archive (default: the bot's).")
    ] = None,
    tag: Annotated[list[str] | None, typer.Option(help="A tag; may be given again.")] = None,
    may_replace: Annotated[
        bool, typer.Option("--replace", help="Replace an entry even of other authors.")
    ] = False,
    json: JsonAlone = False,
) -> None:
    """Unpack, build and check bots under the event's terms, and enter those that are good.

    An entry under the same name is replaced, and kept. Exit status: 0 all entered, 1 the check
    found one bad, 2 an archive was refused; the others are entered all the same.
    """
    if name is not None and len(archives) != 1:
        raise ConfigError("--name is for one archive; give the others in calls of their own")
    with _before_the_start(event, out) as place:
        terms = parse_terms(place.read(), source=str(place.file))
        own = named(terms.entrants, home_of(place.file))
        desk = Desk(
            folder=place.folder,
            conditions=conditions_of(terms, source=place.file.name),
            taken={entrant.name: f"an [[entrant]] of {place.file}" for entrant in own},
            say=say,
            may_replace=may_replace,
        )
        done, refused = _add_all(desk, archives, name, tuple(tag or ()))
    if json:
        rows = [_data(entry) for entry in done]
        print_envelope("entries_added", {"entries": rows, "refused": refused})
    else:
        for entry in done:
            _show(entry)
        for why in refused.values():
            say(f"refused: {why}")
        if any(entry.submission.is_entered for entry in done):
            emit(f"next: arena entry list {shlex.quote(str(event))}")
    if refused:
        raise ConfigError(f"refused: {len(refused)} of {counted(len(archives), 'archive')}")
    raise typer.Exit(DONE if all(entry.submission.is_entered for entry in done) else BAD)


@app.command("list")
def list_(
    event: EventArgument,
    *,
    out: EventFolderOption = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Earlier and refused submissions too.")
    ] = False,
    fmt: FormatOption = Format.TABLE,
    json: JsonOption = False,
) -> None:
    """List what was handed in and plays, in the order of entry."""
    folder = locate(event, out).folder
    entered = entries_of(folder)
    shown = [entry for one in submissions(folder) for entry in one] if everything else entered
    fmt = chosen(fmt, json=json)
    if fmt is Format.JSON:
        print_envelope("entries", {"entries": [_data(entry) for entry in shown]})
        return
    rows = [
        (
            entry.name,
            entry.submission.version,
            str(entry.number),
            "plays" if entry in entered else "replaced" if entry.submission.is_entered else "BAD",
            ", ".join(entry.submission.tags),
            ", ".join(entry.submission.authors),
            entry.submission.hash[:12],
        )
        for entry in shown
    ]
    if not rows and fmt is Format.TABLE:
        emit(f"no entries in {folder.path}; the event file's own entrants are not listed here")
        return
    print_rows(("entrant", "version", "entry", "state", "tags", "authors", "hash"), rows, fmt)


@app.command("remove")
def remove(
    event: EventArgument,
    name: Annotated[str, typer.Argument(metavar="ENTRANT", help="As arena entry list shows it.")],
    *,
    out: EventFolderOption = None,
) -> None:
    """Take an entry out of an event that has not begun; what was handed in is kept aside."""
    with _before_the_start(event, out) as place:
        emit(f"removed {name}; it lies in {withdraw(place.folder, name)}")


@contextmanager
def _before_the_start(event: Path, out: Path | None) -> Iterator[EventPlace]:
    """Hold an event that has not begun.

    Raises:
        ConfigError: It has begun, or a run holds it.
    """
    place = locate(event, out)
    if read_begun(place.folder) is None:
        parse_terms(place.read(), source=str(place.file))  # before anything is made
        create_folder(place)
    with locked(place.folder):
        if (begun := read_begun(place.folder)) is not None:
            raise ConfigError(
                f"{place.folder.path}: this event has begun with {len(begun.freeze.entrants)} "
                "entrants, whose hashes are published; entries are taken before that only"
            )
        yield place


def _add_all(
    desk: Desk, archives: Sequence[Path], name: str | None, tags: tuple[str, ...]
) -> tuple[list[Entry], dict[str, str]]:
    """Enter one after another; give those that were kept, and why others were refused."""
    done: list[Entry] = []
    refused: dict[str, str] = {}
    for archive in archives:
        given = {entry.name: f"{entry.submission.archive} in the same call" for entry in done}
        here = replace(desk, taken={**desk.taken, **given})
        try:
            done.append(run_trio(partial(enter, here, archive, name=name, tags=tags)))
        except ConfigError as error:
            told = str(error)
            refused[str(archive)] = told if told.startswith(str(archive)) else f"{archive}: {told}"
        except ExceptionGroup as group:
            raise only(group) from None
    return done, refused


def _show(entry: Entry) -> None:
    submission = entry.submission
    what = f"{submission.name} {submission.version} ({submission.archive})"
    if submission.is_entered:
        again = f", replacing entry {entry.number - 1}" if entry.number > 1 else ""
        emit(f"entered: {what}: entry {entry.number}{again}")
    else:
        emit(f"BAD, not entered: {what}")
        for line in (entry.report / "report.txt").read_text("utf-8").splitlines():
            emit(f"  {line}")
    emit(f"  hash {submission.hash}")
    emit(f"  for its author: {entry.report}")


def _data(entry: Entry) -> dict[str, object]:
    submission = entry.submission
    return {
        "name": submission.name,
        "version": submission.version,
        "number": entry.number,
        "entered": submission.is_entered,
        "hash": submission.hash,
        "authors": list(submission.authors),
        "tags": list(submission.tags),
        "order": submission.order,
        "archive": submission.archive,
        "archive_sha256": submission.archive_sha256,
        "report": str(entry.report),
    }
