"""Estimates: what an event will take, before it is played.

Owns what follows from the schedule (exact) and what is reckoned from measures (estimates).
Must not measure or play anything. Source: commands.md (``plan``); design.md §5.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, assert_never

from arena.tournament.event_file import EventFile, Restart, Stage
from arena.tournament.plan import stage_plan, stage_totals
from arena.tournament.rating.elo import REACH
from arena.tournament.schedule import (
    StagePlan,
    match_count,
    matches_per_sitting,
    orientations,
    pairing_count,
    round_count,
)

SPREAD_POINTS: Final = 2.6
"""Standard deviation of one board group's value, measured between the shipped bots."""
SETS_AT_A_TABLE: Final = 2
"""One set of bots plays while the next one gets ready."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """What one unit costs; ``source`` says where it was measured."""

    decision_us: int
    start_ms: int
    log_bytes_per_decision: int
    bot_memory_mib: int
    arena_memory_mib: int
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StageEstimate:
    """What a stage takes; exact but for what ends in ``_estimate`` and for ``worst_s``.

    ``boards`` and ``decisions`` are upper bounds where ``is_bound``: a match to a target may
    end sooner. ``boards_for_precision`` is per pairing.
    """

    stage: int
    rounds: int
    pairings: int
    matches: int
    boards: int
    decisions: int
    is_bound: bool
    starts: int
    tables: int
    expected_s_estimate: int
    worst_s: int
    memory_mib_estimate: int
    disk_mib_estimate: int
    precision_estimate: float | None
    """Half the width of an entrant's 95 % interval, in points per board; None to a target."""
    boards_for_precision: int | None


def estimate(
    event: EventFile,
    *,
    tables: int,
    measures: Measures,
    spread: float = SPREAD_POINTS,
    precision: float | None = None,
) -> tuple[StageEstimate, ...]:
    """Estimate every stage of an event.

    Args:
        event: What is to be played.
        tables: Matches at once.
        measures: What one unit costs.
        spread: Standard deviation of a board group's value, in points.
        precision: The wanted half width of each entrant's interval, in points per board.
    """
    return tuple(
        _stage(
            event,
            number,
            stage,
            tables=tables,
            measures=measures,
            spread=spread,
            precision=precision,
        )
        for number, stage in enumerate(event.stages, start=1)
    )


def _stage(
    event: EventFile,
    number: int,
    stage: Stage,
    *,
    tables: int,
    measures: Measures,
    spread: float,
    precision: float | None,
) -> StageEstimate:
    plan, totals = stage_plan(event, number), stage_totals(event, number)
    ruleset, ways = stage.ruleset, len(orientations(plan.seats, plan.per_table))
    boards = totals.matches * ruleset.max_deals if totals.boards is None else totals.boards
    decisions = boards * ruleset.tricks * ruleset.seats
    sets = _sets(plan, ways)
    # What one table takes one after another; a set's start hides behind the play of another
    # one only where cores are idle, so it is counted.
    busy_us = decisions * measures.decision_us + sets * measures.start_ms * 1_000
    clock = stage.clock
    slowest_ms = decisions * (clock.limit_ms + clock.margin_ms + clock.increment_ms)
    slowest_ms += totals.matches * plan.seats * clock.bank_ms + sets * clock.start_ms
    seats_busy = min(tables, max(1, totals.matches)) * plan.seats
    processes = seats_busy * SETS_AT_A_TABLE
    if stage.restart is Restart.NEVER:
        processes = max(processes, sets * plan.seats)
    opponents = max(1, len(event.entrants) - 1) * stage.cycles
    is_target = totals.boards is None
    return StageEstimate(
        stage=number,
        rounds=round_count(plan),
        pairings=pairing_count(plan),
        matches=totals.matches,
        boards=boards,
        decisions=decisions,
        is_bound=is_target,
        starts=sets * plan.seats,
        tables=tables,
        expected_s_estimate=math.ceil(busy_us / tables / 1_000_000),
        worst_s=math.ceil(slowest_ms / tables / 1_000),
        memory_mib_estimate=measures.arena_memory_mib + processes * measures.bot_memory_mib,
        disk_mib_estimate=math.ceil(decisions * measures.log_bytes_per_decision / 2**20),
        precision_estimate=None
        if is_target
        else REACH * spread / math.sqrt(plan.boards * opponents),
        boards_for_precision=None
        if is_target or precision is None
        else math.ceil((REACH * spread / precision) ** 2 / opponents),
    )


def rounds_that_fit(stages: Iterable[StageEstimate], within_s: float) -> int:
    """Estimate how many rounds are complete after so many seconds, stage after stage."""
    complete, left_s = 0, within_s
    for stage in stages:
        took = min(stage.rounds, int(left_s * stage.rounds / max(1, stage.expected_s_estimate)))
        complete += took
        left_s -= stage.expected_s_estimate
        if took < stage.rounds or left_s <= 0:
            break
    return complete


def _sets(plan: StagePlan, ways: int) -> int:
    """Count the sets of processes that are started, one per seat each."""
    sittings = match_count(plan) // matches_per_sitting(plan)
    match plan.restart:
        case Restart.PAIRING:
            return sittings
        case Restart.MATCH:
            return match_count(plan)
        case Restart.NEVER:
            # One set an orientation and entrant, of the seats that it has at a table.
            return -(-plan.entrants * ways // plan.per_table)
        case _:
            assert_never(plan.restart)
