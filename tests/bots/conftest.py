"""Bots made on the spot, and witnesses of whether their processes live."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from arena.bots.argument import choose
from arena.bots.frozen import FrozenBot, freeze
from arena.bots.sandbox.launch import NoSandbox

WriteBot = Callable[..., Path]
FreezeBot = Callable[..., FrozenBot]


class Boxed(NoSandbox):
    """Keeps nothing from a bot, and says that it shows every build at one place."""

    build_mark = "boxed"
    build_place = "/bot"


@pytest.fixture
def write_bot(tmp_path: Path) -> WriteBot:
    """Return a function that writes a bot's folder: a script ``bot.py`` and a manifest."""

    def write(script: str = "", manifest: str = "", folder: str = "made bot é") -> Path:
        home = tmp_path / folder
        home.mkdir(exist_ok=True)
        (home / "bot.py").write_text(dedent(script), encoding="utf-8")
        keys = {"name": '"made"', "version": '"1.0"', "run": '["python", "bot.py"]'}
        keys["language"] = '"python"'
        own = dedent(manifest)
        lines = [f"{key} = {value}" for key, value in keys.items() if f"{key} =" not in own]
        (home / "bot.toml").write_text("\n".join(lines) + "\n" + own, encoding="utf-8")
        return home

    return write


@pytest.fixture
def freeze_bot(write_bot: WriteBot, tmp_path: Path) -> FreezeBot:
    """Return a function that writes a bot and freezes it."""

    def make(script: str = "", manifest: str = "") -> FrozenBot:
        return freeze(choose(write_bot(script, manifest)), tmp_path / "store")

    return make


@pytest.fixture
def short_folder() -> Iterator[Path]:
    """Return a folder whose path is short enough for a Unix socket."""
    root = Path("/tmp")  # noqa: S108  # the shortest there is; the folder itself is private
    folder = Path(tempfile.mkdtemp(prefix="bots", dir=root if root.is_dir() else None))
    yield folder
    shutil.rmtree(folder)
