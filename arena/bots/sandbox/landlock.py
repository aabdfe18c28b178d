"""Landlock: the back end for machines that make no namespaces.

Owns the walls of a launch: which paths, which port, which filters
(:mod:`arena.bots.sandbox.landlock_start` puts them up). Must not know which guards hold: that is
proved by trying. Source: sandbox.md; landlock(7).

A bot sees this machine's own paths: nothing is bound, so nothing is hidden by name. What it may
not open it can still ask the size and the times of, and it can tell which process numbers are
in use. So nothing here keeps a bot from remembering, and boards do not come back.

The referee listens on TCP for bots over gRPC, at a port for each: Unix sockets cannot be told
apart by Landlock, and some of them lead out. Of ``/proc`` a bot sees its own first process and
a few facts of the machine.
"""

import ctypes
import fcntl
import os
import platform
import secrets
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from arena.bots.frozen import FrozenBot
from arena.bots.kept import Command
from arena.bots.manifest import Manifest, Talk
from arena.bots.sandbox.kit import Kit
from arena.bots.sandbox.launch import Launch
from arena.bots.sandbox.seccomp import filter_program
from arena.bots.sandbox.seccomp_walls import Sockets, wall_program
from arena.bots.sandbox.sight import (
    is_homely,
    is_kit,
    is_python,
    masks_in,
    own_files,
    runtime_view,
)
from arena.bots.sandbox.tools import registry_files, registry_variables
from arena.bots.sandbox.views import Bind, needs_view, search_path
from arena.bots.work_folder import is_work_folder
from arena.errors import ConfigError, HostFault

LEAST_ABI: Final = 6
"""Since Linux 6.12: signals and abstract sockets. With less it would be half a sandbox."""
_CREATE_RULESET: Final = 444
_ASK_VERSION: Final = 1
_START: Final = Path(__file__).with_name("landlock_start.py")
_FIRST_FREE: Final = 10
_DEVICES: Final = ("null", "zero", "full", "random", "urandom")
_FACTS: Final = (
    "/proc/cpuinfo", "/proc/meminfo", "/proc/version", "/proc/filesystems", "/proc/sys/vm",
    "/proc/sys/kernel", "/sys/devices/system/cpu", "/sys/devices/system/node",
    "/sys/kernel/mm/transparent_hugepage", "/etc/ssl/openssl.cnf", "/etc/nsswitch.conf",
)  # fmt: skip
"""What runtimes ask of the machine, cores, pages, overcommitment; Node ends where it may not read
the settings of OpenSSL."""
_OF_ITSELF: Final = (
    "auxv", "cgroup", "cmdline", "comm", "coredump_filter", "fd", "fdinfo", "limits", "maps",
    "mountinfo", "mounts", "oom_score_adj", "smaps", "smaps_rollup", "stat", "statm", "status",
)  # fmt: skip
"""Not ``net``, and ``task`` which holds it: it names the sockets of everybody."""


def landlock_abi() -> int:
    """Ask the kernel which version of Landlock it has; 0 where it has none."""
    if platform.system() != "Linux":
        return 0
    libc = ctypes.CDLL(None, use_errno=True)
    return max(0, int(libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), _ASK_VERSION)))


@dataclass(slots=True, kw_only=True)
class Landlock:
    """A sandbox of rules over files, ports and signals, and of two filters of system calls."""

    work: Path
    """A private folder of the arena's, as long as bots run."""
    kit: Kit
    hidden: tuple[Path, ...]
    """Folders that no bot may see into."""
    users: Iterator[int] | None
    """User ids for bots; None where they stay the arena's user: it is an ordinary one, or root
    whose interpreter or event lies where others may not enter. Then they are root without any
    capability."""
    guards: tuple[str, ...] = ()
    build_mark: str = "walled"
    build_place: str | None = None
    _views: dict[tuple[object, ...], tuple[tuple[Path, ...], str]] = field(
        default_factory=dict, init=False
    )
    """What each bot sees and its PATH, looked up once: starts come while others' clocks run."""

    def __post_init__(self) -> None:
        """Let bots of other users pass through the folder of the kit."""
        if self.users is not None:
            _open_way(self.work)

    @property
    def counts_tasks(self) -> bool:
        """Where each bot is a user of its own."""
        return self.users is not None

    def listens_on_tcp(self, manifest: Manifest) -> bool:
        """Always, for bots over gRPC."""
        return manifest.protocol is not Talk.LINES

    def check(self, bot: FrozenBot) -> None:
        """Refuse a bot whose folder or ``needs`` it could not see, or that no bot may see.

        Raises:
            ConfigError: The path, and the cure.
        """
        needed = [bind.source for bind in needs_view(bot.manifest, bot.folder, self.hidden)]
        if self.users is None:
            return
        _open_way(bot.folder)
        for path in (bot.folder.resolve(), *needed):
            if closed := closed_above(path):
                raise ConfigError(
                    f"bot {bot.name}: {path} lies under {closed}, which a bot's own user may not "
                    "enter, and Landlock cannot bind it elsewhere: run the arena as the user "
                    "who owns it or from a place that all may enter, or install bubblewrap"
                )

    def command(self, launch: Launch) -> Command:
        """Make the command that puts the walls up, and the descriptor it reads.

        Raises:
            ConfigError: A path in ``needs`` is gone.
            HostFault: No user id is left, or this machine has no descriptor left.
        """
        user = None if self.users is None else next(self.users)
        seen, path = self._view(launch)
        try:
            scratch = self._scratch(launch)
            if user is not None:
                self._hand_over(launch, scratch, user)
            walls = _descriptor(b"".join(self._walls(launch, seen, scratch, user)))
        except OSError as error:
            raise HostFault(f"a sandbox could not be made: {error.strerror}") from error
        words = launch.argv
        if is_kit(launch, words[0]):
            words = (self.kit.python, *words[1:])
        start = (sys.executable, "-I", "-S", str(_START), str(walls), "--")
        return Command(
            argv=(*start, *launch.prefix, *words),
            folder=launch.folder.absolute(),
            env=self._env(launch, scratch, path),
            output=launch.output,
            has_pipes=launch.has_pipes,
            keep_bytes=launch.keep_bytes,
            inherited=(walls,),
        )

    def _view(self, launch: Launch) -> tuple[tuple[Path, ...], str]:
        """Look up what the bot sees of the machine, and its PATH."""
        key = (
            launch.folder, launch.argv, launch.manifest.run, launch.manifest.needs,
            launch.is_build, launch.has_network,
        )  # fmt: skip
        if key not in self._views:
            parts = runtime_view(launch, self.kit, self.hidden, needs_kit=False)
            binds = [part for part in parts if isinstance(part, Bind)]
            if launch.has_network:
                binds.append(Bind(source=Path("/etc/hosts"), place="/etc/hosts"))
            self._views[key] = (
                tuple(dict.fromkeys(bind.source for bind in binds)),
                search_path(binds, str(launch.folder)),
            )
        return self._views[key]

    def _walls(
        self, launch: Launch, seen: tuple[Path, ...], scratch: Path, user: int | None
    ) -> Iterator[bytes]:
        """Give the fields that the start reads."""
        if user is not None:
            yield _pair("user", user)
        elif os.getuid() == 0:
            yield _pair("bare", "")
        for path in seen:
            yield _pair("see", path)
        yield from (_pair("see", path) for path in self._own(launch))
        yield from (_pair("read", path) for path in _FACTS)
        yield from (_pair("read", f"/proc/self/{name}") for name in _OF_ITSELF)
        yield from (_pair("device", f"/dev/{name}") for name in _DEVICES)
        yield _pair("write", scratch)
        if launch.is_build:
            yield _pair("write", launch.folder.absolute())
        if proto := launch.env.get("ARENA_PROTO"):
            yield _pair("see", proto)
        sockets = Sockets.NONE
        if launch.has_network:
            sockets = Sockets.INTERNET
            yield _pair("free", "")
        elif launch.address:
            sockets = Sockets.TCP
            yield _pair("port", launch.address.rpartition(":")[2])
        for program in (filter_program(), wall_program(sockets, is_build=launch.is_build)):
            if program:
                yield _pair("filter", program.hex())

    def _own(self, launch: Launch) -> Iterator[Path]:
        """Give its folder; of a command beside events, or in a home, only the files it names."""
        if launch.is_command and (
            is_homely(launch) or any(True for _ in masks_in(launch.folder, self.hidden))
        ):
            yield from own_files(launch)
        else:
            yield launch.folder.absolute()

    def _env(self, launch: Launch, scratch: Path, path: str) -> dict[str, str]:
        env = {
            **(registry_variables() if launch.has_network else {}),
            "PATH": path,
            "HOME": str(scratch),
            "TMPDIR": str(scratch),
            "LANG": "C.UTF-8",
            **launch.env,
        }
        if is_python(launch) and not is_kit(launch, launch.argv[0]):
            env["PYTHONPATH"] = self.kit.modules
        if launch.address:
            env["ARENA_ADDRESS"] = launch.address
        return env

    def _scratch(self, launch: Launch) -> Path:
        """Give where it may write: a build must not leave its caches in what it builds."""
        if not launch.is_build:
            return launch.scratch.absolute()
        scratch = self.work / f"build-{secrets.token_hex(4)}"
        scratch.mkdir(mode=0o700)
        if launch.has_network:
            for bind in registry_files(self.work / "tools", str(scratch)):
                if Path(bind.place).is_relative_to(scratch):
                    Path(bind.place).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(bind.source, bind.place)
        return scratch

    def _hand_over(self, launch: Launch, scratch: Path, user: int) -> None:
        """Give the bot's user its scratch folder, and what it builds; let it get there."""
        scratch.chmod(0o700)
        owned = [scratch, launch.folder] if launch.is_build else [scratch]
        for top in owned:
            os.chown(top, user, user)
            for parent, folders, names in os.walk(top):
                for name in (*folders, *names):
                    os.chown(Path(parent, name), user, user, follow_symlinks=False)
        _open_way(scratch.parent)
        _open_way(launch.folder)


def _open_way(folder: Path) -> None:
    """Let everybody pass, not look, from a work folder of the arena's down to one in it."""
    ways = [folder, *folder.parents]
    top = next((place for place, way in enumerate(ways) if is_work_folder(way)), None)
    if top is not None:
        for passed in ways[: top + 1]:
            passed.chmod(passed.stat().st_mode | 0o011)


def closed_above(path: Path) -> Path | None:
    """Find the first folder on the way to a path that others may not enter."""
    ways = [*reversed(path.parents), path]
    return next((way for way in ways if way.is_dir() and not way.stat().st_mode & 0o001), None)


def _pair(key: str, value: object) -> bytes:
    return key.encode() + b"\0" + os.fsencode(str(value)) + b"\0"


def _descriptor(content: bytes) -> int:
    low = os.memfd_create("walls")
    try:
        os.write(low, content)
        os.lseek(low, 0, os.SEEK_SET)
        return fcntl.fcntl(low, fcntl.F_DUPFD_CLOEXEC, _FIRST_FREE)
    finally:
        os.close(low)
