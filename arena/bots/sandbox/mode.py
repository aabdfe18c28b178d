"""Modes and guards of the sandbox: the closed lists.

Owns the words for event files, command lines, logs and terminals. Must not know how a guard
is put up. Source: design.md §6; sandbox.md.
"""

from collections.abc import Collection
from enum import StrEnum
from typing import Final


class SandboxMode(StrEnum):
    """What an organiser asks for."""

    AUTO = "auto"
    """The sandbox where it holds on this machine; else none, with a warning."""
    REQUIRED = "required"
    """The sandbox, or no play."""
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


FORGETTING: Final = frozenset({Guard.FILES, Guard.NETWORK, Guard.PROCESSES, Guard.IPC})
"""With these, nothing a bot knows outlives its process, and none tells another."""


def forgets(guards: Collection[str]) -> bool:
    """Whether bots under these guards cannot remember a board from one process to the next."""
    return set(guards) >= FORGETTING


def lacking(before: Collection[str], now: Collection[str]) -> tuple[str, ...]:
    """Name the guards that were in force before and are not now, in their order."""
    return tuple(guard for guard in Guard if guard in set(before) - set(now))


def guards_line(guards: Collection[str]) -> str:
    """Say in one line what is in force."""
    if not guards:
        return "sandbox: none; bots run with this user's rights"
    return f"sandbox: bubblewrap; guards: {', '.join(guards)}"
