"""Modes and guards of the sandbox: the closed lists.

Owns the words for event files, command lines, logs and terminals. Must not know how a guard
is put up. Source: design.md §6; sandbox.md.
"""

from collections.abc import Collection, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class SandboxMode(StrEnum):
    """What an organiser asks for."""

    AUTO = "auto"
    """The strongest that holds on this machine; where none does none, with a warning."""
    REQUIRED = "required"
    """One that lets nothing outlive a bot's process (bubblewrap), or no play."""
    LANDLOCK = "landlock"
    """Landlock, or no play."""
    NONE = "none"
    """Bots run with the arena's own rights."""


class Guard(StrEnum):
    """What is kept from a bot; each was tried on this machine before it is named."""

    FILES = "files"
    """It sees its own folder, the system's programs and what it ``needs``; all read-only."""
    NETWORK = "network"
    """No network: neither the machine's addresses nor abstract sockets."""
    PROCESSES = "processes"
    """It sees and signals its own processes alone, and all of them end with it."""
    IPC = "ipc"
    """No shared memory, semaphores or queues with others."""
    SYSTEM_CALLS = "system_calls"
    """Tracing, mounting, new namespaces, keys, BPF and io_uring are refused by the kernel."""
    DISK = "disk"
    """What it can write is bounded, lies in memory and is gone when it ends."""
    PRIVILEGES = "privileges"
    """It has no capabilities and cannot get any."""
    USER = "user"
    """A user id of its own (where the arena runs as root)."""
    FILE_CONTENTS = "file_contents"
    """It opens and lists only what ``files`` lets it; of other files it can ask size and times,
    where the user may."""
    OWN_PORT = "own_port"
    """No network but TCP to the number of its own seat's port, at any address; no Unix sockets."""
    SIGNALS = "signals"
    """It signals, traces and reads its own processes alone; others' numbers it can tell."""


FORGETTING: Final = frozenset({Guard.FILES, Guard.NETWORK, Guard.PROCESSES, Guard.IPC})
"""With these, nothing a bot knows outlives its process, and none tells another."""


_COVERS: Final[Mapping[str, Guard]] = MappingProxyType(
    {
        Guard.FILES: Guard.FILE_CONTENTS,
        Guard.NETWORK: Guard.OWN_PORT,
        Guard.PROCESSES: Guard.SIGNALS,
    }
)
"""What holds where a stronger guard does: the stronger is named alone."""
WEAKER: Final = frozenset(_COVERS.values())


def forgets(guards: Collection[str]) -> bool:
    """Whether bots under these guards cannot remember a board from one process to the next."""
    return set(guards) >= FORGETTING


def lacking(before: Collection[str], now: Collection[str]) -> tuple[str, ...]:
    """Name the guards that were in force before and are not now, in their order."""
    held = set(now) | {weak for strong, weak in _COVERS.items() if strong in set(now)}
    return tuple(guard for guard in Guard if guard in set(before) - held)


def guards_line(guards: Collection[str]) -> str:
    """Say in one line what is in force."""
    if not guards:
        return "sandbox: none; bots run with this user's rights"
    name = "Landlock" if Guard.FILE_CONTENTS in set(guards) else "bubblewrap"
    return f"sandbox: {name}; guards: {', '.join(guards)}"
