"""``arena token``, ``serve`` and ``connect`` as their users call them."""

from pathlib import Path

import pytest

from tests.cli.conftest import RunArena

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
