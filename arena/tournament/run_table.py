"""RunTable: one table of a run, where sittings are played one after another.

Owns which set of bots plays next: the next sitting's are made ready while one plays, a set
that lost a bot or met a void match is replaced, and one that is done leaves while the next
plays. Owns how many matches of a sitting a set plays at once. Must not know which sittings
there are, where processes come from, nor how a match is played.
Source: design.md §4-6 ("Memory"), protocol.md ("Play", capacity).
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Protocol

import trio

from arena.bots.remote import tables_held
from arena.bots.seating import SeatingRoom
from arena.record.match_row import MatchRow
from arena.tournament.bot_sets import BotKeeper, BotSet, FreshBots
from arena.tournament.run_state import RunState
from arena.tournament.schedule import MatchPlan, Sitting
from arena.tournament.sitting import play_one
from arena.tournament.stopping import Stopper

Ready = tuple[BotKeeper, BotSet]


class Feed(Protocol):
    """What tables ask of the run they belong to."""

    async def next_sitting(self) -> Sitting | None:
        """Hand out the next sitting, once it is known; None where nothing is left."""

    async def begin(self, plan: MatchPlan) -> None:
        """Learn that a match is about to begin."""

    async def take(self, row: MatchRow) -> None:
        """Learn how an attempt at a match ended; it may stop the run."""


class _Ahead:
    """The matches of a sitting that do not count yet and are not being played.

    Attributes:
        left: The matches, in the order of play.
        is_spent: Whether the set that plays has met a void match: it begins no other.
    """

    def __init__(self, sitting: Sitting) -> None:
        self.left = list(sitting.matches)
        self.is_spent = False

    def take(self) -> MatchPlan | None:
        """Hand out the next match for the set that plays; None where it plays no more."""
        return None if self.is_spent or not self.left else self.left.pop(0)

    def put_back(self, plan: MatchPlan) -> None:
        """Take a match back that was void: a fresh set is to play it."""
        self.is_spent = True
        self.left = sorted((plan, *self.left), key=lambda match: match.slice)


class RunTable:
    """One table; :meth:`play` plays until nothing is left or the run is stopped."""

    def __init__(
        self,
        run: RunState,
        rooms: Sequence[SeatingRoom],
        feed: Feed,
        stopper: Stopper,
        pools: Mapping[int, BotKeeper],
    ) -> None:
        """Make a table.

        Args:
            run: The event.
            rooms: By stage from 0.
            feed: Where sittings come from.
            stopper: How it is stopped.
            pools: By number, the keepers of stages whose processes outlive their sittings.
        """
        self._run = run
        self._rooms = rooms
        self._feed = feed
        self._stopper = stopper
        self._pools = pools

    async def play(self) -> None:
        """Play one sitting after another.

        Raises:
            HostFault: This machine could not do its part. It comes in a group.
        """
        ready, taken = trio.open_memory_channel[Ready](0)
        async with trio.open_nursery() as bots, taken:
            fresh_bots = FreshBots(bots, self._run, self._rooms, self._stopper)
            bots.start_soon(self._prepare, fresh_bots, ready)
            async for keeper, bot_set in taken:
                await self._sit(keeper, bot_set)

    async def _prepare(self, fresh_bots: FreshBots, ready: trio.MemorySendChannel[Ready]) -> None:
        """Make the bots of the next sitting ready; give them up when the run is stopped."""
        async with ready:
            with self._stopper.until_stopped():
                while (sitting := await self._feed.next_sitting()) is not None:
                    keeper = self._pools.get(sitting.pairing.stage, fresh_bots)
                    bot_set = await keeper.seat(sitting)
                    try:
                        await ready.send((keeper, bot_set))
                    except trio.Cancelled:
                        await keeper.dismiss(bot_set)
                        raise

    async def _sit(self, keeper: BotKeeper, bot_set: BotSet) -> None:
        """Play a sitting's matches; a set that cannot go on is replaced."""
        sitting = bot_set.sitting
        ahead = _Ahead(sitting)
        while True:
            await self._play_with(bot_set, ahead)
            if self._stopper.is_stopping or not ahead.left:
                break
            with self._stopper.until_stopped():
                rest = replace(sitting, matches=tuple(ahead.left))
                bot_set = await keeper.renew(bot_set, rest, is_spent=ahead.is_spent)
                ahead.is_spent = False
        await keeper.dismiss(bot_set)

    async def _play_with(self, bot_set: BotSet, ahead: _Ahead) -> None:
        """Let a set play as many matches at once as it may, as long as it may play on."""
        async with trio.open_nursery() as matches:
            for _ in range(min(bot_set.capacity, len(ahead.left))):
                matches.start_soon(self._play_in_turn, bot_set, ahead)

    async def _play_in_turn(self, bot_set: BotSet, ahead: _Ahead) -> None:
        """Play one match after another until the set is lost or spent, or nothing is left."""
        while bot_set.is_whole and not self._stopper.is_stopping:
            plan = ahead.take()
            if plan is None:
                break
            row = await self._play(plan, bot_set)
            if not row.counted:
                # Its bots have seen its boards and must not meet them again.
                ahead.put_back(plan)
            bot_set = bot_set.settled()

    async def _play(self, plan: MatchPlan, bot_set: BotSet) -> MatchRow:
        await self._feed.begin(plan)
        room = self._rooms[plan.stage - 1]
        with room.runtime.arrivals.watch_loop() as watch:
            async with tables_held(bot_set.seated):
                row = await play_one(self._run, plan, bot_set, watch=watch)
        await self._feed.take(row)
        return row
