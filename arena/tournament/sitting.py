"""Sitting: the way of one match from its first message to its counted result.

Owns what a match is told, its log and its row. Must not know which match comes next, nor
how its bots are started and replaced. Source: design.md §2, §4, §6.
"""

import secrets
from collections.abc import Callable
from dataclasses import asdict
from functools import partial

import trio

from arena.bots.options import format_option
from arena.errors import HostFault
from arena.record.header import LogHeader, SeatHeader
from arena.record.match_log import MatchLog
from arena.record.match_row import MatchRow, row_from_records
from arena.record.paths import log_path
from arena.record.sent import SentDigests
from arena.referee.events import MatchEnded
from arena.referee.fairness import bot_seed
from arena.referee.messages import Record
from arena.rules.dealing import DealtCards, deal_board
from arena.server.arrivals import LoopWatch, now_ns
from arena.server.host import HostedMatch, play_match
from arena.tournament.bot_sets import BotSet
from arena.tournament.event_file import EventFile, Names, Stage, Thinking
from arena.tournament.plan import stage_plan
from arena.tournament.run_state import ARENA_VERSION, RunState, wall_time
from arena.tournament.schedule import MatchPlan, for_attempt


async def play_one(run: RunState, plan: MatchPlan, bots: BotSet, *, watch: LoopWatch) -> MatchRow:
    """Play one attempt at a match and keep its result.

    Args:
        run: The event.
        plan: The match.
        bots: Who plays. The start allowance of those that are fresh runs from their launch.
        watch: Where the loop's longest stall is read at the end.

    Returns:
        The row as kept: counted, or void.

    Raises:
        HostFault: The log or the results cannot be written.
    """
    attempt = run.next_attempt(plan.id)
    for bot in bots.seated:
        bot.matches.append(plan.id)
    plan = for_attempt(stage_plan(run.event, plan.stage), plan, attempt)
    hosted = _hosted(run, plan, bots)
    header = _header(run, plan, attempt, bots)
    sent = SentDigests(len(plan.seats))
    path = log_path(run.folder.logs, plan.id, attempt)
    log = MatchLog(path, header, wall_time=wall_time, sent=sent)
    observe = None if run.observer is None else partial(run.observer, plan)
    recorder = _Recorder(log, observe)
    try:
        try:
            with recorder.until_failure:
                sessions = [bot.session for bot in bots.seated]
                await play_match(
                    hosted, sessions, sink=recorder.take, watch=watch, on_sent=sent.add
                )
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

    def __init__(self, log: MatchLog, observe: Callable[[Record], None] | None) -> None:
        self.log = log
        self._observe = observe
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
        if self._observe is not None:
            self._observe(record)
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


def _cards(event: EventFile, stage: Stage, seed: bytes, board: int) -> DealtCards:
    """Give a board's cards: those that the event fixes, else those that follow from the seed."""
    return event.cards_of(stage, board) or deal_board(stage.ruleset, seed, board)


def _hosted(run: RunState, plan: MatchPlan, bots: BotSet) -> HostedMatch:
    stage = run.event.stages[plan.stage - 1]
    seed = run.seeds[plan.stage - 1]
    entrants = [run.event.entrants[index].name for index in plan.seats]
    now = now_ns()
    return HostedMatch(
        public_id=secrets.token_hex(8),
        ruleset=stage.ruleset,
        cards=partial(_cards, run.event, stage, seed.key),
        first_board=plan.first_board,
        boards=plan.boards,
        clock=stage.clock,
        conduct=stage.conduct,
        resources=stage.resources,
        commitment=b"" if run.event.deals else bytes.fromhex(seed.commitment),
        bot_seeds=tuple(bot_seed(seed.key, plan.id, seat) for seat in range(len(plan.seats))),
        seat_names=tuple(entrants) if run.event.names is Names.SHOWN else None,
        launched_ns=tuple(
            now - (bot.joining_ns if seat in bots.fresh else 0)
            for seat, bot in enumerate(bots.seated)
        )
        if bots.fresh
        else None,
    )


def _thinking(bots: BotSet) -> Thinking:
    """Say whether all bots that came are stopped out of their turn."""
    meters = [bot.session.meter for bot in bots.seated if not bot.session.is_gone]
    is_held = bool(meters) and all(meter is not None and meter.freezes for meter in meters)
    return Thinking.OWN_TURN if is_held else Thinking.ALWAYS


def _header(run: RunState, plan: MatchPlan, attempt: int, bots: BotSet) -> LogHeader:
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
        commitment="" if run.event.deals else seed.commitment,
        guessable_seed=seed.is_guessable,
        conditions={
            "thinking": _thinking(bots).value,
            "delivery": "decision",
            "restart": stage.restart.value,
            "capacity": stage.capacity,
            "trust_memory": stage.trust_memory,
            "tables": run.tables,
            "turned": stage.is_turned,
            **({} if stage.clock.has_limit else {"no_clock": True}),
            **({"fixed_deals": True} if run.event.deals else {}),
            **({"oversubscribed": True} if run.is_oversubscribed else {}),
        },
        resources={
            **asdict(stage.resources),
            "held_by": " ".join(sorted({guard for bot in bots.seated for guard in bot.holds})),
        },
        guards=run.sandbox.guards,
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
