"""``arena match``: an author's bots against each other, under the official referee.

Owns the small event that such a match is, so that its folder is laid out like any other.
Source: commands.md.
"""

import secrets
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from arena.bots.argument import REMOTE, BotChoice, command_text, parse_bot
from arena.bots.names import LONGEST_NAME, folded, problem_of_name
from arena.bots.options import format_option
from arena.cli.listening import (
    ANYWHERE,
    Insecure,
    Listen,
    TlsCert,
    TlsKey,
    Wait,
    listen_plan,
)
from arena.cli.main import BAD, DONE
from arena.cli.options import (
    RULESET,
    FormatOption,
    JsonOption,
    LinesOption,
    PlayedFolderOption,
    RulesetOption,
    SandboxOption,
    SeedOption,
    TablesOption,
    spoken,
)
from arena.cli.output import Format, chosen, emit, say
from arena.counted import counted
from arena.errors import ConfigError
from arena.referee.clock import NO_CLOCK, REMOTE_MARGIN_MS, Clock
from arena.rules.presets import parse_ruleset
from arena.tournament.event_file import Entrant, EventFile, Stage, Thinking
from arena.tournament.event_text import event_text
from arena.tournament.fixed_deals import read_deals
from arena.tournament.folder import EVENT_FILE, EventFolder, EventPlace, first_free

OPPONENT = "greedy"
BOARDS = 10
"""How many are played where nobody says so and no deals are given."""
NAME_SHARE = 30
"""Characters of each bot's name in the name of their match."""
FILE_NAME_BYTES = 100
"""Bytes of each bot's name in the name of a folder, which may have 255."""


def command(
    ctx: typer.Context,
    bots: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="BOT", help="One or two of: a folder with bot.toml, a shipped bot's name."
        ),
    ] = None,
    *,
    boards: Annotated[
        int | None, typer.Option(min=1, help="Boards, each played both ways (default: 10).")
    ] = None,
    ruleset: RulesetOption = RULESET,
    seed: SeedOption = None,
    deal_file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Play these deals: one a line, as arena replay --notation writes them.",
        ),
    ] = None,
    tables: TablesOption = None,
    no_clock: Annotated[
        bool, typer.Option("--no-clock", help="No time limits, for a debugger; logs say so.")
    ] = False,
    trace: Annotated[
        bool, typer.Option("--trace", help="Show what the first bot is asked and answers.")
    ] = False,
    repeat: Annotated[
        int, typer.Option(min=1, max=100, help="Play it so often, and say if it is the same.")
    ] = 1,
    lines: LinesOption = False,
    out: PlayedFolderOption = None,
    sandbox: SandboxOption = None,
    listen: Listen = ANYWHERE,
    tls_cert: TlsCert = None,
    tls_key: TlsKey = None,
    insecure_listen: Insecure = False,
    wait: Wait = None,
    fmt: FormatOption = Format.TABLE,
    json: JsonOption = False,
) -> None:
    """Play bots against each other; a single bot plays greedy.

    A bot may also be a command at the end: arena match -- python mybot.py, or one that speaks
    lines: arena match --lines -- ./mybot
    """
    # Here, because --help is quicker without.
    from arena.bots.build_store import open_build_store  # noqa: PLC0415
    from arena.cli.author import tell_autoplays  # noqa: PLC0415
    from arena.cli.forfeits import tell_forfeits  # noqa: PLC0415
    from arena.cli.playing import play  # noqa: PLC0415
    from arena.cli.repeats import tell_repeats  # noqa: PLC0415
    from arena.cli.standings import print_standings  # noqa: PLC0415
    from arena.cli.trace import Trace  # noqa: PLC0415

    entrants = two_entrants(bots or [], ctx.obj or (), lines=lines)
    is_remote = any(entrant.bot == REMOTE for entrant in entrants)
    rules = parse_ruleset(ruleset)
    deals = () if deal_file is None else read_deals(deal_file, rules)
    stage = Stage(
        boards=boards or len(deals) or BOARDS,
        ruleset=rules,
        trust_memory=not is_remote,
        clock=Clock(margin_ms=REMOTE_MARGIN_MS) if is_remote else Clock(),
    )
    if repeat > 1 and seed is None:
        seed = secrets.token_hex(16)  # the same cards each time
    event = EventFile(
        name=" v ".join(entrant.name[:NAME_SHARE].strip() for entrant in entrants),
        practice=True,
        seed=seed,
        deals=deals,
        entrants=entrants,
        stages=(replace(stage, clock=NO_CLOCK, thinking=Thinking.ALWAYS) if no_clock else stage,),
    )
    if out is not None and EventFolder(out).has_begun:
        raise ConfigError(f"{out}: holds a match already; give another folder, or leave -o out")
    if no_clock:
        say(
            "no clock: bots may take as long as they like, and one that hangs is waited for; "
            "Ctrl-C twice ends the match"
        )
    shown = chosen(fmt, json=json)
    is_table = shown is Format.TABLE
    default = Path("matches") / "-v-".join(file_name(e.name) for e in entrants)
    builds = open_build_store()
    played: list[EventFolder] = []
    for number in range(repeat):
        folder = out if out is not None and not number else first_free(out or default)
        place = EventPlace(
            file=folder / EVENT_FILE, folder=EventFolder(folder), content=event_text(event).encode()
        )
        # What a program reads is one answer; arena standings has the rest.
        is_shown = is_table or repeat == 1 or (not number and shown is not Format.JSON)
        status = play(
            place,
            tables=tables or (1 if trace else None),  # one match after another is readable
            base=Path(),
            fmt=shown,
            listen=listen_plan(listen, tls_cert, tls_key, insecure=insecure_listen),
            wait_s=wait,
            shows_tokens=True,
            trace=Trace(0, entrants[0].name, emit if is_table else say) if trace else None,
            sandbox=sandbox,
            builds=builds,
            show=print_standings if is_shown else _show_nothing,
        )
        if status != DONE:
            raise typer.Exit(status)
        played.append(place.folder)
        tell_autoplays(place.folder)
        if tell_forfeits(place.folder):
            if shown is Format.JSON and not is_shown:
                print_standings(place.folder, shown)
            raise typer.Exit(BAD)
    if repeat > 1:
        tell_repeats(played, [entrant.name for entrant in entrants], shown)
    raise typer.Exit(DONE)


def _show_nothing(_folder: EventFolder, _fmt: Format) -> None:
    """Leave the standings of a repeated match to ``arena standings``."""


def two_entrants(
    words: list[str], command_words: tuple[str, ...], *, lines: bool
) -> tuple[Entrant, ...]:
    """Name the two sides; a bot that plays itself is told apart by its options, or a number.

    Raises:
        ConfigError: There are not one or two bots, or one is wrong.
    """
    talk = spoken(command_words, lines=lines)
    given = [*words, *([command_text(command_words, talk)] if command_words else [])]
    if not 1 <= len(given) <= 2:  # noqa: PLR2004  # a table has two sides
        raise ConfigError(
            f"{counted(len(given), 'bot')} given; allowed are one, which plays {OPPONENT}, or two "
            "(a folder with bot.toml, a shipped bot's name, or -- COMMAND)"
        )
    if len(given) == 1:
        given.append(OPPONENT)
    choices = [parse_bot(bot, Path()) for bot in given]
    for bot in given:
        if any("\ud800" <= char <= "\udfff" for char in bot):
            raise ConfigError(
                f"{bot}: is no UTF-8, and an event file is; rename the folder or file"
            )
    for choice in choices:
        if choice.warning:
            say(choice.warning)
    names = _names(choices)
    return tuple(Entrant(name=name, bot=bot) for name, bot in zip(names, given, strict=True))


def _names(choices: list[BotChoice]) -> list[str]:
    """Name two bots apart: those of one folder by the options that differ, ``fox:depth=3``."""
    names = [choice.manifest.name for choice in choices]
    if folded(names[0]) != folded(names[1]):
        return names
    one, other = choices
    if one.folder == other.folder:
        differing = [key for key in one.options if one.options[key] != other.options.get(key)]
        told = [
            f"{choice.manifest.name}:"
            + ",".join(f"{key}={format_option(choice.options[key])}" for key in differing)
            for choice in choices
        ]
        # Values may be long texts or hold what no name may.
        if folded(told[0]) != folded(told[1]) and not any(map(problem_of_name, told)):
            return told
    return [names[0], f"{names[1][: LONGEST_NAME - 2].strip()} 2"]


def file_name(name: str) -> str:
    """Make a part of a folder's name from any name: two of them fit into one."""
    plain = "".join(char if char.isalnum() or char in "-_." else "-" for char in name)
    return plain.encode()[:FILE_NAME_BYTES].decode("utf-8", "ignore")
