"""``arena evidence``: one archive of a match for an appeal. Source: record.md."""

from pathlib import Path
from typing import Annotated

import typer

from arena.cli.options import EventArgument
from arena.cli.output import emit
from arena.counted import counted
from arena.errors import ConfigError
from arena.record.paths import find_log
from arena.record.processor_time import seat_times
from arena.record.read import read_log
from arena.tournament.evidence import write_evidence
from arena.tournament.folder import locate


def command(
    event: EventArgument,
    match: Annotated[str, typer.Argument(metavar="MATCH", help="As s1-r1-p1-o0-m1.")],
    *,
    seat: Annotated[
        int | None,
        typer.Option(min=0, help="For the entrant at this seat: only its own bots' stderr."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("-o", "--file", metavar="FILE", help="The archive (default: MATCH.zip)."),
    ] = None,
) -> None:
    """Pack all that there is of a match into one archive that arena verify proves alone.

    Without --seat it holds what every bot wrote on stderr, and is for the organiser.
    """
    if not event.exists():
        raise ConfigError(f"{event}: no such file or folder")
    path = out or Path(f"{match}.zip" if seat is None else f"{match}.seat{seat}.zip")
    folder = locate(event).folder
    manifest = write_evidence(folder, match, seat, path)
    for name in manifest.files:
        emit(f"  {name}")
    for attempt in manifest.attempts:
        log = find_log(folder.logs, manifest.match, attempt)
        for times in () if log is None else seat_times(read_log(log)):
            for hint in times.hints():
                emit(f"hint, attempt {attempt}: {hint}")
    reader = "the organiser" if seat is None else f"the entrant at seat {seat}"
    attempts = counted(len(manifest.attempts), "attempt")
    emit(f"{path}: match {manifest.match}, {attempts}, for {reader}")
    emit(f"log chain {manifest.log_chain} (compare it with the published one)")
