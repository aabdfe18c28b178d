"""``arena run``: play an event, or go on with one. Source: commands.md; requirements.md G."""

from dataclasses import replace
from typing import Annotated

import typer

from arena.bots.sandbox.mode import SandboxMode
from arena.cli.listening import (
    ANYWHERE,
    Insecure,
    Listen,
    TlsCert,
    TlsKey,
    Wait,
    listen_plan,
)
from arena.cli.main import DONE
from arena.cli.options import (
    EventArgument,
    EventFolderOption,
    FormatOption,
    JsonOption,
    TablesOption,
)
from arena.cli.output import Format, ProgressForm, chosen
from arena.tournament.folder import EventFolder, first_free, locate


def command(
    event: EventArgument,
    *,
    out: EventFolderOption = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="If the folder holds a played event, take a new one.")
    ] = False,
    tables: TablesOption = None,
    skip_missing: Annotated[
        bool,
        typer.Option("--skip-missing", help="Leave out entrants whose tools this machine lacks."),
    ] = False,
    sandbox: Annotated[
        SandboxMode | None,
        typer.Option(
            "--sandbox",
            metavar="MODE",
            help="What surrounds bots (default: as the event file says).",
        ),
    ] = None,
    public_text: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help='What public chance gave, with seed_source = "public".'),
    ] = None,
    listen: Listen = ANYWHERE,
    tls_cert: TlsCert = None,
    tls_key: TlsKey = None,
    insecure_listen: Insecure = False,
    wait: Wait = None,
    progress: Annotated[
        ProgressForm,
        typer.Option(
            metavar="FORM", help="How far it is, on stderr (json: an object a line, a match each)."
        ),
    ] = ProgressForm.AUTO,
    fmt: FormatOption = Format.TABLE,
    json: JsonOption = False,
) -> None:
    """Play an event to its end, or go on with one that was stopped.

    Ctrl-C once: running matches finish. Twice: everything ends now. Either way the same
    command goes on later; matches that count are never played again.
    """
    place = locate(event, out)
    if fresh:
        place = replace(place, folder=EventFolder(first_free(place.folder.path)))
    # Here, because --help and refusals are quicker without.
    from arena.cli.forfeits import count_forfeits  # noqa: PLC0415
    from arena.cli.playing import play  # noqa: PLC0415

    status = play(
        place,
        skip_missing=skip_missing,
        tables=tables,
        fmt=chosen(fmt, json=json),
        sandbox=sandbox,
        listen=listen_plan(listen, tls_cert, tls_key, insecure=insecure_listen),
        wait_s=wait,
        public_text=public_text,
        progress=progress,
    )
    if status == DONE:
        count_forfeits(place.folder)
    raise typer.Exit(status)
