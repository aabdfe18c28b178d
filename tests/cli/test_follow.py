"""``arena replay --follow`` tells a match as it is played, and ends with it."""

from pathlib import Path

import pytest

from arena.record.read import read_log
from arena.record.text import replay_lines
from tests.cli.conftest import RunArena, StartArena
from tests.tournament.played_event import play_event

MATCH = "s1-r1-p1-o1-m1"


def take_apart(event: Path) -> tuple[Path, bytes]:
    """Take the log of a match out of its event, as if it were not played yet."""
    log = event / "logs" / f"{MATCH}.a1.jsonl"
    content = log.read_bytes()
    log.unlink()
    return log, content


def test_a_match_is_followed_from_before_it_begins_to_its_end(
    start_arena: StartArena, home: Path
) -> None:
    event = play_event(home / "trial")
    log, content = take_apart(event)
    arena = start_arena("replay", event, MATCH, "--follow", "--seat", "1")
    lines = content.splitlines(keepends=True)
    with log.open("wb", buffering=0) as file:
        for place in range(0, len(lines), 20):
            file.write(b"".join(lines[place : place + 20]))
    ended = arena.end()
    assert (ended.status, ended.err) == (0, ""), ended
    assert ended.out.splitlines() == list(replay_lines(read_log(log), 1))
    assert ended.out.splitlines()[-2].startswith("Match ended: completed")


def test_a_match_that_is_broken_off_ends_the_following(arena: RunArena, home: Path) -> None:
    event = play_event(home / "trial")
    log, content = take_apart(event)
    log.write_bytes(content[: len(content) // 2])
    ended = arena("replay", event, MATCH, "--follow", "--patience", "0.1")
    assert (ended.status, "broken off" in ended.err, ended.err.count("\n")) == (1, True, 1), ended
    assert "Deal 1, board 1" in ended.out
    log.unlink()
    ended = arena("replay", event, MATCH, "--follow", "--patience", "0.1")
    assert (ended.status, f"no log of match {MATCH}" in ended.err) == (2, True), ended


@pytest.mark.parametrize("words", [(), ("--follow",), ("--seat", "0"), ("--notation",)])
def test_cards_that_are_not_public_are_the_organisers(
    arena: RunArena, home: Path, words: tuple[str, ...]
) -> None:
    event = play_event(home / "cup", is_practice=False)
    lines = (event / "event.jsonl").read_bytes().splitlines(keepends=True)
    (event / "event.jsonl").write_bytes(b"".join(lines[:-2]))
    for named in ((event, MATCH), (event / "logs" / f"{MATCH}.a1.jsonl",)):
        ended = arena("replay", *named, *words)
        assert (ended.status, ended.out, "not public" in ended.err) == (2, "", True), ended
        assert arena("replay", *named, *words, "--organiser").status == 0


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("trial", "--follow"), "name a match"),
        (("trial", "s1", "--follow"), "no match id"),
        (("trial", MATCH, "--follow", "--deal", "1"), "leave --deal"),
        (("trial", MATCH, "--follow", "--seat", "4"), "allowed are 0 to 3"),
        (("nowhere", MATCH, "--follow"), "no such file"),
    ],
)
def test_wrong_words_are_told(
    arena: RunArena, home: Path, words: tuple[str, ...], says: str
) -> None:
    play_event(home / "trial")
    ended = arena("replay", *words)
    assert (ended.status, says in ended.err, ended.err.count("\n")) == (2, True, 1), ended
