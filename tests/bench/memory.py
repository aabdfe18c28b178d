"""Memory of the arena over a long event, with bots in memory. Source: requirements.md M.

Everything of the arena is as in earnest (runner, tables, hosts, sessions, logs, results) but
for the processes: each seat's bot answers with its first legal card in the same process.
``python -m tests.bench.memory [MATCHES]``.
"""

import gc
import os
import sys
import tempfile
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import trio

from arena.record.results import Results
from arena.server.arrivals import now_ns
from arena.server.session import Session
from arena.testing.memory_link import memory_link_pair
from arena.tournament import bot_sets
from arena.tournament.folder import EventFolder, EventPlace
from arena.tournament.opening import open_event
from arena.tournament.run_state import RunState
from arena.tournament.runner import Progress, run_event
from arena.tournament.schedule import Sitting
from arena.tournament.stopping import Stopper
from arena.v1 import play_pb2
from arena.wire.codec import ProtoCodec
from arena.wire.terms import GoodbyeReason
from tests.bench.report import Bar
from tests.server.conversation import JOINED, BotEnd, frame, reply_to

MATCHES = 10_000
EARLY = 100
"""After so many matches everything that an event needs is there."""
MOST_GROWTH = 1.10
_MIB = 2**20
_EVENT = """
name = "long"
practice = true
seed = "memory"
tables = 2
[ruleset]
name = "gamelake-2"
"""
_STAGE = "[[stage]]\ncycles = {cycles}\nboards = 10\nboards_per_match = 1\ntrust_memory = true\n"
_ENTRANTS = 8
_PER_CYCLE = _ENTRANTS * (_ENTRANTS - 1) * 10


@dataclass(slots=True, kw_only=True, eq=False)
class MemorySeat:
    """A bot at its place that is no process."""

    session: Session
    bot: BotEnd
    joining_ns: int = 0
    holds: frozenset[str] = frozenset()
    matches: list[str] = field(default_factory=list)
    _scope: trio.CancelScope = field(default_factory=trio.CancelScope)
    _ended: trio.Event = field(default_factory=trio.Event)

    async def live(self) -> None:
        """Play until it is released."""
        with self._scope:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self.session.run)
                await self._play()
        self._ended.set()

    def release(self, _reason: GoodbyeReason) -> None:
        """Leave."""
        self._scope.cancel()

    async def ended(self) -> None:
        """Wait until it has left."""
        await self._ended.wait()

    async def _play(self) -> None:
        """Answer everything; unlike a test's bot it remembers nothing of what it hears."""
        while True:
            data = await self.bot.far.recv()
            heard = play_pb2.PlayResponse.FromString(data).messages
            replies = [reply for message in heard if (reply := reply_to(message))]
            if replies:
                self.bot.far.send(frame(*replies))


async def _start_bots(
    nursery: trio.Nursery, _run: RunState, _room: object, _sitting: Sitting, seats: Collection[int]
) -> dict[int, MemorySeat]:
    """Stand for the start of processes."""
    seated = {}
    for seat in seats:
        link, far = memory_link_pair(now_ns)
        session = Session(link, ProtoCodec(), joined=JOINED, capacity=1, now=now_ns)
        seated[seat] = MemorySeat(session=session, bot=BotEnd(far))
        nursery.start_soon(seated[seat].live)
    await trio.lowlevel.checkpoint()
    return seated


class _Gauge:
    """Reads this process's memory at some counts of matches."""

    def __init__(self, matches: int) -> None:
        self.bytes_at: dict[int, int] = {}
        self._at = {EARLY, *(matches * part // 10 for part in range(1, 11))}

    def see(self, progress: Progress) -> None:
        if progress.counted in self._at:
            gc.collect()
            self.bytes_at[progress.counted] = _resident()
            mib = self.bytes_at[progress.counted] / _MIB
            print(f"memory  {progress.counted:6d} matches  {mib:6.1f} MiB", flush=True)


def _resident() -> int:
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


async def _play(folder: Path, matches: int) -> _Gauge:
    cycles = -(-matches // _PER_CYCLE)
    entrants = "".join(
        f'[[entrant]]\nname = "e{number}"\nbot = "low"\n' for number in range(_ENTRANTS)
    )
    place = EventPlace(
        file=folder / "event.toml",
        folder=EventFolder(folder / "event"),
        content=f"{_EVENT}{entrants}{_STAGE.format(cycles=cycles)}".encode(),
    )
    gauge, stopper = _Gauge(matches), Stopper()
    async with open_event(
        place, stopper=stopper, skip_missing=False, tables=None, say=lambda _line: None
    ) as run:
        if run is None:
            raise AssertionError("nobody stopped it")
        bot_sets.start_bots = _start_bots  # type: ignore[assignment]  # bots in memory
        if not await run_event(run, stopper=stopper, report=gauge.see):
            raise AssertionError("it ended before its end")
    results = Results.open(place.folder.results, must_exist=True)
    try:
        counted = [row.termination.value for row in results.rows() if row.counted]
    finally:
        results.close()
    if set(counted) != {"completed"} or len(counted) < matches:
        raise AssertionError(f"{len(counted)} matches count, some as {set(counted)}")
    return gauge


def bench(matches: int = MATCHES) -> Sequence[Bar]:
    """Measure memory after 100 matches and after all of them."""
    with tempfile.TemporaryDirectory(prefix="arena-memory-") as scratch:
        gauge = trio.run(_play, Path(scratch), matches)
    growth = gauge.bytes_at[matches] / gauge.bytes_at[EARLY]
    name = f"memory-{matches}"
    return [Bar(name=name, figure=growth, goal=MOST_GROWTH, unit="of 100", at_least=False)]


def main() -> int:
    """Run it and end with its line; 1 where the goal is missed."""
    (bar,) = bench(int(sys.argv[1]) if sys.argv[1:] else MATCHES)
    print(bar)
    return 0 if bar.is_met else 1


if __name__ == "__main__":
    sys.exit(main())
