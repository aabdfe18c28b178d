"""Pre-flight: every entrant is built and started once before the first card.

Owns finding what would make a bot fail its first hello, so that a missing executable or a
crash at start is told to the organiser and never appears in the standings.
Must not know the schedule. Source: requirements.md E.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import trio

from arena.bots.argument import parse_bot, set_options
from arena.bots.build import build_bot, check_runnable, skip_reason
from arena.bots.frozen import FrozenBot, freeze
from arena.bots.seating import SeatingRoom, open_room, seat_bot
from arena.errors import BotFailure, ConfigError
from arena.tournament.event_file import Entrant
from arena.tournament.run_state import ARENA_VERSION


def skipped_entrants(entrants: Sequence[Entrant], base: Path) -> dict[str, str]:
    """Say, by entrant, which tools its bot lacks on this machine; empty if none does.

    Raises:
        ConfigError: A bot does not exist, or its manifest is wrong.
    """
    reasons = {}
    for entrant in entrants:
        reason = skip_reason(parse_bot(entrant.bot, base).manifest)
        if reason is not None:
            reasons[entrant.name] = reason
    return reasons


async def freeze_entrants(
    entrants: Sequence[Entrant], base: Path, store: Path
) -> dict[str, FrozenBot]:
    """Freeze and build every entrant's bot; a copy or build that exists is used again.

    Raises:
        ConfigError: A bot does not exist, is wrong, or cannot be built; all are named.
    """
    frozen: dict[str, FrozenBot] = {}
    wrong: list[str] = []
    for entrant in entrants:
        try:
            choice = set_options(parse_bot(entrant.bot, base), entrant.options)
            bot = await trio.to_thread.run_sync(freeze, choice, store)
            bot = await build_bot(bot, store)
            check_runnable(bot)
            frozen[entrant.name] = bot
        except (ConfigError, BotFailure) as error:
            wrong.append(f"entrant {entrant.name!r}: {error}")
    _refuse(wrong)
    return frozen


async def preflight(bots: Mapping[str, FrozenBot], start_ms: int, stderr: Path) -> None:
    """Start every bot once, wait for its Join, and let it go.

    Args:
        bots: By entrant.
        start_ms: The start allowance.
        stderr: The folder for what bots say meanwhile.

    Raises:
        ConfigError: Bots that do not join; all are named, each with its last words.
    """
    wrong: dict[str, str] = {}

    async def hello(number: int, name: str, room: SeatingRoom) -> None:
        async with trio.open_nursery() as nursery:
            file = stderr / f"preflight-{number}.txt"
            seated = await nursery.start(partial(seat_bot, room, bots[name], file))
            if seated.session.is_gone:
                wrong[name] = seated.session.gone_detail
            seated.release()

    async with (
        open_room(start_ms, server_version=ARENA_VERSION) as room,
        trio.open_nursery() as hellos,
    ):
        for number, name in enumerate(bots, start=1):
            hellos.start_soon(hello, number, name, room)
    _refuse([f"entrant {name!r} fails its first hello: {wrong[name]}" for name in sorted(wrong)])


def _refuse(wrong: Sequence[str]) -> None:
    if wrong:
        raise ConfigError("\n".join(["nothing was played:", *wrong]))
