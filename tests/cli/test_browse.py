"""``arena replay`` on a terminal goes by keys, and leaves the terminal as it was."""

import os
import pty
import select
import subprocess
import termios
import time
from pathlib import Path

from tests.cli.processes import COMMAND
from tests.record.make_golden import GOLDENS

DEADLINE_S = 60
LOG = GOLDENS / "gamelake-4.completed.jsonl"


def read_until(terminal: int, words: str) -> str:
    """Read what the screen gets until it shows these words."""
    end = time.monotonic() + DEADLINE_S
    shown = b""
    while words not in shown.decode(errors="replace"):
        left = end - time.monotonic()
        assert left > 0, shown.decode(errors="replace")
        if select.select([terminal], [], [], left)[0]:
            shown += os.read(terminal, 65_536)
    return shown.decode(errors="replace")


def test_keys_lead_through_the_match_and_the_terminal_is_put_back(home: Path) -> None:
    ours, theirs = pty.openpty()
    try:
        before = termios.tcgetattr(theirs)
        with subprocess.Popen(
            [*COMMAND, "replay", str(LOG)],
            cwd=home,
            stdin=theirs,
            stdout=theirs,
            stderr=subprocess.PIPE,
        ) as replay:
            read_until(ours, "deal 1, trick 1 ·")
            os.write(ours, b"j")
            assert "  trick  1  " in read_until(ours, "deal 1, trick 2 ·")
            os.write(ours, b"n")
            read_until(ours, "deal 2, trick 1 ·")
            os.write(ours, b"\x1b[D")
            read_until(ours, "end of deal 1 ·")
            os.write(ours, b"G")
            assert "Match ended: completed" in read_until(ours, "end of deal 2 ·")
            os.write(ours, b"gjj\x1b[A\x1bOC")
            read_until(ours, "deal 1, trick 2 ·")
            os.write(ours, b"\x1b[Zpq")
            assert replay.wait(DEADLINE_S) == 0
            assert replay.stderr is not None
            assert replay.stderr.read() == b""
        assert termios.tcgetattr(theirs) == before
    finally:
        os.close(ours)
        os.close(theirs)
