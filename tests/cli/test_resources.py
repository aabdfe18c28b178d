"""What bots may use, from the event file to bot, log and author, as a user sees it."""

from pathlib import Path
from typing import Any

from arena.bots.cgroups import Guard, open_cgroups
from arena.bots.process import usable_cores
from arena.record.event_log import read_event_log
from arena.referee.faults import TerminationKind
from tests.cli.bots import HIGH, LINES, write_bot, write_event
from tests.cli.conftest import RunArena
from tests.cli.logs import played_in
from tests.cli.test_match import SHORT


def guards() -> frozenset[Guard]:
    with open_cgroups() as cgroups:
        return cgroups.guards


def accounts(folder: Path) -> list[dict[str, Any]]:
    lines = read_event_log(folder / "event.jsonl")
    return [dict(line.fields) for line in lines if line.kind == "session_closed"]


def test_a_match_is_held_in_turn_and_says_so(arena: RunArena, home: Path) -> None:
    write_bot(home / "high", HIGH)
    ended = arena("match", "high", "high", *SHORT, "-o", "out")
    assert ended.status == 0
    held = guards()
    stopped = "" if Guard.FREEZING in held else "NOT "
    assert f"bots {stopped}stopped out of their turn" in ended.err
    expected = "own_turn" if Guard.FREEZING in held else "always"
    for played in played_in(home / "out"):
        header = played.record.header
        assert header.conditions["thinking"] == expected
        assert header.resources["memory_mib"] == 1024
        assert ("cgroup-memory" in str(header.resources["held_by"])) == (Guard.MEMORY in held)
        assert ("affinity" in str(header.resources["held_by"])) == (usable_cores() > 1)
        assert "no_clock" not in header.conditions
        cpu = [
            timing.cpu_us
            for entry in played.record.records()
            if (timing := entry.timing) is not None
        ]
        assert len(cpu) > 20
        # A bot may be asked before its group is there: not for long.
        assert all((spent is not None) == (Guard.CPU in held) for spent in cpu[8:])
    closed = accounts(home / "out")
    assert len(closed) == 4
    assert {account["exit"] for account in closed} == {0}
    assert all(len(account["matches"]) == 1 for account in closed)
    assert all(account["bytes_out"] > account["bytes_in"] > 0 for account in closed)
    assert all(account["cpu_us"] > 0 for account in closed)


def test_no_clock_is_stamped_and_never_stops_a_bot(arena: RunArena, home: Path) -> None:
    write_bot(home / "high", HIGH)
    ended = arena("match", "high", "high", *SHORT, "--no-clock", "-o", "out")
    assert ended.status == 0
    assert "no clock: bots may take as long as they like" in ended.err
    assert "Ctrl-C twice ends the match" in ended.err
    for played in played_in(home / "out"):
        assert played.record.header.conditions["no_clock"] is True
        assert played.record.header.conditions["thinking"] == "always"


def test_a_bot_is_told_what_it_may_use_and_why_it_ended(arena: RunArena, home: Path) -> None:
    tell = 'started = json.loads(line).get("match_started")\n    if started:'
    tell += '\n        print(started["resources"], file=sys.stderr, flush=True)'
    hog = LINES.replace("decision = json", f"{tell}\n    decision = json")
    hog = hog.replace("ACT", "filled = bytearray(200 << 20)").replace("CHOICE", "0")
    write_bot(home / "hog", hog)
    write_bot(home / "high", HIGH)
    more = "[resources]\nmemory = 96\ntasks = 40\n[clock]\nlimit_ms = 20000\n"
    write_event(home / "cup.toml", "hog", "high", more=more)
    assert arena("run", "cup.toml", "-o", "out").status == 0
    for played in played_in(home / "out"):
        assert (played.culprit, played.termination.kind) == ("hog", TerminationKind.FORFEIT_CRASH)
        detail = played.faults[-1].detail
        if Guard.MEMORY in guards():
            assert "out of memory: it needed more than [resources] memory allows" in detail
        else:
            assert "MemoryError" in detail
        assert "'memory_mib': 96" in detail
        assert "'tasks': 40" in detail
