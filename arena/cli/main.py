"""The ``arena`` command: the list of commands, and errors turned into exit statuses.

Owns the grammar's first word and nothing else; each command lives in a file of its own,
imported only when it is called, so that ``arena --help`` stays quick. Source: commands.md.
"""

import contextlib
import importlib
import io
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Annotated, Any

import typer

from arena.cli.help_text import explain
from arena.cli.interrupts import interruptible
from arena.cli.standard_streams import fill_standard_streams
from arena.errors import ArenaError, BotFailure, ConfigError, HostFault, LogCorrupt

DONE, BAD, WRONG_INPUT, HOST_FAULT, INTERRUPTED = range(5)
"""Exit statuses: done and good · done and bad · wrong input · host fault or void · resumable."""

UsageError: Any = typer.BadParameter.__base__
"""What typer raises for wrong words; its place in typer's modules differs by version."""
_KEYBOARD_INTERRUPT = 130
"""What typer makes of a Ctrl-C that came before anybody listened for it."""

AUTHORS, ORGANISERS, ANALYSTS, REFERENCE = (
    "For bot authors",
    "For organisers",
    "For analysts",
    "Reference",
)


@dataclass(frozen=True, slots=True)
class Entry:
    """A command: the module of its name in this package holds ``command`` or a group ``app``."""

    name: str
    panel: str
    help: str
    is_group: bool = False
    takes_command: bool = False
    """Whether a bot's command may follow after ``--``."""
    alias_of: str | None = None
    """The command that this is another name of."""


COMMANDS = (
    Entry("match", AUTHORS, "Play bots against each other.", takes_command=True),
    Entry("compare", AUTHORS, "Play until it is decided whether A beats B.", takes_command=True),
    Entry("sprt", AUTHORS, "The same as compare.", takes_command=True, alias_of="compare"),
    Entry("play", AUTHORS, "Take a seat at the table yourself."),
    Entry("check", AUTHORS, "Check a bot before it is entered."),
    Entry("pack", AUTHORS, "Pack a bot as an archive to enter it somewhere."),
    Entry("connect", AUTHORS, "Play at a referee elsewhere.", takes_command=True),
    Entry("new", AUTHORS, "Write a bot or an event file to start from.", is_group=True),
    Entry("doctor", ORGANISERS, "Show what holds on this machine, also under attack."),
    Entry("qualify", ORGANISERS, "Try this machine with hostile bots: doctor --attack."),
    Entry(
        "entry", ORGANISERS, "Enter packed bots in an event, list or remove them.", is_group=True
    ),
    Entry("run", ORGANISERS, "Play an event, or go on with one."),
    Entry("plan", ORGANISERS, "Say how much an event is: matches, time, memory, disk."),
    Entry("status", ORGANISERS, "Say how far an event is, and what keeps it."),
    Entry("rule", ORGANISERS, "Rule on a match, an entrant or the standings."),
    Entry("serve", ORGANISERS, "Play an event whose remote bots are awaited."),
    Entry("token", ORGANISERS, "Show what remote bots present to join."),
    Entry("standings", ORGANISERS, "Show how an event stands."),
    Entry("verify", ANALYSTS, "Prove a log, a folder, a zip or an event."),
    Entry("replay", ANALYSTS, "Show a match trick by trick, and check its log."),
    Entry("ask", ANALYSTS, "Ask a bot at a logged decision.", takes_command=True),
    Entry("evidence", ORGANISERS, "Pack a match for an appeal."),
    Entry("ratings", ANALYSTS, "Rate the bots of one or more events."),
    Entry("export", ANALYSTS, "Write logs as tables for data frames."),
    Entry("rulesets", REFERENCE, "List the rulesets, or show one.", is_group=True),
    Entry("deal", REFERENCE, "Deal a board from a seed."),
)


def run() -> None:
    """Run the command line; every mistake of a user is one line on stderr and a status."""
    fill_standard_streams()
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A name that the terminal's encoding lacks is escaped, as stderr does it anyway.
        sys.stdout.reconfigure(errors="backslashreplace")
    words, dashes, command = _split_command(sys.argv[1:])
    try:
        if dashes and not any(entry.name in words and entry.takes_command for entry in COMMANDS):
            raise ConfigError("-- COMMAND goes with arena match, compare, connect and ask only")
        # Not standalone: what the framework finds wrong is told by us, in one line too.
        with interruptible():
            status = build(words)(
                args=_with_help(words), prog_name="arena", obj=tuple(command), standalone_mode=False
            )
    except (KeyboardInterrupt, typer.Abort):
        status = _KEYBOARD_INTERRUPT
    except ArenaError as error:
        _complain("arena", error)
        status = status_of(error)
    except UsageError as error:
        context = getattr(error, "ctx", None)
        path = context.command_path if context else "arena"
        # The framework's own word for what its validation says is no news to a reader.
        message = error.format_message().replace("Value error, ", "").rstrip(".")
        _complain(path, f"{message}; see {path} --help")
        status = WRONG_INPUT
    except OSError as error:
        _complain("arena", f"{error.filename or 'this machine'}: {error.strerror or error}")
        status = HOST_FAULT
    if status == _KEYBOARD_INTERRUPT:
        # At a terminal the line may hold a prompt or a page's last line, and now ^C.
        _complain("\narena" if sys.stderr.isatty() else "arena", "interrupted")
        status = INTERRUPTED
    sys.exit(status)


def _complain(who: str, what: object) -> None:
    with contextlib.suppress(OSError):
        from arena.cli.output import harmless  # noqa: PLC0415  # rarely needed

        typer.echo(harmless(f"{who}: {what}"), err=True)


def _with_help(words: list[str]) -> list[str]:
    """Show what there is to whoever names no command, or a group and nothing of it."""
    groups = {entry.name for entry in COMMANDS if entry.is_group}
    return [*words, "--help"] if not words or (len(words) == 1 and words[0] in groups) else words


def _split_command(words: list[str]) -> tuple[list[str], bool, list[str]]:
    """Split a command line at the first ``--``: what follows is a bot's command, untouched."""
    if "--" not in words:
        return words, False, []
    place = words.index("--")
    return words[:place], True, words[place + 1 :]


def status_of(error: ArenaError) -> int:
    """Give the exit status for an error that ends a command."""
    match error:
        case HostFault():
            return HOST_FAULT
        case ConfigError():
            return WRONG_INPUT
        case BotFailure() | LogCorrupt():
            return BAD
        case _:
            return WRONG_INPUT


def build(words: list[str]) -> typer.Typer:
    """Build the application with the command that is called; the others only by name."""
    app = typer.Typer(
        name="arena",
        help="An arena for bots that play Tressette: referee, tournaments, records.",
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_options)
    called = next((word for word in words if not word.startswith("-")), None)
    everything = "_ARENA_COMPLETE" in os.environ
    for entry in COMMANDS:
        if everything or entry.name == called:
            _add(app, entry, importlib.import_module(f"arena.cli.{entry.alias_of or entry.name}"))
        else:
            app.command(entry.name, help=entry.help, rich_help_panel=entry.panel)(_not_called)
    return app


def _add(app: typer.Typer, entry: Entry, module: ModuleType) -> None:
    if entry.is_group:
        for inner in module.app.registered_commands:
            inner.help = explain(inner.callback)
        app.add_typer(
            module.app, name=entry.name, short_help=entry.help, rich_help_panel=entry.panel
        )
    else:
        command: Callable[..., None] = module.command
        app.command(
            entry.name,
            help=explain(command),
            short_help=entry.help,
            rich_help_panel=entry.panel,
        )(command)


def _show_version(wanted: bool) -> None:  # noqa: FBT001  # the framework's way to call it
    if wanted:
        from importlib.metadata import version  # noqa: PLC0415  # rarely needed

        typer.echo(f"arena {version('tressette-arena')}")
        raise typer.Exit


def _options(
    *,
    version: Annotated[  # its callback has done all
        bool,
        typer.Option(
            "--version", is_eager=True, callback=_show_version, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Take the options that stand before the command."""


def _not_called() -> None:
    """Stand for a command that this call does not run."""
