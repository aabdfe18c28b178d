"""A sandbox that was proven here, and bots that try things in it."""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from textwrap import dedent

import pytest
import trio

from arena.bots.exits import Exit
from arena.bots.kept import start_kept
from arena.bots.manifest import Manifest
from arena.bots.sandbox.landlock import LEAST_ABI, landlock_abi
from arena.bots.sandbox.launch import Launch, Sandbox
from arena.bots.sandbox.mode import SandboxMode
from arena.bots.sandbox.opening import open_sandbox

Attack = Callable[..., tuple[str, Exit]]


def _why_not() -> str:
    """Say why no sandbox can be had here, or nothing."""
    program = shutil.which("bwrap")
    if program is None:
        return "bubblewrap is not installed"
    words = [program, "--unshare-all", "--ro-bind", "/", "/", "true"]
    tried = subprocess.run(words, capture_output=True, text=True, check=False)
    return tried.stderr.strip() if tried.returncode else ""


WHY_NOT = _why_not() if sys.platform == "linux" else "Linux only"
needs_sandbox = pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)


WHY_NO_LANDLOCK = (
    "" if landlock_abi() >= LEAST_ABI else f"Landlock ABI {landlock_abi()} here, {LEAST_ABI} needed"
)
needs_landlock = pytest.mark.skipif(bool(WHY_NO_LANDLOCK), reason=WHY_NO_LANDLOCK)


@pytest.fixture
def secret() -> Iterator[Path]:
    """Return a folder that stands for an event's: no bot may see into it."""
    folder = Path(tempfile.mkdtemp(prefix="event"))
    (folder / "seed.key").write_text("the seed")
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def place() -> Iterator[Path]:
    """Return a folder that bots of any user may pass through."""
    folder = Path(tempfile.mkdtemp(prefix="place"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@asynccontextmanager
async def opened(secret: Path, mode: SandboxMode = SandboxMode.REQUIRED) -> AsyncIterator[Sandbox]:
    async with open_sandbox(mode, hidden=(secret,), say=lambda _: None) as box:
        yield box


def manifest(*run: str, needs: tuple[str, ...] = ()) -> Manifest:
    """Describe a bot that is a command."""
    language = "python" if run[0] == "python" else ""
    return Manifest(name="attacker", version="1", run=run, language=language, needs=needs)


def launch_of(folder: Path, bot: Manifest, **more: object) -> Launch:
    """Describe the start of a bot whose folder is ``folder/bot``."""
    home = folder / "bot"
    home.mkdir(exist_ok=True)
    return Launch(
        manifest=bot,
        argv=bot.run,
        folder=home,
        env={},
        scratch=home,
        output=folder / "said.txt",
        **more,  # type: ignore[arg-type]
    )


async def run_in(box: Sandbox, launch: Launch, seconds: float = 30) -> tuple[str, Exit]:
    """Run a command in a sandbox to its end; give what it said and how it ended."""
    async with trio.open_nursery() as nursery:
        process = start_kept(nursery, box.command(launch))
        ended = await process.end(int(seconds * 1e9))
    return launch.output.read_text("utf-8", "replace"), ended


async def attack(secret: Path, folder: Path, script: str, *words: object, **more: object) -> str:
    """Run a Python script in a sandbox; give what it said. It must end with status 0."""
    run = ("python", "-I", "-c", dedent(script), *map(str, words))
    async with opened(secret) as box:
        said, ended = await run_in(box, launch_of(folder, manifest(*run), **more))
    assert ended.is_success, (ended.text, said)
    return said.strip()
