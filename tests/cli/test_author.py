"""What ``arena match`` tells an author: trace, autoplays, whether a bot repeats itself."""

import json
import re
from pathlib import Path

from tests.cli.bots import HIGH, bad_bot, write_bot
from tests.cli.conftest import RunArena

SHORT = ("--boards", "1", "--ruleset", "gamelake-2", "--sandbox", "none")


def test_a_trace_shows_each_decision_and_its_answer(arena: RunArena, home: Path) -> None:
    write_bot(home / "mine", HIGH)
    ended = arena("match", "mine", *SHORT, "--trace")
    assert ended.status == 0, ended.err
    traced = [line for line in ended.out.splitlines() if line.startswith("deal 1, trick ")]
    assert len(traced) == 2 * 20  # two orientations of 20 tricks
    for line in traced:
        legal = line.partition("; legal ")[2].partition(";")[0].split()
        answer = line.partition("; answers ")[2].split()[0]
        assert answer == legal[-1]
        assert " ms" in line


def test_each_autoplay_is_told_with_its_decision(arena: RunArena, home: Path) -> None:
    bad_bot(home / "sleeper", "if self.count == 2: time.sleep(1.5)")
    ended = arena("match", "sleeper", *SHORT)
    told = [line for line in ended.err.splitlines() if "the referee plays" in line]
    assert len(told) == 2
    assert "sleeper: deal 1, trick 2, seat " in told[0]
    assert "fault late: thought" in told[0]


def test_a_bot_that_repeats_itself_is_called_deterministic(arena: RunArena, home: Path) -> None:
    write_bot(home / "mine")
    ended = arena("match", "mine", *SHORT, "--repeat", "2")
    assert ended.status == 0, ended.err
    assert ended.out.endswith("deterministic: 2 matches, 2 times card for card alike\n")


def test_a_bot_that_does_not_is_named_with_the_first_match(arena: RunArena, home: Path) -> None:
    bad_bot(home / "moody", "return view.legal[os.urandom(1)[0] % len(view.legal)]")
    ended = arena("match", "moody", *SHORT, "--repeat", "2")
    assert ended.status == 0, ended.err
    assert (
        "not deterministic: matches that differ: 2 of 2; first to play otherwise: moody in 2"
        in ended.out
    )
    assert re.search(
        r"the first is s1-r1-p1-o\d-m1, deal 1, trick \d+, seat \d: \w\w, then", ended.out
    )
    assert "take chance from view.random" in ended.out


def test_a_bot_is_not_blamed_for_an_opponent_that_plays_otherwise(
    arena: RunArena, home: Path
) -> None:
    write_bot(home / "mine")
    bad_bot(home / "moody", "return view.legal[os.urandom(1)[0] % len(view.legal)]")
    ended = arena("match", "mine", "moody", *SHORT, "--repeat", "2")
    assert ended.status == 0, ended.err
    assert "first to play otherwise: moody in 2" in ended.out
    assert ended.out.endswith("nothing shows that mine is not deterministic\n")


def test_repeats_are_one_answer_for_a_program(arena: RunArena, home: Path) -> None:
    bad_bot(home / "moody", "return view.legal[os.urandom(1)[0] % len(view.legal)]")
    ended = arena("match", "moody", *SHORT, "--repeat", "3", "--json", "-o", "here")
    told = json.loads(ended.out)
    assert told["kind"] == "repeats"
    data = told["data"]
    assert (data["deterministic"], data["matches"], data["times"]) == (False, 2, 3)
    assert data["folders"] == ["here", "here-2", "here-3"]
    assert {one["entrant"] for one in data["differences"]} == {"moody"}
    assert all(len(set(one["cards"])) == 2 for one in data["differences"])
    csv = arena("match", "moody", *SHORT, "--repeat", "2", "--format", "csv")
    assert csv.out.count("stage,ruleset") == 1
    assert "not deterministic" in csv.err
