"""Runner: play what an event still has to play, at several tables, until done or stopped.

Owns the order of play at run time: which sitting goes to which table, the bots of the next
one started while one plays, attempts at void matches, and the orderly stop. What has
counted is never played again; what has not starts anew. Must not know the game.
Source: design.md §4-5; requirements.md G, H.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import trio

from arena.bots.seating import SeatingRoom, open_room
from arena.errors import HostFault
from arena.record.match_row import MatchRow
from arena.tournament.ending import close_event, pause_event
from arena.tournament.plan import event_sittings, event_totals
from arena.tournament.run_state import ARENA_VERSION, RunState
from arena.tournament.schedule import MatchPlan, Sitting, remaining
from arena.tournament.sitting import BotSet, play_one, seat_set
from arena.tournament.stopping import Stopper

MOST_ATTEMPTS = 3
"""A match that is void so often pauses the event (design.md §5)."""


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
    runner = _Runner(run, stopper, report)
    try:
        with stopper.until_ended():
            if runner.left:
                start_ms = run.event.stages[0].clock.start_ms
                async with open_room(start_ms, server_version=ARENA_VERSION) as room:
                    await runner.play(room)
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
    def __init__(self, run: RunState, stopper: Stopper, report: Callable[[Progress], None]) -> None:
        self._run = run
        self._stopper = stopper
        self._report = report
        counted = run.results.counted_ids()
        self._counted = len(counted)
        self._planned = event_totals(run.event).matches
        self._feed: Iterator[Sitting] = remaining(event_sittings(run.event), counted)
        self._round = (0, 0)

    @property
    def left(self) -> int:
        """Matches that do not count yet."""
        return self._planned - self._counted

    async def play(self, room: SeatingRoom) -> None:
        """Play at all tables until nothing is left or the run is stopped."""
        rooms = [replace(room, start_ms=stage.clock.start_ms) for stage in self._run.event.stages]
        async with trio.open_nursery() as tables:
            for _ in range(self._run.tables):
                tables.start_soon(self._table, rooms)

    async def _table(self, rooms: list[SeatingRoom]) -> None:
        """Play one sitting after another, the next one's bots being started meanwhile."""
        ready, taken = trio.open_memory_channel[tuple[Sitting, BotSet]](0)
        async with trio.open_nursery() as bots:
            bots.start_soon(self._prepare, bots, rooms, ready)
            async with taken:
                async for sitting, bot_set in taken:
                    await self._sit(bots, rooms, sitting, bot_set)
            if self._stopper.is_stopping:
                bots.cancel_scope.cancel()  # those that were started for what is not played now

    async def _prepare(
        self,
        bots: trio.Nursery,
        rooms: list[SeatingRoom],
        ready: trio.MemorySendChannel[tuple[Sitting, BotSet]],
    ) -> None:
        async with ready:
            with self._stopper.until_stopped():
                while (sitting := next(self._feed, None)) is not None:
                    room = rooms[sitting.pairing.stage - 1]
                    await ready.send((sitting, await seat_set(bots, self._run, room, sitting)))

    async def _sit(
        self, bots: trio.Nursery, rooms: list[SeatingRoom], sitting: Sitting, bot_set: BotSet
    ) -> None:
        """Play a sitting's matches; a set that lost a bot is replaced by a fresh one."""
        room = rooms[sitting.pairing.stage - 1]
        is_first, is_spent = True, False
        for place, plan in enumerate(sitting.matches):
            for _ in range(MOST_ATTEMPTS):
                if is_spent or not (is_first or bot_set.is_whole):
                    await bot_set.dismiss()
                    with self._stopper.until_stopped():
                        rest = replace(sitting, matches=sitting.matches[place:])
                        bot_set = await seat_set(bots, self._run, room, rest)
                    is_first = True
                if self._stopper.is_stopping:
                    break
                row = await self._play(room, plan, bot_set, is_first=is_first)
                # Bots of a void match have seen its boards and must not meet them again.
                is_first, is_spent = False, not row.counted
                if row.counted:
                    break
            else:
                raise HostFault(f"match {plan.id} was void {MOST_ATTEMPTS} times; its logs say why")
        await bot_set.dismiss()

    async def _play(
        self, room: SeatingRoom, plan: MatchPlan, bot_set: BotSet, *, is_first: bool
    ) -> MatchRow:
        await self._note_round(plan)
        with room.runtime.arrivals.watch_loop() as watch:
            row = await play_one(self._run, plan, bot_set, watch=watch, is_first=is_first)
        if row.counted:
            self._counted += 1
            self._report(Progress(counted=self._counted, planned=self._planned, row=row))
        return row

    async def _note_round(self, plan: MatchPlan) -> None:
        """Note a round's first match; tables may already be in the next one."""
        place = (plan.stage, plan.round)
        if place > self._round:
            self._round = place
            await self._run.tell_log("round_started", stage=place[0], round=place[1])
