"""BotSets: the processes that play for one table, and where a table gets them from.

Owns what a table knows of its bots, their start, and the keeper whose sets are fresh for
each sitting; :mod:`arena.tournament.bot_pool` has the one whose processes live longer. Must
not know how a match is played. Source: design.md §4, §6 ("Memory").
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

import msgspec
import trio

from arena.bots.frozen import FrozenBot
from arena.bots.remote import Seated, seat_remote
from arena.bots.seating import SeatingRoom
from arena.tournament.accounting import keep_bot
from arena.tournament.run_state import RunState
from arena.tournament.schedule import Sitting
from arena.tournament.stopping import Stopper
from arena.wire.terms import GoodbyeReason


@dataclass(frozen=True, slots=True, kw_only=True)
class BotSet:
    """The bots of one table, by seat, for one sitting; ``fresh`` seats have played nothing."""

    sitting: Sitting
    seated: tuple[Seated, ...]
    fresh: frozenset[int]

    @property
    def is_whole(self) -> bool:
        """Whether all are there; a fresh one that is not has to forfeit its first match."""
        return not any(
            bot.session.is_gone for seat, bot in enumerate(self.seated) if seat not in self.fresh
        )

    @property
    def capacity(self) -> int:
        """How many matches it may play at once: as many as each of its bots allows."""
        return min(bot.session.capacity for bot in self.seated)

    def settled(self) -> "BotSet":
        """Give the same bots after their first match."""
        return replace(self, fresh=frozenset())

    def release(self, reason: GoodbyeReason) -> None:
        """Let all bots go. Idempotent."""
        for bot in self.seated:
            bot.release(reason)

    async def ended(self) -> None:
        """Wait until nothing of released bots is left."""
        for bot in self.seated:
            await bot.ended()


class BotKeeper(Protocol):
    """Where a table gets its bots from, and where it lets them go to."""

    async def seat(self, sitting: Sitting) -> BotSet:
        """Give a set for a sitting; a cancel gives up what was begun."""

    async def renew(self, bot_set: BotSet, rest: Sitting, *, is_spent: bool) -> BotSet:
        """Give a set for the rest of a sitting instead of one that cannot go on.

        Args:
            bot_set: The set that was given before.
            rest: What is left of its sitting.
            is_spent: Whether it met a void match, whose boards none of it may meet again.
        """

    async def dismiss(self, bot_set: BotSet) -> None:
        """Take a set back, whether it has played or not; at a cancel too."""


class FreshBots:
    """A keeper at one table: each set is started for a sitting and leaves with it."""

    def __init__(
        self,
        nursery: trio.Nursery,
        run: RunState,
        rooms: Sequence[SeatingRoom],
        stopper: Stopper,
    ) -> None:
        """Make a keeper; the nursery owns its bots, ``rooms`` are by stage from 0."""
        self._nursery = nursery
        self._run = run
        self._rooms = rooms
        self._stopper = stopper
        self._leaving: BotSet | None = None

    async def seat(self, sitting: Sitting) -> BotSet:
        """Start a set."""
        room = self._rooms[sitting.pairing.stage - 1]
        seats = range(len(sitting.seats))
        seated = await start_bots(self._nursery, self._run, room, sitting, seats)
        return BotSet(
            sitting=sitting,
            seated=tuple(seated[seat] for seat in seats),
            fresh=frozenset(seats),
        )

    async def renew(
        self,
        bot_set: BotSet,
        rest: Sitting,
        *,
        is_spent: bool,  # noqa: ARG002  # a BotKeeper's: here all are replaced in any case
    ) -> BotSet:
        """Start a set after letting the other one go."""
        await self.dismiss(bot_set)
        return await self.seat(rest)

    async def dismiss(self, bot_set: BotSet) -> None:
        """Let a set go without waiting for it, but wait for the one that left before."""
        before, self._leaving = self._leaving, bot_set
        bot_set.release(self._stopper.reason)
        if before is not None:
            await before.ended()


async def start_bots(
    nursery: trio.Nursery,
    run: RunState,
    room: SeatingRoom,
    sitting: Sitting,
    seats: Collection[int],
) -> Mapping[int, Seated]:
    """Start the bots of some seats of a sitting, all at once.

    The nursery owns them until they are released. A cancel lets those go that were started
    already. What they write to stderr is kept under the sitting's first match.

    Returns:
        Bots by seat.
    """
    first = sitting.matches[0].id
    attempt = run.next_attempt(first)
    capacity = run.event.stages[sitting.pairing.stage - 1].capacity
    bots = run.bots_of(sitting.seats)
    seated: dict[int, Seated] = {}
    # Bots that think in turn share their cores; others might think at once.
    wanted = room.resources.cores
    here = [seat for seat in seats if not bots[seat].is_remote]
    if here and room.freezes and capacity == 1:
        share = room.cores.take(wanted, holders=len(here))
        cores = dict.fromkeys(here, share)
    else:
        cores = {seat: room.cores.take(wanted) for seat in here}

    async def start_one(seat: int) -> None:
        if bots[seat].is_remote:
            if room.doors is None:
                raise AssertionError("a remote bot plays, so there are doors")
            partner = sitting.seats[:seat].count(sitting.seats[seat])
            door = room.doors.by_name(run.event.entrants[sitting.seats[seat]].name)[partner]
            seated[seat] = await seat_remote(bots[seat], door, room.start_ms)
            return
        bot = _with_capacity(bots[seat], capacity)
        stderr = run.folder.stderr / f"{first}.a{attempt}.seat{seat}.txt"
        entrant = run.event.entrants[sitting.seats[seat]].name
        seated[seat] = await nursery.start(
            partial(keep_bot, run, room, entrant, bot, stderr, cores=cores[seat])
        )

    try:
        async with trio.open_nursery() as starting:
            for seat in seats:
                starting.start_soon(start_one, seat)
    except BaseException:
        for bot in seated.values():
            bot.release(GoodbyeReason.EVENT_PAUSED)
        raise
    return seated


def _with_capacity(bot: FrozenBot, most: int) -> FrozenBot:
    """Give a bot as its event runs it: at no more tables at once than the stage allows."""
    manifest = bot.manifest
    capacity = min(manifest.capacity, most)
    return replace(bot, manifest=msgspec.structs.replace(manifest, capacity=capacity))
