"""A folder that is written whole or not at all, and never over somebody's work.

Owns the draft beside it, the change of names, and what may be replaced. Must not know what
the files hold. Source: record.md ("arena export").
"""

import errno
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from arena.counted import counted
from arena.errors import ArenaError, ConfigError, HostFault

_WRONG_PLACE: Final = {
    errno.EACCES,
    errno.EEXIST,
    errno.EISDIR,
    errno.ELOOP,
    errno.ENAMETOOLONG,
    errno.ENOTDIR,
    errno.EPERM,
    errno.EROFS,
}
"""Errors that another path would cure: the user's to mend, unlike a full disk."""


@contextmanager
def fresh_folder(folder: Path, *, force: bool, is_ours: Callable[[Path], bool]) -> Iterator[Path]:
    """Give a draft to write into; when the body ends well it becomes ``folder``.

    Until then ``folder`` is as it was, and after a failure nothing is left of the draft.

    Args:
        folder: Where the result is to be.
        force: Whether a folder that is there is replaced; only if it holds nothing but files
            that ``is_ours`` knows by their path within it.
        is_ours: Whether a file may be one that an earlier export wrote.

    Raises:
        ConfigError: Something is there already, or the place is wrong.
        HostFault: The disk does not take it.
    """
    _refuse_taken(folder, force=force, is_ours=is_ours)
    draft = folder.with_name(f".{folder.name}.{os.getpid()}.part")
    old = folder.with_name(f".{folder.name}.{os.getpid()}.old")
    try:
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
            draft.mkdir()
            yield draft
            if folder.is_dir():
                folder.rename(old)
            draft.rename(folder)
        finally:
            if old.is_dir() and not folder.exists():
                old.rename(folder)
            shutil.rmtree(old, ignore_errors=True)
            shutil.rmtree(draft, ignore_errors=True)
    except OSError as error:
        raise _refusal(error, folder) from error


def _refuse_taken(folder: Path, *, force: bool, is_ours: Callable[[Path], bool]) -> None:
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise ConfigError(f"{folder}: exists and is no folder; give a new folder's name with -o")
    if not folder.name:
        raise ConfigError(f"{folder}: the name of a new folder is needed; give one with -o")
    if not folder.is_dir():
        return
    files = [path.relative_to(folder) for path in folder.rglob("*") if not path.is_dir()]
    foreign = min((path for path in files if not is_ours(path)), default=None)
    if foreign is not None:
        raise ConfigError(
            f"{folder}: exists and holds {foreign}, which no export wrote; give a new folder's "
            "name with -o"
        )
    if files and not force:
        raise ConfigError(
            f"{folder}: exists already and holds {counted(len(files), 'file')} of an export; give "
            "another with -o, or replace it with --force"
        )


def _refusal(error: OSError, folder: Path) -> ArenaError:
    message = f"{folder}: cannot be written: {error.strerror or error}"
    return ConfigError(message) if error.errno in _WRONG_PLACE else HostFault(message)
