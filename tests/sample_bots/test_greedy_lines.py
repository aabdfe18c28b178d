"""The bots over lines in Perl, C and bash: they play as Greedy does."""

import json
from pathlib import Path

import pytest
import trio

from arena.bots.argument import choose
from arena.bots.build import build_bot
from arena.bots.frozen import freeze
from arena.wire.json_dialect import message_to_line
from tests.sample_bots.bots import SAMPLE_BOTS
from tests.sample_bots.same_cards import sittings
from tests.sample_bots.toolchains import why_not

PORTS = ("perl/greedy-perl", "c/greedy-c", "bash/greedy-bash")
PATIENCE_S = 120


@pytest.mark.parametrize("port", PORTS)
async def test_it_plays_whole_boards_as_greedy_does(port: str, tmp_path: Path) -> None:
    if reason := why_not(port.partition("/")[0]):
        pytest.skip(reason)
    bot = await build_bot(freeze(choose(SAMPLE_BOTS / port), tmp_path), tmp_path)
    told: list[bytes] = []
    expected: list[tuple[int, str]] = []
    for sitting in sittings():
        told.append(message_to_line(sitting.started))
        for question, card in sitting.asked:
            told.append(message_to_line(question))
            expected.append((question.decision.decision_id, card.name))
    with trio.fail_after(PATIENCE_S):
        ended = await trio.run_process(
            bot.run, cwd=bot.folder, stdin=b"".join(told), capture_stdout=True, capture_stderr=True
        )
    assert ended.stderr == b""
    answers = [json.loads(line)["answer"] for line in ended.stdout.splitlines()]
    assert [(answer["decision_id"], answer["card"]) for answer in answers] == expected
