"""``arena serve``: an event whose remote bots are awaited, however long. Source: commands.md."""

import math

import typer

from arena.cli.listening import ANYWHERE, Insecure, Listen, TlsCert, TlsKey, listen_plan
from arena.cli.main import DONE
from arena.cli.options import (
    EventArgument,
    EventFolderOption,
    FormatOption,
    JsonOption,
    TablesOption,
)
from arena.cli.output import Format, chosen
from arena.errors import ConfigError
from arena.tournament.begun import read_begun
from arena.tournament.entered import read_event
from arena.tournament.folder import locate
from arena.tournament.remote_tokens import remote_entrants


def command(
    event: EventArgument,
    *,
    out: EventFolderOption = None,
    listen: Listen = ANYWHERE,
    tls_cert: TlsCert = None,
    tls_key: TlsKey = None,
    insecure_listen: Insecure = False,
    tables: TablesOption = None,
    fmt: FormatOption = Format.TABLE,
    json: JsonOption = False,
) -> None:
    """Play an event with remote bots: as arena run, but the first match waits for all of them."""
    place = locate(event, out)
    plan = listen_plan(listen, tls_cert, tls_key, insecure=insecure_listen)
    if not remote_entrants(read_event(place, read_begun(place.folder))):
        raise ConfigError(f'{place.file}: no entrant has bot = "remote"; play it with arena run')
    # Here, because --help and refusals are quicker without.
    from arena.cli.forfeits import count_forfeits  # noqa: PLC0415
    from arena.cli.playing import play  # noqa: PLC0415

    status = play(place, tables=tables, fmt=chosen(fmt, json=json), listen=plan, wait_s=math.inf)
    if status == DONE:
        count_forfeits(place.folder)
    raise typer.Exit(status)
