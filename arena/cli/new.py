"""``arena new``: files to start from."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from arena.bots.argument import REMOTE
from arena.bots.templates import Language, write_bot
from arena.cli.output import emit
from arena.errors import ConfigError
from arena.tournament.event_text import default_event_text

app = typer.Typer(pretty_exceptions_enable=False)


@app.callback()
def group() -> None:
    """Write files to start from."""


@app.command("event")
def event(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="The file to write; it must not exist yet.")
    ] = Path("event.toml"),
    *,
    name: Annotated[str, typer.Option(help="The event's name.")] = "My event",
) -> None:
    """Write a commented event file with every key at its default."""
    text = default_event_text(name)
    try:
        with file.open("x", encoding="utf-8") as out:
            out.write(text)
    except FileExistsError as error:
        raise ConfigError(f"{file}: exists; name a file that does not, or remove it") from error
    except OSError as error:
        raise ConfigError(f"{file}: cannot be written: {error.strerror}") from error
    emit(f"wrote {file}; next: arena run {shlex.quote(str(file))}")


@app.command("bot")
def bot(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to make.")],
    *,
    language: Annotated[
        Language, typer.Option("--language", "-l", metavar="LANGUAGE", help="What to write it in.")
    ] = Language.PYTHON,
) -> None:
    """Write the folder of a bot that plays already: manifest, README, one source to change."""
    template = write_bot(language, folder)
    where = "./remote" if str(folder) == REMOTE else shlex.quote(str(folder))
    emit(f"wrote {folder}: change {folder / template.source}; next: arena match {where}")
