"""Kit: the Python environment that bots in Python see.

Owns a folder with a virtual environment of neutral paths, and a copy of the few modules
behind ``arena.sdk``. Must not know how it is bound. Source: sandbox.md ("Private folders").

The arena's own environment is not shown at its place: it may lie in the repository, in a
home, or be an *editable* installation that leads to either. What a bot sees instead, under
``/opt/arena``: ``python/`` (a virtual environment on the arena's base interpreter),
``kit/arena/`` (the modules that the sdk imports, nothing of the referee), ``site-N/`` (the
packages installed beside the arena: grpcio, and what else the organiser installed).
"""

import compileall
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import arena
from arena.bots.sandbox.views import Bind, is_system

PLACE: Final = "/opt/arena"
"""Where a bot sees it, if a back end gives it a root of its own."""
_PARTS: Final = ("__init__.py", "errors.py", "py.typed", "sdk", "rules", "v1")
"""Exactly what ``arena.sdk`` imports."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kit:
    """What is shown to bots in Python."""

    binds: tuple[Bind, ...]
    base: str
    """The interpreter's own file."""
    python: str
    """What bots in Python are run with."""
    modules: str
    """Where ``arena.sdk`` is found."""


def make_kit(folder: Path, *, is_bound: bool = True) -> Kit:
    """Make the folder that bots in Python see. It is slow enough for a worker thread.

    Args:
        folder: A new folder; it must stay as long as bots run.
        is_bound: Whether it is bound at ``/opt/arena``; else bots see it, and the installed
            packages, where they are.
    """
    base = Path(sys.executable).resolve()
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    package = Path(arena.__file__).resolve().parent
    goal = folder / "kit" / "arena"
    goal.mkdir(parents=True)
    for name in _PARTS:
        if (package / name).is_dir():
            shutil.copytree(package / name, goal / name)
        else:
            shutil.copy2(package / name, goal / name)
    compileall.compile_dir(goal, quiet=2)
    sites = _sites()
    place = PLACE if is_bound else str(folder)
    shown = [f"{PLACE}/site-{n}" if is_bound else str(site) for n, site in enumerate(sites)]
    for number in range(len(sites)):
        (folder / f"site-{number}").mkdir()
    venv = folder / "python"
    packages = venv / "lib" / version / "site-packages"
    packages.mkdir(parents=True)
    (venv / "bin").mkdir()
    for name in ("python", "python3"):
        (venv / "bin" / name).symlink_to(base)
    (venv / "pyvenv.cfg").write_text(
        f"home = {base.parent}\ninclude-system-site-packages = false\n"
    )
    (packages / "arena.pth").write_text("\n".join([f"{place}/kit", *shown]) + "\n")
    shutil.copyfile(Path(__file__).with_name("forward.py"), folder / "forward.py")
    source = package.parent / "proto"
    if source.is_dir():
        shutil.copytree(source, folder / "proto")
    _make_readable(folder)
    prefix = Path(sys.base_prefix).resolve()
    binds = [Bind(source=folder, place=place)]
    binds += [Bind(source=site, place=seen) for site, seen in zip(sites, shown, strict=True)]
    bases = dict.fromkeys((Path(sys.base_prefix), prefix))
    binds += [Bind(source=prefix, place=str(path)) for path in bases if not is_system(path)]
    return Kit(
        binds=tuple(binds),
        base=str(base),
        python=f"{place}/python/bin/python",
        modules=f"{place}/kit",
    )


def _sites() -> Sequence[Path]:
    """List the folders of installed packages of the arena's interpreter."""
    names = ("site-packages", "dist-packages")
    found = [Path(word).resolve() for word in sys.path if Path(word).name in names]
    return tuple(path for path in dict.fromkeys(found) if path.is_dir())


def _make_readable(folder: Path) -> None:
    """Let any user read it, whatever the umask was."""
    folder.chmod(0o755)
    for path in folder.rglob("*"):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() else 0o644)
