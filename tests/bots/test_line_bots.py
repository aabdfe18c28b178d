"""The sample bots that speak lines play by their rules, and whole matches without a fault."""

import json
from collections.abc import Iterable
from pathlib import Path

import pytest
import trio

from arena.bots.argument import choose
from arena.bots.build import build_bot
from arena.bots.frozen import FrozenBot, freeze
from arena.referee.faults import TerminationKind
from arena.rules.presets import PRESETS
from tests.bots.line_matches import play_bots
from tests.sample_bots.bots import SAMPLE_BOTS
from tests.sample_bots.test_greedy_lines import PORTS
from tests.sample_bots.toolchains import why_not

SHORT = ("perl/low", "bash/last", "c/thrifty")
"""Those that play by one rule, which is tested here; for the others see test_greedy_lines.py."""


def each(names: Iterable[str]) -> pytest.MarkDecorator:
    """Run a test with each of some bots, where what they need is here."""
    reasons = {name: why_not(name.partition("/")[0]) for name in names}
    return pytest.mark.parametrize(
        "name",
        [
            pytest.param(name, marks=pytest.mark.skipif(bool(reason), reason=reason))
            for name, reason in reasons.items()
        ],
    )


async def built(name: str, folder: Path) -> FrozenBot:
    """Freeze and build a sample bot."""
    store = folder / "store"
    store.mkdir()
    return await build_bot(freeze(choose(SAMPLE_BOTS / name), store), store)


CASES = [
    # legal cards, cards on the table, seats; what low, last and thrifty play
    ("D4", "", 4, ("D4", "D4", "D4")),
    ("DA D3 B6 BK", "", 4, ("B6", "BK", "B6")),
    ("D4 D7 D2 D3", "D5 DJ DA", 4, ("D4", "D3", "D2")),  # last to play: the cheapest winner
    ("D4 D7 D2 D3", "D5 DJ", 4, ("D4", "D3", "D4")),  # somebody may still beat it
    ("D4 D7", "D5", 2, ("D4", "D7", "D7")),  # last of two
    ("C4 S3 B5", "D5 DJ D6", 4, ("C4", "B5", "C4")),  # nothing wins in another suit
    ("D4 D6", "C5 D3 C4", 4, ("D4", "D6", "D4")),
]


def lines_to_bot() -> bytes:
    """Write what a bot reads: a match for each case, and much that asks nothing."""
    told: list[dict[str, object]] = []
    for number, (legal, trick, seats, _) in enumerate(CASES, start=1):
        started = {"table": 3, "match_id": "m", "ruleset": {"name": "r", "seats": seats}}
        question = {"legal": legal.split(), "declarable": [], "signals_allowed": []}
        seen = {"seat": 0, "hand": legal.split(), "trick": trick.split(), "history": []}
        decision = {"table": 3, "decision_id": number, "card": question, "observation": seen}
        refused = {"table": 3, "decision_id": number, "reason": "stale", "allowed": []}
        told += [{"match_started": started}, {"decision": decision}, {"rejected": refused}]
        told += [{"update": {"table": 3, "news": []}}]
    lines = [{"sequence": at, **message} for at, message in enumerate(told, start=1)]
    return b"".join(json.dumps(line, separators=(",", ":")).encode() + b"\n" for line in lines)


@each(SHORT)
async def test_it_plays_by_its_rule(name: str, tmp_path: Path) -> None:
    bot = await built(name, tmp_path)
    ended = await trio.run_process(
        bot.run, cwd=bot.folder, stdin=lines_to_bot(), capture_stdout=True, capture_stderr=True
    )
    assert ended.stderr == b""
    said = [json.loads(line) for line in ended.stdout.splitlines()]
    ready = [message for message in said if "ready" in message]
    assert ready == [{"ready": {"table": 3}}] * (len(CASES) if name == "c/thrifty" else 0)
    index = SHORT.index(name)
    assert [message["answer"] for message in said if "answer" in message] == [
        {"decision_id": number, "card": cards[index]}
        for number, (_, _, _, cards) in enumerate(CASES, start=1)
    ]


@each((*SHORT, *PORTS))
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
