"""``arena run`` as an organiser uses it: bounded in time, and watched by a program."""

import json
from pathlib import Path

from arena.tournament.folder import EventFolder, create_folder, locate
from arena.tournament.known import read_known
from tests.cli.bots import HIGH, slow_bot, write_bot, write_event
from tests.cli.conftest import RunArena
from tests.cli.logs import counted_matches


def test_a_run_that_finish_by_ends_says_what_is_left_and_other_runs_go_on(
    arena: RunArena, home: Path
) -> None:
    """A match of the slow bot takes as long as a run has, and bots start well within that."""
    slow_bot(home / "slow", 0.25)
    write_bot(home / "high", HIGH)
    write_event(home / "cup.toml", "slow", "high")
    text = (home / "cup.toml").read_text("utf-8")
    (home / "cup.toml").write_text(f'finish_by = "5s"\n{text}', "utf-8")
    plan = arena("plan", "cup.toml")
    assert "finish_by 5s: a run ends within 0:00:05, after a complete round" in plan.out
    first = arena("run", "cup.toml", "--tables", "1")
    assert first.status == 4
    assert "finish_by 5s: cut after 0 of 1 round and 1 match of later" in first.err
    assert "go on with: arena run cup" in first.err
    assert "rounds complete 0 of 1" in first.out
    status = arena("status", "cup").out
    assert "cup: paused\nwhy: finish_by 5s: cut after 0 of 1 round" in status
    counted = counted_matches(home / "cup")
    assert len(counted) == 1
    refused = arena("rule", "cup", "publish", "--reason", "x")
    assert (
        refused.status,
        "publish: the event is not over (rounds complete: 0 of 1)" in refused.err,
    ) == (2, True)
    assert arena("run", "cup.toml", "--tables", "1").status == 0
    whole = counted_matches(home / "cup")
    assert whole[:1] == counted
    assert len(whole) == len(set(whole)) == 2
    assert arena("verify", "cup").status == 0


def test_progress_for_machines_is_an_object_for_each_match(arena: RunArena, home: Path) -> None:
    write_bot(home / "low")
    write_bot(home / "high", HIGH)
    write_event(home / "cup.toml", "low", "high", boards=2)
    ended = arena("run", "cup.toml", "--progress", "json")
    assert ended.status == 0
    told = [json.loads(line) for line in ended.err.splitlines() if line.startswith("{")]
    assert [(one["schema"], one["kind"]) for one in told] == [(1, "progress")] * 4
    assert [(one["data"]["counted"], one["data"]["planned"]) for one in told] == [
        (number, 4) for number in (1, 2, 3, 4)
    ]
    assert [one["data"]["match"] for one in told] == counted_matches(home / "cup")
    assert told[-1]["data"]["left_s"] == 0


def test_a_folder_left_by_a_start_that_was_cut_short_asks_for_its_event_file(
    arena: RunArena, home: Path
) -> None:
    """Its copy of the event file lies elsewhere, so that relative paths of bots mean others."""
    write_bot(home / "high", HIGH)
    write_bot(home / "low")
    write_event(home / "cup.toml", "high", "low")
    left = create_folder(locate(home / "cup.toml", home / "left"))
    left.lock.touch()
    refused = arena("run", "left")
    assert refused.status == 2
    assert "left: its start was cut short before anything was published" in refused.err
    assert "give the file that it was made from: arena run FILE -o left" in refused.err
    assert arena("plan", "left").status == 0
    assert arena("run", "cup.toml", "-o", "left").status == 0


def test_an_event_is_played_again_from_its_folder_with_the_bots_of_its_file(
    arena: RunArena, home: Path
) -> None:
    write_bot(home / "high", HIGH)
    write_bot(home / "low")
    write_event(home / "cup.toml", "high", "low")
    assert arena("run", "cup.toml", "-o", "first").status == 0
    assert arena("run", "first", "--fresh").status == 0
    (home / "deep").mkdir()
    assert arena("run", "first", "-o", "deep/third").status == 0
    assert arena("plan", "first", "--trial").status == 0
    hashes = [
        read_known(EventFolder(home / name)).begun.freeze.entrants
        for name in ("first", "first-2", "deep/third")
    ]
    assert hashes[0] == hashes[1] == hashes[2]


def test_waiting_for_remote_bots_is_bounded_by_finish_by_too(arena: RunArena, home: Path) -> None:
    (home / "cup.toml").write_text(
        'name = "cup"\nfinish_by = "1s"\n[[entrant]]\nbot = "low"\n'
        '[[entrant]]\nname = "far"\nbot = "remote"\n[[stage]]\nboards = 1\n',
        "utf-8",
    )
    ended = arena("serve", "cup.toml", "--listen", "127.0.0.1:0")
    assert ended.status == 4
    assert "finish_by 1s: cut after 0 of 1 round; left: 2 matches" in ended.err
    assert counted_matches(home / "cup") == []
