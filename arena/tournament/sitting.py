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
from arena.record.paths import attempts, log_path
from arena.referee.fairness import bot_seed
from arena.referee.messages import Record
from arena.rules.dealing import deal_board
from arena.server.arrivals import LoopWatch, now_ns
from arena.server.host import HostedMatch, play_match
from arena.tournament.event_file import Names
from arena.tournament.plan import stage_plan
from arena.tournament.run_state import ARENA_VERSION, RunState, wall_time
from arena.tournament.schedule import MatchPlan, Sitting, for_attempt


@dataclass(frozen=True, slots=True, kw_only=True)
class BotSet:
    """The bots of one table, by seat, started for one sitting."""

    seated: tuple[SeatedBot, ...]

    @property
    def is_whole(self) -> bool:
        """Whether every bot is still there."""
        return not any(bot.session.is_gone for bot in self.seated)

    async def dismiss(self) -> None:
        """Let all bots go and wait until nothing of them is left."""
        for bot in self.seated:
            bot.release()
        for bot in self.seated:
            await bot.ended()


async def seat_set(
    nursery: trio.Nursery, run: RunState, room: SeatingRoom, sitting: Sitting
) -> BotSet:
    """Start a set of bots, all at once; the nursery owns them until they are dismissed."""
    first = sitting.matches[0].id
    attempt = 1 + max(attempts(run.folder.logs, first), default=0)
    seated: dict[int, SeatedBot] = {}

    async def seat_one(seat: int) -> None:
        bot = run.bots_of(sitting.seats)[seat]
        stderr = run.folder.stderr / f"{first}.a{attempt}.seat{seat}.txt"
        seated[seat] = await nursery.start(partial(seat_bot, room, bot, stderr))

    async with trio.open_nursery() as starting:
        for seat in range(len(sitting.seats)):
            starting.start_soon(seat_one, seat)
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
    attempt = 1 + max(attempts(run.folder.logs, plan.id), default=0)
    plan = for_attempt(stage_plan(run.event, plan.stage), plan, attempt)
    hosted = _hosted(run, plan, bots, is_first=is_first)
    header = _header(run, plan, attempt)
    log = MatchLog(log_path(run.folder.logs, plan.id, attempt), header, wall_time=wall_time)
    records: list[Record] = []
    failure: HostFault | None = None
    until_failure = trio.CancelScope()
    with until_failure:

        def sink(record: Record) -> None:
            nonlocal failure
            records.append(record)
            if failure is None:
                try:
                    log.write(record)
                except HostFault as error:
                    failure = error
                    until_failure.cancel()

        sessions = [bot.session for bot in bots.seated]
        try:
            await play_match(hosted, sessions, sink=sink, watch=watch)
        except trio.Cancelled:
            if failure is None:
                await _conclude(run, header, log, records)
            raise
    if failure is not None:
        log.abandon()
        raise failure
    return await _conclude(run, header, log, records)


async def _conclude(
    run: RunState, header: LogHeader, log: MatchLog, records: list[Record]
) -> MatchRow:
    """Seal and compress the log, then keep the row: only then does a match count.

    Out of reach of a cancel: what was played to its end is not thrown away half-kept.
    """
    log.close()
    shield = trio.CancelScope(shield=True)
    with shield:
        digest = await trio.to_thread.run_sync(log.finish)
        row = row_from_records(header, records, digest=digest.sha256)
        await run.keep(row)
    return row


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
