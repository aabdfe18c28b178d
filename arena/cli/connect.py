"""``arena connect``: a bot that speaks lines, at a referee elsewhere. Source: commands.md."""

import os
import re
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.output import say
from arena.errors import ConfigError, HostFault

TOKEN_VARIABLE = "ARENA_TOKEN"  # noqa: S105  # a name, not a secret
_TOKEN = re.compile(r"[0-9a-f]{32}")
_ADDRESS = re.compile(r".+:\d{1,5}|unix:.+")
_LOCAL = re.compile(r"(127\.0\.0\.1|\[::1\]|localhost):\d{1,5}|unix:/.*")


def command(
    ctx: typer.Context,
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="HOST:PORT of the referee.")],
    *,
    token_file: Annotated[
        Path | None,
        typer.Option(
            "--token-file",
            metavar="FILE",
            help=f"A file with the token (default: ${TOKEN_VARIABLE}).",
        ),
    ] = None,
    tls: Annotated[
        bool, typer.Option("--tls", help="Speak TLS, with the authorities that this machine knows.")
    ] = False,
    tls_ca: Annotated[
        Path | None,
        typer.Option("--tls-ca", metavar="FILE", help="Speak TLS; this PEM file is the authority."),
    ] = None,
    insecure: Annotated[
        bool, typer.Option("--insecure", help="Send the token beyond this machine without TLS.")
    ] = False,
    capacity: Annotated[int, typer.Option(min=1, help="Tables that it can play at once.")] = 1,
    stderr: Annotated[
        Path, typer.Option("--stderr", metavar="FILE", help="Where the command's stderr is kept.")
    ] = Path("arena-connect.stderr.txt"),
) -> None:
    """Play at a referee elsewhere, as arena connect HOST:PORT -- python mybot.py does.

    The command reads and writes lines of JSON, and is ready as soon as a match is announced.
    """
    if not ctx.obj:
        raise ConfigError("name the bot's command: arena connect ADDRESS -- python mybot.py")
    if not _ADDRESS.fullmatch(address):
        raise ConfigError(f"address {address!r}: allowed is HOST:PORT, as 127.0.0.1:7070")
    if not (tls or tls_ca or insecure or _LOCAL.fullmatch(address)):
        raise ConfigError(
            f"{address}: the token would travel unprotected; give --tls or --tls-ca FILE, "
            "or --insecure where the network itself is protected"
        )
    token = _token(token_file)
    # Here, because --help and refusals are quicker without.

    from arena.bots.adapter import adapt  # noqa: PLC0415
    from arena.bots.argument import command_bot  # noqa: PLC0415
    from arena.bots.build import check_runnable  # noqa: PLC0415
    from arena.bots.frozen import freeze  # noqa: PLC0415
    from arena.bots.manifest import Talk  # noqa: PLC0415
    from arena.cli.trio_run import run_trio  # noqa: PLC0415
    from arena.server.remote_call import Referee  # noqa: PLC0415

    bot = freeze(command_bot(tuple(ctx.obj), Path.cwd(), Talk.LINES), Path())
    check_runnable(bot)
    referee = Referee(
        address=address,
        token=token,
        capacity=capacity,
        is_tls=tls or tls_ca is not None,
        authority=None if tls_ca is None else _read(tls_ca),
    )
    run_trio(partial(adapt, bot, referee, stderr, say))
    say(f"the referee said goodbye; the command's stderr: {stderr}")


def _token(file: Path | None) -> str:
    token = os.environ.get(TOKEN_VARIABLE, "") if file is None else _read(file).decode().strip()
    if not _TOKEN.fullmatch(token):
        where = f"the variable {TOKEN_VARIABLE}" if file is None else str(file)
        raise ConfigError(f"{where}: holds no token; a token is 32 hexadecimal digits")
    return token


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise HostFault(f"{file}: cannot be read: {error.strerror}") from error
