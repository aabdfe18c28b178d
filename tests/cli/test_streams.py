"""Commands that are started without stdin, stdout or stderr."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.processes import COMMAND, PATIENCE_S

SHOW = (*COMMAND, "rulesets", "show", "gamelake-4")
# What a free number is given to: a file that is opened as an event's are.
LOOK = """
import os
from arena.cli.streams import fill_streams
fill_streams()
number = os.open("log", os.O_CREAT | os.O_RDWR)
print("lost", flush=True)
os.write(2, b"lost too")
os.write(number, str(number).encode())
"""


def run(argv: tuple[str, ...], closed: str, cwd: Path) -> "subprocess.CompletedProcess[bytes]":
    """Run a command with some of its standard streams closed, as a shell's ``>&-`` does."""
    script = f'exec "$0" "$@" {closed}'
    return subprocess.run(
        ["/bin/sh", "-c", script, *argv],
        capture_output=True,
        timeout=PATIENCE_S,
        check=False,
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_command_ends_well_without_some_streams(closed: str, tmp_path: Path) -> None:
    ended = run(SHOW, closed, tmp_path)
    assert ended.returncode == 0
    assert ended.stderr == b""
    assert (b"gamelake-4" in ended.stdout) is (">&-" not in closed.replace("2>&-", ""))


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_no_file_of_an_event_gets_the_number_of_a_stream(closed: str, tmp_path: Path) -> None:
    """Else what a library prints would stand in a log."""
    ended = run((sys.executable, "-c", LOOK), closed, tmp_path)
    assert ended.returncode == 0
    assert int((tmp_path / "log").read_bytes()) > 2
