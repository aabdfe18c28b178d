"""From a closed log to its compressed form, so that at no moment neither exists.

Owns fsync, gzip and the rename; slow, hence meant for a worker thread. Must not know
events. Source: record.md ("gzip at close", "fsync at match end").
"""

import contextlib
import gzip
import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from arena.errors import HostFault
from arena.record.block_writer import LOG_MODE
from arena.record.paths import packed_path

_CHUNK: Final = 1 << 18
_LEVEL: Final = 9


@dataclass(frozen=True, slots=True, kw_only=True)
class LogDigest:
    """A finished log: where it lies, and SHA-256 and size of its lines.

    ``sha256`` and ``size`` are of the uncompressed bytes, so that they do not depend on
    the compressor and ``zcat LOG | sha256sum`` gives the same.
    """

    path: Path
    sha256: str
    size: int


def finish_log(digest: LogDigest) -> LogDigest:
    """Compress a closed log beside itself, then remove the plain one; safe in any thread.

    The compressed bytes depend on the lines only (no name, no time).

    Raises:
        HostFault: The disk is full or the folder not writable; the plain log is intact.
    """
    plain = digest.path
    packed = packed_path(plain)
    part = packed.with_name(packed.name + ".part")
    try:
        with plain.open("rb") as source, open(part, "wb", opener=_private) as target:
            os.fsync(source.fileno())
            with gzip.GzipFile(
                filename="", mode="wb", compresslevel=_LEVEL, fileobj=target, mtime=0
            ) as pack:
                while chunk := source.read(_CHUNK):
                    pack.write(chunk)
            target.flush()
            os.fsync(target.fileno())
        part.replace(packed)
        sync_folder(packed.parent)
        plain.unlink()
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise HostFault(f"cannot compress the log {plain} to {packed}: {error.strerror}") from error
    return replace(digest, path=packed)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_CLOEXEC, LOG_MODE)


def sync_folder(folder: Path) -> None:
    """Make names in a folder survive a loss of power."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
