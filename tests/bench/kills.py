"""An event killed at many moments against the same event uninterrupted. Source: requirements.md G.

Deterministic bots play 200 matches; the arena is killed with SIGKILL fifty times, in its starts
as well as in its play, and resumed each time. At the end standings.json must be the same byte
for byte, no match id count twice, and nothing be missing. ``python -m tests.bench.kills
[KILLS]``; ``tests/cli/test_resume.py`` holds the reduced form.
"""

import random
import signal
import sqlite3
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from tests.bench.report import Bar
from tests.cli.bots import HIGH, LOW, write_bot, write_event
from tests.cli.logs import counted_matches, event_kinds, played_in
from tests.cli.processes import Arena, see_all_gone

KILLS = 50
MATCHES = 200
_BOTS = 5
_BOARDS = 10
"""Of each of ten pairings, both ways, a match each: 200 matches."""
_SHARE = 0.8
"""Of the matches, what the lives that are killed are to get through."""
_MORE = 0.1
"""How often a life plays although enough has been played already."""
_AFTER_S = 0.1
"""A life that plays ends so long after it told of a match, at most."""


def bench(kills: int = KILLS) -> Sequence[Bar]:
    """Kill an event so often, and hold it against one that nobody disturbed."""
    with tempfile.TemporaryDirectory(prefix="arena-kills-") as scratch:
        home = Path(scratch)
        _write_cup(home)
        done = _kill(home, kills, _play_whole(home))
        last = Arena("run", "cup.toml", "-o", "killed", cwd=home)
        try:
            ended = last.end()
        finally:
            last.close()
        if ended.status:
            raise AssertionError(f"it did not come to its end:\n{ended.err}")
        wrong = _wrong(home)
    for line in wrong:
        print(f"kills  {line}", flush=True)
    return [
        Bar(name="kills", figure=done, goal=kills, unit="kills survived"),
        Bar(name="kills-wrong", figure=len(wrong), goal=0, unit="differences", at_least=False),
    ]


def _write_cup(home: Path) -> None:
    for number in range(_BOTS):
        write_bot(home / f"b{number}", HIGH if number % 2 else LOW)
    names = [f"b{number}" for number in range(_BOTS)]
    write_event(home / "cup.toml", *names, boards=_BOARDS, stage="trust_memory = true")


def _play_whole(home: Path) -> float:
    """Play undisturbed; give the seconds of the opening."""
    began = time.monotonic()
    whole = Arena("run", "cup.toml", "-o", "whole", cwd=home)
    try:
        whole.see("sandbox: ")
        opened = time.monotonic()
        if whole.end().status:
            raise AssertionError("undisturbed, it did not come to its end")
    finally:
        whole.close()
    return opened - began


def _kill(home: Path, kills: int, opening_s: float) -> int:
    """Start and kill so often, each time after a random life; give how often it was alive."""
    chance = random.Random()  # chance, not a secret
    counted = 0
    for number in range(kills):
        # The others end in the opening, so that matches are left for all.
        plays = counted <= MATCHES * _SHARE * number / kills or chance.random() < _MORE
        running = Arena("run", "cup.toml", "-o", "killed", cwd=home)
        try:
            if not _lives(running, chance, opening_s, plays=plays):
                ended = running.end()
                if ended.status:
                    raise AssertionError(f"it did not go on after {number} kills:\n{ended.err}")
                return number  # it was over before
            running.signal(signal.SIGKILL)
            running.end()
        finally:
            running.close()
        see_all_gone(home)
        log = home / "killed" / "event.jsonl"
        counted = len(counted_matches(home / "killed")) if log.exists() else 0
        if number % 10 == 9:
            print(f"kills  {number + 1:3d} kills, {counted:3d} matches count", flush=True)
    return kills


def _lives(running: Arena, chance: random.Random, opening_s: float, *, plays: bool) -> bool:
    """Let it live for a while; whether it still does."""
    if not plays:
        return running.lives_for(chance.uniform(0, opening_s))
    try:
        running.see("/200")
    except AssertionError:
        return False
    return running.lives_for(chance.uniform(0, _AFTER_S))


def _wrong(home: Path) -> list[str]:
    """List what is not as if nothing had happened."""
    whole, killed = home / "whole", home / "killed"
    wrong: list[str] = []
    if (whole / "standings.json").read_bytes() != (killed / "standings.json").read_bytes():
        wrong.append("standings.json differs")
    counted = counted_matches(killed)
    if len(counted) != len(set(counted)):
        wrong.append(f"{len(counted) - len(set(counted))} match ids count twice")
    if set(counted) != set(counted_matches(whole)) or len(set(counted)) != MATCHES:
        wrong.append(f"{len(set(counted))} matches count, not the {MATCHES} of the event")
    with closing(sqlite3.connect(killed / "results.sqlite")) as results:
        (rows,) = results.execute("select count(*) from matches where counted").fetchone()
    if rows != MATCHES:
        wrong.append(f"{rows} rows count")
    if event_kinds(killed).count("seed_revealed") != 1 or event_kinds(killed)[-1] != "event_closed":
        wrong.append("the event's log does not end with one end")
    logs = {match.record.header.match for match in played_in(killed)}  # each re-runs clean
    if logs != set(counted):
        wrong.append("logs are missing")
    return wrong


def main() -> int:
    """Run it and end with its lines; 1 where anything is wrong."""
    bars = bench(int(sys.argv[1]) if sys.argv[1:] else KILLS)
    for bar in bars:
        print(bar)
    return 0 if all(bar.is_met for bar in bars) else 1


if __name__ == "__main__":
    sys.exit(main())
