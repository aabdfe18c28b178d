"""What an organiser's machine or hand does to an event: a clear stop, and nothing is lost."""

import json
import shlex
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.bots import HIGH, slow_bot, write_bot, write_event
from tests.cli.conftest import RunArena, StartArena
from tests.cli.logs import counted_matches, played_in

NASTY = (
    "a/b\\\\c",
    "../up",
    "👩\u200d🚀 🂡",
    "שלום עולם",
    'it\'s \\"quoted\\"',
    "<b>*bold*</b> | cell",
)
"""Names that are allowed; as they stand in TOML between double quotes."""


def entrants(*names: str) -> str:
    return "".join(f'[[entrant]]\nname = "{name}"\nbot = "./low"\n' for name in names)


def event(*names: str, stage: str = "") -> str:
    return (
        'name = "cup"\npractice = true\nseed = "x"\n[ruleset]\nname = "gamelake-2"\n'
        f"{entrants(*names)}[[stage]]\nboards = 1\nboards_per_match = 1\n{stage}"
    )


@pytest.mark.parametrize("kind", ["round_robin", "gauntlet", "swiss", "knockout"])
@pytest.mark.parametrize("count", [0, 1])
def test_fewer_than_two_entrants_are_refused_in_every_format(
    arena: RunArena, home: Path, kind: str, count: int
) -> None:
    write_bot(home / "low")
    names = [f"n{number}" for number in range(count)]
    (home / "cup.toml").write_text(event(*names, stage=f'format = "{kind}"\n'), "utf-8")
    for command in ("run", "plan"):
        ended = arena(command, "cup.toml")
        assert (ended.status, ended.out) == (2, "")
        assert f"{count} entered" in ended.err
        assert "enter at least 2" in ended.err
        assert len(ended.err.splitlines()) == 1
    assert not (home / "cup").exists()


def test_names_that_are_the_same_are_refused_by_their_places(arena: RunArena, home: Path) -> None:
    write_bot(home / "low")
    (home / "cup.toml").write_text(event("fox", "hen", "fox"), "utf-8")
    ended = arena("run", "cup.toml")
    assert (ended.status, ended.out) == (2, "")
    assert "[[entrant]] 3: name: 'fox' is the name of [[entrant]] 1 too" in ended.err
    assert not (home / "cup").exists()


@pytest.mark.parametrize("mark", ["\\u202E", "\\u2066", "\\u200B", "\\u0007", "\\u000A"])
def test_names_with_marks_that_turn_or_hide_text_are_refused(
    arena: RunArena, home: Path, mark: str
) -> None:
    write_bot(home / "low")
    (home / "cup.toml").write_text(event("fox", f"fo{mark}x"), "utf-8")
    ended = arena("run", "cup.toml")
    assert (ended.status, ended.out) == (2, "")
    assert "[[entrant]] 2: name: " in ended.err
    assert "holds the control character" in ended.err


def test_names_with_slashes_emoji_quotes_and_hebrew_go_through_everything_unchanged(
    arena: RunArena, home: Path
) -> None:
    write_bot(home / "low")
    (home / "cup.toml").write_text(event(*NASTY), "utf-8")
    assert arena("run", "cup.toml").status == 0
    names = {json.loads(f'"{name}"') for name in NASTY}
    data = json.loads((home / "cup" / "standings.json").read_bytes())["data"]
    assert {line["name"] for line in data["stages"][0]["entrants"]} == names
    assert {s.entrant for m in played_in(home / "cup") for s in m.record.header.seats} == names
    for form in ("table", "csv", "markdown", "json"):
        for view in ([], ["--pairings"], ["--crosstable"], ["--matches"], ["--faults"]):
            assert arena("standings", "cup", *view, "--format", form).status == 0
    nasty = json.loads(f'"{NASTY[1]}"')
    assert arena("rule", "cup", "disqualify", nasty, "--reason", "x").status == 0
    assert arena("verify", "cup").status == 0
    written = {path.relative_to(home).parts[0] for path in home.rglob("*")}
    assert written == {"low", "cup.toml", "cup"}, "no name has led out of the event's folder"


def test_results_that_are_removed_under_way_stop_the_event_and_are_made_anew(
    start_arena: StartArena, arena: RunArena, home: Path
) -> None:
    slow_bot(home / "slow", 0.02)
    write_bot(home / "low")
    write_event(home / "cup.toml", "slow", "low", boards=3)
    running = start_arena("run", "cup.toml", "--tables", "1")
    running.see("1/6")
    for suffix in ("", "-wal", "-shm"):
        (home / "cup" / f"results.sqlite{suffix}").unlink(missing_ok=True)
    ended = running.end()
    assert ended.status == 3
    assert "results.sqlite: was removed or replaced while the event ran" in ended.err
    assert "Traceback" not in ended.err
    counted = counted_matches(home / "cup")
    assert counted
    missing = arena("run", "cup.toml")
    assert missing.status == 1
    assert "arena verify cup --rebuild" in missing.err
    assert arena("verify", "cup", "--rebuild").status == 0
    assert arena("run", "cup.toml").status == 0
    whole = counted_matches(home / "cup")
    assert whole[: len(counted)] == counted
    assert len(whole) == len(set(whole)) == 6
    assert arena("verify", "cup").status == 0


def test_results_that_another_program_holds_stop_the_event_and_it_goes_on_afterwards(
    start_arena: StartArena, arena: RunArena, home: Path
) -> None:
    slow_bot(home / "slow", 0.02)
    write_bot(home / "low")
    write_event(home / "cup.toml", "slow", "low", boards=2)
    running = start_arena("run", "cup.toml", "--tables", "1")
    running.see("1/4")
    with closing(sqlite3.connect(home / "cup" / "results.sqlite", isolation_level=None)) as other:
        other.execute("begin immediate")
        ended = running.end()
    assert ended.status == 3
    assert "the results database" in ended.err
    assert "database is locked" in ended.err
    assert "go on with: arena run cup" in ended.err
    counted = counted_matches(home / "cup")
    assert arena("run", "cup").status == 0
    whole = counted_matches(home / "cup")
    assert whole[: len(counted)] == counted
    assert len(whole) == len(set(whole)) == 4


def test_nobody_rules_on_an_event_while_it_runs(
    start_arena: StartArena, arena: RunArena, home: Path
) -> None:
    slow_bot(home / "slow", 0.02)
    write_bot(home / "low")
    write_event(home / "cup.toml", "slow", "low", boards=2)
    running = start_arena("run", "cup.toml", "--tables", "1")
    running.see("1/4")
    for words in (["void", "s1-r1-p1-o0-m1"], ["publish"]):
        ruled = arena("rule", "cup", *words, "--reason", "x")
        assert (ruled.status, "is running this event" in ruled.err) == (2, True)
    running.signal(signal.SIGINT)
    assert running.end().status == 4
    assert arena("run", "cup.toml").status == 0
    whole = counted_matches(home / "cup")
    assert len(whole) == len(set(whole)) == 4


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_an_event_is_played_and_shown_where_standard_streams_are_closed(
    home: Path, arena: RunArena, closed: str
) -> None:
    write_bot(home / "low")
    write_bot(home / "high", HIGH)
    write_event(home / "cup.toml", "low", "high")
    command = f"exec {shlex.quote(sys.executable)} -m arena.cli"
    for words in ("run cup.toml", "standings cup", "nonsense"):
        ended = subprocess.run(  # noqa: S602  # words of our own
            f"{command} {words} {closed}", shell=True, cwd=home, capture_output=True, text=True,
            check=False, timeout=60,
        )  # fmt: skip
        assert ended.returncode == (2 if words == "nonsense" else 0), ended.stderr
        assert "Traceback" not in ended.stderr
    assert arena("verify", "cup").status == 0


def test_results_that_are_damaged_are_told_with_the_way_to_make_them_anew(
    home: Path, arena: RunArena
) -> None:
    write_bot(home / "low")
    write_bot(home / "high", HIGH)
    write_event(home / "cup.toml", "low", "high")
    assert arena("run", "cup.toml").status == 0
    results = home / "cup" / "results.sqlite"
    for damage in (b"", b"no database"):
        results.write_bytes(damage)
        ended = arena("standings", "cup")
        assert ended.status == 1
        assert ended.err.endswith("make it anew from the logs with arena verify cup --rebuild\n")
        assert arena("verify", "cup", "--rebuild").status == 0
        assert arena("standings", "cup").status == 0
