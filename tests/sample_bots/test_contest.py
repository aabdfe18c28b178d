"""Bots of all languages play each other, and those that play by rules of thumb beat chance."""

import json
import shutil
from pathlib import Path

import pytest

from arena.tournament.event_reading import load_event
from tests.cli.conftest import RunArena
from tests.sample_bots.bots import FOLDERS
from tests.sample_bots.toolchains import why_not, why_not_now

FILE = Path(__file__).with_name("contest.toml")
BY_RULES_OF_THUMB = {
    "greedy": "python",
    "learner": "python",
    "greedy-ts": "typescript",
    "greedy-go": "go",
    "greedy-rust": "rust",
    "greedy-java": "java",
    "greedy-cpp": "cpp",
    "greedy-perl": "perl",
    "greedy-bash": "bash",
    "greedy-c": "c",
}


def test_the_contest_enters_every_bot() -> None:
    entered = {entrant.bot for entrant in load_event(FILE).entrants}
    assert entered == {f"{folder.parent.name}/{folder.name}" for folder in FOLDERS}


@pytest.mark.slow
@pytest.mark.skipif(bool(why_not_now()), reason=why_not_now())
def test_each_plays_each_and_those_with_a_plan_beat_random(arena: RunArena, home: Path) -> None:
    """Issue 7 asks for a 95 % interval above 0 over 100 boards, and for logs that verify."""
    shutil.copy(FILE, home / "contest.toml")
    ended = arena("run", "contest.toml", "--skip-missing")
    assert ended.status == 0, ended.err
    assert arena("verify", "contest").status == 0
    shown = json.loads(arena("standings", "contest", "--pairings", "--json").out)
    against_random, each = shown["data"]
    lows = {
        next(name for name in (pair["first"], pair["second"]) if name != "random"): (
            pair["interval"]["low"] if pair["second"] == "random" else -pair["interval"]["high"]
        )
        for pair in against_random["pairings"]
    }
    here = {name for name, language in BY_RULES_OF_THUMB.items() if not why_not(language)}
    assert {name for name, low in lows.items() if low > 0} >= here, lows
    bots = len(lows) + 1
    assert len(each["pairings"]) == bots * (bots - 1) // 2
    assert not any(pair["forfeits_first"] or pair["forfeits_second"] for pair in each["pairings"])
