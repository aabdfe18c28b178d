"""Bare needs the proto files and grpcio only, and never takes the arena's own stubs."""

import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from arena.v1 import play_pb2
from tests.sample_bots.bots import SAMPLE_BOTS
from tests.sample_bots.built import built_copy, site_without_arena
from tests.sdk.positions import asked, card_of, match_of, started
from tests.sdk.scripted import PATIENCE_S, Outcome, Talk, run_bot


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a built copy."""
    return built_copy("python/bare", tmp_path_factory.mktemp("bare"))


def play_a_little(folder: Path, tmp_path: Path, *flags: str, site: Path | None = None) -> Outcome:
    """Let it play a card at each of two tables; check the cards."""
    legal = match_of().deal.legal_cards()
    refused = play_pb2.Rejected(message="nothing, just to see")

    def script(talk: Talk) -> None:
        assert talk.open().name == "bare"
        talk.start(started(), started(table=2))
        talk.say(
            play_pb2.RefereeMessage(rejected=refused),
            asked(match_of()),
            asked(match_of(), table=2, decision_id=2),
        )
        answers = talk.hear_answers()
        assert [answer.decision_id for answer in answers] == [1, 2]
        assert {card_of(answer) for answer in answers} == {min(legal, key=lambda card: card.rank)}
        talk.close()

    environment = {} if site is None else {"PYTHONPATH": str(site)}
    command = [sys.executable, *flags, str(folder / "bot.py")]
    return run_bot(command, script, tmp_path, environment)


def test_it_plays_where_the_arena_is_installed(folder: Path, tmp_path: Path) -> None:
    outcome = play_a_little(folder, tmp_path)
    assert (outcome.status, outcome.stderr) == (0, "rejected: nothing, just to see\n")


def test_it_plays_where_the_arena_is_not_installed(folder: Path, tmp_path: Path) -> None:
    site = site_without_arena(tmp_path)
    probe = [sys.executable, "-S", "-P", "-c", "import grpc, arena"]
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(site)}
    there = subprocess.run(
        probe, env=environment, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    assert "No module named 'arena'" in there.stderr
    assert play_a_little(folder, tmp_path, "-S", "-P", site=site).status == 0


def test_its_stubs_are_its_own_where_the_arena_is_installed(folder: Path) -> None:
    code = "import runpy, sys; print(runpy.run_path(sys.argv[1])['play_pb2'].__file__)"
    ended = subprocess.run(
        [sys.executable, "-c", code, str(folder / "bot.py")],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=True,
    )
    assert Path(ended.stdout.strip()).is_relative_to(folder / "build")


def test_its_build_says_where_it_looked_for_the_proto_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_PROTO", str(tmp_path))
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(SAMPLE_BOTS / "python" / "bare" / "make_stubs.py"), run_name="__main__")
    assert ended.value.code == (
        f"{tmp_path} holds no arena/v1/*.proto; set ARENA_PROTO to the proto folder"
    )
