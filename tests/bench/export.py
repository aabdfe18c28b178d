"""What an export of a million plays takes: time and memory of ``arena export`` itself.

A hundred matches of 250 boards are played in memory once each by bots that play at random;
the command runs as a process of its own, whose peak memory the kernel tells.
Source: issue "The record" ("How well").
"""

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from arena.record.paths import log_path
from tests.bench.log import write_log
from tests.bench.report import Bar

PLAYS = 1_000_000
BOARDS = 250
SECONDS = 60
GIB = 1


def bench() -> Sequence[Bar]:
    """Write the logs, export them, and look at the clock."""
    with tempfile.TemporaryDirectory() as folder:
        logs = Path(folder, "logs")
        logs.mkdir()
        plays = number = 0
        while plays < PLAYS:
            number += 1
            match = f"s1-r1-p{number}-o0-m1"
            plays += write_log(log_path(logs, match, 1), match=match, boards=BOARDS).plays
        words = [sys.executable, "-m", "arena.cli", "export", str(logs), "-o", f"{folder}/tables"]
        began = time.perf_counter()
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
        took = time.perf_counter() - began
        size = sum(path.stat().st_size for path in Path(folder, "tables").iterdir())
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    peak = used.ru_maxrss / 2**20
    cpu = used.ru_utime + used.ru_stime
    print(
        f"export: {number} logs, {plays} plays, {size / plays:.1f} bytes a play, {cpu:.1f} s of CPU"
    )
    return [
        Bar(name="export", figure=took, goal=SECONDS, unit="s", at_least=False),
        Bar(name="export memory", figure=peak, goal=GIB, unit="GiB", at_least=False),
    ]


if __name__ == "__main__":
    for bar in bench():
        print(bar)
