"""Pre-flight: every entrant is built and started once before the first card.

Owns finding what would keep an entrant from playing, so that a missing executable, a
ruleset that a bot does not play or a crash at start is told to the organiser and never
appears in the standings. Must not know the schedule. Source: requirements.md E.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import trio

from arena.bots.argument import BotChoice, parse_bot, set_options
from arena.bots.build import build_bot, check_runnable, missing_tools, unheard
from arena.bots.build_store import BuildStore
from arena.bots.frozen import FrozenBot, freeze
from arena.bots.manifest import Talk
from arena.bots.remote import freeze_remote
from arena.bots.sandbox.launch import NO_SANDBOX, Sandbox
from arena.bots.seating import SeatingRoom, open_room, seat_bot
from arena.errors import ArenaError, BotFailure, ConfigError
from arena.tournament.event_file import Entrant, EventFile
from arena.tournament.machine_limits import limit_problem
from arena.tournament.run_state import ARENA_VERSION

LINGER_S = 0.3
"""A bot that speaks lines says no hello: it must have lived so long."""
TIDY_S = 2.0
"""How long a freezing that is given up may take to remove its half of a copy."""

Say = Callable[[str], None]
"""Takes a line for the organiser."""


def entrants_to_play(event: EventFile, base: Path, *, skip_missing: bool, say: Say) -> EventFile:
    """Look every entrant's bot up and leave out those whose tools this machine lacks.

    Args:
        event: As the file has it.
        base: The folder that relative paths of bots start from.
        skip_missing: Whether entrants may be left out; else a missing tool is an error.
        say: Takes a line for each that is left out, or hides a shipped bot.

    Raises:
        ConfigError: A bot does not exist, is wrong, or does not play one of the rulesets;
            all are named. Or too few entrants are left.
    """
    wrong: list[str] = []
    skipped: dict[str, str] = {}
    for entrant in event.entrants:
        try:
            choice = _choose(entrant, base)
        except ConfigError as error:
            wrong.append(_about(entrant.name, error))
            continue
        manifest = choice.manifest
        if choice.hides:
            where = f"the folder {choice.folder}; the shipped bot is {choice.hides}"
            say(_about(entrant.name, where))
        refusals = [manifest.refusal(stage.ruleset) for stage in event.stages]
        if refusal := next(filter(None, refusals), None):
            wrong.append(_about(entrant.name, refusal))
        elif not choice.is_remote and (missing := missing_tools(manifest)):
            tools = ", ".join(map(repr, missing))
            skipped[entrant.name] = f"bot {manifest.name} needs {tools}, not found on this machine"
    if not skip_missing:
        cure = "install it or leave the bot out, as arena run --skip-missing does"
        wrong += [_about(name, f"{reason}; {cure}") for name, reason in skipped.items()]
    _refuse(wrong)
    for name, reason in skipped.items():
        say(f"skipped: {_about(name, reason)}")
    left = [entrant.name for entrant in event.entrants if entrant.name not in skipped]
    try:
        return event.only(left)
    except ConfigError as error:
        if not skipped:
            raise
        raise ConfigError(
            f"nothing was played: {len(skipped)} of {len(event.entrants)} entrants are skipped, "
            f"for lack of tools, and that leaves too few: {error}"
        ) from error


async def freeze_entrants(
    event: EventFile,
    base: Path,
    store: Path,
    sandbox: Sandbox = NO_SANDBOX,
    *,
    builds: BuildStore | None = None,
    say: Say = unheard,
) -> dict[str, FrozenBot]:
    """Freeze and build every entrant's bot; a copy or build that exists is used again.

    ``say`` is told of builds, which may take minutes; those that ``builds`` keeps are taken.

    Raises:
        ConfigError: A bot does not exist, is wrong, or cannot be built; all are named.
    """
    frozen: dict[str, FrozenBot] = {}
    wrong: list[str] = []
    for entrant in event.entrants:
        try:
            choice = _choose(entrant, base)
            if choice.is_remote:
                frozen[entrant.name] = freeze_remote(choice)
                continue
            bot = await _freeze(choice, store)
            bot = await build_bot(
                bot,
                store,
                sandbox=sandbox,
                has_network=event.build_network,
                builds=builds,
                say=say,
            )
            check_runnable(bot)
            sandbox.check(bot)
            frozen[entrant.name] = bot
        except (ConfigError, BotFailure) as error:
            wrong.append(_about(entrant.name, error))
    _refuse(wrong)
    return frozen


async def preflight(
    event: EventFile,
    bots: Mapping[str, FrozenBot],
    stderr: Path,
    sandbox: Sandbox = NO_SANDBOX,
) -> None:
    """Start every bot once, wait for its Join (or see that it stays), and let it go.

    The start allowance is the shortest of all stages: who needs longer would forfeit there.

    Args:
        event: What is to be played.
        bots: By entrant.
        stderr: The folder for what bots say meanwhile.
        sandbox: What surrounds them.

    Raises:
        ConfigError: Bots that do not join; all are named, each with its last words. Or this
            user may not have as many processes or open files as the event keeps.
    """
    if problem := limit_problem(event):
        raise ConfigError(f"nothing was played: {problem}")
    wrong: dict[str, str] = {}

    async def hello(number: int, name: str, room: SeatingRoom) -> None:
        async with trio.open_nursery() as nursery:
            file = stderr / f"preflight-{number}.txt"
            seated = await nursery.start(partial(seat_bot, room, bots[name], file))
            if bots[name].manifest.protocol is Talk.LINES:
                with trio.move_on_after(LINGER_S):
                    await seated.process.wait()
            if seated.session.is_gone:
                wrong[name] = seated.session.gone_detail
            elif seated.process.exit is not None:
                wrong[name] = seated.process.explain("before its first match")
            seated.release()

    start_ms = min(stage.clock.start_ms for stage in event.stages)
    async with (
        open_room(start_ms, server_version=ARENA_VERSION, sandbox=sandbox) as room,
        trio.open_nursery() as hellos,
    ):
        for number, name in enumerate(bots, start=1):
            if bots[name].is_remote:
                continue  # it is awaited when the run begins
            hellos.start_soon(hello, number, name, room)
    _refuse(
        [_about(name, f"fails its first hello: {wrong[name]}") for name in bots if name in wrong]
    )


async def _freeze(choice: BotChoice, store: Path) -> FrozenBot:
    """Freeze a bot in a thread; when cancelled, let it tidy up, but do not wait for long."""
    has_ended = threading.Event()

    def work() -> FrozenBot:
        try:
            return freeze(choice, store, check=trio.from_thread.check_cancelled)
        finally:
            has_ended.set()

    try:
        return await trio.to_thread.run_sync(work, abandon_on_cancel=True)
    except trio.Cancelled:
        with trio.move_on_after(TIDY_S, shield=True):
            await trio.to_thread.run_sync(has_ended.wait, TIDY_S, abandon_on_cancel=True)
        raise


def _choose(entrant: Entrant, base: Path) -> BotChoice:
    return set_options(parse_bot(entrant.bot, base), entrant.options)


def _about(name: str, what: str | ArenaError) -> str:
    return f"entrant {name!r}: {what}"


def _refuse(wrong: Sequence[str]) -> None:
    """Refuse to play; a single reason stays on the line of the refusal."""
    if wrong:
        raise ConfigError(("\n" if len(wrong) > 1 else " ").join(["nothing was played:", *wrong]))
