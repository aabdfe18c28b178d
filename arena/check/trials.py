"""The trials of a check: which matches a bot has to play, and what is unusual of them.

Owns their order and their clocks. Must not play. Source: issue "A kit for bot authors" 4.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from arena.check.conditions import Conditions
from arena.check.evidence import Twist
from arena.check.ring import Ring, Trial
from arena.counted import counted
from arena.referee.clock import MS, US, Clock
from arena.referee.conduct import ANY_NUMBER

MOST_TABLES: Final = 4
"""How many tables at once are tried at most."""
TIGHT: Final = Clock(limit_ms=20, margin_ms=0)
"""A clock that no bot keeps that is stopped for moments, for the rule of late answers."""
TIGHT_BOARDS: Final = 3
"""So many boards has a bot that is mostly quicker than the tight clock, to be late often."""


def quick_trials(ring: Ring, conditions: Conditions) -> Iterator[Trial]:
    """Give the trials of every check: each stage's rulesets, tables, and the twists.

    What comes later may depend on what earlier ones have shown.
    """
    fair, *others = plain_trials(conditions)
    yield replace(fair, matches=2)
    for other in others:
        yield replace(other, first_board=2)
    tables = tables_for(ring)
    if tables > 1:
        yield replace(fair, tables=tables)
    tight = replace(TIGHT, start_ms=fair.clock.start_ms)
    lenient = replace(fair.conduct, late=ANY_NUMBER)
    # A bot that is always late leaves questions behind which it then answers one by one: few
    # boards, so that these are few.
    boards = TIGHT_BOARDS if ring.evidence.usual_us < TIGHT.limit_ms * MS // US else 1
    # Two matches: the second has no twist, so a bot has read all before it is let go.
    twisted = replace(fair, conduct=lenient, matches=2)
    yield replace(
        twisted,
        clock=tight,
        boards=boards,
        twist=Twist.LATE,
        recovery=_recovery(fair, boards),
    )
    yield replace(twisted, first_board=2, twist=Twist.REPEATED, recovery=_recovery(fair, 2))


def plain_trials(conditions: Conditions) -> list[Trial]:
    """List a match in each ruleset of each stage, in the terms of its stage."""
    return [
        Trial(
            ruleset=ruleset,
            clock=stage.clock,
            conduct=stage.conduct,
            resources=stage.resources,
        )
        for stage in conditions.stages
        for ruleset in stage.rulesets
    ]


def tables_for(ring: Ring) -> int:
    """Say at how many tables at once the bot is tried."""
    return min(ring.bot.manifest.capacity, MOST_TABLES)


def _recovery(trial: Trial, boards: int) -> Clock:
    """Give the clock after a twist: who was asked so much may answer it all before Ready."""
    rules, clock = trial.ruleset, trial.clock
    questions = boards * rules.tricks
    return replace(clock, start_ms=clock.start_ms + questions * clock.limit_ms + clock.bank_ms)


def words_of(trial: Trial, conditions: Conditions) -> str:
    """Say what is tried, but for the ruleset."""
    if trial.twist is not Twist.NONE:
        return trial.twist.value
    if trial.tables > 1:
        return f"{trial.tables} tables at once"
    limit = f" of {trial.clock.limit_ms} ms a decision" if len(conditions.stages) > 1 else ""
    return counted(trial.matches, "match") + limit
