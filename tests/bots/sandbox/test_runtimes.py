"""Bots on the runtimes of other languages play inside a sandbox, with every default."""

import shutil
from dataclasses import replace
from pathlib import Path
from textwrap import dedent

import pytest

from arena.bots.argument import choose
from arena.bots.build import build_bot
from arena.bots.frozen import freeze
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
    ("file", "source", "build", "run", "said"),
    [
        ("Bot.java", JAVA, '["javac", "Bot.java"]', '["java", "Bot"]', "java 2 true"),
        ("bot.go", GO, '["go", "build", "-o", "bot", "bot.go"]', '["./bot"]', "go 2"),
        ("bot.js", NODE, "[]", '["node", "bot.js"]', "node 2"),
    ],
)
async def test_a_runtime_builds_and_runs_inside(  # noqa: PLR0917  # by pytest's names
    tmp_path: Path, secret: Path, file: str, source: str, build: str, run: str, said: str
) -> None:
    tool = said.partition(" ")[0]
    if shutil.which(tool) is None or (tool == "java" and shutil.which("javac") is None):
        pytest.skip(f"no {tool} here")
    home = tmp_path / "source"
    home.mkdir()
    (home / file).write_text(dedent(source))
    keys = f'name = "{tool}"\nversion = "1"\nlanguage = "{tool}"\nbuild = {build}\nrun = {run}\n'
    (home / "bot.toml").write_text(keys)
    async with opened(secret) as box:
        store = tmp_path / "store"
        bot = await build_bot(freeze(choose(home), store), store, sandbox=box, has_network=False)
        launch = replace(launch_of(tmp_path, bot.manifest), folder=bot.folder)
        out, ended = await run_in(box, launch)
    assert ended.is_success, out
    assert out.strip() == said
