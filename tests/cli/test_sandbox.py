"""The sandbox as an organiser meets it: said, logged, required, and never weaker later."""

import json
import os
from pathlib import Path

import pytest

from arena.record.header import LogHeader
from arena.record.read import read_log
from tests.bots.sandbox.conftest import needs_sandbox
from tests.cli.bots import HIGH, write_bot, write_event
from tests.cli.conftest import RunArena

WALLS = ["files", "network", "processes", "ipc"]


def cup(home: Path, more: str = "") -> None:
    write_bot(home / "low")
    write_bot(home / "high", HIGH)
    write_event(home / "cup.toml", "low", "high", stage="", more=more)


def opened(home: Path) -> dict[str, object]:
    line = (home / "cup" / "event.jsonl").read_text("utf-8").splitlines()[0]
    return dict(json.loads(line))


def heads(home: Path) -> list[LogHeader]:
    return [read_log(path).header for path in sorted((home / "cup" / "logs").iterdir())]


def notes(ended_out: str) -> str:
    return str(json.loads(ended_out)["data"]["stages"][0]["notes"])


@needs_sandbox
def test_guards_are_said_and_logged_and_boards_come_back_turned(
    arena: RunArena, home: Path
) -> None:
    cup(home)
    ended = arena("run", "cup.toml", "--tables", "2", "--json")
    assert ended.status == 0, ended.err
    assert f"guards: {', '.join(WALLS)}" in ended.err
    assert "luck" not in notes(ended.out)
    first, second = heads(home)
    assert first.first_board == second.first_board == 1
    assert first.guards[:4] == second.guards[:4] == tuple(WALLS)
    assert opened(home)["guards"] == list(first.guards)
    assert arena("standings", "cup", "--json").out == ended.out


def test_without_a_sandbox_no_board_comes_back_and_that_is_said(
    arena: RunArena, home: Path
) -> None:
    cup(home)
    ended = arena("run", "cup.toml", "--sandbox", "none", "--json")
    assert ended.status == 0, ended.err
    assert "sandbox: none; bots run with this user's rights" in ended.err
    assert "luck not cancelled" in notes(ended.out)
    assert sorted(head.first_board for head in heads(home)) == [1, 2]


@pytest.mark.parametrize("mode", ["auto", "required"])
def test_where_bubblewrap_is_missing_auto_warns_and_required_refuses(
    arena: RunArena, home: Path, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    empty = home / "no programs"
    empty.mkdir()
    monkeypatch.setenv("PATH", str(empty))
    cup(home, more=f'[sandbox]\nmode = "{mode}"')
    ended = arena("run", "cup.toml")
    assert "bwrap is not on this machine; install bubblewrap" in ended.err
    if mode == "auto":
        assert ended.status == 0, ended.err
        assert "no bubblewrap: bwrap" in ended.err
        # The next best, where this kernel has it.
        assert "sandbox: Landlock" in ended.err or "no sandbox: this kernel has" in ended.err
        assert "luck not cancelled" in notes(arena("standings", "cup", "--json").out)
    else:
        assert ended.status == 2
        assert not (home / "cup" / "event.jsonl").exists()


@needs_sandbox
def test_a_later_start_under_fewer_guards_is_refused_by_name(arena: RunArena, home: Path) -> None:
    cup(home)
    assert arena("run", "cup.toml").status == 0
    log = home / "cup" / "event.jsonl"
    # As a kill leaves it after the first line: nothing counts yet, but the event has begun.
    log.write_text(log.read_text("utf-8").splitlines(keepends=True)[0], "utf-8")
    (home / "cup" / "results.sqlite").unlink()
    ended = arena("run", "cup.toml", "--sandbox", "none")
    assert ended.status == 2
    assert "guards that are not in force now: files, network, processes, ipc" in ended.err


@pytest.mark.parametrize("wrong", ['mode = "nsjail"', "mode = true", 'build_network = "yes"'])
def test_a_wrong_value_is_named_with_what_is_allowed(
    arena: RunArena, home: Path, wrong: str
) -> None:
    cup(home, more=f"[sandbox]\n{wrong}")
    ended = arena("run", "cup.toml")
    assert ended.status == 2
    assert "[sandbox]" in ended.err
    assert wrong.partition(" ")[0] in ended.err


def test_a_bubblewrap_that_does_not_hold_is_told_with_its_words_and_the_cure(
    arena: RunArena, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = home / "programs" / "bwrap"
    fake.parent.mkdir()
    fake.write_text("#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2\nexit 1\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake.parent}:/usr/bin:/bin")
    cup(home)
    ended = arena("run", "cup.toml", "--sandbox", "required")
    assert ended.status == 2
    assert "sandbox: required, but bwrap does not hold here (files, network" in ended.err
    # As root it is run by another user, who may not even enter this test's folder.
    why = "bwrap: setting up uid map: Permission denied" if os.getuid() else "[Errno "
    assert f"it said: {why}" in ended.err
    assert "AppArmor" in ended.err
