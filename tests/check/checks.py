"""Checks of bots under short clocks, without a sandbox: what is tested is the judgement."""

from dataclasses import replace
from pathlib import Path

import trio

from arena.bots.argument import BotChoice, choose, parse_bot
from arena.bots.sandbox.mode import SandboxMode
from arena.check.checking import Report, check_bot
from arena.check.conditions import Conditions, StageTerms
from arena.check.rule import Rule, Standing, Verdict
from arena.referee.clock import Clock
from arena.rules.presets import parse_ruleset

CLOCK = Clock(limit_ms=400, margin_ms=5_000, start_ms=5_000)
"""Its margin bears a machine that is busy with other things: only silence is late."""
STRICT = replace(CLOCK, margin_ms=100)
LATE_ACTS = frozenset({"silent_at_decision", "too_slow", "never_reading"})
"""Acts that shall be late, and soon."""


def check(
    choice: BotChoice,
    ruleset: str = "gamelake-2",
    clock: Clock = CLOCK,
    *,
    sandbox: SandboxMode = SandboxMode.NONE,
) -> Report:
    """Check a bot in one ruleset."""
    stage = StageTerms(rulesets=(parse_ruleset(ruleset),), clock=clock)
    conditions = Conditions(stages=(stage,), sandbox=sandbox)

    async def run() -> Report:
        return await check_bot(choice, conditions, say=lambda _: None)

    return trio.run(run)


def chaos(act: str, ruleset: str = "gamelake-2") -> Report:
    """Check the shipped bot that misbehaves in one way."""
    clock = STRICT if act in LATE_ACTS else CLOCK
    if act.startswith("silent"):
        clock = replace(clock, start_ms=3_000)
    return check(parse_bot(f"python/chaos:act={act},silence_ms=6000", Path()), ruleset, clock)


def in_folder(folder: Path) -> Report:
    """Check the bot of a folder."""
    return check(choose(folder))


def verdict(report: Report, rule: Rule) -> Verdict:
    """Give the verdict on one rule."""
    (found,) = (verdict for verdict in report.verdicts if verdict.rule is rule)
    return found


def broken(report: Report) -> set[Rule]:
    """Give the rules that were broken."""
    return {v.rule for v in report.verdicts if v.standing is Standing.BAD}
