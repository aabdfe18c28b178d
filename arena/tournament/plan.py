"""How much an event is: its stages' schedules, matches and boards, and tables at once.

Owns the step from an event's values to the numbers of the schedule, and the sizes that
progress and time left are reckoned from. Must not know what has been played.
Source: design.md §5-6; requirements.md H.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, assert_never

from arena.tournament.event_file import EventFile, Format, Thinking
from arena.tournament.round_counts import MOST_FURTHER, bracket_levels, rounds_by_default
from arena.tournament.schedule import (
    Sitting,
    StagePlan,
    match_count,
    matches_per_sitting,
    sittings,
)

THINKING_AT_ONCE: Final = 2
"""Bots that may be thinking at one table where none is frozen out of its turn."""
MEMORY_SHARE: Final = 0.8
"""Of this machine's memory, what bots may fill: the rest is the arena's and the system's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """How much is to be played; boards count once per orientation.

    ``boards`` and ``plays`` are None where a stage plays to a target: only its matches can
    be counted beforehand.
    """

    matches: int
    boards: int | None
    plays: int | None


def stage_plan(event: EventFile, number: int) -> StagePlan:
    """Take from a stage, counted from 1, what its schedule follows from."""
    stage = event.stages[number - 1]
    return StagePlan(
        stage=number,
        entrants=event.field_size(number),
        seats=stage.ruleset.seats,
        per_table=stage.per_table,
        cycles=stage.cycles,
        boards=stage.boards,
        boards_per_match=stage.boards_per_match,
        deals_per_match=stage.ruleset.max_deals,
        shared=stage.boards_shared,
        turned=stage.is_turned,
        restart=stage.restart,
        format=stage.format,
        rounds=_drawn_rounds(event, number),
    )


def _drawn_rounds(event: EventFile, number: int) -> int:
    """Count the rounds that a drawn stage may come to; none of others, which need no bound."""
    stage, size = event.stages[number - 1], event.field_size(number)
    match stage.format:
        case Format.SWISS:
            return rounds_by_default(size) if stage.rounds is None else stage.rounds
        case Format.KNOCKOUT:
            return bracket_levels(size) * (1 + MOST_FURTHER)
        case Format.ROUND_ROBIN | Format.GAUNTLET | Format.INDIVIDUAL:
            return 0
        case _:
            assert_never(stage.format)


def stage_plans(event: EventFile) -> tuple[StagePlan, ...]:
    """Plan every stage of an event, in order."""
    return tuple(stage_plan(event, number) for number in range(1, len(event.stages) + 1))


def event_sittings(event: EventFile) -> Iterator[Sitting]:
    """Generate everything that an event plays, stage after stage, none of which is drawn."""
    for plan in stage_plans(event):
        yield from sittings(plan)


def stage_totals(event: EventFile, number: int) -> Totals:
    """Count what a stage, counted from 1, plays."""
    plan = stage_plan(event, number)
    matches = match_count(plan)
    if plan.boards_per_match is None:
        return Totals(matches=matches, boards=None, plays=None)
    ruleset = event.stages[number - 1].ruleset
    boards = matches // matches_per_sitting(plan) * plan.boards
    return Totals(matches=matches, boards=boards, plays=boards * ruleset.tricks * ruleset.seats)


def event_totals(event: EventFile) -> Totals:
    """Count what all stages of an event play."""
    stages = [stage_totals(event, number) for number in range(1, len(event.stages) + 1)]
    return Totals(
        matches=sum(stage.matches for stage in stages),
        boards=_sum([stage.boards for stage in stages]),
        plays=_sum([stage.plays for stage in stages]),
    )


def _sum(counts: Sequence[int | None]) -> int | None:
    """Add counts; unknown where one of them is."""
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None


def default_tables(
    event: EventFile, *, cores: int, memory_mib: int | None, can_freeze: bool
) -> int:
    """Say how many tables play at once by default.

    Args:
        event: What is played.
        cores: Cores that this process may use.
        memory_mib: Memory of this machine; None where it is not known.
        can_freeze: Whether this machine can stop bots out of their turn.

    Returns:
        As many as leave every thinking bot its cores and every bot its memory, in the stage
        that needs most; at least one.
    """
    counts = []
    for stage in event.stages:
        is_frozen = stage.thinking is Thinking.OWN_TURN and can_freeze and stage.capacity == 1
        thinking = 1 if is_frozen else THINKING_AT_ONCE
        counts.append(cores // (thinking * min(max(1, stage.resources.cores), cores)))
        if memory_mib is not None and stage.resources.memory_mib:
            # A bot that waits for its table has the same claim: bots of the next sitting start
            # while this one plays.
            needed = 2 * stage.ruleset.seats * stage.resources.memory_mib
            counts.append(int(MEMORY_SHARE * memory_mib) // needed)
    return max(1, min(counts))
