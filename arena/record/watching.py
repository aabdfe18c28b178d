"""Waiting until something changes in a folder: Linux's inotify.

Owns the descriptor. Must not know what lies in the folder. A change made by another machine
on a network file system is not seen.
"""

import ctypes
import os
import select
from pathlib import Path
from typing import Final, Self

from arena.errors import ConfigError, HostFault

_MODIFY, _CLOSE_WRITE, _MOVED_TO, _CREATE, _DELETE = 0x002, 0x008, 0x080, 0x100, 0x200
_CHANGES: Final = _MODIFY | _CLOSE_WRITE | _MOVED_TO | _CREATE | _DELETE
_EVENTS_BYTES: Final = 1 << 16


class FolderWatch:
    """Tells of changes in a folder from its making on; use as a context manager."""

    def __init__(self, folder: Path) -> None:
        """Begin to watch.

        Raises:
            ConfigError: This system has no inotify.
            HostFault: It cannot watch this folder.
        """
        libc = ctypes.CDLL(None, use_errno=True)
        if not hasattr(libc, "inotify_init1"):
            raise ConfigError("waiting for a log to grow needs inotify, which only Linux has")
        self._fd: int = libc.inotify_init1(os.O_CLOEXEC | os.O_NONBLOCK)
        if (
            self._fd < 0
            or libc.inotify_add_watch(self._fd, os.fsencode(folder), ctypes.c_uint32(_CHANGES)) < 0
        ):
            reason = os.strerror(ctypes.get_errno())
            self.close()
            raise HostFault(f"{folder}: cannot be watched: {reason}")

    def __enter__(self) -> Self:
        """Give the watch itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Watch no more."""
        self.close()

    def wait(self, seconds: float) -> bool:
        """Wait for a change since the last call; say whether there was one in time."""
        poll = select.poll()
        poll.register(self._fd, select.POLLIN)
        if not poll.poll(seconds * 1000):
            return False
        os.read(self._fd, _EVENTS_BYTES)
        return True

    def close(self) -> None:
        """Release the descriptor. Idempotent."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1
