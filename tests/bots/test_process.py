"""A bot is started as its manifest says, with a clean environment, and explained at its end."""

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import trio

from arena.bots.argument import choose, command_bot, set_options
from arena.bots.frozen import FrozenBot, freeze
from arena.bots.manifest import Manifest
from arena.bots.process import BotProcess, StartGate, start_bot, usable_cores
from arena.bots.sandbox.launch import resolve_python
from arena.errors import BotCrashed
from tests.bots.conftest import FreezeBot, WriteBot

TELL = """
import json, os, sys
facts = {"env": dict(os.environ), "cwd": os.getcwd(), "python": sys.executable}
facts["stdin"] = sys.stdin.read()
print(json.dumps(facts))
"""


def start(nursery: trio.Nursery, bot: FrozenBot, folder: Path, **more: Any) -> BotProcess:
    scratch = folder / "scratch"
    scratch.mkdir(exist_ok=True)
    return start_bot(
        nursery,
        bot,
        address="unix:/run/arena.sock",
        token="0f" * 16,
        scratch=scratch,
        stderr_path=folder / "stderr",
        **more,
    )


async def facts_of(bot: FrozenBot, folder: Path, **more: Any) -> dict[str, Any]:
    async with trio.open_nursery() as nursery:
        process = start(nursery, bot, folder, **more)
        ended = await process.wait()
    assert ended.is_success, process.explain()
    facts: dict[str, Any] = json.loads((folder / "stderr").read_text())
    return facts


async def test_the_environment_is_the_arenas_word_and_nothing_else(
    freeze_bot: FreezeBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET", "of the organiser")
    monkeypatch.setenv("PYTHONPATH", "/nowhere")
    facts = await facts_of(freeze_bot(TELL), tmp_path, cores=2, extra_env={"MORE": "é"})
    env = facts["env"]
    env.pop("LC_CTYPE", None)
    scratch = str(tmp_path / "scratch")
    assert env == {
        "PATH": os.environ["PATH"],
        "HOME": scratch,
        "TMPDIR": scratch,
        "LANG": "C.UTF-8",
        "OMP_NUM_THREADS": "2",
        "MKL_NUM_THREADS": "2",
        "OPENBLAS_NUM_THREADS": "2",
        "RAYON_NUM_THREADS": "2",
        "ARENA_ADDRESS": "unix:/run/arena.sock",
        "ARENA_TOKEN": "0f" * 16,
        "MORE": "é",
    }
    assert facts["stdin"] == ""


async def test_a_bot_runs_in_its_frozen_folder_whatever_its_path(
    freeze_bot: FreezeBot, tmp_path: Path
) -> None:
    home = tmp_path / "Ordner mit Leerzeichen, 'é' und \"日本\""
    home.mkdir()
    bot = freeze_bot(TELL)
    moved = freeze(choose(tmp_path / "made bot é"), home / "store")
    facts = await facts_of(moved, home)
    assert facts["cwd"] == str(home / "store" / bot.hash)


async def test_python_is_the_arenas_own_interpreter(freeze_bot: FreezeBot, tmp_path: Path) -> None:
    bot = freeze_bot("import arena.errors\n" + TELL)
    assert (await facts_of(bot, tmp_path))["python"] == sys.executable
    other = bot.manifest
    assert resolve_python(other, ("node", "bot.js")) == ("node", "bot.js")


async def test_options_are_passed_by_environment(write_bot: WriteBot, tmp_path: Path) -> None:
    manifest = """
    [options.depth]
    type = "int"
    default = 3
    [options.safe_play]
    type = "bool"
    default = true
    [options.style]
    type = "text"
    default = "a b"
    """
    choice = set_options(choose(write_bot(TELL, manifest)), {"depth": 5})
    env = (await facts_of(freeze(choice, tmp_path / "store"), tmp_path))["env"]
    options = {key: value for key, value in env.items() if key.startswith("ARENA_OPTION_")}
    assert options == {
        "ARENA_OPTION_DEPTH": "5",
        "ARENA_OPTION_SAFE_PLAY": "true",
        "ARENA_OPTION_STYLE": "a b",
    }


async def test_a_command_runs_where_it_was_given(tmp_path: Path) -> None:
    (tmp_path / "tell.py").write_text(TELL)
    bot = freeze(command_bot(("python3", "tell.py"), tmp_path), tmp_path / "store")
    assert (await facts_of(bot, tmp_path))["cwd"] == str(tmp_path)


async def test_a_bot_that_exits_at_once_is_explained(
    freeze_bot: FreezeBot, tmp_path: Path, nursery: trio.Nursery
) -> None:
    bot = freeze_bot("import sys\nprint('thinking')\nsys.exit('no book of openings')")
    process = start(nursery, bot, tmp_path)
    before = process.exit
    ended = await process.wait()
    assert (before, process.exit) == (None, ended)
    assert 0 < ended.elapsed_ns <= time.perf_counter_ns() - process.started_ns
    error = process.crash("before it had joined")
    assert isinstance(error, BotCrashed)
    first, *rest = str(error).splitlines()
    assert first.startswith("bot made 1.0: exited with status 1 after 0.")
    assert first.endswith(" s, before it had joined; its last lines:")
    assert rest == ["  | thinking", "  | no book of openings"]


async def test_a_bot_without_a_word_is_explained(
    freeze_bot: FreezeBot, tmp_path: Path, nursery: trio.Nursery
) -> None:
    process = start(nursery, freeze_bot("import os; os.kill(os.getpid(), 11)"), tmp_path)
    assert "still runs, when asked; it wrote nothing" in process.explain("when asked")
    await process.wait()
    assert "was ended by SIGSEGV" in process.explain()
    assert process.explain().endswith("; it wrote nothing on stderr")


async def test_a_missing_executable_is_explained(
    freeze_bot: FreezeBot, tmp_path: Path, nursery: trio.Nursery
) -> None:
    process = start(nursery, freeze_bot("", 'run = ["./nothing"]'), tmp_path)
    await process.wait()
    assert process.explain() == (
        "bot made 1.0: could not be started: './nothing': No such file or directory"
    )


async def test_a_bot_that_speaks_lines_has_pipes_and_no_address(
    freeze_bot: FreezeBot, tmp_path: Path, nursery: trio.Nursery
) -> None:
    script = "import os; print(input(), 'ARENA_TOKEN' in os.environ)"
    bot = freeze_bot(script, 'protocol = "lines"')
    (tmp_path / "scratch").mkdir()
    process = start_bot(
        nursery,
        bot,
        address="",
        token="",
        scratch=tmp_path / "scratch",
        stderr_path=tmp_path / "stderr",
    )
    pipes = process.take_pipes()
    with trio.fail_after(20):
        async with (
            trio.lowlevel.FdStream(pipes.to_stdin) as stdin,
            trio.lowlevel.FdStream(pipes.from_stdout) as stdout,
        ):
            await stdin.send_all(b"hello\n")
            assert await stdout.receive_some() == b"hello False\n"
    assert (await process.end(10_000_000_000)).is_success


async def test_no_more_bots_start_at_once_than_the_gate_allows() -> None:
    gate = StartGate(3)
    inside = most = 0

    async def enter() -> None:
        nonlocal inside, most
        async with gate.slot():
            inside += 1
            most = max(most, inside)
            await trio.testing.wait_all_tasks_blocked()
            inside -= 1

    async with trio.open_nursery() as nursery:
        for _ in range(10):
            nursery.start_soon(enter)
    assert (most, inside) == (3, 0)


async def test_a_slot_is_given_back_when_a_start_fails() -> None:
    gate = StartGate(1)
    for _ in range(3):
        with pytest.raises(BotCrashed):
            async with gate.slot():
                raise BotCrashed("at once")


def test_a_gate_allows_two_starts_a_core_by_default() -> None:
    assert StartGate()._slots.value == 2 * usable_cores()


def test_python_needs_no_language_but_another_language_keeps_its_own_python() -> None:
    run = ("python", "bot.py")
    unnamed = Manifest(name="x", version="1", run=run)
    assert resolve_python(unnamed, run) == (sys.executable, "bot.py")
    capital = Manifest(name="x", version="1", run=run, language="Python")
    assert resolve_python(capital, run) == (sys.executable, "bot.py")
    other = Manifest(name="x", version="1", run=run, language="pypy")
    assert resolve_python(other, run) == run
