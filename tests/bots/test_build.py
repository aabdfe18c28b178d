"""A build runs once for each content, is bounded, and its failure is told to the author."""

import re
import shutil
import stat
import sys
from pathlib import Path

import pytest
import trio

from arena.bots import build
from arena.bots.argument import choose, command_bot
from arena.bots.build import build_bot, check_runnable, missing_tools, skip_reason
from arena.bots.frozen import content_hash, freeze
from arena.bots.manifest import Manifest
from arena.errors import BotFailure, BotTimedOut, ConfigError, HostFault
from tests.bots.conftest import FreezeBot, WriteBot

MAKE = """
language = "sh"
run = ["./made"]
build = [
  ["sh", "-c", "pwd > where; echo run >> ../count"],
  ["sh", "-c", "cp bot.py made; chmod +x made"],
]
"""


async def test_a_build_makes_what_runs(freeze_bot: FreezeBot, tmp_path: Path) -> None:
    bot = freeze_bot("#!/bin/sh\n", MAKE)
    with pytest.raises(ConfigError, match=r"'\./made': no such file after the build"):
        check_runnable(bot)
    built = await build_bot(bot, tmp_path / "store")
    check_runnable(built)
    assert built.folder != bot.folder
    assert (built.hash, built.manifest, built.options) == (bot.hash, bot.manifest, bot.options)
    assert (built.folder / "where").read_text() == f"{built.folder}\n"
    assert stat.S_IMODE((built.folder / "made").stat().st_mode) == 0o555
    assert stat.S_IMODE((built.folder / "where").stat().st_mode) == 0o444
    assert content_hash(bot.folder) == bot.hash, "the frozen copy itself is never touched"


async def test_a_build_runs_once_for_each_content(freeze_bot: FreezeBot, tmp_path: Path) -> None:
    bot = freeze_bot("#!/bin/sh\n", MAKE)
    async with trio.open_nursery() as nursery:
        for _ in range(3):
            nursery.start_soon(build_bot, bot, tmp_path / "store")
    first = await build_bot(bot, tmp_path / "store")
    assert await build_bot(first, tmp_path / "store") is first
    assert (tmp_path / "store" / "count").read_text() == "run\n"
    await build_bot(freeze_bot("#!/bin/sh\nexit 1\n", MAKE), tmp_path / "store")
    assert (tmp_path / "store" / "count").read_text() == "run\nrun\n"


async def test_what_a_build_leaves_may_hold_a_pipe(freeze_bot: FreezeBot, tmp_path: Path) -> None:
    """Nobody waits for who would write to it."""
    bot = freeze_bot("", 'language = "sh"\nrun = ["./pipe"]\nbuild = ["mkfifo", "pipe"]')
    with trio.fail_after(60):
        built = await build_bot(bot, tmp_path / "store")
        assert (built.folder / "pipe").is_fifo()
        heard: list[str] = []
        await build_bot(bot, tmp_path / "store", say=heard.append)
    assert heard == [], "it is as it was built"


@pytest.mark.parametrize("change", ["edited", "added", "taken away", "made executable"])
async def test_what_was_changed_after_the_build_is_built_again(
    freeze_bot: FreezeBot, tmp_path: Path, change: str
) -> None:
    bot = freeze_bot("#!/bin/sh\n", MAKE)
    built = await build_bot(bot, tmp_path / "store")
    where = built.folder / "where"
    match change:
        case "edited":
            where.chmod(0o644)
            where.write_text("elsewhere\n")
            where.chmod(0o444)
        case "added":
            (built.folder / "new").touch()
        case "taken away":
            where.unlink()
        case _:
            where.chmod(0o555)
    heard: list[str] = []
    await build_bot(bot, tmp_path / "store", say=heard.append)
    assert "was changed after it was built; it is built again from the frozen copy" in heard[0]
    assert (tmp_path / "store" / "count").read_text() == "run\nrun\n"
    assert where.read_text() == f"{built.folder}\n"
    assert sorted(path.name for path in built.folder.iterdir()) == [
        "bot.py",
        "bot.toml",
        "made",
        "where",
    ]


async def test_a_frozen_copy_that_was_changed_is_refused(
    freeze_bot: FreezeBot, tmp_path: Path
) -> None:
    for manifest in (MAKE, 'run = ["./bot.py"]'):
        bot = freeze_bot("#!/bin/sh\n", manifest)
        file = bot.folder / "bot.py"
        file.chmod(0o755)
        file.write_text("#!/bin/sh\nexit 1\n")
        with pytest.raises(ConfigError, match=r"is no longer the frozen copy of .* that its"):
            await build_bot(bot, tmp_path / "store")


async def test_an_interrupted_build_is_made_anew(freeze_bot: FreezeBot, tmp_path: Path) -> None:
    bot = freeze_bot("#!/bin/sh\n", MAKE)
    half = tmp_path / "store" / f"{bot.hash}-built"
    half.mkdir()
    (half / "rubbish").touch()
    built = await build_bot(bot, tmp_path / "store")
    assert not (built.folder / "rubbish").exists()


async def test_a_failing_build_tells_step_status_and_last_lines(
    freeze_bot: FreezeBot, tmp_path: Path
) -> None:
    bot = freeze_bot(
        "", 'run = ["./x"]\nbuild = [["true"], ["sh", "-c", "echo line 3: oops >&2; exit 4"]]'
    )
    for _ in range(2):  # a failure is not remembered as a success
        with pytest.raises(BotFailure) as caught:
            await build_bot(bot, tmp_path / "store")
        message = str(caught.value)
        assert "bot made: build step 2 of 2 (sh -c echo line 3" in message
        assert "exited with status 4 after" in message
        assert message.endswith("its last lines:\n  | line 3: oops")
    assert (tmp_path / "store" / f"{bot.hash}-build-2.log").read_text() == "line 3: oops\n"


def kept_logs(folder: Path, message: str) -> list[str]:
    """Read the logs in a folder that a message names."""
    logs = [log for log in folder.glob("arena-build-*.log") if f"output: {log};" in message]
    return [log.read_text() for log in logs]


async def test_a_failing_builds_log_outlives_a_store_that_does_not(
    freeze_bot: FreezeBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    bot = freeze_bot("", 'run = ["./x"]\nbuild = ["sh", "-c", "echo oops; exit 4"]')
    with pytest.raises(BotFailure) as caught:
        await build_bot(bot, tmp_path / "store", is_lasting=False)
    shutil.rmtree(tmp_path / "store")
    (text,) = kept_logs(tmp_path, str(caught.value))
    assert text == "oops\n"


async def test_a_build_says_that_it_runs_and_how_long(
    freeze_bot: FreezeBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "_TELL_S", 0.0)
    bot = freeze_bot("#!/bin/sh\n", MAKE)
    said: list[str] = []
    await build_bot(bot, tmp_path / "store", say=said.append)
    assert said[0] == "building made (the first time only; may take minutes) …"
    assert re.fullmatch(r"building made: step 1 of 2 \(sh -c .*\), \d+ s so far", said[1])
    assert re.fullmatch(r"built made in \d+ s", said[-1])
    said.clear()
    await build_bot(bot, tmp_path / "store", say=said.append)
    assert said == []  # it is built


async def test_a_bot_without_a_build_says_nothing(freeze_bot: FreezeBot, tmp_path: Path) -> None:
    said: list[str] = []
    await build_bot(freeze_bot("", ""), tmp_path / "store", say=said.append)
    assert said == []


async def test_a_build_that_never_ends_is_ended(freeze_bot: FreezeBot, tmp_path: Path) -> None:
    bot = freeze_bot("", 'run = ["./x"]\nbuild = ["sh", "-c", "echo hm; sleep 1000 & sleep 1000"]')
    with pytest.raises(BotTimedOut, match=r"took longer than 0\.3 s; whole output.*\n  \| hm"):
        await build_bot(bot, tmp_path / "store", limit_ns=300_000_000)


@pytest.mark.parametrize("obstacle", ["-build-1.log", "-built.lock"])
async def test_a_store_that_cannot_be_written_is_the_hosts_fault(
    freeze_bot: FreezeBot, tmp_path: Path, obstacle: str
) -> None:
    bot = freeze_bot("", MAKE)
    (tmp_path / "store" / f"{bot.hash}{obstacle}").mkdir()
    with pytest.raises(HostFault) as caught:
        await build_bot(bot, tmp_path / "store")
    assert obstacle in str(caught.value)
    assert "Is a directory" in str(caught.value)


async def test_a_cancelled_build_leaves_no_process_and_no_lock(
    freeze_bot: FreezeBot, tmp_path: Path
) -> None:
    bot = freeze_bot("", 'run = ["./x"]\nbuild = ["sh", "-c", "sleep 1000"]')
    with trio.fail_after(10):
        for _ in range(2):
            with trio.move_on_after(0.1):
                await build_bot(bot, tmp_path / "store")


async def test_a_bot_in_python_is_compiled(freeze_bot: FreezeBot, tmp_path: Path) -> None:
    bot = freeze_bot("print(1)")
    built = await build_bot(bot, tmp_path / "store")
    tag = sys.implementation.cache_tag
    assert (built.folder / "__pycache__" / f"bot.{tag}.pyc").is_file()
    broken = await build_bot(freeze_bot("print(1"), tmp_path / "store")
    check_runnable(broken)  # what is broken shows when it is run


async def test_what_needs_no_build_stays_where_it_is(freeze_bot: FreezeBot, tmp_path: Path) -> None:
    bot = freeze_bot("", 'language = "sh"\nrun = ["sh", "bot.py"]')
    assert await build_bot(bot, tmp_path / "store") is bot
    command = freeze(command_bot(("python", "-V"), tmp_path), tmp_path / "store")
    assert await build_bot(command, tmp_path / "store") is command


async def test_a_missing_tool_is_named_before_anything_runs(
    freeze_bot: FreezeBot, tmp_path: Path
) -> None:
    text = 'language = "zig"\nrun = ["./bot"]\nbuild = ["zig-of-tomorrow", "build"]'
    bot = freeze_bot("", text)
    assert missing_tools(bot.manifest) == ("zig-of-tomorrow",)
    reason = "bot made needs 'zig-of-tomorrow', not found on this machine: bots in zig are skipped"
    assert skip_reason(bot.manifest) == reason
    with pytest.raises(ConfigError) as caught:
        await build_bot(bot, tmp_path / "store")
    assert str(caught.value) == reason


def test_python_is_never_missing() -> None:
    manifest = Manifest(name="b", version="1", language="python", run=("python3", "bot.py"))
    assert missing_tools(manifest) == ()
    assert skip_reason(manifest) is None
    odd = Manifest(name="b", version="1", run=("/no/such/thing",), build=("no-such", "x"))
    assert missing_tools(odd) == ("no-such", "/no/such/thing")
    assert "such bots are skipped" in (skip_reason(odd) or "")


@pytest.mark.parametrize(
    ("manifest", "told"),
    [
        ('run = ["no-such-tool", "x"]', "run = 'no-such-tool': not found on PATH"),
        ('run = ["bot.py"]', "the file in its folder is run as './bot.py'"),
        ('run = ["./bin/bot"]', "run = './bin/bot': no such file"),
        ('run = ["./bot.py"]', "run = './bot.py': is not executable (chmod +x)"),
        ('needs = ["/no/such/model"]', "needs '/no/such/model', which does not exist"),
    ],
)
def test_what_keeps_a_bot_from_starting_is_found_before(
    freeze_bot: FreezeBot, manifest: str, told: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        check_runnable(freeze_bot("", manifest))
    assert told in str(caught.value)


@pytest.mark.parametrize("first", ["#!/usr/bin/env no-such-thing", "#!/no/such-thing -x"])
def test_a_missing_interpreter_is_found_before(
    write_bot: WriteBot, tmp_path: Path, first: str
) -> None:
    folder = write_bot(f"{first}\n", 'run = ["./bot.py"]')
    (folder / "bot.py").chmod(0o755)
    with pytest.raises(ConfigError, match=r"its first line names '.*no.such-thing'"):
        check_runnable(freeze(choose(folder), tmp_path / "store"))
    (folder / "bot.py").write_text(f"#!/usr/bin/env -S {shutil.which('sh')} -e\n")
    check_runnable(freeze(choose(folder), tmp_path / "store"))
