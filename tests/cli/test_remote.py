"""``arena token``, ``serve`` and ``connect`` as their users call them."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from arena.referee.faults import FaultKind
from tests.cli.bots import KIT
from tests.cli.conftest import RunArena, StartArena
from tests.cli.logs import played_in, standings_of
from tests.sdk.scripted import PATIENCE_S

TOKEN = "0123456789abcdef0123456789abcdef"  # noqa: S105  # opens nothing
EVENT = """name = "cup"
entrant = [{ bot = "greedy" }, { bot = "remote", name = "far" }]
stage = [{ boards = 1, clock = { start_ms = 50 } }]
"""


@pytest.mark.parametrize(
    ("token", "words", "says"),
    [
        (TOKEN, ("127.0.0.1:9", "--", "no-such-command"), "not found on PATH"),
        (TOKEN, ("referee.example:7070", "--", "cat"), "the token would travel unprotected"),
        (TOKEN, ("127.0.0.1", "--", "cat"), "address '127.0.0.1': allowed is HOST:PORT"),
        (TOKEN, ("referee.example", "--tls", "--", "cat"), "allowed is HOST:PORT"),
        (TOKEN, ("127.0.0.1:9",), "name the bot's command"),
        ("abc", ("127.0.0.1:9", "--", "cat"), "a token is 32 hexadecimal digits"),
    ],
)
def test_connect_refuses_in_one_line(
    arena: RunArena, monkeypatch: pytest.MonkeyPatch, token: str, words: tuple[str, ...], says: str
) -> None:
    monkeypatch.setenv("ARENA_TOKEN", token)
    ended = arena("connect", *words)
    assert ended.status == 2
    assert says in ended.err
    assert ended.err.count("\n") == 1
    assert TOKEN not in ended.err


def test_tokens_stay_until_they_are_rotated_and_an_event_begins_after_them(
    arena: RunArena, home: Path
) -> None:
    """They are made before the event: its folder then holds nothing else."""
    (home / "cup.toml").write_text(EVENT)
    first = arena("token", "cup.toml", "far").out.split()
    assert len(set(first)) == 2
    assert arena("token", "cup.toml", "far").out.split() == first
    second = arena("token", "cup.toml", "far", "--rotate").out.split()
    assert not set(first) & set(second)
    assert (home / "cup" / "remote.tokens").stat().st_mode & 0o777 == 0o600
    ended = arena("run", "cup.toml", "--wait", "0")
    assert "is no event's folder" not in ended.err
    assert (home / "cup" / "event.toml").is_file()


SHOWN = r"process {}: start it with (ARENA_ADDRESS=127\.0\.0\.1:\d+) (ARENA_TOKEN=[0-9a-f]{{32}})$"


def test_a_bot_started_by_hand_is_told_how_and_plays(start_arena: StartArena, home: Path) -> None:
    (home / "mine.py").write_text(KIT, "utf-8")
    words = ("--boards", "1", "--ruleset", "gamelake-2", "--sandbox", "none", "-o", "here")
    arena = start_arena("match", "remote", "--wait", str(PATIENCE_S), *words)
    line = arena.see(SHOWN.format(1))
    by_hand = dict(word.split("=", 1) for word in line.split()[-2:])
    bot = subprocess.run(
        [sys.executable, str(home / "mine.py")],
        env={**os.environ, **by_hand},
        timeout=PATIENCE_S,
        check=False,
    )
    assert arena.end().status == 0
    assert bot.returncode == 0
    assert set(standings_of(home / "here")) == {"remote", "greedy"}


def test_a_bot_that_does_not_come_is_waited_for_as_long_as_was_said(
    arena: RunArena, home: Path
) -> None:
    """Before the first match, and in no match again: not 30 s more for each."""
    words = ("--boards", "1", "--ruleset", "gamelake-2", "--sandbox", "none", "-o", "here")
    assert arena("match", "remote", "--wait", "0.05", *words).status == 1
    played = played_in(home / "here")
    assert [(match.culprit, match.kinds) for match in played] == [
        ("remote", [FaultKind.NOT_READY])
    ] * 2
    assert {match.faults[0].detail for match in played} == {
        "the remote bot has not joined; it was waited for 50 ms"
    }


def test_partners_started_by_hand_are_told_at_once(start_arena: StartArena) -> None:
    """Who waited for the first alone would not know how to start the second."""
    words = ("--boards", "1", "--ruleset", "gamelake-4", "--sandbox", "none")
    arena = start_arena("match", "remote", "--wait", str(PATIENCE_S), *words)
    lines = [arena.see(SHOWN.format(number)) for number in (1, 2)]
    assert len({line.split()[-1] for line in lines}) == 2
    arena.signal(signal.SIGINT)
    assert arena.end().status == 4
