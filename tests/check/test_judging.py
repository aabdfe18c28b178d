"""What a check says of the answers' times."""

from arena.bots.sandbox.mode import SandboxMode
from arena.check.conditions import Conditions, StageTerms
from arena.check.evidence import Evidence, Played
from arena.check.judging import judge
from arena.check.rule import Rule, Standing
from arena.referee.events import AnswerTiming
from arena.rules.presets import parse_ruleset
from tests.check.checks import CLOCK

RULESET = parse_ruleset("gamelake-2")


def test_how_long_answers_took_and_what_is_charged_are_both_upper_bounds() -> None:
    """The referee charges what is sure, which may be nothing where an answer took a moment."""
    times = [(0, 90), (0, 110), (0, 4_000), (7_000, 50)]
    timings = tuple((0, AnswerTiming(think_us=us, lag_us=lag)) for us, lag in times)
    match = Played(ruleset=RULESET, limit_ms=400, own=frozenset({0}), events=(), timings=timings)
    evidence = Evidence(joining_ns=[1], played=[match])
    conditions = Conditions(
        stages=(StageTerms(rulesets=(RULESET,), clock=CLOCK),), sandbox=SandboxMode.NONE
    )
    (found,) = [one for one in judge(evidence, conditions) if one.rule is Rule.TIME]
    assert found.standing is Standing.GOOD
    assert found.found == (
        "median 4.0 ms, slowest 7.0 ms at most; charged 7.0 ms at most (in gamelake-2) of 400 ms, "
        "over 4 answers"
    )
