"""Bots on the runtimes of other languages play inside a sandbox, with every default."""

import shutil
from dataclasses import replace
from pathlib import Path
from textwrap import dedent

import pytest

from arena.bots import build
from arena.bots.argument import choose
from arena.bots.build import build_bot
from arena.bots.frozen import freeze
from arena.errors import BotFailure
from tests.bots.sandbox.conftest import launch_of, needs_sandbox, opened, run_in

pytestmark = needs_sandbox

JAVA = """
public class Bot {
    public static void main(String[] words) throws Exception {
        var threads = Runtime.getRuntime().availableProcessors();
        var executor = java.util.concurrent.Executors.newFixedThreadPool(4);
        System.out.println("java " + executor.submit(() -> 1 + 1).get() + " " + (threads > 0));
        executor.shutdown();
    }
}
"""
GO = """
package main

import "fmt"

func main() {
    done := make(chan int)
    go func() { done <- 2 }()
    fmt.Println("go", <-done)
}
"""
NODE = "Promise.resolve(2).then(n => console.log('node', n))"


@pytest.mark.parametrize(
    ("file", "source", "steps", "run", "said"),
    [
        ("Bot.java", JAVA, '["javac", "Bot.java"]', '["java", "Bot"]', "java 2 true"),
        ("bot.go", GO, '["go", "build", "-o", "bot", "bot.go"]', '["./bot"]', "go 2"),
        ("bot.js", NODE, "[]", '["node", "bot.js"]', "node 2"),
    ],
)
async def test_a_runtime_builds_and_runs_inside(  # noqa: PLR0917  # by pytest's names
    tmp_path: Path, secret: Path, file: str, source: str, steps: str, run: str, said: str
) -> None:
    tool = said.partition(" ")[0]
    if shutil.which(tool) is None or (tool == "java" and shutil.which("javac") is None):
        pytest.skip(f"no {tool} here")
    home = tmp_path / "source"
    home.mkdir()
    (home / file).write_text(dedent(source))
    keys = f'name = "{tool}"\nversion = "1"\nlanguage = "{tool}"\nbuild = {steps}\nrun = {run}\n'
    (home / "bot.toml").write_text(keys)
    async with opened(secret) as box:
        store = tmp_path / "store"
        bot = await build_bot(freeze(choose(home), store), store, sandbox=box, has_network=False)
        launch = replace(launch_of(tmp_path, bot.manifest), folder=bot.folder)
        out, ended = await run_in(box, launch)
    assert ended.is_success, out
    assert out.strip() == said


async def test_a_build_that_fills_the_disk_is_ended_and_told(
    tmp_path: Path, secret: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "BUILD_BYTES", 1 << 20)
    monkeypatch.setattr(build, "_WEIGH_S", 0.05)
    home = tmp_path / "source"
    home.mkdir()
    keys = 'name = "large"\nversion = "1"\nrun = ["./made"]\n'
    words = '["sh", "-c", "head -c 9000000 /dev/zero > made; sleep 600"]'
    (home / "bot.toml").write_text(f"{keys}build = {words}\n")
    store = tmp_path / "store"
    async with opened(secret) as box:
        with pytest.raises(BotFailure, match="has made more than 1 MiB of files"):
            await build_bot(freeze(choose(home), store), store, sandbox=box)


async def test_a_build_without_network_reaches_nobody(tmp_path: Path, secret: Path) -> None:
    home = tmp_path / "source"
    home.mkdir()
    script = "import socket; print(socket.if_nameindex())"
    keys = 'name = "alone"\nversion = "1"\nlanguage = "python"\nrun = ["python", "-V"]\n'
    (home / "bot.toml").write_text(f'{keys}build = ["python", "-c", "{script}"]\n')
    store = tmp_path / "store"
    async with opened(secret) as box:
        bot = await build_bot(freeze(choose(home), store), store, sandbox=box, has_network=False)
    assert (store / f"{bot.hash}-build-1.log").read_text() == "[(1, 'lo')]\n"
    assert bot.folder == store / f"{bot.hash}-boxed"
