"""Packing: a bot's folder as one archive, the same bytes on any machine.

Owns the form of an archive: a zip of the frozen copy's files, so with the same content hash
(:mod:`arena.bots.frozen`), in the order in which they are hashed, without compression, which
differs between machines, at one fixed time, readable by all and executable where the file is.
What may come out of an archive is :mod:`arena.bots.archive`'s; nothing is packed that it
would refuse. Source: issue "Tournaments to trust" 7.
"""

import contextlib
import os
import secrets
import shutil
import stat
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.bots.archive import check_members
from arena.bots.argument import BotChoice
from arena.bots.frozen import FrozenBot, freeze
from arena.bots.work_folder import open_work_folder
from arena.errors import ConfigError, HostFault

_EPOCH: Final = (1980, 1, 1, 0, 0, 0)
_PIECE: Final = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Packed:
    """An archive that was written, or was there already with these bytes."""

    path: Path
    hash: str
    """Content hash of the bot in it."""
    files: int
    size: int
    """Bytes of the archive."""
    is_new: bool
    """False: the same archive stood there."""


def pack_bot(choice: BotChoice, out: Path, *, may_replace: bool = False) -> Packed:
    """Write a bot's archive; it is there whole or not at all.

    Args:
        choice: A bot in a folder, without options of its own: these are the organiser's.
        out: The archive.
        may_replace: Whether another archive there may be replaced.

    Raises:
        ConfigError: See :func:`arena.bots.frozen.freeze`; or a name in the folder
            would not be unpacked everywhere; or ``out`` lies in it or holds something else.
        HostFault: The archive cannot be written.
    """
    if out.resolve().is_relative_to(choice.folder.resolve()):
        raise ConfigError(
            f"{out}: in the bot's own folder, where it would be packed too the next time; "
            "give a place outside with -o FILE"
        )
    try:
        with open_work_folder() as work:
            bot = freeze(choice, work / "bots")
            return _write(bot, out, may_replace=may_replace)
    except OSError as error:
        raise HostFault(f"{error.filename or out}: cannot be written: {error.strerror}") from error


def _write(bot: FrozenBot, out: Path, *, may_replace: bool) -> Packed:
    files = sorted(
        (path for path in bot.folder.rglob("*") if path.is_file()),
        key=lambda path: os.fsencode(path.relative_to(bot.folder).as_posix()),
    )
    names = [path.relative_to(bot.folder).as_posix() for path in files]
    check_members(names, source=bot.name)
    draft = out.with_name(f".{secrets.token_hex(8)}")
    try:
        with zipfile.ZipFile(draft, "x", zipfile.ZIP_STORED) as archive:
            for name, path in zip(names, files, strict=True):
                _add(archive, name, path)
        is_new = _put(draft, out, may_replace=may_replace)
    finally:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
    return Packed(path=out, hash=bot.hash, files=len(files), size=out.stat().st_size, is_new=is_new)


def _add(archive: zipfile.ZipFile, name: str, path: Path) -> None:
    entry = zipfile.ZipInfo(name, _EPOCH)
    entry.create_system = 3  # Unix, whose modes are in what follows
    is_executable = path.stat().st_mode & stat.S_IXUSR
    entry.external_attr = (stat.S_IFREG | (0o755 if is_executable else 0o644)) << 16
    entry.file_size = path.stat().st_size
    with path.open("rb") as source, archive.open(entry, "w") as target:
        shutil.copyfileobj(source, target, _PIECE)


def _put(draft: Path, out: Path, *, may_replace: bool) -> bool:
    """Put an archive in its place; whether it was not there before."""
    if may_replace:
        draft.replace(out)
        return True
    try:
        os.link(draft, out)  # unlike a renaming it never takes another file's place
    except FileExistsError:
        if out.is_file() and out.read_bytes() == draft.read_bytes():
            return False
        raise ConfigError(
            f"{out}: exists and is another file; give another name with -o FILE, or --force"
        ) from None
    return True
