"""Unpacking: a stranger's archive into a folder, or a refusal that leaves nothing.

Owns what an archive may hold. It is a zip (stored or deflated, not encrypted) of files and
folders, with ``bot.toml`` at its top or in its one top folder. Refused are links and devices,
names that lead out of the folder or that two systems read differently, and bombs: every bound
is held against what really comes out, not against what the archive says of itself. Must not
know bots beyond the place of the manifest. Source: issue "Tournaments to trust" 7.
"""

import io
import os
import shutil
import stat
import struct
import unicodedata
import zipfile
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from arena.bots.frozen import MOST_BYTES, MOST_DEPTH, MOST_FILES
from arena.bots.manifest import MANIFEST_NAME
from arena.errors import ConfigError, HostFault

MOST_ARCHIVE_BYTES: Final = MOST_BYTES + (64 << 20)
"""Of the archive itself: all files without compression, and their names."""
MOST_RATIO: Final = 200
"""Bytes that come out of one byte of the archive; text has at most about 20."""
FREE_BYTES: Final = 16 << 20
"""So much may come out at any ratio: a small file of zeros is no bomb."""
MOST_NAME_BYTES: Final = 255
"""Of one folder's or file's name: what file systems take."""
MOST_PATH_BYTES: Final = 1024
_MOST_READ: Final = 8 << 20
"""Read from an archive at once: bounds its list of members, which is read whole."""
_PIECE: Final = 1 << 20
_ENCRYPTED: Final = 0x1
_UNREADABLE: Final = (
    zipfile.BadZipFile, NotImplementedError, zlib.error, EOFError, struct.error,
    UnicodeError, ValueError, OverflowError, RuntimeError,
)  # fmt: skip
"""What reading a damaged archive raises."""


def unpack(archive: Path, target: Path) -> Path:
    """Unpack an archive into a folder that does not exist yet.

    Returns:
        The folder with the manifest: ``target`` or the one folder in it.

    Raises:
        ConfigError: The archive cannot be read, or holds what the module refuses; the message
            names archive and member. Nothing is left of ``target``.
        HostFault: The folder cannot be written.
    """
    _check_file(archive)
    try:
        target.mkdir(parents=True)
    except OSError as error:
        raise HostFault(f"{target}: cannot be made: {error.strerror}") from error
    try:
        with archive.open("rb") as file:
            _unpack(archive, _Bounded(file), target)
        return _root(archive, target)
    except ConfigError:
        shutil.rmtree(target, ignore_errors=True)
        raise
    except _UNREADABLE as error:
        shutil.rmtree(target, ignore_errors=True)
        raise ConfigError(f"{archive}: is no zip that can be read: {error or 'it ends'}") from error
    except OSError as error:
        shutil.rmtree(target, ignore_errors=True)
        where = error.filename or target
        raise HostFault(f"{where}: {error.strerror}, while unpacking {archive}") from error


def check_members(names: Iterable[str], *, source: str) -> None:
    """Refuse names of files and folders that no archive may hold; folders end with a slash.

    Raises:
        ConfigError: The first such name, and why.
    """
    spelled: dict[str, str] = {}
    kinds: dict[str, bool] = {}
    for name in names:
        path = name.removesuffix("/")
        if problem := _problem_of_path(path):
            raise ConfigError(f"{source}: {name!a:.200}: {problem}")
        parts = path.split("/")
        for count in range(1, len(parts) + 1):
            part = "/".join(parts[:count])
            is_file = count == len(parts) and not name.endswith("/")
            other = spelled.setdefault(_alike(part), part)
            if other != part:
                raise ConfigError(
                    f"{source}: {part!a:.200} and {other!a:.200}: one file on some systems, two "
                    "on others; rename one"
                )
            if part in kinds and (is_file or kinds[part]):
                raise ConfigError(f"{source}: {part!a:.200}: is there twice")
            kinds[part] = is_file


def _problem_of_path(path: str) -> str | None:  # noqa: PLR0911  # one reason after another
    """Say why a relative path is refused, or None."""
    if not path.isprintable() or "\\" in path:
        return "a name with characters that nobody sees, or a backslash; rename it"
    try:
        sizes = [len(part.encode()) for part in path.split("/")]
    except UnicodeEncodeError:
        return "a name that is no UTF-8; rename it"
    if path.startswith("/") or path[1:2] == ":":
        return "an absolute name; names are relative to the bot's folder"
    if any(part in ("", ".", "..") for part in path.split("/")):
        return "a name with .. or an empty part leads out of the bot's folder"
    if max(sizes) > MOST_NAME_BYTES or len(path.encode()) > MOST_PATH_BYTES:
        return (
            f"a name of {len(path.encode())} bytes; allowed are {MOST_NAME_BYTES} in each part, "
            f"{MOST_PATH_BYTES} in all"
        )
    if len(sizes) > MOST_DEPTH:
        return f"more than {MOST_DEPTH} folders in one another"
    return None


def _alike(path: str) -> str:
    """Fold what file systems that ignore case or the form of accents take for one name."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", path).casefold())


def _check_file(archive: Path) -> None:
    """Refuse what is no file that can be read, or is too large, before it is opened."""
    try:
        status = archive.stat()
    except OSError as error:
        raise ConfigError(f"{archive}: cannot be read: {error.strerror}") from error
    if not stat.S_ISREG(status.st_mode):
        raise ConfigError(f"{archive}: is no file; an entry is an archive that arena pack made")
    if not os.access(archive, os.R_OK):
        raise ConfigError(f"{archive}: cannot be read: Permission denied")
    if status.st_size > MOST_ARCHIVE_BYTES:
        raise ConfigError(
            f"{archive}: {status.st_size} bytes; an archive may have {MOST_ARCHIVE_BYTES}"
        )


def _unpack(archive: Path, file: "_Bounded", target: Path) -> None:
    size = file.seek(0, io.SEEK_END)
    left = MOST_BYTES
    allowed = max(FREE_BYTES, MOST_RATIO * size)
    with zipfile.ZipFile(file) as opened:
        members = opened.infolist()
        if len(members) > MOST_FILES:
            raise ConfigError(f"{archive}: more than {MOST_FILES} files and folders")
        # What stands in the archive, not what a library made of it.
        check_members((member.orig_filename for member in members), source=str(archive))
        for member in members:
            _check_kind(archive, member)
            place = target / member.orig_filename
            if _is_folder(member):
                place.mkdir(parents=True, exist_ok=True)
                continue
            place.parent.mkdir(parents=True, exist_ok=True)
            with opened.open(member) as source, place.open("xb") as copy:
                while piece := source.read(_PIECE):
                    left -= len(piece)
                    if left < 0:
                        raise ConfigError(f"{archive}: more than {MOST_BYTES} bytes come out of it")
                    if MOST_BYTES - left > allowed:
                        raise ConfigError(
                            f"{archive}: {size} bytes that become more than {allowed}; allowed "
                            f"are {MOST_RATIO} for one: pack it without compression (arena pack)"
                        )
                    copy.write(piece)
            place.chmod(0o755 if member.external_attr >> 16 & stat.S_IXUSR else 0o644)


def _check_kind(archive: Path, member: zipfile.ZipInfo) -> None:
    """Refuse what is neither file nor folder, and what this arena does not unpack."""
    where = f"{archive}: {member.orig_filename!a:.200}"
    kind = stat.S_IFMT(member.external_attr >> 16)
    if kind == stat.S_IFLNK:
        raise ConfigError(f"{where}: a link; pack the file itself (arena pack does)")
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise ConfigError(f"{where}: is neither a file nor a folder; leave it out")
    if kind and (kind == stat.S_IFDIR) != _is_folder(member):
        raise ConfigError(f"{where}: is a file by its name and a folder by its mode, or reversed")
    if member.flag_bits & _ENCRYPTED:
        raise ConfigError(f"{where}: is encrypted; pack it without a password")
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ConfigError(f"{where}: is compressed by another method than deflate")


def _is_folder(member: zipfile.ZipInfo) -> bool:
    return member.orig_filename.endswith("/")


def _root(archive: Path, target: Path) -> Path:
    """Find the manifest at the top or in the one folder there."""
    if (target / MANIFEST_NAME).is_file():
        return target
    top = list(target.iterdir())
    if len(top) == 1 and (top[0] / MANIFEST_NAME).is_file():
        return top[0]
    raise ConfigError(f"{archive}: no {MANIFEST_NAME} at its top; make it with arena pack")


class _Bounded(io.RawIOBase):
    """An archive that gives at most :data:`_MOST_READ` bytes at once."""

    def __init__(self, file: io.BufferedReader) -> None:
        self._file = file

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._file.tell()

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        try:
            return self._file.seek(offset, whence)
        except OSError as error:  # before its start
            if whence == io.SEEK_END:
                raise  # the file is shorter than a zip's end: zipfile says that it is none
            raise zipfile.BadZipFile("it points outside itself") from error

    def read(self, size: int = -1) -> bytes:
        here = self._file.tell()
        left = self._file.seek(0, io.SEEK_END) - here
        self._file.seek(here)
        wanted = left if size is None or size < 0 else min(size, left)
        if wanted > _MOST_READ:
            raise ConfigError(f"{self._file.name}: more than {_MOST_READ} bytes of names in it")
        return self._file.read(wanted)
