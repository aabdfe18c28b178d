"""The options of commands that take remote bots in. Source: commands.md."""

from pathlib import Path
from typing import Annotated

import typer

from arena.server.certificates import read_pair
from arena.server.public_listener import ListenPlan

Listen = Annotated[
    str, typer.Option("--listen", metavar="ADDRESS", help="HOST:PORT where remote bots join.")
]
TlsCert = Annotated[
    Path | None, typer.Option("--tls-cert", metavar="FILE", help="PEM certificate of that address.")
]
TlsKey = Annotated[
    Path | None, typer.Option("--tls-key", metavar="FILE", help="PEM key of the certificate.")
]
Insecure = Annotated[
    bool,
    typer.Option("--insecure-listen", help="Allow an address beyond this machine without TLS."),
]
Wait = Annotated[
    float | None,
    typer.Option(
        min=0,
        metavar="SECONDS",
        help="Seconds that the first match waits for remote bots (default: the start allowance).",
    ),
]
ANYWHERE = "127.0.0.1:0"
"""Any free port of this machine."""


def listen_plan(listen: str, cert: Path | None, key: Path | None, *, insecure: bool) -> ListenPlan:
    """Put together what the options say.

    Raises:
        ConfigError: They do not go together, or a file is not what it should be.
    """
    plan = ListenPlan(address=listen, certificate=cert, key=key, allows_insecure=insecure)
    if cert is not None and key is not None:
        read_pair(cert, key)  # before an event is frozen: its listener is opened late
    return plan
