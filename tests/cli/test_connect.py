"""``arena connect``: a bot that speaks lines plays at a referee elsewhere."""

import re
import sys
from pathlib import Path

import pytest

from arena.bots import adapter
from tests.cli.conftest import RunArena, StartArena
from tests.cli.logs import standings_of
from tests.cli.processes import PATIENCE_S, Ended

EVENT = """name = "cup"
tables = 1
entrant = [{{ bot = "greedy" }}, {{ bot = "remote", name = "far" }}]
ruleset = {{ name = "gamelake-2" }}
stage = [{{ boards = 1, clock = {{ limit_ms = {limit_ms} }} }}]
"""
JOIN_AT = r"remote bots join at (\S+);"

PLAYS = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if "decision" in message:
        decision = message["decision"]
        card = decision["card"]["legal"][0]
        answer = {"decision_id": decision["decision_id"], "card": card}
        print(json.dumps({"answer": answer}), flush=True)
"""
NEVER_FLUSHES = PLAYS.replace(", flush=True", "")
TALKS = PLAYS.replace("for line", "print('I am ready', flush=True)\nfor line")
MISSPELLS = PLAYS.replace(
    "        print(",
    """        if decision["decision_id"] == 1:
            crd = {"decision_id": 1, "crd": card}
            print(json.dumps({"answer": crd}), flush=True)
        print(""",
)
EXITS = "import sys; sys.stdin.readline(); print('no weights', file=sys.stderr); sys.exit(3)"


def connect(start_arena: StartArena, home: Path, script: str, limit_ms: int = 5_000) -> Ended:
    """Play an event of two matches of one board; return how connect ended."""
    (home / "mine.py").write_text(script, "utf-8")
    (home / "cup.toml").write_text(EVENT.format(limit_ms=limit_ms), "utf-8")
    (home / "token").write_text(start_arena("token", "cup.toml", "far").end().out)
    event = start_arena("run", "cup.toml", "--wait", str(PATIENCE_S), "--sandbox", "none")
    at = re.search(JOIN_AT, event.see(JOIN_AT))
    assert at is not None
    command = ("--", sys.executable, str(home / "mine.py"))
    there = start_arena("connect", at[1], "--token-file", home / "token", *command).end()
    assert event.end().status == 0
    return there


def test_a_command_plays_whole_matches_and_nothing_is_said_of_it(
    start_arena: StartArena, home: Path
) -> None:
    there = connect(start_arena, home, PLAYS)
    assert there.status == 0
    assert there.err.startswith("the referee said goodbye")
    assert set(standings_of(home / "cup")) == {"far", "greedy"}


def test_who_never_flushes_is_told_so_at_the_terminal(start_arena: StartArena, home: Path) -> None:
    silence, *ended, _ = connect(start_arena, home, NEVER_FLUSHES, 150).err.splitlines()
    assert silence.startswith("late: more than 150 ms; nothing has ever come from its stdout")
    assert ended == [f"match ended: forfeit_faults by this bot (seat {n})" for n in (1, 0)]


def test_a_line_that_is_no_message_is_refused_at_the_terminal_and_the_match_goes_on(
    start_arena: StartArena, home: Path
) -> None:
    there = connect(start_arena, home, TALKS)
    assert there.status == 0
    assert there.err.startswith("refused: this line is no JSON object")
    assert "'I am ready'" in there.err
    assert there.err.count("refused") == 1
    assert "match ended" not in there.err


def test_a_key_that_is_no_message_s_is_named_where_the_referee_refuses_the_rest(
    start_arena: StartArena, home: Path
) -> None:
    there = connect(start_arena, home, MISSPELLS)
    assert there.status == 0
    refused = there.err.splitlines()[0]
    assert refused.startswith("refused: an Answer with nothing set; set card to one of the legal")
    assert refused.endswith("; not known here and skipped: answer.crd")


def test_a_command_that_ends_first_is_explained(start_arena: StartArena, home: Path) -> None:
    there = connect(start_arena, home, EXITS)
    assert there.status == 1
    assert "exited with status 3" in there.err
    assert "no weights" in there.err


def test_no_referee_there_is_said_in_one_line(
    arena: RunArena, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adapter, "PATIENCE_S", 0.0)
    (home / "token").write_text("0" * 32)
    ended = arena("connect", "127.0.0.1:9", "--token-file", home / "token", "--", "cat")
    assert ended.status == 3
    assert "127.0.0.1:9: not to be reached" in ended.err
