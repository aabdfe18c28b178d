"""An event that its time cut can be ended there: published, its seeds revealed."""

import json
from pathlib import Path

from tests.cli.conftest import RunArena

EVENT = """
name = "cup"
finish_by = "8s"
[[entrant]]
name = "a"
bot = "low"
[[entrant]]
name = "b"
bot = "low"
[[stage]]
boards = 1
boards_per_match = 1
cycles = 1000
"""
PUBLISH = ("rule", "cup", "publish", "--reason", "time is up", "--by", "me")


def last_kinds(log: Path) -> list[str]:
    return [json.loads(line)["event"] for line in log.read_bytes().splitlines()[-3:]]


def test_it_is_published_after_the_rounds_played_and_goes_on_no_more(
    home: Path, arena: RunArena
) -> None:
    (home / "cup.toml").write_text(EVENT, encoding="utf-8")
    assert arena("run", "cup.toml").status == 4
    log = home / "cup" / "event.jsonl"
    whole = log.read_bytes()
    log.write_bytes(b"".join(whole.splitlines(keepends=True)[:-1]))  # stopped, not cut
    refused = arena(*PUBLISH)
    assert (refused.status, "publish: the event is not over" in refused.err) == (2, True)
    log.write_bytes(whole)
    told = arena("status", "cup").out
    assert "\nor end it after the rounds played: arena rule cup publish --reason TEXT\n" in told
    assert arena(*PUBLISH).status == 0
    assert last_kinds(log) == ["ruling", "seed_revealed", "event_closed"]
    shown = arena("standings", "cup").out
    assert "· cut short: " in shown
    assert "\npublished: final\n" in shown
    kept = json.loads((home / "cup" / "standings.json").read_bytes())["data"]
    assert (kept["published"], kept["provisional"]) == (True, False)
    verified = arena("verify", "cup")
    assert verified.status == 0, verified.out
    assert "\nevery deal follows from the seed that was committed to\n" in verified.out
    assert "cut it: some matches were never played" in verified.out
    assert "the event is published already" in arena(*PUBLISH).err
    # A kill between the ruling and the end of the log: going on ends it, and plays nothing.
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[:-2]))
    again = arena("run", "cup.toml")
    assert (again.status, "a kill came into the last ruling" in again.err) == (0, True)
    assert last_kinds(log) == ["ruling", "seed_revealed", "event_closed"]
    assert arena("verify", "cup").status == 0
    late = arena("rule", "cup", "replay", "s1-r1-p1-o0-m1", "--reason", "x")
    assert "the event is over and its seeds are public" in late.err
    # Rulings still reach what was played, and can be taken back: nothing of it lacks.
    by = ("--reason", "x", "--by", "me")
    assert arena("rule", "cup", "void", "s1-r1-p1-o0-m1", *by).status == 0
    ruled = arena("standings", "cup").out
    assert "· cut short: " in ruled
    assert "· provisional: " not in ruled
    assert "\nnot published yet: provisional\n" in ruled
    assert arena("rule", "cup", "disqualify", "a", *by).status == 0
    assert arena("verify", "cup").status == 0
    assert arena("rule", "cup", "reinstate", "a", *by).status == 0
    assert arena("verify", "cup").status == 0
    assert arena("rule", "cup", "publish", *by).status == 0
    assert arena("standings", "cup").out.splitlines()[:4] == ruled.splitlines()[:4]
