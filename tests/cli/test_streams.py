"""A command whose caller has closed stdin, stdout or stderr: it does its work all the same."""

import subprocess
from pathlib import Path

import pytest

from tests.cli.processes import COMMAND, PATIENCE_S

SHOW_STREAMS = """
import os, sys
from arena.cli.streams import open_missing_streams
open_missing_streams()
kept = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT)
print("out"); print("err", file=sys.stderr)
assert sys.stdin.read() == ""
sys.exit(kept < 3)
"""


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_command_without_a_standard_stream_does_its_work(home: Path, closed: str) -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", f'exec "$@" {closed}', "sh", *COMMAND, "rulesets", "list"],
        cwd=home, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE_S, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert bool(done.stdout) is (">&-" not in closed.replace("2>&-", ""))


def test_no_file_takes_the_place_of_a_stream_that_is_closed(home: Path) -> None:
    """What is printed, by a library too, would end in an event's log."""
    log = home / "log"
    done = subprocess.run(
        ["/bin/sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", COMMAND[0], "-c", SHOW_STREAMS, str(log)],
        timeout=PATIENCE_S, check=False,
    )  # fmt: skip
    assert done.returncode == 0
    assert log.read_bytes() == b""
