"""The sample bots that speak lines play whole matches of every ruleset, without a fault."""

import shutil
from pathlib import Path

import pytest

from arena.bots.argument import choose
from arena.bots.build import build_bot
from arena.bots.frozen import FrozenBot, freeze
from arena.referee.faults import TerminationKind
from arena.rules.presets import PRESETS
from tests.bots.line_matches import play_bots
from tests.sample_bots.bots import SAMPLE_BOTS

TOOLS = {"perl/low": "perl", "bash/last": "bash", "c/thrifty": "cc"}

each_bot = pytest.mark.parametrize(
    "name",
    [
        pytest.param(
            name, marks=pytest.mark.skipif(shutil.which(tool) is None, reason=f"no {tool} here")
        )
        for name, tool in TOOLS.items()
    ],
)


async def built(name: str, folder: Path) -> FrozenBot:
    """Freeze and build a sample bot."""
    store = folder / "store"
    store.mkdir()
    return await build_bot(freeze(choose(SAMPLE_BOTS / name), store), store)


@each_bot
async def test_it_plays_every_ruleset_it_claims_without_a_fault(name: str, tmp_path: Path) -> None:
    bot = await built(name, tmp_path)
    for ruleset in PRESETS.values():
        assert bot.manifest.refusal(ruleset) is None
        bots = [bot] * ruleset.seats
        played = await play_bots(bots, tmp_path, ruleset=ruleset.name, boards=2)
        assert played.faults == [], ruleset.name
        assert played.outcome.termination.kind is TerminationKind.COMPLETED
    for seat in range(4):
        assert (tmp_path / f"{seat}.txt").read_text() == ""
