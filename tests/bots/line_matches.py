"""Whole matches with seated bots, for tests of bots that speak lines."""

from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import trio

from arena.bots.frozen import FrozenBot
from arena.bots.seating import SeatedBot, SeatingRoom, open_room, seat_bot
from arena.referee.clock import Clock
from arena.referee.conduct import Conduct
from arena.referee.events import Fault, MatchEnded
from arena.referee.messages import Record
from arena.rules.dealing import deal_board, seed_from_text
from arena.rules.presets import parse_ruleset
from arena.server.arrivals import current_arrivals
from arena.server.host import HostedMatch, MatchOutcome, play_match

GENEROUS = Clock(limit_ms=20_000)
"""For tests that are not about time, on a machine that may be busy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """How a match went: what the log has of it, and who played."""

    outcome: MatchOutcome
    records: tuple[Record, ...]

    @property
    def faults(self) -> list[Fault]:
        """The faults in the log, in order."""
        return [record.event for record in self.records if isinstance(record.event, Fault)]

    @property
    def ended(self) -> MatchEnded:
        """How it ended, as the log has it."""
        (ended,) = (r.event for r in self.records if isinstance(r.event, MatchEnded))
        return ended


async def play_seated(
    seated: Sequence[SeatedBot],
    *,
    ruleset: str = "gamelake-4",
    boards: int = 1,
    clock: Clock = GENEROUS,
) -> Played:
    """Play one match with bots at their places, by seat."""
    rules = parse_ruleset(ruleset)
    match = HostedMatch(
        public_id="lines",
        ruleset=rules,
        cards=partial(deal_board, rules, seed_from_text("lines")),
        first_board=1,
        boards=boards,
        clock=clock,
        conduct=Conduct(),
        commitment=b"",
        bot_seeds=(1,) * rules.seats,
        launched_ns=tuple(bot.process.started_ns for bot in seated),
    )
    records: list[Record] = []
    with current_arrivals().watch_loop() as watch:
        sessions = [bot.session for bot in seated]
        outcome = await play_match(match, sessions, sink=records.append, watch=watch)
    return Played(outcome=outcome, records=tuple(records))


async def seat_all(
    nursery: trio.Nursery, room: SeatingRoom, bots: Sequence[FrozenBot], folder: Path
) -> list[SeatedBot]:
    """Seat bots, one a seat; the stderr of seat n is kept in ``folder``/n.txt."""
    return [
        await nursery.start(partial(seat_bot, room, bot, folder / f"{seat}.txt"))
        for seat, bot in enumerate(bots)
    ]


async def play_bots(
    bots: Sequence[FrozenBot],
    folder: Path,
    *,
    ruleset: str = "gamelake-4",
    boards: int = 1,
    clock: Clock = GENEROUS,
) -> Played:
    """Start bots, play one match with them, and let them go."""
    with trio.fail_after(60):
        async with AsyncExitStack() as stack:
            room = await stack.enter_async_context(open_room(30_000, server_version="1"))
            nursery = await stack.enter_async_context(trio.open_nursery())
            seated = await seat_all(nursery, room, bots, folder)
            played = await play_seated(seated, ruleset=ruleset, boards=boards, clock=clock)
            for bot in seated:
                bot.release()
                await bot.ended()
    return played
