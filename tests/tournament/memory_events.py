"""Whole events in memory: every match of a plan is played by scripted bots.

Owns the way from policies to rows and standings. Must not know who misbehaves, nor how.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from arena.record.match_row import MatchRow, row_from_records
from arena.rules.dealing import deal_board, seed_from_text
from arena.testing.in_memory import play_in_memory
from arena.tournament.plan import event_sittings
from arena.tournament.standings import standings
from tests.record.samples import make_header

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from arena.referee.conduct import Conduct
    from arena.rules.ruleset import Ruleset
    from arena.testing.memory_bots import Policy
    from arena.tournament.event_file import EventFile
    from arena.tournament.schedule import MatchPlan

Seating = "Callable[[MatchPlan, int, str], Policy]"
"""Gives the bot of a match, at a seat, of an entrant."""


def plans_of(event: EventFile) -> list[MatchPlan]:
    """List every match of an event."""
    return [match for sitting in event_sittings(event) for match in sitting.matches]


def play_match(
    event: EventFile, plan: MatchPlan, policies: Sequence[Policy], *, seed: str
) -> MatchRow:
    """Play one match with a bot for every seat, and give its row."""
    stage = event.stages[0]
    ruleset: Ruleset = stage.ruleset
    conduct: Conduct = stage.conduct
    played = play_in_memory(
        policies,
        ruleset=ruleset,
        boards=plan.boards,
        first_board=plan.first_board,
        cards=partial(deal_board, ruleset, seed_from_text(seed)),
        conduct=conduct,
        clock=stage.clock,
    )
    names = tuple(event.entrants[index].name for index in plan.seats)
    header = make_header(ruleset, boards=plan.boards, match=plan.id, names=names)
    header = replace(header, first_board=plan.first_board)
    return row_from_records(header, played.records)


def points_of(event: EventFile, rows: Sequence[MatchRow], name: str) -> Fraction:
    """Give an entrant's points per board in the standings of the first stage."""
    (line,) = [line for line in standings(event, rows).stages[0].entrants if line.name == name]
    assert line.points is not None
    return line.points
