"""The bots over gRPC in other languages: built by their own steps, they play as Greedy does."""

import os
import subprocess
from pathlib import Path

import grpc
import pytest

from arena.bots.manifest import read_manifest
from arena.rules.notation import parse_cards
from tests.sample_bots.built import built_copy
from tests.sample_bots.same_cards import sittings
from tests.sample_bots.toolchains import why_not
from tests.sdk.positions import RULESET, asked, card_of, ending, match_of, started
from tests.sdk.scripted import PATIENCE_S, Outcome, Script, StreamEnded, Talk, run_bot

pytestmark = pytest.mark.slow

PORTS = (
    "go/greedy-go",
    "rust/greedy-rust",
    "java/greedy-java",
    "cpp/greedy-cpp",
    "typescript/greedy-ts",
)
CASES = [
    # hands, cards on the table, its card, why
    ("D3 D4 C7|D5 D6 S4|C5 C6 S5|B5 B6 S6", "", "D3"),  # cashes what nobody can beat
    ("D4 D5 C4|DA D6 S4|C5 C6 S5|B5 B6 S6", "", "D4"),  # else low from its longest suit
    ("D3 B4|D4 B5|DA D5|D6 B7", "D3 D4", "DA"),  # the partner cannot lose: an ace
    ("DK B4|DA B5|D5 B6|D2 D3", "DK DA D5", "D2"),  # the partner wins: not a 3 for nothing
    ("DK B4|D4 B5|D5 B6|DA D6", "DK D4 D5", "DA"),  # the last seat's ace is safe
    ("D5 B4|D6 B5|D4 B6|D3 D7", "D5 D6 D4", "D7"),  # nothing to give: the lowest
    ("DA B4 B5|D5 C4 CK|D6 B6 C6|C5 S4 SK", "DA D5 D6", "C5"),  # throws from its short suit
]


@pytest.fixture(scope="module", params=PORTS)
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a built copy of a language's bot."""
    port: str = request.param
    language, _, _ = port.partition("/")
    if reason := why_not(language):
        pytest.skip(reason)
    return built_copy(port, tmp_path_factory.mktemp(language))


def command(folder: Path) -> list[str]:
    """Return what runs a built bot in its folder, as the arena does."""
    run = read_manifest(folder).run
    return ["env", "LANG=C.UTF-8", "sh", "-c", 'cd "$0" && exec "$@"', str(folder), *run]


def play(folder: Path, script: Script, tmp_path: Path) -> Outcome:
    """Run a built bot against a script."""
    return run_bot(command(folder), script, tmp_path)


def test_it_joins_answers_and_leaves(folder: Path, tmp_path: Path) -> None:
    def script(talk: Talk) -> None:
        assert talk.open().name == read_manifest(folder).name
        talk.start(started())
        match = match_of()
        talk.say(asked(match, decision_id=9))
        (answer,) = talk.hear_answers()
        assert answer.decision_id == 9
        assert card_of(answer) in match.deal.legal_cards()
        talk.close()

    outcome = play(folder, script, tmp_path)
    assert (outcome.status, outcome.stdout, outcome.stderr) == (0, "", "")


def test_it_plays_by_greedys_rules(folder: Path, tmp_path: Path) -> None:
    def script(talk: Talk) -> None:
        talk.open()
        talk.start(*(started(RULESET, seat, table=seat + 1) for seat in range(4)))
        for number, (hands, played, expected) in enumerate(CASES, start=1):
            talk.say(ending(hands, played, decision_id=number))
            (answer,) = talk.hear_answers()
            assert [card_of(answer)] == list(parse_cards(expected)), CASES[number - 1]
        talk.close()

    assert play(folder, script, tmp_path).status == 0


def test_it_plays_whole_boards_as_greedy_does(folder: Path, tmp_path: Path) -> None:
    def script(talk: Talk) -> None:
        talk.open()
        for sitting in sittings():
            talk.start(sitting.started)
            talk.say(*(question for question, _ in sitting.asked))
            answers = [(answer.decision_id, card_of(answer)) for answer in talk.hear_answers()]
            expected = [(told.decision.decision_id, card) for told, card in sitting.asked]
            assert answers == expected, sitting.where
        talk.close()

    assert play(folder, script, tmp_path).status == 0


def test_a_broken_stream_exits_1(folder: Path, tmp_path: Path) -> None:
    def script(talk: Talk) -> None:
        talk.open()
        raise StreamEnded(grpc.StatusCode.ABORTED, "the table is gone")

    outcome = play(folder, script, tmp_path)
    assert outcome.status == 1
    assert "the table is gone" in outcome.stderr


def test_started_by_hand_it_says_how_to_play(folder: Path) -> None:
    ended = subprocess.run(
        command(folder),
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert ended.returncode == 2
    assert "to play a match: arena match FOLDER" in ended.stderr
