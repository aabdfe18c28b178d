"""``arena check``: verdicts, statuses, JSON."""

import json
import re
from pathlib import Path

from tests.cli.bots import bad_bot, write_bot, write_event
from tests.cli.conftest import RunArena


def test_a_good_bot_is_checked_under_the_organisers_conditions(arena: RunArena, home: Path) -> None:
    write_bot(home / "mine")
    write_event(home / "cup.toml", "mine", "other")
    words = ("check", "mine", "--event", "cup.toml", "--sandbox", "none")
    ended = arena(*words, "--json")
    assert ended.status == 0, ended.out
    report = json.loads(ended.out)
    assert report["kind"] == "check"
    data = report["data"]
    assert data["good"]
    assert data["mode"] == "quick"
    assert data["conditions"]["source"] == "cup.toml"
    assert len(data["bot"]["hash"]) == len(data["binding"]) == 64
    again = json.loads(arena(*words, "--json").out)["data"]
    assert again["binding"] == data["binding"]


def test_a_bad_bot_is_told_what_to_fix(arena: RunArena, home: Path) -> None:
    bad_bot(home / "bad", "return view.unseen[0]")
    write_event(home / "cup.toml", "bad", "other")
    ended = arena("check", "bad", "--event", "cup.toml", "--sandbox", "none")
    assert ended.status == 1
    assert "BAD        legal play: not_held" in ended.out
    assert "what to do: play a card of decision.card.legal" in ended.out
    assert "bad 1.0: BAD" in ended.out


def test_a_folder_that_hides_a_shipped_bot_is_named(arena: RunArena, home: Path) -> None:
    bad_bot(home / "low", "return view.unseen[0]")
    ended = arena("check", "low", "--sandbox", "none")
    assert ended.status == 1
    assert re.search(
        r"^low: the folder .*low; the shipped bot is perl/low$", ended.err, re.MULTILINE
    )


def test_wrong_input_is_no_verdict(arena: RunArena, home: Path) -> None:
    assert arena("check", "nobody").status == 2
    assert arena("check").status == 2
    write_bot(home / "mine")
    assert arena("check", "mine", "--event", "nowhere.toml").status == 2
    assert arena("check", "mine", "--quick", "--full").status == 2
