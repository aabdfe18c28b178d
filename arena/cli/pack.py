"""``arena pack``: a bot as one archive, to be entered somewhere. Source: commands.md."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from arena.bots.argument import parse_bot
from arena.bots.manifest import MANIFEST_NAME
from arena.bots.packing import pack_bot
from arena.cli.options import JsonAlone
from arena.cli.output import emit, print_envelope
from arena.counted import counted
from arena.errors import ConfigError


def command(
    bot: Annotated[
        str, typer.Argument(metavar="BOT", help="A folder with bot.toml, or a shipped bot's name.")
    ],
    *,
    out: Annotated[
        Path | None,
        typer.Option(
            "-o", "--file", metavar="FILE", help="The archive (default: its folder's .zip)."
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace another file of this name.")
    ] = False,
    json: JsonAlone = False,
) -> None:
    """Pack a bot for arena entry add: the same bytes on any machine, the hash that is frozen."""
    choice = parse_bot(bot, Path())
    if choice.is_command or choice.is_remote:
        raise ConfigError(f"{bot}: only a folder with {MANIFEST_NAME} can be packed")
    defaults = {key: option.default for key, option in choice.manifest.options.items()}
    if dict(choice.options) != defaults:
        raise ConfigError(
            f"{bot}: options are set where a bot is entered; leave them out, or change the "
            f"defaults in {MANIFEST_NAME}"
        )
    path = out or Path(f"{choice.folder.resolve().name}.zip")
    packed = pack_bot(choice, path, may_replace=force)
    if json:
        print_envelope(
            "pack",
            {
                "file": str(packed.path),
                "name": choice.manifest.name,
                "version": choice.manifest.version,
                "hash": packed.hash,
                "files": packed.files,
                "bytes": packed.size,
            },
        )
        return
    was = "" if packed.is_new else ", which stood there already"
    emit(f"{packed.path}: {choice.manifest.name} {choice.manifest.version}{was}")
    emit(f"hash {packed.hash}")
    emit(f"{counted(packed.files, 'file')}, {counted(packed.size, 'byte')}")
    emit(f"next: arena check {shlex.quote(bot)}, then send {packed.path} to the organiser")
