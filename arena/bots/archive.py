"""Archive: a stranger's zip into a folder, or a refusal that leaves nothing.

Owns the rules for every archive that comes in, of bots as of logs: it is a zip (stored or
deflated, not encrypted) of files and folders. Refused are links and devices, names that lead
out of the folder or that two systems read differently, and bombs: every bound is held against
what really comes out, not against what the archive says of itself. Must not know what is in
it. Source: issue "Tournaments to trust" 7, issue 6 ("Robust").
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
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.bots.frozen import MOST_DEPTH
from arena.errors import ConfigError, HostFault

MOST_RATIO: Final = 200
"""Bytes that come out of one byte of the archive; text has at most about 20."""
FREE_BYTES: Final = 16 << 20
"""So much may come out at any ratio: a small file of zeros is no bomb."""
MOST_NAME_BYTES: Final = 255
"""Of one folder's or file's name: what file systems take."""
MOST_PATH_BYTES: Final = 1024
_PIECE: Final = 1 << 20
_ENCRYPTED: Final = 0x1
_UNREADABLE: Final = (
    zipfile.BadZipFile, NotImplementedError, zlib.error, EOFError, struct.error,
    UnicodeError, ValueError, OverflowError, RuntimeError,
)  # fmt: skip
"""What reading a damaged archive raises."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveBounds:
    """How much an archive may hold."""

    files: int
    """Files and folders."""
    content_bytes: int
    """All files together, unpacked."""
    listing_bytes: int
    """The list of its members, which is read whole: no more is read from it at once."""

    @property
    def archive_bytes(self) -> int:
        """How large it may be itself: all files without compression, and their names."""
        return self.content_bytes + 8 * self.listing_bytes


def unpack(archive: Path, target: Path, bounds: ArchiveBounds) -> None:
    """Unpack an archive into a folder that does not exist yet.

    Raises:
        ConfigError: The archive cannot be read, or holds what the module refuses; the message
            names archive and member. Nothing is left of ``target``.
        HostFault: The folder cannot be written, or there is no room for what it shall hold.
    """
    _check_file(archive, bounds)
    try:
        target.mkdir(parents=True)
    except OSError as error:
        raise HostFault(f"{target}: cannot be made: {error.strerror}") from error
    try:
        with archive.open("rb") as file:
            _unpack(archive, _Bounded(file, bounds.listing_bytes), target, bounds)
    except (ConfigError, HostFault):
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
        return "an absolute name; names are relative to the folder that is packed"
    if any(part in ("", ".", "..") for part in path.split("/")):
        return "a name with .. or an empty part leads out of the folder"
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


def _check_file(archive: Path, bounds: ArchiveBounds) -> None:
    """Refuse what is no file that can be read, or is too large, before it is opened."""
    try:
        status = archive.stat()
    except OSError as error:
        raise ConfigError(f"{archive}: cannot be read: {error.strerror}") from error
    if not stat.S_ISREG(status.st_mode):
        raise ConfigError(f"{archive}: is no file, so no archive")
    if not os.access(archive, os.R_OK):
        raise ConfigError(f"{archive}: cannot be read: Permission denied")
    if status.st_size > bounds.archive_bytes:
        raise ConfigError(
            f"{archive}: {status.st_size} bytes; an archive may have {bounds.archive_bytes}"
        )


def _unpack(archive: Path, file: "_Bounded", target: Path, bounds: ArchiveBounds) -> None:
    size = file.seek(0, io.SEEK_END)
    left = bounds.content_bytes
    allowed = max(FREE_BYTES, MOST_RATIO * size)
    with zipfile.ZipFile(file) as opened:
        members = opened.infolist()
        if len(members) > bounds.files:
            raise ConfigError(f"{archive}: more than {bounds.files} files and folders")
        # What stands in the archive, not what a library made of it.
        check_members((member.orig_filename for member in members), source=str(archive))
        _check_room(archive, min(sum(member.file_size for member in members), left), target)
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
                        raise ConfigError(
                            f"{archive}: more than {bounds.content_bytes} bytes come out of it"
                        )
                    if bounds.content_bytes - left > allowed:
                        raise ConfigError(
                            f"{archive}: {size} bytes that become more than {allowed}; allowed "
                            f"are {MOST_RATIO} for one: pack it without compression"
                        )
                    copy.write(piece)
            place.chmod(0o755 if member.external_attr >> 16 & stat.S_IXUSR else 0o644)


def _check_room(archive: Path, wanted: int, target: Path) -> None:
    """Refuse to fill the disk; an archive that says less than it holds is bounded elsewhere."""
    free = shutil.disk_usage(target).free
    if wanted > free // 2:
        raise HostFault(f"{archive}: unpacks to {wanted} bytes, of {free} that are free for it")


def _check_kind(archive: Path, member: zipfile.ZipInfo) -> None:
    """Refuse what is neither file nor folder, and what this arena does not unpack."""
    where = f"{archive}: {member.orig_filename!a:.200}"
    kind = stat.S_IFMT(member.external_attr >> 16)
    if kind == stat.S_IFLNK:
        raise ConfigError(f"{where}: a link; pack the file itself")
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


class _Bounded(io.RawIOBase):
    """An archive that gives at most so many bytes at once."""

    def __init__(self, file: io.BufferedReader, most: int) -> None:
        self._file = file
        self._most = most

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
        if wanted > self._most:
            raise ConfigError(f"{self._file.name}: more than {self._most} bytes of names in it")
        return self._file.read(wanted)
