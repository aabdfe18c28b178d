"""RunTable: one table of a run, where sittings are played one after another.

Owns which set of bots plays next: the next sitting's are started while one plays, a set
that lost a bot or met a void match is replaced, and one that is done leaves while the next
plays. Must not know which sittings there are, nor how a match is played.
Source: design.md §4-6 ("Memory").
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

import trio

from arena.bots.seating import SeatingRoom
from arena.errors import HostFault
from arena.record.match_row import MatchRow
from arena.tournament.run_state import RunState
from arena.tournament.schedule import MatchPlan, Sitting
from arena.tournament.sitting import BotSet, play_one, seat_set
from arena.tournament.stopping import Stopper

MOST_ATTEMPTS = 3
"""A match that is void so often pauses the event (design.md §5)."""

Ready = tuple[Sitting, BotSet]


class Feed(Protocol):
    """What tables ask of the run they belong to."""

    def next_sitting(self) -> Sitting | None:
        """Hand out the next sitting; None where nothing is left."""

    async def begin(self, plan: MatchPlan) -> None:
        """Learn that a match is about to begin."""

    def count(self, row: MatchRow) -> None:
        """Learn that a match counts."""


class RunTable:
    """One table; :meth:`play` plays until nothing is left or the run is stopped."""

    def __init__(
        self, run: RunState, rooms: Sequence[SeatingRoom], feed: Feed, stopper: Stopper
    ) -> None:
        """Make a table; ``rooms`` by stage from 0."""
        self._run = run
        self._rooms = rooms
        self._feed = feed
        self._stopper = stopper
        self._leaving: BotSet | None = None

    async def play(self) -> None:
        """Play one sitting after another.

        Raises:
            HostFault: This machine could not do its part, or a match was void too often.
        """
        ready, taken = trio.open_memory_channel[Ready](0)
        async with trio.open_nursery() as bots, taken:
            bots.start_soon(self._prepare, bots, ready)
            async for sitting, bot_set in taken:
                await self._sit(bots, sitting, bot_set)

    async def _prepare(self, bots: trio.Nursery, ready: trio.MemorySendChannel[Ready]) -> None:
        """Start the bots of the next sitting; give them up when the run is stopped."""
        async with ready:
            with self._stopper.until_stopped():
                while (sitting := self._feed.next_sitting()) is not None:
                    bot_set = await self._seat(bots, sitting)
                    try:
                        await ready.send((sitting, bot_set))
                    except trio.Cancelled:
                        bot_set.release(self._stopper.reason)
                        raise

    async def _sit(self, bots: trio.Nursery, sitting: Sitting, bot_set: BotSet) -> None:
        """Play a sitting's matches; a set that lost a bot is replaced by a fresh one."""
        is_first, is_spent = True, False
        for place, plan in enumerate(sitting.matches):
            for _ in range(MOST_ATTEMPTS):
                if is_spent or not (is_first or bot_set.is_whole):
                    await self._dismiss(bot_set)
                    with self._stopper.until_stopped():
                        rest = replace(sitting, matches=sitting.matches[place:])
                        bot_set = await self._seat(bots, rest)
                    is_first = True
                if self._stopper.is_stopping:
                    break
                row = await self._play(plan, bot_set, is_first=is_first)
                # Bots of a void match have seen its boards and must not meet them again.
                is_first, is_spent = False, not row.counted
                if row.counted:
                    break
            else:
                raise HostFault(f"match {plan.id} was void {MOST_ATTEMPTS} times; its logs say why")
        await self._dismiss(bot_set)

    async def _play(self, plan: MatchPlan, bot_set: BotSet, *, is_first: bool) -> MatchRow:
        await self._feed.begin(plan)
        with self._room(plan.stage).runtime.arrivals.watch_loop() as watch:
            row = await play_one(self._run, plan, bot_set, watch=watch, is_first=is_first)
        if row.counted:
            self._feed.count(row)
        return row

    async def _seat(self, bots: trio.Nursery, sitting: Sitting) -> BotSet:
        return await seat_set(bots, self._run, self._room(sitting.pairing.stage), sitting)

    def _room(self, stage: int) -> SeatingRoom:
        return self._rooms[stage - 1]

    async def _dismiss(self, bot_set: BotSet) -> None:
        """Let a set go without waiting for it, but wait for the one that left before."""
        if self._leaving is not None:
            await self._leaving.ended()
        self._leaving = bot_set
        bot_set.release(self._stopper.reason)
