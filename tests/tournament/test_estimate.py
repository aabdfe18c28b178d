"""What a plan says of an event is what its schedule holds."""

from dataclasses import replace

import pytest

from arena.tournament.estimate import Measures, StageEstimate, estimate
from arena.tournament.event_file import EventFile, Restart
from arena.tournament.plan import event_sittings
from tests.tournament.results import event_of

MEASURES = Measures(
    decision_us=1_000,
    start_ms=500,
    log_bytes_per_decision=1_024,
    bot_memory_mib=50,
    arena_memory_mib=100,
    source="made up",
)


def estimated(event: EventFile, tables: int = 1, precision: float | None = None) -> StageEstimate:
    (stage,) = estimate(event, tables=tables, measures=MEASURES, spread=2.0, precision=precision)
    return stage


@pytest.mark.parametrize("restart", [Restart.PAIRING, Restart.MATCH])
@pytest.mark.parametrize("entrants", [2, 3, 6])
def test_matches_boards_and_starts_are_the_schedules(entrants: int, restart: Restart) -> None:
    event = event_of(*"abcdef"[:entrants], boards=5, restart=restart)
    sittings = list(event_sittings(event))
    found = estimated(event)
    assert found.matches == sum(len(sitting.matches) for sitting in sittings)
    assert found.boards == sum(m.boards or 0 for s in sittings for m in s.matches)
    assert found.decisions == 40 * found.boards
    assert found.starts == sum(len(sitting.seats) for sitting in sittings)
    assert not found.is_bound


def test_processes_that_never_restart_are_started_once_for_each_orientation() -> None:
    event = event_of("a", "b", "c", "d", cycles=3, restart=Restart.NEVER)
    # Each entrant holds two seats in each of two orientations.
    assert estimated(event).starts == 4 * 2 * 2


def test_times_are_those_of_one_table_shared_among_all() -> None:
    found = estimated(event_of("a", "b"))
    # 2 ways of 4 boards of 40 decisions; two sets of bots.
    assert (found.decisions, found.starts) == (320, 8)
    assert found.expected_s_estimate == 2  # 0.32 s of play and 1 s of starts, rounded up
    assert found.worst_s == -(-(320 * 1_010 + 2 * 30_000) // 1_000)
    assert estimated(event_of("a", "b"), tables=4).worst_s == -(-found.worst_s // 4)


def test_a_match_to_a_target_is_bounded_by_its_most_deals() -> None:
    event = event_of("a", "b", boards=3, boards_per_match=None)
    found = estimated(event, precision=0.5)
    assert found.is_bound
    assert found.boards == found.matches * event.stages[0].ruleset.max_deals
    assert (found.precision_estimate, found.boards_for_precision) == (None, None)


def test_the_boards_for_a_precision_give_that_precision() -> None:
    event = event_of("a", "b", "c")
    boards = estimated(event, precision=0.5).boards_for_precision
    assert boards is not None
    stage = replace(event.stages[0], boards=boards)
    there = estimated(replace(event, stages=(stage,))).precision_estimate
    fewer = replace(stage, boards=boards - 1)
    short = estimated(replace(event, stages=(fewer,))).precision_estimate
    assert there is not None
    assert short is not None
    assert there <= 0.5 < short


def test_memory_and_disk_grow_with_tables_and_decisions() -> None:
    found = estimated(event_of("a", "b", boards=40), tables=2)
    assert found.memory_mib_estimate == 100 + 2 * 4 * 2 * 50
    assert found.disk_mib_estimate == 4  # 3200 decisions of a KiB
