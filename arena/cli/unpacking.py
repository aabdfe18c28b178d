"""An archive that somebody sent, unpacked where it can do no harm.

Owns what an archive may hold and may grow to. Must not know what is in it.
Source: commands.md (``arena verify``), issue 6 ("Robust").
"""

import lzma
import shutil
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Final

from arena.bots.work_folder import open_work_folder
from arena.errors import ArenaError, ConfigError, HostFault
from arena.record.read import MAX_LOG_BYTES

_MOST_FILES: Final = 100_000
_MOST_BYTES: Final = 16 * MAX_LOG_BYTES
"""What an archive may unpack to, all files together."""
_GROWTH: Final = 200
"""How many times its size in the archive a file may unpack to: a plain log grows tenfold."""
_SMALL: Final = 1 << 20
"""Bytes up to which a file may grow as it likes."""
_MAGIC: Final = b"PK"


@contextmanager
def unpacked(what: Path) -> Iterator[Path]:
    """Unpack a zip into a folder of its own while the body runs; give all else as it is.

    Where all lies in one folder of the archive, that folder is given. Errors of the body speak
    of the archive, not of where it was unpacked.

    Raises:
        ConfigError: It is no whole zip archive, or one that is made to do harm.
        HostFault: There is no room for it.
    """
    if not _is_zip(what):
        yield what
        return
    with open_work_folder() as work:
        root = work / "unpacked"
        root.mkdir()
        try:
            with zipfile.ZipFile(what) as archive:
                _check(what, archive.infolist(), shutil.disk_usage(root).free)
                archive.extractall(root)
        except OSError as error:
            raise HostFault(f"{what}: cannot be unpacked: {error.strerror or error}") from error
        except (
            zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error,
            NotImplementedError, RuntimeError, EOFError, ValueError,
        ) as error:  # fmt: skip
            raise ConfigError(f"{what}: not a whole zip archive: {error}") from None
        inside = [*root.iterdir()]
        is_wrapped = len(inside) == 1 and inside[0].is_dir() and inside[0].name != "logs"
        try:
            yield inside[0] if is_wrapped else root
        except ArenaError as error:
            error.args = (str(error).replace(str(root), str(what)),)
            raise


def _is_zip(what: Path) -> bool:
    if not what.is_file():
        return False
    try:
        with what.open("rb") as file:
            return what.suffix == ".zip" or file.read(len(_MAGIC)) == _MAGIC
    except OSError as error:
        raise HostFault(f"cannot read {what}: {error.strerror}") from error


def _check(what: Path, entries: list[zipfile.ZipInfo], free: int) -> None:
    """Refuse an archive before a byte of it is unpacked.

    Sizes are those that it claims: unpacking stops there, whatever is in it.
    """
    size = sum(entry.file_size for entry in entries)
    if len(entries) > _MOST_FILES or size > _MOST_BYTES:
        raise ConfigError(
            f"{what}: {len(entries)} files of {size} bytes; allowed are "
            f"{_MOST_FILES} files of {_MOST_BYTES} bytes together"
        )
    if size > free // 2:
        raise HostFault(f"{what}: unpacks to {size} bytes, of {free} that are free for it")
    names = set[str]()
    for entry in entries:
        path = PurePosixPath(entry.filename.replace("\\", "/"))
        if path.is_absolute() or ".." in path.parts:
            raise ConfigError(f"{what}: holds {entry.filename!r}, a path that leads out of it")
        if stat.S_ISLNK(entry.external_attr >> 16):
            raise ConfigError(f"{what}: holds {entry.filename!r}, which is a link")
        if entry.filename in names:
            raise ConfigError(f"{what}: holds {entry.filename!r} twice")
        names.add(entry.filename)
        if entry.file_size > max(_SMALL, _GROWTH * entry.compress_size):
            raise ConfigError(
                f"{what}: {entry.filename!r} grows from {entry.compress_size} bytes to "
                f"{entry.file_size}; allowed is {_GROWTH} times its size"
            )
