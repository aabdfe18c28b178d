"""``arena token``: what remote bots present to join. Source: commands.md; protocol.md."""

from pathlib import Path
from typing import Annotated

import typer

from arena.cli.output import emit
from arena.errors import ConfigError
from arena.tournament.begun import read_begun
from arena.tournament.entered import read_event
from arena.tournament.folder import locate
from arena.tournament.remote_tokens import make_tokens, remote_entrants


def command(
    event: Annotated[
        Path, typer.Argument(metavar="EVENT", help="An event file, or the folder of an event.")
    ],
    name: Annotated[
        str | None, typer.Argument(help="One entrant (default: all that are remote).")
    ] = None,
    *,
    out: Annotated[
        Path | None,
        typer.Option("-o", "--folder", help="The event's folder, if not beside the file."),
    ] = None,
    rotate: Annotated[
        bool, typer.Option("--rotate", help="Replace the entrant's tokens by new ones.")
    ] = False,
) -> None:
    """Print the tokens of remote entrants: one for each process, a side's seats at a table.

    New tokens count from the next start of the event.
    """
    place = locate(event, out)
    content = read_event(place, read_begun(place.folder))
    names = remote_entrants(content)
    if name is not None and name not in names:
        there = f"it has {', '.join(names)}" if names else "it has none"
        raise ConfigError(f"{place.file}: no remote entrant {name!r} ({there})")
    if rotate and name is None:
        raise ConfigError("--rotate replaces the tokens of one entrant: name it")
    if not names:
        raise ConfigError(f'{place.file}: no entrant has bot = "remote", so there are no tokens')
    tokens = make_tokens(content, place.folder.path, anew=name if rotate else None)
    for entrant in names:
        for number, token in enumerate(tokens[entrant], start=1):
            if name in (None, entrant):
                emit(token if name else f"{token}  {entrant}, process {number}")
