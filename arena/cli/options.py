"""Arguments and options that several commands have, with one meaning and one wording each.

Source: commands.md ("Options that mean the same everywhere").
"""

from pathlib import Path
from typing import Annotated, Final

import typer
from typer.models import OptionInfo

from arena.bots.manifest import Talk
from arena.bots.sandbox.mode import SandboxMode
from arena.cli.output import Format
from arena.errors import ConfigError

EventArgument = Annotated[
    Path, typer.Argument(metavar="EVENT", help="An event file, or the folder of an event.")
]
EventFolderOption = Annotated[
    Path | None,
    typer.Option(
        "-o", "--folder", metavar="FOLDER", help="The event's folder, if not beside the file."
    ),
]
PlayedFolderOption = Annotated[
    Path | None,
    typer.Option("-o", "--folder", metavar="FOLDER", help="Where logs and results go."),
]
TablesOption = Annotated[
    int | None, typer.Option(min=1, help="Matches at once (default: as the cores allow).")
]
LinesOption = Annotated[
    bool,
    typer.Option("--lines", help="The command after -- speaks lines of JSON on stdin and stdout."),
]
RULESET: Final = "italian-tournament:declarations=off"
"""What is played where nobody says what: a tournament's game without the luck of declarations."""


def ruleset_option(default: str) -> OptionInfo:
    """Make the option of a ruleset; the words for its default can be wrapped, a name cannot."""
    option: OptionInfo = typer.Option(
        "--ruleset",
        "-r",
        metavar="RULESET",
        show_default=False,
        help=f"NAME[:key=value,…], see arena rulesets (default: {default}).",
    )
    return option


RulesetOption = Annotated[str, ruleset_option("italian-tournament without declarations")]
SeedOption = Annotated[
    str | None, typer.Option(help="A text that the cards follow from (default: a new one).")
]
SandboxOption = Annotated[
    SandboxMode | None,
    typer.Option("--sandbox", metavar="MODE", help="What surrounds bots (default: auto)."),
]
FormatOption = Annotated[Format, typer.Option("--format", metavar="FORMAT", help="How to print.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Short for --format json.")]
JsonAlone = Annotated[bool, typer.Option("--json", help="Print JSON.")]
"""Of commands that print words for people, or JSON, and nothing else."""
Organiser = Annotated[
    bool,
    typer.Option("--organiser", help="Show cards that are not public yet: you are the organiser."),
]
"""See :mod:`arena.tournament.revealing`."""


def spoken(command_words: tuple[str, ...], *, lines: bool) -> Talk:
    """Say what a command speaks.

    Raises:
        ConfigError: ``lines`` without a command.
    """
    if lines and not command_words:
        raise ConfigError(
            "--lines: says what a command after -- speaks, and none is given; a folder's bot.toml "
            'says it with protocol = "lines"'
        )
    return Talk.LINES if lines else Talk.GRPC
