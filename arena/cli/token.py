"""``arena token``: what remote bots present to join. Source: commands.md; protocol.md."""

from typing import Annotated

import typer

from arena.cli.options import EventArgument, EventFolderOption
from arena.cli.output import emit
from arena.errors import ConfigError
from arena.tournament.begun import read_begun
from arena.tournament.entered import read_event
from arena.tournament.folder import locate
from arena.tournament.remote_tokens import make_tokens, remote_entrants


def command(
    event: EventArgument,
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="One entrant (default: all that are remote)."),
    ] = None,
    *,
    out: EventFolderOption = None,
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
