"""Sitting: the matches that one fresh set of processes plays, one after another.

Owns the set of bots of a table and the way of one match from its first message to its
counted result. Must not know which sitting comes next. Source: design.md §2, §4, §6.
"""

import secrets
from dataclasses import dataclass
from functools import partial

import trio

from arena.bots.options import format_option
from arena.bots.seating import SeatedBot, SeatingRoom, seat_bot
from arena.errors import HostFault
from arena.record.header import LogHeader, SeatHeader
from arena.record.match_log import MatchLog
from arena.record.match_row import MatchRow, row_from_records
from arena.record.paths import find_log, log_path
from arena.referee.events import MatchEnded
from arena.referee.fairness import bot_seed
from arena.referee.messages import Record
from arena.rules.dealing import deal_board
from arena.server.arrivals import LoopWatch, now_ns
from arena.server.host import HostedMatch, play_match
from arena.tournament.event_file import Names
from arena.tournament.plan import stage_plan
from arena.tournament.run_state import ARENA_VERSION, RunState, wall_time
from arena.tournament.schedule import MatchPlan, Sitting, for_attempt
from arena.wire.terms import GoodbyeReason


@dataclass(frozen=True, slots=True, kw_only=True)
class BotSet:
    """The bots of one table, by seat, started for one sitting."""

    seated: tuple[SeatedBot, ...]

    @property
    def is_whole(self) -> bool:
        """Whether every bot is still there."""
        return not any(bot.session.is_gone for bot in self.seated)

    def release(self, reason: GoodbyeReason) -> None:
        """Let all bots go. Idempotent."""
        for bot in self.seated:
            bot.release(reason)

    async def ended(self) -> None:
        """Wait until nothing of released bots is left."""
        for bot in self.seated:
            await bot.ended()


async def seat_set(
    nursery: trio.Nursery, run: RunState, room: SeatingRoom, sitting: Sitting
) -> BotSet:
    """Start a set of bots, all at once; the nursery owns them until they are released.

    A cancel lets those go that were started already.
    """
    first = sitting.matches[0].id
    attempt = _next_attempt(run, first)
    seated: dict[int, SeatedBot] = {}

    async def seat_one(seat: int) -> None:
        bot = run.bots_of(sitting.seats)[seat]
        stderr = run.folder.stderr / f"{first}.a{attempt}.seat{seat}.txt"
        seated[seat] = await nursery.start(partial(seat_bot, room, bot, stderr))

    try:
        async with trio.open_nursery() as starting:
            for seat in range(len(sitting.seats)):
                starting.start_soon(seat_one, seat)
    except BaseException:
        for bot in seated.values():
            bot.release(GoodbyeReason.EVENT_PAUSED)
        raise
    return BotSet(seated=tuple(seated[seat] for seat in range(len(sitting.seats))))


async def play_one(
    run: RunState, plan: MatchPlan, bots: BotSet, *, watch: LoopWatch, is_first: bool
) -> MatchRow:
    """Play one attempt at a match and keep its result.

    Args:
        run: The event.
        plan: The match.
        bots: Who plays.
        watch: Where the loop's longest stall is read at the end.
        is_first: Whether this is the first match of the set, whose start allowance runs
            from the launch.

    Returns:
        The row as kept: counted, or void.

    Raises:
        HostFault: The log or the results cannot be written.
    """
    attempt = _next_attempt(run, plan.id)
    plan = for_attempt(stage_plan(run.event, plan.stage), plan, attempt)
    hosted = _hosted(run, plan, bots, is_first=is_first)
    header = _header(run, plan, attempt)
    log = MatchLog(log_path(run.folder.logs, plan.id, attempt), header, wall_time=wall_time)
    recorder = _Recorder(log)
    try:
        try:
            with recorder.until_failure:
                sessions = [bot.session for bot in bots.seated]
                await play_match(hosted, sessions, sink=recorder.take, watch=watch)
        except BaseException:
            if recorder.has_ended:  # broken off, which is an end that is kept like any other
                await _conclude(run, header, recorder)
            raise
        if recorder.failure is not None:
            raise recorder.failure
        return await _conclude(run, header, recorder)
    finally:
        log.abandon("the arena could not go on")


class _Recorder:
    """Takes the records of one match, for its log and for its row.

    Attributes:
        records: All of them.
        failure: What kept one out of the log; ``until_failure`` is then cancelled.
    """

    def __init__(self, log: MatchLog) -> None:
        self.log = log
        self.records: list[Record] = []
        self.failure: HostFault | None = None
        self.until_failure = trio.CancelScope()

    @property
    def has_ended(self) -> bool:
        """Whether the log holds all of a match, its end included."""
        is_over = bool(self.records) and isinstance(self.records[-1].event, MatchEnded)
        return is_over and self.failure is None

    def take(self, record: Record) -> None:
        """Keep a record; after the first that the log did not take, for nothing."""
        self.records.append(record)
        if self.failure is None:
            try:
                self.log.write(record)
            except HostFault as failure:
                self.failure = failure
                self.until_failure.cancel()


async def _conclude(run: RunState, header: LogHeader, recorder: _Recorder) -> MatchRow:
    """Seal and compress the log, then keep the row: only then does a match count.

    Out of reach of a cancel: what was played to its end is not thrown away half-kept.
    """
    recorder.log.close()
    with trio.CancelScope(shield=True):
        digest = await trio.to_thread.run_sync(recorder.log.finish)
        row = row_from_records(header, recorder.records, digest=digest.sha256)
        await run.keep(row)
    return row


def _next_attempt(run: RunState, match: str) -> int:
    """Number the next attempt at a match; logs of one are numbered without gaps."""
    attempt = 1
    while find_log(run.folder.logs, match, attempt) is not None:
        attempt += 1
    return attempt


def _hosted(run: RunState, plan: MatchPlan, bots: BotSet, *, is_first: bool) -> HostedMatch:
    stage = run.event.stages[plan.stage - 1]
    seed = run.seeds[plan.stage - 1]
    entrants = [run.event.entrants[index].name for index in plan.seats]
    now = now_ns()
    return HostedMatch(
        public_id=secrets.token_hex(8),
        ruleset=stage.ruleset,
        cards=partial(deal_board, stage.ruleset, seed.key),
        first_board=plan.first_board,
        boards=plan.boards,
        clock=stage.clock,
        conduct=stage.conduct,
        commitment=bytes.fromhex(seed.commitment),
        bot_seeds=tuple(bot_seed(seed.key, plan.id, seat) for seat in range(len(plan.seats))),
        seat_names=tuple(entrants) if run.event.names is Names.SHOWN else None,
        launched_ns=tuple(now - bot.joining_ns for bot in bots.seated) if is_first else None,
    )


def _header(run: RunState, plan: MatchPlan, attempt: int) -> LogHeader:
    stage = run.event.stages[plan.stage - 1]
    seed = run.seeds[plan.stage - 1]
    frozen = run.bots_of(plan.seats)
    return LogHeader(
        arena_version=ARENA_VERSION,
        match=plan.id,
        attempt=attempt,
        ruleset=stage.ruleset,
        first_board=plan.first_board,
        boards=plan.boards,
        clock=stage.clock,
        conduct=stage.conduct,
        commitment=seed.commitment,
        guessable_seed=seed.is_guessable,
        conditions={
            "thinking": "always",
            "delivery": "decision",
            "restart": stage.restart.value,
            "trust_memory": stage.trust_memory,
            "tables": run.tables,
            **({"oversubscribed": True} if run.is_oversubscribed else {}),
        },
        seats=tuple(
            SeatHeader(
                entrant=run.event.entrants[index].name,
                bot=bot.name,
                version=bot.version,
                content_hash=bot.hash,
                language=bot.manifest.language,
                options={key: format_option(value) for key, value in bot.options.items()},
            )
            for index, bot in zip(plan.seats, frozen, strict=True)
        ),
    )
