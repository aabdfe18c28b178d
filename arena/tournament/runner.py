"""Runner: play what an event still has to play, at several tables, until done or stopped.

Owns the feed of sittings, the count of matches and how a run ends. What has counted is
never played again; what has not starts anew. Must not know bots or the game; what happens
at one table is :mod:`arena.tournament.run_table`'s. Source: design.md §4-5;
requirements.md G, H.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

import trio

from arena.bots.seating import open_room
from arena.errors import HostFault
from arena.record.match_row import MatchRow
from arena.tournament.bot_pool import BotPool
from arena.tournament.ending import close_event, pause_event
from arena.tournament.event_file import Restart
from arena.tournament.plan import event_sittings, event_totals
from arena.tournament.run_state import ARENA_VERSION, RunState
from arena.tournament.run_table import RunTable
from arena.tournament.schedule import MatchPlan, Sitting, remaining
from arena.tournament.stopping import Stopper


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far the event is: matches that count, of all planned; the row that was added last."""

    counted: int
    planned: int
    row: MatchRow


async def run_event(run: RunState, *, stopper: Stopper, report: Callable[[Progress], None]) -> bool:
    """Play the event on; whether everything planned counts when it returns.

    Raises:
        HostFault: This machine could not do its part; the event can be resumed. It may come
            in a group, with what other tables came to.
    """
    runner = _Runner(run, report)
    try:
        with stopper.until_ended():
            if runner.left:
                await runner.play(stopper)
    except* HostFault as faults:
        pause_event(run, why=_first_of(faults))
        raise
    if runner.left:
        pause_event(run, why="stopped by the organiser")
        return False
    close_event(run)
    return True


def _first_of(faults: BaseExceptionGroup[HostFault]) -> str:
    first = faults.exceptions[0]
    return _first_of(first) if isinstance(first, BaseExceptionGroup) else str(first)


class _Runner:
    """What is left to play, as the tables see it (:class:`arena.tournament.run_table.Feed`)."""

    def __init__(self, run: RunState, report: Callable[[Progress], None]) -> None:
        self._run = run
        self._report = report
        counted = run.results.counted_ids()
        self._counted = len(counted)
        self._planned = event_totals(run.event).matches
        self._sittings: Iterator[Sitting] = remaining(event_sittings(run.event), counted)
        self._round = (0, 0)
        self._pools: Mapping[int, BotPool] = {}

    @property
    def left(self) -> int:
        """Matches that do not count yet."""
        return self._planned - self._counted

    async def play(self, stopper: Stopper) -> None:
        """Play at all tables until nothing is left or the run is stopped."""
        run = self._run
        start_ms = [stage.clock.start_ms for stage in run.event.stages]
        async with open_room(
            start_ms[0], server_version=ARENA_VERSION, sandbox=run.sandbox
        ) as room:
            rooms = [replace(room, start_ms=allowance) for allowance in start_ms]
            async with trio.open_nursery() as kept:
                self._pools = {
                    number: BotPool(kept, run, rooms[number - 1], stopper)
                    for number, stage in enumerate(run.event.stages, start=1)
                    if stage.restart is Restart.NEVER
                }
                async with trio.open_nursery() as tables:
                    for _ in range(run.tables):
                        table = RunTable(run, rooms, self, stopper, self._pools)
                        tables.start_soon(table.play)
                self._close_pools()

    def next_sitting(self) -> Sitting | None:
        """Hand out the next sitting; None where nothing is left."""
        sitting = next(self._sittings, None)
        self._close_pools(None if sitting is None else sitting.pairing.stage)
        return sitting

    def _close_pools(self, before: int | None = None) -> None:
        """Let the processes go of stages before one, or of all: no more of them is handed out."""
        for number, pool in self._pools.items():
            if before is None or number < before:
                pool.close()

    async def begin(self, plan: MatchPlan) -> None:
        """Note a round's first match; tables may already be in the next one."""
        place = (plan.stage, plan.round)
        if place > self._round:
            self._round = place
            await self._run.tell_log("round_started", stage=plan.stage, round=plan.round)

    def count(self, row: MatchRow) -> None:
        """Count a match, and tell whoever waits for news."""
        self._counted += 1
        self._report(Progress(counted=self._counted, planned=self._planned, row=row))
