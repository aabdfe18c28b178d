"""BotPool: processes that live as long as a stage (``restart = "never"``).

Owns one set of processes per entrant and orientation, which sittings of all tables borrow
in turn, and their replacement. Must not know how a match is played.

A set never meets a board twice: in one orientation an entrant plays a round's boards once,
and where a match is void its boards are played again by fresh processes. A process is the
k-th of its side wherever that side sits, so that partners stay two processes.

No sitting waits for another in a circle, however many tables there are: each borrows its
entrants in ascending order, keeps them when processes are replaced, and gives all back once
it is played. Source: design.md §6 ("Memory").
"""

from contextlib import ExitStack
from dataclasses import dataclass, field

import trio

from arena.bots.remote import Seated
from arena.bots.seating import SeatingRoom
from arena.tournament.bot_sets import BotSet, start_bots
from arena.tournament.run_state import RunState
from arena.tournament.schedule import Sitting
from arena.tournament.stopping import Stopper
from arena.wire.terms import GoodbyeReason


def _one_at_a_time() -> trio.Semaphore:
    # No Lock: the task that borrows for a table is not the one that gives back.
    return trio.Semaphore(1, max_value=1)


@dataclass(slots=True, kw_only=True)
class _Bench:
    """The processes of an entrant in an orientation, by their place in its side."""

    turn: trio.Semaphore = field(default_factory=_one_at_a_time)
    bots: tuple[Seated, ...] = ()
    leaving: tuple[Seated, ...] = ()

    @property
    def is_whole(self) -> bool:
        """Whether none that was there is gone."""
        return not any(bot.session.is_gone for bot in self.bots)

    async def clear(self, reason: GoodbyeReason) -> None:
        """Let the processes go without waiting for them, but for those that left before."""
        for bot in self.leaving:
            await bot.ended()
        self.leaving, self.bots = self.bots, ()
        for bot in self.leaving:
            bot.release(reason)


class BotPool:
    """The keeper of one stage's processes, for all tables of a run."""

    def __init__(
        self, nursery: trio.Nursery, run: RunState, room: SeatingRoom, stopper: Stopper
    ) -> None:
        """Make an empty pool; the nursery owns its bots, and must outlive all tables."""
        self._nursery = nursery
        self._run = run
        self._room = room
        self._stopper = stopper
        self._benches: dict[tuple[int, int], _Bench] = {}
        self._sittings = 0
        self._is_closing = False

    async def seat(self, sitting: Sitting) -> BotSet:
        """Borrow the processes of a sitting's entrants; start those that are missing."""
        with ExitStack() as borrowed:
            self._sittings += 1
            borrowed.callback(self._end_sitting)
            for bench in self._benches_of(sitting).values():
                await bench.turn.acquire()
                borrowed.callback(bench.turn.release)
            bot_set = await self._fill(sitting)
            borrowed.pop_all()
        return bot_set

    async def renew(self, bot_set: BotSet, rest: Sitting, *, is_spent: bool) -> BotSet:
        """Replace the processes of entrants that lost one, or of all where they are spent.

        The others go on: what they have met is counted, and does not come again.
        """
        if is_spent:
            for bench in self._benches_of(bot_set.sitting).values():
                await bench.clear(self._stopper.reason)
        return await self._fill(rest)

    async def dismiss(self, bot_set: BotSet) -> None:
        """Take borrowed processes back, for other sittings."""
        for bench in self._benches_of(bot_set.sitting).values():
            bench.turn.release()
        self._end_sitting()

    def close(self) -> None:
        """Let all processes go as soon as no sitting plays or waits. Idempotent."""
        self._is_closing = True
        if self._sittings == 0:
            for bench in self._benches.values():
                for bot in bench.bots:
                    bot.release(self._stopper.reason)

    def _end_sitting(self) -> None:
        self._sittings -= 1
        if self._is_closing:
            self.close()

    def _benches_of(self, sitting: Sitting) -> dict[int, _Bench]:
        """Give the benches of a sitting's entrants, in the order in which they are borrowed."""
        return {
            entrant: self._benches.setdefault((entrant, sitting.orientation), _Bench())
            for entrant in sorted(set(sitting.seats))
        }

    async def _fill(self, sitting: Sitting) -> BotSet:
        """Start whom borrowed benches lack, all at once; then seat everybody."""
        benches = self._benches_of(sitting)
        for bench in benches.values():
            if not bench.is_whole:
                await bench.clear(self._stopper.reason)
        empty = {entrant for entrant, bench in benches.items() if not bench.bots}
        fresh = [seat for seat, entrant in enumerate(sitting.seats) if entrant in empty]
        started = await start_bots(self._nursery, self._run, self._room, sitting, fresh)
        for entrant in empty:
            benches[entrant].bots = tuple(
                started[seat] for seat in fresh if sitting.seats[seat] == entrant
            )
        # Seats of a side ascend as its processes do, wherever the side sits.
        waiting = {entrant: iter(bench.bots) for entrant, bench in benches.items()}
        return BotSet(
            sitting=sitting,
            seated=tuple(next(waiting[entrant]) for entrant in sitting.seats),
            fresh=frozenset(fresh),
        )
