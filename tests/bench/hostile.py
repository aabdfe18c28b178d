"""Clocks under load: false losses, many starts at once, a hostile neighbour.

    python -m tests.bench.hostile clocks [DECISIONS] [THINKING]
                                                 as many tables as cores, limit 50 ms
    python -m tests.bench.hostile starts [BOTS]  so many bots started at once
    python -m tests.bench.hostile neighbour      think times beside a CPU burner, and without

    python -m tests.bench.hostile neighbour 0 always     … where bots are not stopped out of turn

Bots of ``clocks`` and ``neighbour`` are bound to cores and stopped out of their turn as in an
event; THINKING is ``own_turn`` (the default) or ``always``.

Source: requirements.md C, D; issue "hostile bots" ("How well").
"""

import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import trio

from arena.bots.argument import choose, parse_bot, set_options
from arena.bots.frozen import FrozenBot, freeze
from arena.bots.process import usable_cores
from arena.bots.sandbox.mode import SandboxMode
from arena.bots.sandbox.opening import open_sandbox
from arena.bots.seating import SeatedBot, SeatingRoom, open_room, seat_bot
from arena.referee.clock import Clock
from arena.tournament.event_file import Thinking
from tests.bots.line_matches import Played, play_seated

START_MS = 30_000
LIMIT = Clock(limit_ms=50)
HERE = Path(__file__).parent


async def measure(what: str, number: int, thinking: Thinking) -> None:
    """Run one measurement in a room of its own."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        place = Path(folder)
        ten = freeze(choose(HERE / "ten_ms"), place / "bots")
        async with (
            open_sandbox(SandboxMode.AUTO, hidden=(), say=print) as sandbox,
            open_room(START_MS, server_version="bench", sandbox=sandbox) as room,
            trio.open_nursery() as nursery,
        ):
            as_told = replace(room, freezes=thinking is Thinking.OWN_TURN)
            match what:
                case "clocks":
                    await clocks(nursery, as_told, ten, place, number or 100_000)
                case "starts":
                    await starts(nursery, room, place, number or 64)
                case _:
                    await neighbour(nursery, as_told, ten, place)
            nursery.cancel_scope.cancel()


async def clocks(
    nursery: trio.Nursery, room: SeatingRoom, bot: FrozenBot, place: Path, decisions: int
) -> None:
    """Play so many decisions of 10 ms at a limit of 50 ms; count what nobody is to blame for."""
    tables = usable_cores()
    boards = 10
    seats = [
        await _seat_as_in_an_event(nursery, room, [bot] * 4, _made(place / str(t)))
        for t in range(tables)
    ]
    matches = -(-decisions // (40 * boards * tables))
    total: Counter[str] = Counter()
    thinks: list[int] = []

    async def play(table: list[SeatedBot]) -> None:
        for _ in range(matches):
            _count(await play_seated(table, boards=boards, clock=LIMIT), total, thinks)

    began = time.perf_counter()
    async with trio.open_nursery() as players:
        for table in seats:
            players.start_soon(play, table)
    print(
        f"{len(thinks)} decisions of 10 ms at a limit of 50 ms, {tables} tables, "
        f"{time.perf_counter() - began:.0f} s: {dict(total) or 'no fault at all'}; "
        f"think {_percentiles(thinks)}"
    )


async def _seat_as_in_an_event(
    nursery: trio.Nursery, room: SeatingRoom, bots: Sequence[FrozenBot], folder: Path
) -> list[SeatedBot]:
    """Seat the bots of a table: on one core together if they think in turn, else spread."""
    wanted = room.resources.cores
    shares = (
        [room.cores.take(wanted, holders=len(bots))] * len(bots)
        if room.freezes
        else [room.cores.take(wanted) for _ in bots]
    )
    return [
        await nursery.start(partial(seat_bot, room, bot, folder / f"{seat}.txt", cores=share))
        for seat, (bot, share) in enumerate(zip(bots, shares, strict=True))
    ]


async def starts(nursery: trio.Nursery, room: SeatingRoom, place: Path, number: int) -> None:
    """Start so many bots at once; tell how long the slowest took to join, and who did not."""
    bot = freeze(parse_bot("python/greedy", Path()), place / "bots")
    seated: list[SeatedBot] = []

    async def start(one: int) -> None:
        seated.append(await nursery.start(partial(seat_bot, room, bot, place / f"{one}.txt")))

    began = time.perf_counter()
    async with trio.open_nursery() as starting:
        for one in range(number):
            starting.start_soon(start, one)
    lost = sum(bot.session.is_gone for bot in seated)
    slowest = max(bot.joining_ns for bot in seated) / 1e6
    print(
        f"{number} bots started at once: all up after {time.perf_counter() - began:.1f} s, "
        f"slowest from launch to Join {slowest:.0f} ms, {lost} lost"
    )


async def neighbour(nursery: trio.Nursery, room: SeatingRoom, bot: FrozenBot, place: Path) -> None:
    """Play alone, then beside a table of bots that burn all they get; print both."""
    table = await _seat_as_in_an_event(nursery, room, [bot] * 4, _made(place / "t"))
    for label in ("alone", "beside a CPU burner"):
        total: Counter[str] = Counter()
        thinks: list[int] = []
        async with trio.open_nursery() as burners:
            if label != "alone":
                burners.start_soon(_burn, nursery, room, place)
                await trio.sleep(2)
            for _ in range(5):
                _count(await play_seated(table, boards=2), total, thinks)
            burners.cancel_scope.cancel()
        print(f"{label}: {_percentiles(thinks)}; faults {dict(total) or 'none'}")


async def _burn(nursery: trio.Nursery, room: SeatingRoom, place: Path) -> None:
    """Play matches of two burners, one after another."""
    choice = set_options(parse_bot("python/chaos", Path()), {"act": "cpu_burner"})
    bot = freeze(choice, place / "bots")
    burners = await _seat_as_in_an_event(nursery, room, [bot] * 2, _made(place / "b"))
    while True:
        await play_seated(burners, ruleset="gamelake-2", boards=200)


def _count(played: Played, total: Counter[str], thinks: list[int]) -> None:
    total.update(fault.kind.value for fault in played.faults)
    if played.ended.termination.kind.is_void:
        total["void"] += 1
    thinks += [record.timing.think_us for record in played.records if record.timing is not None]


def _percentiles(thinks: list[int]) -> str:
    ordered = sorted(thinks)
    last = len(ordered) - 1
    parts = [f"p{p:g} {ordered[int(last * p / 100)] / 1000:.1f} ms" for p in (50, 99, 99.9)]
    return ", ".join([*parts, f"most {ordered[-1] / 1000:.1f} ms"])


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True)
    return folder


def main() -> None:
    """Measure what the first word says."""
    words = [*sys.argv[1:], "0"]
    if len(words) < 2 or words[0] not in {"clocks", "starts", "neighbour"}:
        sys.exit(__doc__)
    thinking = Thinking(words[2]) if len(words) > 3 else Thinking.OWN_TURN
    trio.run(measure, words[0], int(words[1]), thinking)


if __name__ == "__main__":
    main()
