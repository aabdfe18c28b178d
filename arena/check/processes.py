"""A bot's processes as the kernel shows them.

Owns finding them, their peak of memory, and stopping them for moments, so that answers come
late however quick the bot is. Linux only: elsewhere there are none to find, and the rules that
rest on them are not tried. Must not know matches.
"""

import contextlib
import os
import re
import signal
from collections import defaultdict
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Final

import trio

PROC: Final = Path("/proc")
STOPPED_S: Final = 0.05
GOING_S: Final = 0.005
_PARENT: Final = re.compile(r"^PPid:\s*(\d+)", re.MULTILINE)
_PEAK: Final = re.compile(r"^VmHWM:\s*(\d+) kB", re.MULTILINE)


def processes_of(roots: Collection[int]) -> dict[int, int]:
    """Find the processes that descend from these, with the peak of memory of each in KiB."""
    children: defaultdict[int, list[int]] = defaultdict(list)
    peaks: dict[int, int] = {}
    for entry in PROC.glob("[0-9]*"):
        with contextlib.suppress(OSError):  # gone meanwhile
            text = (entry / "status").read_text("utf-8", "replace")
            parent, peak = _PARENT.search(text), _PEAK.search(text)
            if parent is not None and peak is not None:
                children[int(parent[1])].append(int(entry.name))
                peaks[int(entry.name)] = int(peak[1])
    found: dict[int, int] = {}
    waiting = [child for root in roots for child in children[root]]
    while waiting:
        process = waiting.pop()
        found[process] = peaks[process]
        waiting += children[process]
    return found


async def stop_by_moments(processes: Sequence[int]) -> None:
    """Let processes go for 5 ms after every 50 ms stopped, until cancelled; then they go on."""
    try:
        while True:
            _send(processes, signal.SIGSTOP)
            await trio.sleep(STOPPED_S)
            _send(processes, signal.SIGCONT)
            await trio.sleep(GOING_S)
    finally:
        _send(processes, signal.SIGCONT)


def _send(processes: Sequence[int], number: signal.Signals) -> None:
    for process in processes:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(process, number)
