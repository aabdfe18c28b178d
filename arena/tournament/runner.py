"""Runner: play what an event still has to play, at several tables, until done or stopped.

Owns the feed of sittings, the count of matches and how a run ends. What has counted is
never played again; what has not starts anew. Must not know bots or the game; what happens
at one table is :mod:`arena.tournament.run_table`'s. Source: design.md §4-5;
requirements.md G, H.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

import trio

from arena.bots.seating import explain_ms_for, open_room
from arena.errors import HostFault
from arena.record.match_row import MatchRow
from arena.referee.clock import US
from arena.tournament.bot_pool import BotPool
from arena.tournament.compared import Outcome
from arena.tournament.comparing import Comparer, taken_up
from arena.tournament.disk_watch import low_disk
from arena.tournament.ending import close_event, pause_event
from arena.tournament.event_file import Restart, Thinking
from arena.tournament.notice import Occasion, notify
from arena.tournament.remote_room import RemotePlan, open_remote_room
from arena.tournament.run_state import ARENA_VERSION, RunState
from arena.tournament.run_table import RunTable
from arena.tournament.schedule import MatchPlan, Sitting, remaining
from arena.tournament.stopping import Stopper
from arena.tournament.suspension import Suspensions
from arena.tournament.time_bound import Cut, Room, TimeBound
from arena.tournament.void_watch import VoidWatch


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far the event is: matches that count, of all planned; the row that was added last."""

    counted: int
    planned: int
    row: MatchRow


async def run_event(
    run: RunState,
    *,
    stopper: Stopper,
    report: Callable[[Progress], None],
    remote: RemotePlan | None = None,
) -> bool:
    """Play the event on; whether everything planned counts, or a comparison is decided, at the end.

    Args:
        run: The event.
        stopper: How it is stopped.
        report: Is told each match that counts.
        remote: How remote bots are taken in; None: on loopback, and nobody is told.

    Raises:
        HostFault: This machine could not do its part; the event can be resumed. It may come
            in a group, with what other tables came to.
    """
    if run.is_revealed:  # a kill came into its end: whatever was ruled since, no card is dealt
        close_event(run)
        await notify(run, Occasion.END)
        return True
    runner = _Runner(run, stopper, report, remote or RemotePlan(say=lambda _: None))
    await runner.note_suspensions()
    try:
        with stopper.until_ended():
            if runner.left and not runner.is_decided:
                await runner.play()
    except* HostFault as faults:
        why = _first_of(faults)
        pause_event(run, why=why)
        await notify(run, Occasion.HOST_FAULT, why=why)
        raise
    if stopper.pause_reason is not None:
        pause_event(run, why=stopper.pause_reason)
        await notify(run, Occasion.PAUSE, why=stopper.pause_reason)
        raise HostFault(stopper.pause_reason)
    if runner.left and not runner.is_decided:
        if not stopper.is_cut:
            pause_event(run, why="stopped by the organiser")
            return False
        cut = runner.cut
        stopper.cut_reason = str(cut)
        pause_event(run, why=str(cut), **cut.to_fields())
        await notify(run, Occasion.PAUSE, why=str(cut))
        return False
    close_event(run)
    await notify(run, Occasion.END)
    return True


def _first_of(faults: BaseExceptionGroup[HostFault]) -> str:
    first = faults.exceptions[0]
    return _first_of(first) if isinstance(first, BaseExceptionGroup) else str(first)


def _nanoseconds(span: timedelta) -> int:
    return span // timedelta(microseconds=1) * US


def _comparer(run: RunState) -> Comparer | None:
    """Take up a comparison where its results and rulings leave it."""
    if run.event.compare is None:
        return None
    return taken_up(run.event, run.event.compare, run.results.rows(), run.rulings)


class _Runner:
    """What is left to play, as the tables see it (:class:`arena.tournament.run_table.Feed`)."""

    def __init__(
        self,
        run: RunState,
        stopper: Stopper,
        report: Callable[[Progress], None],
        remote: RemotePlan,
    ) -> None:
        self._run = run
        self._stopper = stopper
        self._remote = remote
        self._report = report
        rows = run.results.rows()
        counted = frozenset(row.match_id for row in rows if row.counted)
        self._counted = len(counted)
        self._voids = VoidWatch(rows, run.noted)
        self._suspensions = Suspensions(run.event, run.rulings)
        self._noted = set(run.noted_suspensions)
        for row in run.rulings.applied(rows):
            self._suspensions.add(row)
        self._told_fields = set(run.rulings.drawn.fields)
        self._told_rounds = set(run.rulings.drawn.rounds)
        self._news = trio.Event()
        self._sittings = self._in_order(counted)
        self._round = (0, 0)
        self._pools: Mapping[int, BotPool] = {}
        self._comparer = _comparer(run)
        self._put_back: Sitting | None = None
        self._began = trio.current_time()
        ends = run.event.finish_by
        self._allowed = None if ends is None else ends.left_at(datetime.now(UTC))
        self._bound = (
            None
            if self._allowed is None
            else TimeBound(
                _nanoseconds(self._allowed), self._suspensions.left_in_round, tables=run.tables
            )
        )

    @property
    def is_decided(self) -> bool:
        """Whether a comparison needs no more boards."""
        return self._comparer is not None and self._comparer.outcome is not Outcome.OPEN

    @property
    def left(self) -> int:
        """Matches that do not count yet."""
        return self._suspensions.matches_planned - self._counted

    async def play(self) -> None:
        """Play at all tables until nothing is left or the run is stopped."""
        async with trio.open_nursery() as bounded:
            bounded.start_soon(self._end_in_time)
            await self._play_at_tables()
            bounded.cancel_scope.cancel()

    async def _play_at_tables(self) -> None:
        run, stopper = self._run, self._stopper
        stages = run.event.stages
        async with (
            open_room(
                stages[0].clock.start_ms, server_version=ARENA_VERSION, sandbox=run.sandbox
            ) as room,
            open_remote_room(run, room.runtime, self._remote, stopper) as doors,
        ):
            rooms = [
                replace(
                    room,
                    start_ms=stage.clock.start_ms,
                    resources=stage.resources,
                    explain_ms=explain_ms_for(stage.clock.limit_ms),
                    freezes=stage.thinking is Thinking.OWN_TURN,
                    doors=doors,
                )
                for stage in stages
            ]
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

    async def _end_in_time(self) -> None:
        """Let running matches finish and no other begin once the time is up, if there is one."""
        if self._allowed is not None:
            await trio.sleep_until(self._began + self._allowed.total_seconds())
            self._stopper.cut()

    @property
    def cut(self) -> Cut:
        """How far the run came, now that its time is up."""
        known = [self._suspensions.drawing(n + 1) for n in range(len(self._run.event.stages))]
        return Cut(
            by=str(self._run.event.finish_by),
            rounds_complete=sum(drawing.rounds_complete for drawing in known),
            rounds_planned=sum(drawing.rounds_planned for drawing in known),
            matches_beyond=self._suspensions.counted_in_open_rounds,
            matches_left=self.left,
        )

    async def next_sitting(self) -> Sitting | None:
        """Hand out the next sitting, once the draw it hangs on is made; None: nothing is left."""
        while not self.is_decided:
            news = self._news
            try:
                sitting = self._put_back or next(self._sittings)
            except StopIteration:
                break
            self._put_back = None
            if sitting is None:
                await news.wait()
            elif self._suspensions.bars(sitting.pairing):
                self._counted += len(sitting.matches)  # settled without being played
            elif (room := self._room_for(sitting)) is Room.CUT:
                self._stopper.cut()
                break
            elif room is Room.WAIT:
                self._put_back = sitting
                await news.wait()
            else:
                self._close_pools(sitting.pairing.stage)
                return sitting
        self._close_pools()
        return None

    def _room_for(self, sitting: Sitting) -> Room:
        """Say whether a sitting's round still fits before the run has to end."""
        if self._bound is None:
            return Room.BEGIN
        elapsed = timedelta(seconds=trio.current_time() - self._began)
        place = (sitting.pairing.stage, sitting.pairing.round)
        return self._bound.room_for(place, _nanoseconds(elapsed))

    def _in_order(self, counted: frozenset[str]) -> Iterator[Sitting | None]:
        """Generate what is left; None as long as what follows hangs on matches being played."""
        known = self._suspensions
        for number, stage in enumerate(self._run.event.stages, start=1):
            if self._run.event.is_seeded(number):
                while number not in self._told_fields:
                    yield None
            if not stage.format.is_drawn:
                yield from remaining(known.sittings_known(number) or iter(()), counted)
                continue
            done = 0
            while not (known.is_drawn_out(number) and done == len(known.drawing(number).rounds)):
                if (number, done + 1) in self._told_rounds:
                    done += 1
                    yield from remaining(known.sittings_known(number, done) or iter(()), counted)
                else:
                    yield None

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

    async def take(self, row: MatchRow) -> None:
        """Count a match, tell whoever waits for news, and see what follows for the event."""
        if (why := self._voids.add(row)) is not None:
            self._stopper.pause(why)
        if self._stopper.pause_reason is None and (why := low_disk(self._run.folder.path)):
            self._stopper.pause(why)
            await notify(self._run, Occasion.LOW_DISK, why=why)
        if row.counted:
            self._counted += 1
            if self._bound is not None:
                self._bound.count()
            if self._comparer is not None:
                self._comparer.add(row)
            self._suspensions.add(row)
            await self.note_suspensions()
            self._wake()
            self._report(
                Progress(counted=self._counted, planned=self._suspensions.matches_planned, row=row)
            )

    def _wake(self) -> None:
        """Let the tables look again that wait for a draw."""
        news, self._news = self._news, trio.Event()
        news.set()

    async def note_draws(self) -> None:
        """Write to the log what the complete rounds have drawn: before a match of it is played."""
        drawn = self._suspensions.drawn
        for stage in sorted(drawn.fields.keys() - self._told_fields):
            entrants = list(drawn.fields[stage])
            await self._run.tell_log("stage_seeded", stage=stage, entrants=entrants)
            self._told_fields.add(stage)
        for place in sorted(drawn.rounds.keys() - self._told_rounds):
            pairs = [{"entrants": list(pair)} for pair in drawn.rounds[place]]
            await self._run.tell_log("round_drawn", stage=place[0], round=place[1], pairings=pairs)
            self._told_rounds.add(place)

    async def note_suspensions(self) -> None:
        """Write to the log who is suspended by the rounds that are complete, and new draws."""
        for found in self._suspensions.settle():
            if found.entrant not in self._noted:
                self._noted.add(found.entrant)
                await self._run.tell_log(
                    "entrant_suspended",
                    entrant=found.entrant,
                    stage=found.stage,
                    round=found.round,
                    reason=found.reason,
                )
                await notify(
                    self._run, Occasion.SUSPENSION, entrant=found.entrant, why=found.reason
                )
        await self.note_draws()
