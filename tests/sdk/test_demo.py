"""``python mybot.py --demo`` plays a match of the script."""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from arena.sdk import Bot
from arena.sdk.demo import demo_command
from tests.bots.sandbox.conftest import needs_sandbox
from tests.cli.bots import KIT, write_bot
from tests.sdk.scripted import PATIENCE_S

MATCH = [sys.executable, "-m", "arena.cli", "match"]


def test_a_script_whose_folder_runs_it_is_played_as_that_folder(tmp_path: Path) -> None:
    write_bot(tmp_path, KIT)
    words = [str(tmp_path / "bot.py"), "--demo", "--boards", "3"]
    assert demo_command(words) == [*MATCH, str(tmp_path), "--boards", "3"]


def test_a_script_that_no_manifest_runs_is_played_as_a_command(tmp_path: Path) -> None:
    write_bot(tmp_path, KIT)
    other = str(tmp_path / "other.py")
    words = [other, "deep", "--demo", "--boards", "3"]
    assert demo_command(words) == [*MATCH, "--boards", "3", "--", "python", other, "deep"]


@pytest.fixture
def kit_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Let this Python have the kit alone; give a folder that is all of PATH."""
    find = importlib.util.find_spec
    monkeypatch.setattr(
        "importlib.util.find_spec", lambda name: None if name == "trio" else find(name)
    )
    folder = tmp_path / "on PATH"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def test_where_there_is_only_the_kit_the_arena_on_path_plays(
    kit_alone: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (kit_alone / "arena").write_text("#!/bin/sh\n")
    (kit_alone / "arena").chmod(0o755)
    assert demo_command(["/far/bot.py", "--demo"])[:2] == [str(kit_alone / "arena"), "match"]
    assert f"{kit_alone / 'arena'} plays" in capsys.readouterr().err


def test_where_there_is_no_arena_at_all_a_demo_says_what_to_install(
    kit_alone: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["bot.py", "--demo"])
    monkeypatch.delenv("ARENA_ADDRESS", raising=False)
    with pytest.raises(SystemExit, match="2"):
        Bot().run()
    assert "put the arena command on PATH" in capsys.readouterr().err


def demo(script: Path, cwd: Path, sandbox: str) -> subprocess.CompletedProcess[str]:
    """Run a script's demo, one board."""
    words = ["--demo", "--boards", "1", "--sandbox", sandbox, "--ruleset", "gamelake-2"]
    return subprocess.run(
        [sys.executable, str(script), *words],
        cwd=cwd,
        env={name: value for name, value in os.environ.items() if name != "ARENA_ADDRESS"},
        capture_output=True,
        text=True,
        timeout=3 * PATIENCE_S,
        check=False,
    )


def test_a_demo_plays_a_match_and_prints_its_standings(tmp_path: Path) -> None:
    write_bot(tmp_path / "mine", KIT)
    ended = demo(tmp_path / "mine" / "bot.py", tmp_path, "none")
    assert ended.returncode == 0, ended.stderr
    assert re.search(r"\bmine\b", ended.stdout)
    assert re.search(r"\bgreedy\b", ended.stdout)


@needs_sandbox
@pytest.mark.parametrize("place", [".", "elsewhere"])
def test_a_script_without_a_manifest_has_a_demo_in_the_sandbox_too(
    tmp_path: Path, place: str
) -> None:
    (tmp_path / "elsewhere").mkdir()
    tmp_path.chmod(0o755)
    (tmp_path / "my bot.py").write_text(KIT, "utf-8")
    ended = demo(tmp_path / "my bot.py", tmp_path / place, "required")
    assert ended.returncode == 0, ended.stderr
    assert re.search(r"\bmy bot\.py\b", ended.stdout)
