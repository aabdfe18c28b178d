"""Control groups: where this process may make them, and one for each bot.

Owns finding the hierarchies (version 2, version 1, both at once), trying what they allow,
the folder of one arena in them, and freezing. The folder of a bot is made, entered and
removed by its warden (:mod:`arena.bots.warden`), so that it goes even when the arena is
killed; what wardens could not remove is removed by the next arena. Must not know bots,
matches or sandboxes. Source: resources.md ("Control groups"), cgroups(7).

Version 2 is taken for freezing and for CPU time where it is writable: a group frozen by it
can still be killed. Memory and tasks are taken where their controllers are.
"""

import contextlib
import os
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Final

from arena.bots.resources import MIB
from arena.wire.terms import Resources

PREFIX: Final = "arena-"
_CONTROLLERS: Final = ("memory", "pids", "freezer", "cpuacct")
_OWN_LEAF: Final = "-self"


class Guard(StrEnum):
    """What a control group holds; the names are logged as guards in force."""

    MEMORY = "cgroup-memory"
    TASKS = "cgroup-tasks"
    FREEZING = "cgroup-freezing"
    CPU = "cgroup-cpu"


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupFolder:
    """One folder that a warden makes for a bot, and the files it writes there, by name."""

    path: Path
    settings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Hierarchy:
    """A mounted hierarchy: the folder of this process in it, and what it is for."""

    own: Path
    is_v2: bool
    guards: frozenset[Guard]


class BotGroup:
    """The control group of one bot: its folders, and the files that act on it while it runs.

    Its warden makes the folders soon after the launch; until then nothing is frozen and no
    time is known. Freezing and reading cost one system call each, and never wait.
    """

    def __init__(self, folders: tuple[GroupFolder, ...], guards: frozenset[Guard]) -> None:
        self.folders = folders
        self._guards = guards
        self._freezer = -1
        self._cpu = -1
        self._is_closed = False
        self._is_frozen = False
        self._is_stat = False
        self._words = (b"THAWED", b"FROZEN")

    @property
    def can_freeze(self) -> bool:
        """Whether it can be frozen."""
        return Guard.FREEZING in self._guards

    @property
    def can_count_cpu(self) -> bool:
        """Whether its CPU time can be read."""
        return Guard.CPU in self._guards

    def _open(self) -> None:
        """Open the files, as soon as the warden has made them."""
        if self._is_closed:
            return
        for folder in self.folders:
            if self._freezer < 0:
                self._freezer = _opened(folder.path / "cgroup.freeze", os.O_WRONLY)
                if self._freezer >= 0:
                    self._words = (b"0", b"1")
            if self._freezer < 0:
                self._freezer = _opened(folder.path / "freezer.state", os.O_WRONLY)
            if self._cpu < 0:
                self._cpu = _opened(folder.path / "cpu.stat", os.O_RDONLY)
                self._is_stat = self._cpu >= 0
            if self._cpu < 0:
                self._cpu = _opened(folder.path / "cpuacct.usage", os.O_RDONLY)

    def freeze(self) -> None:
        """Stop all processes of the bot where they are."""
        if self._freezer < 0:
            self._open()
        if not self._is_frozen and self._freezer >= 0:
            self._is_frozen = True
            self._write(self._words[1])

    def thaw(self) -> None:
        """Let them go on."""
        if self._is_frozen:
            self._is_frozen = False
            self._write(self._words[0])

    def cpu_us(self) -> int | None:
        """Read the CPU time that all processes of the bot have used; None where unknown."""
        if self._cpu < 0:
            self._open()
            if self._cpu < 0:
                return None
        try:
            data = os.pread(self._cpu, 64, 0)
            if self._is_stat:
                return int(data[data.index(b" ") + 1 : data.index(b"\n")])
            return int(data) // 1_000
        except (OSError, ValueError):  # the group is gone
            return None

    def close(self) -> None:
        """Thaw the bot and close the files. Idempotent."""
        self.thaw()
        self._is_closed = True
        for end in (self._freezer, self._cpu):
            if end >= 0:
                os.close(end)
        self._freezer = self._cpu = -1

    def _write(self, word: bytes) -> None:
        with contextlib.suppress(OSError):  # the bot and its group are gone
            os.pwrite(self._freezer, word, 0)


def _opened(path: Path, flags: int) -> int:
    """Open a file; -1 where it is not there."""
    try:
        return os.open(path, flags | os.O_CLOEXEC)
    except OSError:
        return -1


class Cgroups:
    """The folders of one arena in all hierarchies. Make it with :func:`open_cgroups`."""

    def __init__(self, homes: Mapping[Path, _Hierarchy]) -> None:
        self._homes = homes
        self._made = 0
        self.guards: frozenset[Guard] = frozenset().union(*(h.guards for h in homes.values()))
        """What is held for each bot."""

    def for_bot(self, resources: Resources) -> BotGroup:
        """Give a bot a group of its own with its bounds; its warden makes it."""
        self._made += 1
        name = f"bot{self._made}"
        return BotGroup(
            tuple(
                GroupFolder(path=home / name, settings=_settings(home, hierarchy, resources))
                for home, hierarchy in self._homes.items()
            ),
            self.guards,
        )


@contextmanager
def open_cgroups() -> Iterator[Cgroups]:
    """Make this arena's folders where it may; remove them at the end.

    Nothing is raised where there are none to be had: then no guard is held.
    """
    homes: dict[Path, _Hierarchy] = {}
    ours: list[tuple[Path, Path]] = []
    taken: set[Guard] = set()
    try:
        for found in _hierarchies():
            _remove_leftovers(found.own)
            home = found.own / _name(os.getpid())
            with contextlib.suppress(OSError):
                _make_home(home)
                guards = _probe(found, home, ours) - taken
                if guards:
                    taken |= guards
                    homes[home] = _Hierarchy(
                        own=found.own, is_v2=found.is_v2, guards=frozenset(guards)
                    )
                else:
                    home.rmdir()
        yield Cgroups(homes)
    finally:
        for home in homes:
            _remove(home)
        for leaf, before in reversed(ours):
            with contextlib.suppress(OSError):
                (before / "cgroup.procs").write_text("0")
                leaf.rmdir()


def can_freeze() -> bool:
    """Try whether bots can be stopped out of their turn here."""
    with open_cgroups() as cgroups:
        return Guard.FREEZING in cgroups.guards


def _make_home(home: Path) -> None:
    """Make an arena's folder; one that this very process left behind is taken again."""
    home.mkdir(exist_ok=True)


def _settings(home: Path, hierarchy: _Hierarchy, resources: Resources) -> dict[str, str]:
    """List what is written to a bot's folder, in the order in which it must be."""
    settings: dict[str, str] = {}
    if Guard.MEMORY in hierarchy.guards and resources.memory_mib:
        limit = str(resources.memory_mib * MIB)
        if hierarchy.is_v2:
            settings |= {"memory.max": limit, "memory.oom.group": "1"}
            if (home.parent / "memory.swap.max").exists():
                settings["memory.swap.max"] = "0"
        else:
            settings["memory.limit_in_bytes"] = limit
            if (home / "memory.memsw.limit_in_bytes").exists():
                settings["memory.memsw.limit_in_bytes"] = limit
    if Guard.TASKS in hierarchy.guards and resources.tasks:
        settings["pids.max"] = str(resources.tasks)
    return settings


def _hierarchies() -> Iterator[_Hierarchy]:
    """Find this process's folder in each mounted hierarchy, version 2 first."""
    if sys.platform != "linux":
        return
    try:
        mounts = Path("/proc/self/mountinfo").read_text().splitlines()
        places = Path("/proc/self/cgroup").read_text().splitlines()
    except OSError:
        return
    paths = {names: path for _, names, path in (line.split(":", 2) for line in places)}
    found = []
    for line in mounts:
        before, _, after = line.partition(" - ")
        kind, _, options = after.split(" ", 2)
        root, mounted = before.split(" ")[3:5]
        if kind == "cgroup2":
            own = _own_folder(paths.get("", "/"), root, mounted)
            guards = {Guard.FREEZING, Guard.CPU, Guard.MEMORY, Guard.TASKS}
            found.append(_Hierarchy(own=own, is_v2=True, guards=frozenset(guards)))
        elif kind == "cgroup":
            names = set(options.split(",")).intersection(_CONTROLLERS)
            path = next((p for n, p in paths.items() if names & set(n.split(","))), None)
            if names and path is not None:
                guards = {_V1_GUARDS[name] for name in names}
                own = _own_folder(path, root, mounted)
                found.append(_Hierarchy(own=own, is_v2=False, guards=frozenset(guards)))
    yield from sorted(found, key=lambda it: not it.is_v2)


_V1_GUARDS: Final[Mapping[str, Guard]] = {
    "memory": Guard.MEMORY,
    "pids": Guard.TASKS,
    "freezer": Guard.FREEZING,
    "cpuacct": Guard.CPU,
}


def _own_folder(path: str, root: str, mounted: str) -> Path:
    """Give the folder that stands for ``path`` under a mount of the hierarchy's ``root``."""
    inner = os.path.relpath(path, root)
    return Path(mounted) if inner.startswith("..") else Path(mounted) / inner


def _probe(found: _Hierarchy, home: Path, ours: list[tuple[Path, Path]]) -> set[Guard]:
    """Try what a folder for a bot would hold: the files must be there and writable."""
    if found.is_v2:
        _pass_on_controllers(found.own, home, ours)
    child = home / "probe"
    child.mkdir(exist_ok=True)
    try:
        files = _V2_FILES if found.is_v2 else _V1_FILES
        return {
            guard
            for guard in found.guards
            if os.access(
                child / files[guard], os.W_OK | os.R_OK if guard is not Guard.CPU else os.R_OK
            )
        }
    finally:
        child.rmdir()


_V2_FILES: Final[Mapping[Guard, str]] = {
    Guard.FREEZING: "cgroup.freeze",
    Guard.CPU: "cpu.stat",
    Guard.MEMORY: "memory.max",
    Guard.TASKS: "pids.max",
}
_V1_FILES: Final[Mapping[Guard, str]] = {
    Guard.FREEZING: "freezer.state",
    Guard.CPU: "cpuacct.usage",
    Guard.MEMORY: "memory.limit_in_bytes",
    Guard.TASKS: "pids.max",
}


def _pass_on_controllers(own: Path, home: Path, ours: list[tuple[Path, Path]]) -> None:
    """Let folders below have memory and tasks, as far as this process may decide it.

    A group of version 2 with processes of its own cannot: where this process is alone in
    its group (as in a delegated scope) it moves into a leaf for that time.
    """
    with contextlib.suppress(OSError):
        offered = set((own / "cgroup.controllers").read_text().split())
        wanted = {"memory", "pids"} & offered
        if not wanted:
            return
        if not wanted <= set((own / "cgroup.subtree_control").read_text().split()):
            if (own / "cgroup.procs").read_text().split() == [str(os.getpid())]:
                leaf = own / f"{home.name}{_OWN_LEAF}"
                leaf.mkdir(exist_ok=True)
                (leaf / "cgroup.procs").write_text("0")
                ours.append((leaf, own))
            (own / "cgroup.subtree_control").write_text(" ".join(f"+{name}" for name in wanted))
        (home / "cgroup.subtree_control").write_text(" ".join(f"+{name}" for name in wanted))


def _name(pid: int) -> str:
    """Name an arena's folder after its process, told apart from others of the same number."""
    return f"{PREFIX}{pid}-{_start_ticks(pid)}"


def _start_ticks(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    except OSError:
        return "0"


def _remove_leftovers(own: Path) -> None:
    """Remove the folders of arenas that are no more."""
    with contextlib.suppress(OSError):
        for home in own.glob(f"{PREFIX}*-*"):
            pid = home.name.removeprefix(PREFIX).partition("-")[0]
            is_ours = not home.name.endswith(_OWN_LEAF) and pid.isdecimal()
            if is_ours and home.name != _name(int(pid)):
                _remove(home)


def _remove(home: Path) -> None:
    """Remove an arena's folder and the bots' in it; what still runs there is killed.

    Processes that this one cannot see (of another pid namespace) show as 0: they are left.
    """
    for folder in [*home.glob("*/"), home]:
        with contextlib.suppress(OSError):
            for name, word in (("cgroup.freeze", "0"), ("freezer.state", "THAWED")):
                if (folder / name).exists():
                    (folder / name).write_text(word)
            for pid in map(int, (folder / "cgroup.procs").read_text().split()):
                if pid > 0:
                    with contextlib.suppress(ProcessLookupError, PermissionError):
                        os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(OSError):
            folder.rmdir()
