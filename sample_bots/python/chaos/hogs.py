"""Acts that take more of the machine than a bot may have. Each has a bound of its own.

They run before Ready and hold what they got while the match is played. A hog that reaches its
bound was not stopped by any guard, and says so.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

from report import stolen

MEBIBYTE = 1 << 20
MORE_PROCESSES = 136
"""So many above the tasks that a bot may have."""
MORE_DISK = 64 * MEBIBYTE
FILES_EACH = 4
"""In each place: a bound on one file is none on several."""
MOST_DESCRIPTORS = 10_000
STDERR_BYTES = 256 * MEBIBYTE
LIFE_S = 10
"""No process that a hog starts lives longer."""

_held: list[object] = []
"""What a hog keeps until this process ends."""


def fork_bomb() -> None:
    """Start processes until something refuses."""
    most = int(os.environ.get("ARENA_OPTION_TASKS", "64")) + MORE_PROCESSES
    for _ in range(most):
        try:
            _held.append(subprocess.Popen(["sleep", str(LIFE_S)]))  # noqa: S607
        except OSError:
            return
    stolen(f"processes: {most} at once")


def memory() -> None:
    """Take memory and touch it, 64 MiB at a time, up to 256 MiB above the limit."""
    limit = int(os.environ.get("ARENA_OPTION_MEMORY_MIB", "1024"))
    for _ in range((limit + 256) // 64):
        try:
            block = bytearray(64 * MEBIBYTE)
        except MemoryError:
            _held.clear()
            return
        block[::4096] = b"x" * len(block[::4096])
        _held.append(block)
    stolen(f"memory: {limit + 256} MiB")
    _held.clear()


def disk() -> None:
    """Write files wherever it is allowed, several in each place."""
    most = int(os.environ.get("ARENA_OPTION_DISK_MIB", "64")) * MEBIBYTE + MORE_DISK
    places = [os.environ["TMPDIR"], "/tmp", "/dev/shm", "/var/tmp", "/", "."]  # noqa: S108
    written = 0
    mine: list[Path] = []
    block = b"\xa5" * MEBIBYTE
    try:
        for number, place in enumerate([*dict.fromkeys(places)] * FILES_EACH):
            file = Path(place) / f"chaos-{os.getpid()}-{number}"
            try:
                with file.open("wb", buffering=0) as out:
                    mine.append(file)
                    while written < most:
                        written += out.write(block)
            except OSError:
                continue
    finally:
        for file in mine:
            file.unlink(missing_ok=True)
    if written >= most:
        stolen(f"disk: {written // MEBIBYTE} MiB")


def descriptors() -> None:
    """Open files until something refuses."""
    mine = []
    try:
        mine.extend(os.open(os.devnull, os.O_RDONLY) for _ in range(MOST_DESCRIPTORS))
    except OSError:
        return
    finally:
        for descriptor in mine:
            os.close(descriptor)
    stolen(f"descriptors: {MOST_DESCRIPTORS} at once")


def stderr_flood() -> None:
    """Write as much as goes out in two seconds."""
    line = b"x" * 1023 + b"\n"
    until = time.monotonic() + 2
    sent = 0
    while sent < STDERR_BYTES and time.monotonic() < until:
        sent += os.write(2, line * 64)


def orphans() -> None:
    """Leave grandchildren in sessions of their own that ignore SIGTERM."""
    script = (
        "import os, signal, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "if os.fork(): os._exit(0)\n"
        "os.setsid()\n"
        "if os.fork(): os._exit(0)\n"
        "time.sleep(30)\n"
    )
    for _ in range(3):
        subprocess.run([sys.executable, "-I", "-S", "-c", script], check=False)


def burn_cpu() -> None:
    """Keep twice as many cores busy as there are, also while others think."""
    script = f"import time\nuntil = time.monotonic() + {LIFE_S}\nwhile time.monotonic() < until: 0"
    cores = os.cpu_count() or 1
    command = [sys.executable, "-I", "-S", "-c", script]
    _held.extend(subprocess.Popen(command) for _ in range(min(2 * cores, 16)))
