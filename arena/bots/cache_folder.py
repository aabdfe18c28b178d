"""The cache folder: where a command leaves for the next what it need not make again.

Owns where that is (``ARENA_CACHE``, else ``tressette-arena`` in ``XDG_CACHE_HOME`` or ``~/.cache``)
and that nobody but this user can put anything there. Must not know what is kept.
"""

import os
import stat
from pathlib import Path
from typing import Final

VARIABLE: Final = "ARENA_CACHE"
OFF: Final = ("", "off")
"""Values of it for no cache at all."""
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


class NoCache(Exception):
    """There is none, or none to trust; the text says why."""


def open_cache(name: str) -> Path:
    """Return a private folder of this name in the cache, made if need be.

    Raises:
        NoCache: It is switched off, cannot be made or written, or others could change it.
    """
    given = os.environ.get(VARIABLE)
    if given in OFF:
        raise NoCache(f"{VARIABLE} is {given!r}")
    try:
        folder = (_usual() if given is None else Path(given).absolute()) / name
        _refuse_strangers(folder.parent)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = folder.lstat()
        if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid():
            raise NoCache(f"{folder} is no folder of this user")
        if status.st_mode & _OTHERS:
            folder.chmod(0o700)
    except OSError as error:
        raise NoCache(f"{error.filename}: {error.strerror}") from error
    except RuntimeError as error:  # nobody knows this user's home
        raise NoCache(str(error)) from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise NoCache(f"{folder} is not writable")
    return folder


def _usual() -> Path:
    named = Path(os.environ.get("XDG_CACHE_HOME", ""))
    # A relative one is to be ignored, says the standard that has it.
    return (named if named.is_absolute() else Path.home() / ".cache") / "tressette-arena"


def _refuse_strangers(folder: Path) -> None:
    """Refuse a folder if what exists of its path belongs to neither this user nor root.

    Whoever owns that could put another folder in its place; with ``sudo`` it is another's home.
    """
    there = next(place for place in (folder, *folder.parents) if place.exists())
    if there.stat().st_uid not in {0, os.geteuid()}:
        raise NoCache(f"{there} belongs to another user")
