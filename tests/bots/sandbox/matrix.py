"""Play a match in every cell of: user, interpreter, sandbox; print one line a cell.

Run it as root from the checkout: ``python -m tests.bots.sandbox.matrix``. It needs bubblewrap,
``setpriv``, a system Python ≥ 3.11 with venv, and a package index. All lies in one temporary
folder; the ordinary user is an id without an account. Exit status 1 if a cell fails.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parents[3]
SYSTEM = "/usr/bin/python3"
ORDINARY = 61_234
ARENA = ("-c", "from arena.cli.main import run; run()")
BOTS = ("python/greedy", "perl/low")


def main() -> int:
    """Make the environments, play, and say what came of it."""
    root = Path(tempfile.mkdtemp(prefix="matrix"))
    root.chmod(0o755)
    try:
        wheel = make_wheel(root)
        public = root / "public" / "bin" / "python"
        run(SYSTEM, "-m", "venv", root / "public")
        run(public, "-m", "pip", "install", "-q", wheel)
        failed = 0
        for user in (0, ORDINARY):
            home = root / f"home-{user}"
            home.mkdir(mode=0o700)
            os.chown(home, user, user)
            for bot in BOTS:
                shutil.copytree(HERE / "sample_bots" / bot, home / bot.replace("/", "-"))
            run(*as_user(user), SYSTEM, "-m", "venv", home / "venv")
            python = home / "venv" / "bin" / "python"
            run(*as_user(user), python, "-m", "pip", "install", "-q", wheel)
            cells = {"system Python": public, "venv in a private home": python}
            for name, interpreter in cells.items():
                for mode in ("required", "landlock", "none"):
                    line = play(user, home, interpreter, mode)
                    who = "root" if user == 0 else "ordinary user"
                    print(f"{who:13} | {name:22} | {mode:8} | {line}", flush=True)  # noqa: T201
                    failed += not line.startswith("played")
        return int(failed > 0)
    finally:
        shutil.rmtree(root, ignore_errors=True)


def make_wheel(root: Path) -> Path:
    """Build the arena from a copy: setuptools writes into its source."""
    source = root / "source"
    source.mkdir()
    for name in ("arena", "pyproject.toml", "README.md", "LICENSE"):
        item = HERE / name
        copy = shutil.copytree if item.is_dir() else shutil.copy2
        copy(item, source / name)
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", root / "wheel", source)
    return next((root / "wheel").glob("*.whl"))


def as_user(user: int) -> tuple[str, ...]:
    """Give the words that make a command another user's."""
    if user == 0:
        return ()
    return ("setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups")


def play(user: int, home: Path, python: Path, mode: str) -> str:
    """Play one match; say the guards of its log, or what went wrong."""
    out = home / f"out-{mode}-{python.is_relative_to(home)}"
    command = [
        *as_user(user), python, *ARENA, "match", *(home / bot.replace("/", "-") for bot in BOTS),
        "--boards", "1", "--sandbox", mode, "-o", out,
    ]  # fmt: skip
    env = {**os.environ, "HOME": str(home)}
    ended = subprocess.run(
        list(map(str, command)), env=env, cwd=home, capture_output=True, text=True, check=False
    )
    if ended.returncode:
        return f"status {ended.returncode}: {ended.stderr.strip().splitlines()[-1:]}"
    opened = json.loads((out / "event.jsonl").read_text("utf-8").splitlines()[0])
    guards = ", ".join(opened.get("guards", [])) or "no guards"
    return f"played; {guards}"


def run(*words: object) -> None:
    """Run a command that must succeed."""
    subprocess.run(list(map(str, words)), check=True, cwd="/")


if __name__ == "__main__":
    sys.exit(main())
