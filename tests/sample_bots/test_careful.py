"""Careful, in TypeScript: built by its own steps, it plays by its rules."""

import os
import shutil
import subprocess
from pathlib import Path

import grpc
import pytest

from arena.rules.notation import parse_cards
from tests.sample_bots.built import built_copy
from tests.sdk.positions import RULESET, asked, card_of, ending, match_of, started
from tests.sdk.scripted import PATIENCE_S, StreamEnded, Talk, run_bot

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        shutil.which("node") is None or shutil.which("npm") is None, reason="no Node here"
    ),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a built copy."""
    return built_copy("typescript/careful", tmp_path_factory.mktemp("careful"))


def test_it_joins_answers_and_leaves(folder: Path, tmp_path: Path) -> None:
    def script(talk: Talk) -> None:
        assert talk.open().name == "careful"
        talk.start(started())
        match = match_of()
        talk.say(asked(match, decision_id=9))
        (answer,) = talk.hear_answers()
        assert answer.decision_id == 9
        assert card_of(answer) in match.deal.legal_cards()
        talk.close()

    outcome = run_bot(["node", str(folder / "build" / "bot.js")], script, tmp_path)
    assert (outcome.status, outcome.stdout, outcome.stderr) == (0, "", "")


def test_it_plays_by_its_rules(folder: Path, tmp_path: Path) -> None:
    cases = [
        # hands, cards on the table, its card, why
        ("D3 D4 C7|D5 D6 S4|C5 C6 S5|B5 B6 S6", "", "D3"),  # leads a three
        ("DK D4 C7|D5 D6 S4|C5 C6 S5|B5 B6 S6", "", "D4"),  # else low from its longest suit
        ("D3 B4|D4 B5|DA D5|D6 B7", "D3 D4", "DA"),  # the partner cannot lose: an ace
        ("DK B4|DA B5|D5 B6|D2 D3", "DK DA D5", "D2"),  # a point, for the cheapest winner
        ("DK B4|D4 B5|D5 B6|DA D6", "DK D4 D5", "DA"),  # the last seat's ace is safe
        ("D5 B4|D6 B5|D4 B6|D3 D7", "D5 D6 D4", "D7"),  # nothing there: nothing given
        ("D5|D6|D4|D7", "D5 D6 D4", "D7"),  # the last trick is worth a point
    ]

    def script(talk: Talk) -> None:
        talk.open()
        talk.start(*(started(RULESET, seat, table=seat + 1) for seat in range(4)))
        for number, (hands, played, expected) in enumerate(cases, start=1):
            talk.say(ending(hands, played, decision_id=number))
            (answer,) = talk.hear_answers()
            assert [card_of(answer)] == list(parse_cards(expected)), cases[number - 1]
        talk.close()

    assert run_bot(["node", str(folder / "build" / "bot.js")], script, tmp_path).status == 0


def test_a_broken_stream_exits_1(folder: Path, tmp_path: Path) -> None:
    def script(talk: Talk) -> None:
        talk.open()
        raise StreamEnded(grpc.StatusCode.ABORTED, "the table is gone")

    outcome = run_bot(["node", str(folder / "build" / "bot.js")], script, tmp_path)
    assert outcome.status == 1
    assert "the table is gone" in outcome.stderr


def test_started_by_hand_it_says_how_to_play(folder: Path) -> None:
    ended = subprocess.run(
        ["node", str(folder / "build" / "bot.js")],  # noqa: S607 - the node that is there
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert ended.returncode == 2
    assert "to play a match: arena match FOLDER" in ended.stderr
