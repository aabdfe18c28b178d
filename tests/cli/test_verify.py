"""``arena verify`` says what is good and what is not, by words and by its exit status."""

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import RunArena
from tests.record.make_golden import GOLDENS
from tests.record.test_tampering import changed, golden_lines, resealed
from tests.tournament.played_event import play_event

LOG = GOLDENS / "italian-tournament.completed.jsonl"


@pytest.fixture
def event(home: Path) -> Path:
    """Give the folder of an event that was played."""
    return play_event(home / "trial")


def test_an_event_and_its_archive_are_good(arena: RunArena, event: Path) -> None:
    for what in (event, Path(shutil.make_archive(str(event), "zip", event.parent, event.name))):
        ended = arena("verify", what)
        assert ended.status == 0, ended
        assert "every deal follows from the seed" in ended.out
        assert ": good: 3 logs" in ended.out


def test_what_is_wrong_is_told_with_file_seq_expected_and_found(
    arena: RunArena, home: Path
) -> None:
    path = home / "log.jsonl"
    path.write_bytes(resealed(changed("card_played", 3, think_us=-5)(golden_lines())))
    ended = arena("verify", path)
    assert ended.status == 1
    assert f"WRONG: {path}, seq " in ended.out
    ended = arena("verify", path, "--json")
    (wrong,) = json.loads(ended.out)["data"]["wrong"]
    assert {"file", "seq", "expected", "found"} == wrong.keys()


def test_a_folder_of_logs_is_verified(arena: RunArena) -> None:
    ended = arena("verify", GOLDENS, "--json")
    assert ended.status == 0
    data = json.loads(ended.out)["data"]
    assert (data["good"], data["logs"]) == (True, len(list(GOLDENS.iterdir())))
    assert data["plays_per_second"] > 0


def test_results_are_rebuilt(arena: RunArena, event: Path) -> None:
    (event / "results.sqlite").write_bytes(b"")
    assert arena("verify", event).status != 0
    ended = arena("verify", event, "--rebuild")
    assert (ended.status, "made anew from 3 logs" in ended.err) == (0, True)


@pytest.mark.parametrize("words", [("nowhere",), (LOG, "--rebuild"), (".",)])
def test_wrong_words_are_told(arena: RunArena, words: tuple[str | Path, ...]) -> None:
    ended = arena("verify", *words)
    assert ended.status == 2
    assert ended.err.count("\n") == 1
    assert "Traceback" not in ended.err


def test_a_damaged_archive_is_told(arena: RunArena, home: Path) -> None:
    path = home / "event.zip"
    path.write_bytes(b"PK\x03\x04 no archive")
    ended = arena("verify", path)
    assert (ended.status, "not a whole zip archive" in ended.err) == (1, True)


def test_views_are_audited_when_asked(arena: RunArena, event: Path) -> None:
    ended = arena("verify", event, "--audit-views")
    assert (ended.status, "none hangs on a hidden card" in ended.out) == (0, True)
