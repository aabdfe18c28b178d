"""Sizes of an event, and how many tables play at once."""

from typing import Any

import pytest

from arena.bots.resources import resources_for
from arena.rules.presets import parse_ruleset
from arena.tournament.event_file import Entrant, EventFile, Restart, Stage, Thinking
from arena.tournament.plan import (
    Totals,
    default_tables,
    event_sittings,
    event_totals,
    stage_plan,
    stage_plans,
    stage_totals,
)
from tests.tournament.results import event_of


def test_a_stage_is_planned_from_its_values() -> None:
    event = event_of("a", "b", "c", cycles=2, restart=Restart.MATCH, trust_memory=False)
    plan = stage_plan(event, 1)
    assert (plan.stage, plan.entrants, plan.seats, plan.per_table) == (1, 3, 4, 2)
    assert (plan.cycles, plan.boards, plan.boards_per_match) == (2, 4, 2)
    assert (plan.deals_per_match, plan.turned, plan.restart) == (200, False, Restart.MATCH)


def test_the_game_of_two_seats_has_two_entrants_at_a_table() -> None:
    plan = stage_plan(event_of("a", "b", ruleset=parse_ruleset("gamelake-2")), 1)
    assert (plan.seats, plan.per_table) == (2, 2)


@pytest.mark.parametrize("ruleset", ["gamelake-4", "gamelake-2"])
def test_matches_boards_and_plays_are_counted(ruleset: str) -> None:
    event = event_of("a", "b", "c", ruleset=parse_ruleset(ruleset))
    # 3 pairings x 2 orientations x 2 matches of 2 boards of 40 cards.
    assert stage_totals(event, 1) == Totals(matches=12, boards=24, plays=960)


def test_a_stage_to_a_target_has_no_number_of_boards() -> None:
    event = event_of("a", "b", boards=3, boards_per_match=None)
    assert stage_totals(event, 1) == Totals(matches=6, boards=None, plays=None)


def test_stages_add_up_and_follow_each_other() -> None:
    entrants = (Entrant(name="a", bot="a"), Entrant(name="b", bot="b"))
    to_boards, to_target = Stage(boards=10), Stage(boards=2, boards_per_match=None)
    event = EventFile(name="cup", entrants=entrants, stages=(to_boards, to_boards))
    assert event_totals(event) == Totals(matches=4, boards=40, plays=1_600)
    mixed = EventFile(name="cup", entrants=entrants, stages=(to_boards, to_target))
    assert event_totals(mixed) == Totals(matches=6, boards=None, plays=None)
    ids = [match.id for sitting in event_sittings(mixed) for match in sitting.matches]
    assert [plan.stage for plan in stage_plans(mixed)] == [1, 2]
    assert [name[:2] for name in ids] == ["s1"] * 2 + ["s2"] * 4


@pytest.mark.parametrize(
    ("cores", "can_freeze", "tables"),
    [(1, False, 1), (2, False, 1), (3, False, 1), (4, False, 2), (64, False, 32), (64, True, 64)],
)
def test_every_thinking_bot_has_a_core(cores: int, can_freeze: bool, tables: int) -> None:  # noqa: FBT001
    event = event_of("a", "b")
    assert default_tables(event, cores=cores, memory_mib=None, can_freeze=can_freeze) == tables


@pytest.mark.parametrize(
    ("changes", "tables"),
    [
        ({"thinking": Thinking.ALWAYS}, 8),
        ({"capacity": 4}, 8),
        ({"resources": resources_for(cores=4, memory_mib=64)}, 4),
        ({"resources": resources_for(memory_mib=2048)}, 1),
        ({"resources": resources_for(memory_mib=512)}, 6),
        ({"resources": resources_for(cores=99, memory_mib=99_999)}, 1),
    ],
)
def test_tables_follow_what_bots_may_use(changes: dict[str, Any], tables: int) -> None:
    few = {"resources": resources_for(memory_mib=64)}
    event = event_of("a", "b", **(few | changes))
    assert default_tables(event, cores=16, memory_mib=32_000, can_freeze=True) == tables
