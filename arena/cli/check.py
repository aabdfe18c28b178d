"""``arena check``: what an organiser's arena would say of a bot.

Owns how verdicts are shown, and the exit status. Source: commands.md.
"""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from arena.bots.argument import BotChoice, parse_bot
from arena.bots.build_store import open_build_store
from arena.bots.manifest import MANIFEST_NAME
from arena.check.checking import Report, check_bot
from arena.check.conditions import default_conditions, event_conditions
from arena.check.report_text import report_lines
from arena.cli.main import BAD, DONE
from arena.cli.options import FormatOption, JsonOption, SandboxOption
from arena.cli.output import Format, chosen, emit, print_envelope, print_rows, say
from arena.cli.trio_run import only, run_trio
from arena.errors import ConfigError


def command(
    ctx: typer.Context,
    bot: Annotated[
        str | None,
        typer.Argument(metavar="BOT", help="A folder with bot.toml, or a shipped bot's name."),
    ] = None,
    *,
    quick: Annotated[bool, typer.Option("--quick", help="At most 2 minutes (default).")] = False,
    full: Annotated[bool, typer.Option("--full", help="500 boards without a fault.")] = False,
    event: Annotated[
        Path | None,
        typer.Option(
            "--event", "-e", metavar="EVENT", help="Take ruleset, clock and limits from this event."
        ),
    ] = None,
    sandbox: SandboxOption = None,
    fmt: FormatOption = Format.TABLE,
    json: JsonOption = False,
) -> None:
    """Check a bot before it is entered: a verdict for each rule, and what to fix.

    Exit status: 0 good, 1 bad, 2 wrong input.
    """
    if quick and full:
        raise ConfigError("--quick and --full exclude each other")
    choice = _choose(bot, ctx.obj or ())
    conditions = default_conditions(choice.manifest) if event is None else event_conditions(event)
    if sandbox is not None:
        conditions = replace(conditions, sandbox=sandbox)
    builds = None if full else open_build_store()
    try:
        report = run_trio(
            partial(check_bot, choice, conditions, is_full=full, say=say, builds=builds)
        )
    except ExceptionGroup as group:
        raise only(group) from None
    _print(report, chosen(fmt, json=json))
    raise typer.Exit(DONE if report.is_good else BAD)


def _choose(bot: str | None, words: tuple[str, ...]) -> BotChoice:
    if words or bot is None:
        raise ConfigError(f"name a bot: a folder with {MANIFEST_NAME}, or a shipped bot's name")
    choice = parse_bot(bot, Path())
    if choice.is_remote:
        raise ConfigError("remote: a bot that runs elsewhere is not checked; name its folder")
    if choice.warning:
        say(choice.warning)
    return choice


def _print(report: Report, fmt: Format) -> None:
    if fmt is Format.JSON:
        print_envelope("check", report.data())
        return
    if fmt is not Format.TABLE:
        rows = [(v.rule.value, v.standing.value, v.found, v.cure) for v in report.verdicts]
        print_rows(("rule", "verdict", "found", "what to do"), rows, fmt)
        return
    for line in report_lines(report):
        emit(line)
