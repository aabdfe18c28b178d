"""Bytes to a file in blocks: what was written is whole, or it is not there.

Owns the file descriptor of a log being written, and what a full disk means. Must not
know JSON or events. Source: record.md (one ``write`` at each trick's end …),
requirements.md J (disk full is a clear stop with nothing corrupted).
"""

import os
from pathlib import Path
from typing import Final

from arena.errors import HostFault

LOG_MODE: Final = 0o600
"""Logs hold cards that others may have yet to play: no business of other users."""

BLOCK_BYTES: Final = 1 << 16
"""Lines are kept back up to this size where nobody asks for a flush."""


class BlockWriter:
    """Append lines to one new file, buffered; the only writer of that file.

    After a failed write the file is cut back to its last whole block and every later
    call raises the same HostFault.
    """

    __slots__ = ("_buffer", "_buffered", "_fault", "_fd", "path", "size")

    def __init__(self, path: Path) -> None:
        """Create the file.

        Raises:
            HostFault: It exists already, or cannot be created.
        """
        self.path = path
        self.size = 0
        """Bytes that are in the file."""
        self._buffer: list[bytes] = []
        self._buffered = 0
        self._fault: HostFault | None = None
        try:
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
            self._fd = os.open(path, flags, LOG_MODE)
        except FileExistsError:
            raise HostFault(
                f"cannot create the log {path}: it exists already (a log is never overwritten; "
                "the next attempt at a match has a number of its own)"
            ) from None
        except OSError as error:
            raise HostFault(f"cannot create the log {path}: {error.strerror}") from error

    def append(self, line: bytes) -> None:
        """Keep a line for the next flush.

        Raises:
            HostFault: An earlier write failed.
        """
        if self._fault is not None:
            raise self._fault
        self._buffer.append(line)
        self._buffered += len(line)

    @property
    def is_full(self) -> bool:
        """Whether more is kept back than a block should hold."""
        return self._buffered >= BLOCK_BYTES

    def flush(self) -> bytes:
        """Write what was kept back with one system call, and return it.

        Raises:
            HostFault: The file cannot take it; the file holds whole blocks only.
        """
        if self._fault is not None:
            raise self._fault
        block = b"".join(self._buffer)
        self._buffer.clear()
        self._buffered = 0
        if not block:
            return block
        written = 0
        try:
            while written < len(block):  # a second round only where the kernel took a part
                written += os.write(self._fd, block[written:] if written else block)
        except OSError as error:
            raise self._broken(error) from error
        self.size += len(block)
        return block

    def close(self) -> None:
        """Release the file; what was kept back and not flushed is dropped. Idempotent."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1
        if self._fault is None:
            self._fault = HostFault(f"the log {self.path} is closed")

    def _broken(self, error: OSError) -> HostFault:
        self._fault = HostFault(
            f"cannot write the log {self.path}: {error.strerror}; it ends with its last whole "
            f"line ({self.size} bytes)"
        )
        try:
            os.ftruncate(self._fd, self.size)
        except OSError as second:
            self._fault.add_note(f"nor could the file be cut back: {second.strerror}")
        return self._fault
