"""``python mybot.py --demo``: a match of the bot that is being written.

Owns the command that such a match is. Must not import what plays it: the arena runs as a
program of its own in this one's place. It is this Python's, or where that has the kit alone,
the one on PATH. Source: issue "A kit for bot authors" 2.
"""

import importlib.util
import os
import shutil
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from arena.errors import ConfigError

DEMO: Final = "--demo"
_MANIFEST: Final = "bot.toml"
_NEEDED: Final = ("arena.cli", "trio", "typer")
"""What shows that the whole arena is installed, not the kit alone."""


def play_demo(argv: Sequence[str]) -> None:
    """Become ``arena match`` on the script ``argv[0]``; does not return.

    The words after ``--demo`` are options of ``arena match``.

    Raises:
        ConfigError: There is no arena, neither in this Python nor on PATH.
    """
    command = demo_command(argv)
    os.execv(command[0], command)  # noqa: S606 - there is no shell to start


def demo_command(argv: Sequence[str]) -> list[str]:
    """Give the command that plays the script: its folder, where ``bot.toml`` runs it.

    Args:
        argv: The script, its own words, ``--demo``, options of ``arena match``.

    Raises:
        ConfigError: There is no arena, neither in this Python nor on PATH.
    """
    script = Path(argv[0]).absolute()
    place = argv.index(DEMO)
    own, options = argv[1:place], argv[place + 1 :]
    match = [*_arena(), "match"]
    if not own and _runs(script):
        return [*match, str(script.parent), *options]
    return [*match, *options, "--", "python", str(script), *own]


def _arena() -> list[str]:
    """Give what runs the arena here."""
    if all(importlib.util.find_spec(name) for name in _NEEDED):
        return [sys.executable, "-m", "arena.cli"]
    found = shutil.which("arena")
    if found is None:
        raise ConfigError(
            f"{DEMO} needs the whole arena, and {sys.executable} has its kit alone: install "
            "tressette-arena there, or put the arena command on PATH"
        )
    sys.stderr.write(f"arena.sdk: {sys.executable} has the kit alone; {found} plays\n")
    return [found]


def _runs(script: Path) -> bool:
    """Whether the manifest beside a script runs it; a wrong manifest is for arena match to tell."""
    try:
        text = (script.parent / _MANIFEST).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return False
    try:
        run = tomllib.loads(text).get("run", [])
    except tomllib.TOMLDecodeError:
        return True
    return isinstance(run, list) and script.name in run
