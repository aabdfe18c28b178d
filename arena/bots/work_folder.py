"""The work folder: where whatever lasts no longer than a command lies, and who tidies.

Owns private folders with short paths for a running arena, and the removal of what an arena that
was killed left behind; nothing in this package makes a temporary folder elsewhere. Must not
know what lies in it: sockets, bots' scratch files, frozen copies for a check.

A folder is its arena's as long as that lives: the arena holds a lock (``flock``) on the file
``lock`` in it, which the system releases however the process ends. Whoever opens a folder
next removes those that nobody holds.
"""

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from arena.errors import ConfigError, HostFault

PREFIX: Final = "arena-"
MOST_PATH_BYTES: Final = 78
"""Of the folder that holds it: a socket lies 29 bytes deeper, and its path may have 107."""
_SHORTEST: Final = Path("/tmp")  # noqa: S108  # the folder made in it is private


@contextmanager
def open_work_folder() -> Iterator[Path]:
    """Make a private folder, and take it away with all that is in it.

    It lies where temporary files lie (``TMPDIR``), or in ``/tmp`` where that path is too
    long for sockets.

    Raises:
        ConfigError: Neither has a path that is short enough.
        HostFault: The folder cannot be made.
    """
    try:
        parent = work_parent()
        _tidy(parent)
        work = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
        lock = _hold(work)
    except OSError as error:
        where = error.filename or tempfile.gettempprefix()
        raise HostFault(f"{where}: no folder for temporary files: {error.strerror}") from error
    try:
        yield work
    finally:
        shutil.rmtree(work, ignore_errors=True)
        os.close(lock)


def is_work_folder(folder: Path) -> bool:
    """Whether a folder is an arena's, of this user."""
    return (
        folder.name.startswith(PREFIX)
        and folder.stat().st_uid == os.getuid()
        and (folder / "lock").is_file()
    )


def work_parent() -> Path:
    """Say where work folders are made.

    Raises:
        ConfigError: Nowhere is a path short enough.
    """
    usual = Path(tempfile.gettempdir())
    for folder in (usual, _SHORTEST):
        if len(os.fsencode(folder.absolute())) <= MOST_PATH_BYTES and os.access(folder, os.W_OK):
            return folder
    raise ConfigError(
        f"TMPDIR: {usual} is too long for the sockets of bots: a path of at most "
        f"{MOST_PATH_BYTES} bytes is allowed; set TMPDIR to a shorter one"
    )


def _hold(work: Path) -> int:
    """Lock the folder; the lock shows under its name only when it is held."""
    draft = work / "lock.new"
    lock = os.open(draft, os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(lock, fcntl.LOCK_EX)
    draft.rename(work / "lock")
    return lock


def _tidy(parent: Path) -> None:
    """Remove the folders of this user's arenas that were killed."""
    for folder in parent.glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):  # somebody else's, or gone meanwhile
            if folder.is_symlink() or folder.stat().st_uid != os.getuid():
                continue
            lock = os.open(folder / "lock", os.O_RDWR | os.O_NOFOLLOW)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(lock)
