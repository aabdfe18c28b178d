"""A check takes two minutes at most, or, if it is full, as long as it takes and says.

A machine that fails for a moment does not lose it.
"""

from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pytest
import trio

from arena.bots.argument import choose
from arena.bots.sandbox.mode import SandboxMode
from arena.check import checking
from arena.check.checking import Report, check_bot, try_fairly
from arena.check.conditions import Conditions, StageTerms
from arena.check.evidence import Evidence, Played
from arena.check.rule import Rule, Standing
from arena.errors import HostFault
from arena.referee.events import MatchEnded
from arena.referee.faults import Culprit, Termination, TerminationKind
from arena.rules.presets import parse_ruleset
from tests.check.checks import CLOCK, verdict
from tests.cli.bots import write_bot

RULESETS = (parse_ruleset("gamelake-2"), parse_ruleset("gamelake-4"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Write a good bot."""
    return write_bot(tmp_path / "mine")


def check(folder: Path, *, is_full: bool = False) -> tuple[Report, list[str]]:
    """Check a bot in two rulesets; give the report and what was said meanwhile."""
    stage = StageTerms(rulesets=RULESETS, clock=CLOCK)
    conditions = Conditions(stages=(stage,), sandbox=SandboxMode.NONE)
    said: list[str] = []
    run = partial(check_bot, choose(folder), conditions, is_full=is_full, say=said.append)
    return trio.run(run), said


def test_where_time_is_up_one_match_is_finished_and_the_rest_is_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "QUICK_S", 0.0)
    report, _ = check(folder)
    assert (report.is_good, report.boards) == (True, 1), report.verdicts
    found = verdict(report, Rule.STAYING).found
    assert found.startswith("1 board; no time for gamelake-4: 1 match, gamelake-2: stopped")
    stale = verdict(report, Rule.STALE)
    assert stale.standing is Standing.UNTRIED
    assert stale.found == "there was no time left; --full leaves nothing out"


def test_a_trial_that_would_take_too_long_is_cut_off(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "QUICK_END_S", 0.0)
    report, _ = check(folder)
    assert (report.is_good, report.boards) == (True, 2), report.verdicts
    assert "no time for gamelake-4: 1 match" in verdict(report, Rule.STAYING).found
    assert verdict(report, Rule.REPEATED).standing is Standing.UNTRIED


def test_a_full_check_tries_everything_and_says_first_how_long_it_takes(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("QUICK_S", "QUICK_END_S"):
        monkeypatch.setattr(checking, name, 0.0)
    monkeypatch.setattr(checking, "FULL_BOARDS", 20)
    report, said = check(folder, is_full=True)
    assert report.is_good, report.verdicts
    assert report.boards >= 20
    assert said[0] == "gamelake-2: 2 matches"
    assert said[1].startswith("2 of 20 boards; about ")
    assert verdict(report, Rule.STALE).standing is Standing.GOOD
    assert verdict(report, Rule.REPEATED).standing is Standing.GOOD


def one_match(kind: TerminationKind, seat: int | None = None) -> Played:
    """Make a match that ended so; the bot had seat 0."""
    end = Termination(kind=kind, culprit=Culprit.HOST, seat=seat, detail="the disk is slow")
    return Played(
        ruleset=RULESETS[0],
        limit_ms=1,
        own=frozenset({0}),
        events=(MatchEnded(termination=end, totals=(0, 0), winner=None),),
        timings=(),
    )


@dataclass(slots=True)
class Shaky:
    """A ring whose first matches end as they should not."""

    ends: list[Played]
    evidence: Evidence = field(default_factory=Evidence)

    async def try_bot(self, _trial: object) -> None:
        """Play a match as the next end says."""
        played = self.ends.pop(0)
        (self.evidence.void if played.is_void else self.evidence.played).append(played)


GOOD = one_match(TerminationKind.COMPLETED)
VOID = one_match(TerminationKind.HOST_FAULT)
OTHERS = one_match(TerminationKind.FORFEIT_CRASH, seat=1)
OWN = one_match(TerminationKind.FORFEIT_CRASH, seat=0)


@pytest.mark.parametrize(
    ("ends", "left"), [([GOOD, GOOD], 1), ([VOID, OTHERS, GOOD, GOOD], 1), ([OWN, GOOD], 1)]
)
async def test_a_match_in_which_others_failed_is_played_again(
    ends: list[Played], left: int
) -> None:
    ring = Shaky(ends=[*ends])
    await try_fairly(ring, None)  # type: ignore[arg-type] # whatever it is
    assert len(ring.ends) == left
    assert len(ring.evidence.played) == 1


async def test_a_machine_that_fails_again_and_again_is_told() -> None:
    with pytest.raises(HostFault, match="could not play: host_fault the disk is slow; give"):
        await try_fairly(Shaky(ends=[VOID] * 9), None)  # type: ignore[arg-type] # whatever it is
    with pytest.raises(HostFault, match=r"the opponent, python/greedy, failed"):
        await try_fairly(Shaky(ends=[OTHERS] * 9), None)  # type: ignore[arg-type]
