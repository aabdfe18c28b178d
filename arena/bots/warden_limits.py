"""The limits of a warden's command: what it is held to, and what it has used.

Owns the control groups of one command from making to removal, the limits that processes
carry through exec, and the look at descendants and their memory. It is the
other half of :mod:`arena.bots.warden`, which says how limits are spelt, and imports the
standard library only, for the same reason. Source: cgroups(7), proc(5).
"""

# ruff: noqa: PTH102, PTH106, PTH110, PTH123, PTH208
# pathlib would lengthen the start of a warden by a third.

import contextlib
import os
import resource
import sys


class Limits:
    """What the command is held to: from the words of the command line."""

    def __init__(self, words: list[str]) -> None:
        self.cores: set[int] = set()
        self.watch = 0
        self._rlimits: list[tuple[int, int]] = []
        self._groups: list[tuple[str, list[str]]] = []
        for word in words:
            name, _, value = word.partition("=")
            if name == "cores":
                self.cores = {int(core) for core in value.split(",")}
            elif name == "data":
                self._rlimits.append((resource.RLIMIT_DATA, int(value)))
            elif name == "file":
                self._rlimits.append((resource.RLIMIT_FSIZE, int(value)))
            elif name == "watch":
                self.watch = int(value)
            elif name == "group":
                self._groups.append((value, []))
            else:
                self._groups[-1][1].append(value)

    def make_groups(self) -> None:
        """Make the control groups and write their bounds."""
        for folder, settings in self._groups:
            with contextlib.suppress(FileExistsError):
                os.mkdir(folder)
            for setting in settings:
                name, _, text = setting.partition("=")
                write_text(f"{folder}/{name}", text)

    def enter(self) -> None:
        """Take the limits upon this process, which is about to become the command."""
        for folder, _ in self._groups:
            write_text(f"{folder}/cgroup.procs", "0")
        if self.cores and sys.platform == "linux":
            os.sched_setaffinity(0, self.cores)
        for kind, value in self._rlimits:
            hard = resource.getrlimit(kind)[1]
            most = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.setrlimit(kind, (most, most))

    def thaw(self) -> None:
        """Let frozen processes go on: else they could not even die."""
        for folder, _ in self._groups:
            for name, text in (("cgroup.freeze", "0"), ("freezer.state", "THAWED")):
                if os.path.exists(f"{folder}/{name}"):
                    with contextlib.suppress(OSError):
                        write_text(f"{folder}/{name}", text)

    def count(self, file: str, key: str = "") -> int | None:
        """Read a number from the groups, at a key or alone; None where no group has it."""
        for folder, _ in self._groups:
            with contextlib.suppress(OSError, ValueError, IndexError):
                with open(f"{folder}/{file}") as lines:
                    words = lines.read().split()
                return int(words[words.index(key) + 1] if key else words[0])
        return None

    def remove_groups(self) -> None:
        """Remove the groups; they are empty, or the next arena sees to them."""
        for folder, _ in self._groups:
            with contextlib.suppress(OSError):
                os.rmdir(folder)


def write_text(path: str, text: str) -> None:
    """Write a file of the system in one stroke; it must exist."""
    file = os.open(path, os.O_WRONLY)
    try:
        os.write(file, text.encode())
    finally:
        os.close(file)


def children() -> list[int]:
    """List this process's direct children, living or not yet reaped, as far as it can tell."""
    me = os.getpid()
    with contextlib.suppress(OSError), open(f"/proc/{me}/task/{me}/children") as file:
        return [int(pid) for pid in file.read().split()]
    found = []
    with contextlib.suppress(OSError):  # without /proc there is no telling
        for name in filter(str.isdigit, os.listdir("/proc")):
            with contextlib.suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:
                if int(file.read().rpartition(b")")[2].split()[1]) == me:
                    found.append(int(name))
    return found


def memory_of(pid: int, *, exact: bool) -> int:
    """Add up the memory (bytes) of a process and all that descends from it, files left out.

    ``exact`` counts what processes share once, which costs more.
    """
    kib = 0
    wanted = (b"Pss_Anon:", b"Pss_Shmem:") if exact else (b"RssAnon:", b"RssShmem:")
    file = f"/proc/{pid}/{'smaps_rollup' if exact else 'status'}"
    with contextlib.suppress(OSError), open(file, "rb") as numbers:
        kib = sum(int(line.split()[1]) for line in numbers if line.startswith(wanted))
    total = 1024 * kib
    with contextlib.suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{task}/children") as listed:
                pids = [int(child) for child in listed.read().split()]
                total += sum(memory_of(child, exact=exact) for child in pids)
    return total
