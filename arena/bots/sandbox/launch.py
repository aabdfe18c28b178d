"""Launch: what is to be run, before a sandbox is put around it.

Owns the value that ``start_bot`` and builds hand to a sandbox, what every sandbox does, and
the one that does nothing. Must not start anything. Source: sandbox.md.
"""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from arena.bots.frozen import FrozenBot
from arena.bots.kept import Command
from arena.bots.manifest import PYTHONS, Manifest, Transport

TMP_BYTES: Final = 32 << 20
"""What a bot may write, in memory, gone at its end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """A command of a bot and what it is to have."""

    manifest: Manifest
    argv: tuple[str, ...]
    """As its manifest has it: ``python`` stands for the arena's own interpreter."""
    folder: Path
    """The bot's folder, in which it runs."""
    env: Mapping[str, str]
    """Its variables but for PATH, HOME, TMPDIR and ARENA_ADDRESS."""
    scratch: Path
    """An existing folder that it may write to, where no sandbox gives it one."""
    output: Path
    has_pipes: bool = False
    keep_bytes: int = 65_536
    address: str = ""
    """Where the referee listens for it; empty for a bot that speaks lines."""
    socket: Path | None = None
    """The Unix socket behind ``address``, if it is one."""
    prefix: tuple[str, ...] = ()
    """Words before the command, inside the sandbox: limits that hold for the bot alone."""
    disk_bytes: int = TMP_BYTES
    """Of its ``/tmp``, where a sandbox gives it one."""
    is_command: bool = False
    """Whether ``folder`` is no frozen copy but the folder in which a command was given."""
    is_build: bool = False
    """Whether it may write to its folder."""
    has_network: bool = False


class Sandbox(Protocol):
    """What every back end does."""

    @property
    def guards(self) -> tuple[str, ...]:
        """What it keeps from bots, as :class:`~arena.bots.sandbox.mode.Guard` names it."""

    @property
    def build_mark(self) -> str:
        """What builds made in it are called: they may hold paths that hold in it alone."""

    @property
    def build_place(self) -> str | None:
        """Where every build sees its folder; None: at its own path, which built files may hold."""

    @property
    def counts_tasks(self) -> bool:
        """Whether a limit on a user's tasks, set inside, counts those of this bot alone."""

    def listens_on_tcp(self, manifest: Manifest) -> bool:
        """Whether the referee must listen on TCP for such a bot."""

    def check(self, bot: FrozenBot) -> None:
        """Refuse a bot of which a piece could not be seen from inside.

        Raises:
            ConfigError: The piece, and the cure.
        """

    def command(self, launch: Launch) -> Command:
        """Make the command that the warden starts. Its descriptors are ``start_kept``'s."""


class NoSandbox:
    """The back end that keeps nothing from a bot."""

    guards: tuple[str, ...] = ()
    build_mark = "built"
    build_place: str | None = None
    counts_tasks = False

    def listens_on_tcp(self, manifest: Manifest) -> bool:
        """Whether the manifest asks for it."""
        return manifest.transport is Transport.TCP

    def check(self, bot: FrozenBot) -> None:
        """Refuse nothing."""

    def command(self, launch: Launch) -> Command:
        """Give the command as it is, with a clean environment."""
        usual = {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(launch.scratch),
            "TMPDIR": str(launch.scratch),
        }
        inherited = dict(os.environ) if launch.is_build else usual
        address = {"ARENA_ADDRESS": launch.address} if launch.address else {}
        return Command(
            argv=(*launch.prefix, *resolve_python(launch.manifest, launch.argv)),
            folder=launch.folder,
            env={**inherited, **launch.env, **address},
            output=launch.output,
            has_pipes=launch.has_pipes,
            keep_bytes=launch.keep_bytes,
        )


NO_SANDBOX: Final[Sandbox] = NoSandbox()


def resolve_python(manifest: Manifest, argv: tuple[str, ...]) -> tuple[str, ...]:
    """Put the arena's own interpreter for ``python`` in a command of a bot in Python."""
    if manifest.is_python and argv[0] in PYTHONS:
        return (sys.executable, *argv[1:])
    return argv
