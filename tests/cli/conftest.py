"""What every test of the command line runs in: folders of its own, and nothing left behind."""

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.cli import main
from tests.cli.processes import Arena, AtTerminal, Ended, see_all_gone, zombies

StartArena = Callable[..., Arena]
StartAtTerminal = Callable[..., AtTerminal]
RunArena = Callable[..., Ended]


@pytest.fixture
def scratch(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Let temporary files lie in a folder with a short path; fail if any are left there."""
    folder = Path(tempfile.mkdtemp(prefix="t"))
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield folder
    try:
        assert list(folder.iterdir()) == []
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def home(tmp_path: Path, scratch: Path) -> Iterator[Path]:
    """Return a folder to work in, with blanks and accents; fail if a process lives there."""
    folder = tmp_path / "l'été à Forlì"
    folder.mkdir()
    yield folder
    see_all_gone(folder)
    assert zombies() == []


@pytest.fixture
def start_arena(home: Path) -> Iterator[StartArena]:
    """Return a function that starts ``arena`` in the home folder, as a process of its own."""
    started: list[Arena] = []

    def start(*words: str | Path, stderr: int = subprocess.PIPE) -> Arena:
        started.append(Arena(*words, cwd=home, stderr=stderr))
        return started[-1]

    yield start
    for arena in started:
        arena.close()


@pytest.fixture
def at_terminal(home: Path) -> Iterator[StartAtTerminal]:
    """Return a function that starts ``arena`` in the home folder at a terminal of its own."""
    started: list[AtTerminal] = []

    def start(*words: str) -> AtTerminal:
        started.append(AtTerminal(*words, cwd=home))
        return started[-1]

    yield start
    for arena in started:
        arena.close()


@pytest.fixture
def arena(
    home: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> RunArena:
    """Return a function that runs ``arena`` in the home folder, within this process."""

    def run(*words: str | Path) -> Ended:
        capfd.readouterr()
        with monkeypatch.context() as patch:
            patch.chdir(home)
            patch.setattr(sys, "argv", ["arena", *map(str, words)])
            with pytest.raises(SystemExit) as end:
                main.run()
        captured = capfd.readouterr()
        code = end.value.code
        assert not re.search(r"^(Traceback|  \+ Exception Group)", captured.err, re.MULTILINE)
        return Ended(status=int(code or 0), out=captured.out, err=captured.err)

    return run
