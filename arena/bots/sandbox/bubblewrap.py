"""Bubblewrap: the back end that gives every bot a root, a network and processes of its own.

Owns the command line of ``bwrap``. Must not know which guards hold: that is proved by trying
(:mod:`arena.bots.sandbox.prove`). Source: sandbox.md (command line, traps).

Everything but the bot's own command goes through a descriptor (``--args``), so that no
secret and no path stands in a command line that others can read. As root the bot is another
user, and what it sees is bound for that user beforehand (``Command.entry``; see the warden).
"""

import fcntl
import os
import shutil
import stat
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from arena.bots.frozen import FrozenBot
from arena.bots.kept import Command
from arena.bots.manifest import Manifest, Transport
from arena.bots.sandbox.kit import PLACE, Kit
from arena.bots.sandbox.launch import Launch
from arena.bots.sandbox.seccomp import filter_program
from arena.bots.sandbox.sight import (
    is_homely,
    is_kit,
    is_python,
    masks_in,
    own_files,
    runtime_view,
)
from arena.bots.sandbox.tools import registry_files, registry_variables
from arena.bots.sandbox.views import (
    Bind,
    Link,
    is_private,
    is_system,
    needs_view,
    search_path,
)
from arena.errors import ConfigError, HostFault

BOT: Final = "/bot"
"""Where a bot sees its own folder, at build time and at play: built files hold it."""
SOCKET: Final = "/run/arena.sock"
HOME: Final = "/tmp"  # noqa: S108  # of the sandbox: its own, bounded, gone at its end
SHM_BYTES: Final = 16 << 20
_PIPES_AT: Final = 8
_TAKE_PIPES: Final = ("/bin/sh", "-c", 'exec "$@" <&8 >&9 8<&- 9>&-', "sh")
"""bwrap keeps its own stdin and stdout as long as it runs, so these must not be the bot's: else
nobody would learn that it has closed its stdout. Plain shells know numbers of one digit only."""
_FIRST_FREE: Final = 10
"""What bwrap itself is to read is kept out of the way of the pipes."""
_INSIDE_ID: Final = "1000"
_STAGE: Final = "/tmp"  # noqa: S108  # in mounts that the warden made for this one process
_HELP_S: Final = 10
_ENTERED: Final = stat.S_IXOTH
"""What a folder must allow everybody, so that a bot with a user id of its own may enter it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _View:
    """What a bot sees, its PATH, and what is covered in the folder of a command."""

    parts: tuple[Bind | Link, ...]
    path: str
    masks: tuple[str, ...]


@dataclass(slots=True, kw_only=True)
class Bubblewrap:
    """A sandbox made by the program ``bwrap``."""

    program: str
    options: frozenset[str]
    """The options it knows: older ones lack some."""
    work: Path
    """A private folder of the arena's, as long as bots run."""
    kit: Kit
    hidden: tuple[Path, ...]
    """Folders that no bot may see into."""
    users: Iterator[int] | None
    """User ids for bots; None where the arena is an ordinary user."""
    guards: tuple[str, ...] = ()
    build_mark: str = "boxed"
    build_place: str | None = BOT
    counts_tasks: bool = True
    _etc: tuple[Bind, ...] = field(default=(), init=False)
    _views: dict[tuple[object, ...], _View] = field(default_factory=dict, init=False)
    """What each bot sees, looked up once: starts come while others' clocks run."""

    def __post_init__(self) -> None:
        """Write the few files of /etc that a bot sees instead of the machine's."""
        texts = {
            "passwd": f"bot:x:{_INSIDE_ID}:{_INSIDE_ID}:bot:{HOME}:/bin/sh\n",
            "group": f"bot:x:{_INSIDE_ID}:\n",
            "hosts": "127.0.0.1 localhost bot\n::1 localhost\n",
        }
        folder = self.work / "etc"
        folder.mkdir()
        for name, text in texts.items():
            (folder / name).write_text(text)
            (folder / name).chmod(0o644)
        self._etc = tuple(Bind(source=folder / name, place=f"/etc/{name}") for name in texts)

    def listens_on_tcp(self, manifest: Manifest) -> bool:  # noqa: ARG002  # a Sandbox's
        """Never: a bot of ``transport = "tcp"`` has a forwarder inside."""
        return False

    def check(self, bot: FrozenBot) -> None:
        """Refuse ``needs`` that do not exist or would show what no bot may see, and closed folders.

        Raises:
            ConfigError: The path, and the cure.
        """
        for _ in needs_view(bot.manifest, bot.folder, self.hidden):
            pass
        if bot.is_command and self.users is not None and not is_private(bot.folder, ()):
            mode = stat.S_IMODE(bot.folder.stat().st_mode)
            if mode & _ENTERED != _ENTERED:
                raise ConfigError(
                    f"bot {bot.name}: {bot.folder.absolute()} may be entered by its owner alone "
                    f"(mode {mode:04o}), and bots run as another user here: chmod o+rx it, or give "
                    "the bot a bot.toml: then a copy runs"
                )

    def command(self, launch: Launch) -> Command:
        """Make the command line of bwrap, and the descriptors it reads.

        Raises:
            ConfigError: A path in ``needs`` is gone.
            HostFault: No user id is left, or this machine has no descriptor left.
        """
        user = None if self.users is None else next(self.users)
        view = self._view(launch)
        mounts = list(view.parts)
        if launch.socket is not None:
            mounts.append(Bind(source=launch.socket, place=SOCKET))
        stage = None if user is None else _Stage()
        if user is not None:
            self._hand_over(launch, user)
        inherited: list[int] = []
        try:
            words = [*self._walls(launch), *_mounts(mounts, stage), *self._room(launch, view)]
            if program := filter_program():
                inherited.append(_descriptor("seccomp", program))
                words += ["--seccomp", str(inherited[-1])]
            inherited.append(_descriptor("args", b"".join(_word(word) for word in words)))
        except OSError as error:
            for descriptor in inherited:
                os.close(descriptor)
            raise HostFault(f"a sandbox could not be made: {error.strerror}") from error
        entry = b"" if stage is None else stage.entry(user or 0)
        return Command(
            argv=(self.program, "--args", str(inherited[-1]), "--", *self._inner(launch)),
            folder=launch.folder.absolute(),
            env={},
            output=launch.output,
            has_pipes=launch.has_pipes,
            pipes_at=_PIPES_AT if launch.has_pipes else 0,
            keep_bytes=launch.keep_bytes,
            inherited=tuple(inherited),
            entry=entry,
            is_boxed=True,
        )

    def _view(self, launch: Launch) -> _View:
        """Look up what the bot sees but for its socket."""
        key = (
            launch.folder, launch.argv, launch.manifest.run, launch.manifest.needs,
            launch.is_build, launch.has_network, self._forwards(launch),
        )  # fmt: skip
        if key not in self._views:
            parts = tuple(self._parts(launch))
            binds = [part for part in parts if isinstance(part, Bind)]
            is_own = launch.is_command and not is_homely(launch)
            masks = set(masks_in(launch.folder, self.hidden)) if is_own else set()
            self._views[key] = _View(
                parts=parts,
                path=search_path(binds, BOT),
                masks=tuple(sorted(map(str, masks))),
            )
        return self._views[key]

    def _parts(self, launch: Launch) -> list[Bind | Link]:
        """List what the bot sees; of two entries at one place the first counts."""
        has_network = launch.has_network
        needs_kit = self._forwards(launch)
        view = [*runtime_view(launch, self.kit, self.hidden, needs_kit=needs_kit)]
        view += [bind for bind in self._etc if not (has_network and bind.place == "/etc/hosts")]
        if has_network and Path("/etc/hosts").exists():
            view.append(Bind(source=Path("/etc/hosts"), place="/etc/hosts"))
        if has_network:
            view += registry_files(self.work / "tools", HOME)
        view += self._own(launch)
        return view

    def _own(self, launch: Launch) -> Iterator[Bind]:
        """Give the bot's folder; of a command in a home only the files that it names."""
        if is_homely(launch):
            for file in own_files(launch):
                yield Bind(source=file, place=f"{BOT}/{file.relative_to(launch.folder)}")
        else:
            yield Bind(source=launch.folder, place=BOT, is_writable=launch.is_build)

    def _walls(self, launch: Launch) -> Iterator[str]:
        """Give the options that come before any mount."""
        yield from ("--unshare-all", "--unshare-user", "--die-with-parent", "--new-session")
        if launch.has_network:
            yield "--share-net"
        if "--disable-userns" in self.options:
            yield "--disable-userns"
        yield from ("--hostname", "bot", "--uid", _INSIDE_ID, "--gid", _INSIDE_ID)
        yield from ("--cap-drop", "ALL", "--clearenv")
        yield from ("--proc", "/proc", "--dev", "/dev")
        yield from (*self._sized(SHM_BYTES), "--tmpfs", "/dev/shm", "--remount-ro", "/dev")  # noqa: S108
        yield from (*self._sized(launch.disk_bytes), "--tmpfs", HOME, "--dir", BOT)

    def _room(self, launch: Launch, view: _View) -> Iterator[str]:
        """Give the options that come after all mounts: masks, folder, variables, read-only."""
        for event in view.masks:
            yield from (*self._sized(4096), "--tmpfs", f"{BOT}/{event}")
        env = {
            **(registry_variables() if launch.has_network else {}),
            "PATH": view.path,
            "HOME": HOME,
            "TMPDIR": HOME,
            "LANG": "C.UTF-8",
            **launch.env,
        }
        if is_python(launch) and not is_kit(launch, launch.argv[0]):
            # Its own environment may know the arena by a path that nobody sees in here.
            env["PYTHONPATH"] = f"{PLACE}/kit"
        if "ARENA_PROTO" in env:
            env["ARENA_PROTO"] = f"{PLACE}/proto"
        if launch.socket is not None:
            env["ARENA_ADDRESS"] = f"unix:{SOCKET}"
        for name, value in env.items():
            yield from ("--setenv", name, value)
        yield from ("--chdir", BOT, "--remount-ro", "/")

    def _inner(self, launch: Launch) -> tuple[str, ...]:
        """Give the words that run inside: pipes, limits, forwarder, the bot's own."""
        words = launch.argv
        if is_kit(launch, words[0]):
            words = (self.kit.python, *words[1:])
        if self._forwards(launch):
            script = f"{PLACE}/forward.py"
            words = (self.kit.base, "-I", "-S", script, SOCKET, "--", *words)
        return (*(_TAKE_PIPES if launch.has_pipes else ()), *launch.prefix, *words)

    def _forwards(self, launch: Launch) -> bool:
        is_tcp = launch.manifest.transport is Transport.TCP
        return launch.socket is not None and is_tcp

    def _sized(self, size: int) -> tuple[str, ...]:
        return ("--size", str(size)) if "--size" in self.options else ()

    def _hand_over(self, launch: Launch, user: int) -> None:
        """Let the bot's user connect to its socket, and write where it builds."""
        if launch.socket is not None:
            os.chown(launch.socket, user, user)
        if launch.is_build:
            os.chown(launch.folder, user, user)
            for parent, folders, names in os.walk(launch.folder):
                for name in (*folders, *names):
                    os.chown(Path(parent, name), user, user, follow_symlinks=False)


class _Stage:
    """The sources that the warden binds where the bot's user may look."""

    def __init__(self) -> None:
        self._sources: list[Path] = []

    def place(self, source: Path) -> str:
        self._sources.append(source)
        return f"{_STAGE}/{len(self._sources) - 1}"

    def entry(self, user: int) -> bytes:
        return b"".join(_word(str(part)) for part in (user, *self._sources))


def find_bubblewrap() -> tuple[str, frozenset[str]] | None:
    """Find ``bwrap`` and read which options it knows; None where there is none."""
    program = shutil.which("bwrap")
    if program is None:
        return None
    try:
        told = subprocess.run(
            [program, "--help"], capture_output=True, text=True, check=False, timeout=_HELP_S
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    words = (told.stdout + told.stderr).split()
    return program, frozenset(word for word in words if word.startswith("--"))


def _mounts(view: Sequence[Bind | Link], stage: _Stage | None) -> Iterator[str]:
    seen: set[str] = set()
    for part in view:
        if part.place in seen:
            continue
        seen.add(part.place)
        if isinstance(part, Link):
            yield from ("--symlink", part.goal, part.place)
            continue
        # What every user may enter need not be bound twice.
        is_open = part.place == str(part.source) and (
            is_system(part.source) or part.source.is_relative_to("/etc")
        )
        absolute = part.source.absolute()
        source = str(absolute) if stage is None or is_open else stage.place(absolute)
        yield from ("--bind" if part.is_writable else "--ro-bind", source, part.place)


def _descriptor(name: str, content: bytes) -> int:
    low = os.memfd_create(name)
    try:
        os.write(low, content)
        os.lseek(low, 0, os.SEEK_SET)
        return fcntl.fcntl(low, fcntl.F_DUPFD_CLOEXEC, _FIRST_FREE)
    finally:
        os.close(low)


def _word(text: str) -> bytes:
    return os.fsencode(text) + b"\0"
