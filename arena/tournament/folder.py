"""The folder of an event: where everything lies, and who may write to it.

Owns the layout, its creation and the lock that keeps a second run out. Must not know what
the files hold, but for telling one event's folder from another's.
Source: record.md ("The event folder"), commands.md (EVENT).
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from errno import EACCES, EISDIR, ELOOP, ENAMETOOLONG, ENOENT, ENOTDIR, EPERM, EROFS
from pathlib import Path
from typing import Final

from arena.errors import ArenaError, ConfigError, HostFault, LogCorrupt

TOKENS_FILE: Final = "remote.tokens"
"""What remote bots present; it may be made before the event begins."""
EVENT_FILE: Final = "event.toml"
EVENT_LOG: Final = "event.jsonl"

_PLACE_IS_WRONG: Final = {EACCES, EISDIR, ELOOP, ENAMETOOLONG, ENOENT, ENOTDIR, EPERM, EROFS}
"""Errors that another path would cure: the user's to mend, unlike a full disk."""


@dataclass(frozen=True, slots=True)
class EventFolder:
    """Where the parts of an event lie."""

    path: Path

    @property
    def event_file(self) -> Path:
        """The copy of the event file that counts."""
        return self.path / EVENT_FILE

    @property
    def event_log(self) -> Path:
        """The event's own log."""
        return self.path / EVENT_LOG

    @property
    def results(self) -> Path:
        """The results database."""
        return self.path / "results.sqlite"

    @property
    def standings(self) -> Path:
        """The standings as last written."""
        return self.path / "standings.json"

    @property
    def seed_key(self) -> Path:
        """The secret seeds."""
        return self.path / "seed.key"

    @property
    def lock(self) -> Path:
        """The lock of the run that is going on."""
        return self.path / "lock"

    @property
    def logs(self) -> Path:
        """The logs of matches."""
        return self.path / "logs"

    @property
    def stderr(self) -> Path:
        """What bots wrote to their standard error."""
        return self.path / "stderr"

    @property
    def bots(self) -> Path:
        """The frozen copies of the entrants, each in a folder named by its hash."""
        return self.path / "bots"

    @property
    def has_begun(self) -> bool:
        """Whether an event was opened here before: something of it is published."""
        return self.event_log.is_file() and self.event_log.stat().st_size > 0

    @property
    def is_left_by_a_start(self) -> bool:
        """Whether a start was cut short here before it published anything."""
        return self.lock.is_file() and self.logs.is_dir() and not self.has_begun

    def refuse_lost_log(self) -> None:
        """Refuse a folder with matches where the event's log says nothing: it was lost.

        To begin an event there would draw other seeds and bury what was played.

        Raises:
            LogCorrupt: Matches were played here.
        """
        if any(self.logs.glob("*.jsonl*")):
            raise LogCorrupt(
                f"{self.event_log}: missing or empty, but {self.logs} holds matches of the event "
                "whose log this was, and nothing else says which of them count; put it back from "
                "a copy, or begin a new event in another folder with -o FOLDER"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class EventPlace:
    """What EVENT on a command line stands for: the file to read, the folder to write."""

    file: Path
    folder: EventFolder
    content: bytes | None = None
    """The event file's bytes where they are known already, or no file holds them."""

    def read(self) -> bytes:
        """Give the bytes of the event file.

        Raises:
            ConfigError: It cannot be read.
        """
        if self.content is not None:
            return self.content
        try:
            return self.file.read_bytes()
        except OSError as error:
            raise ConfigError(f"{self.file}: cannot be read: {error.strerror}") from error


def locate(event: Path, out: Path | None = None) -> EventPlace:
    """Find file and folder of an EVENT.

    A folder is an event's folder, and its ``event.toml`` the file; before the event has begun it
    is the file beside the folder that this is a copy of, where bots' paths start. A file is
    played in the folder it lies in, if that is an event's folder and it is the ``event.toml``
    there; else in the folder beside it that bears its name without ``.toml``, or in ``out``.

    Raises:
        ConfigError: There is no such file, or the folder is no event's.
    """
    if event.is_dir():
        if not (event / EVENT_FILE).is_file():
            raise ConfigError(
                f"{event}: no event's folder, it holds no {EVENT_FILE}; "
                "allowed: an event file or the folder of an event"
            )
        return EventPlace(file=_file_of(event), folder=EventFolder(out or event))
    if not event.is_file():
        raise ConfigError(f"{event}: no such file or folder; make one with `arena new event`")
    if out is None:
        is_at_home = event.name == EVENT_FILE and EventFolder(event.parent).has_begun
        out = event.parent if is_at_home else event.with_suffix("")
        if out == event:
            raise ConfigError(
                f"{event}: the event's folder would bear this name too; give -o FOLDER"
            )
    return EventPlace(file=event, folder=EventFolder(out))


def _file_of(folder: Path) -> Path:
    """Find the event file of a folder: before the start the one that it was made from."""
    own = folder / EVENT_FILE
    named = folder if folder.name not in ("", "..") else folder.resolve()
    source = named.with_name(f"{named.name}.toml")
    if EventFolder(folder).has_begun or not source.is_file():
        return own
    return source if source.read_bytes() == own.read_bytes() else own


def first_free(path: Path) -> Path:
    """Find the first folder that nothing stands in, of NAME, NAME-2, NAME-3 and so on."""
    candidate, number = path, 1
    while candidate.exists() and not (candidate.is_dir() and not any(candidate.iterdir())):
        number += 1
        candidate = path.with_name(f"{path.name}-{number}")
    return candidate


def newest_again(folder: EventFolder) -> Path | None:
    """Find the last folder that :func:`first_free` made beside this one for an event begun."""
    newest, number = None, 2
    while (path := folder.path.with_name(f"{folder.path.name}-{number}")).exists():
        newest = path if EventFolder(path).has_begun else newest
        number += 1
    return newest


def create_folder(place: EventPlace) -> EventFolder:
    """Create an event's folder with its copy of the event file, or go on with one begun.

    Raises:
        ConfigError: The folder holds another event or other things, or cannot stand there.
        HostFault: This machine cannot write it.
    """
    folder = place.folder
    content = place.read()
    try:
        if folder.path.exists():
            _refuse_foreign(folder, content, place.file)
        for path in (folder.path, folder.logs, folder.stderr, folder.bots):
            path.mkdir(parents=True, exist_ok=True)
        if not folder.event_file.exists() or folder.event_file.read_bytes() != content:
            _write_whole(folder.event_file, content)
    except OSError as error:
        raise _refusal(error, folder.path) from error
    return folder


@contextmanager
def locked(folder: EventFolder) -> Iterator[None]:
    """Keep every other run out of an event's folder while the body runs.

    The lock is the operating system's (``flock``): however this process ends, it is
    released. The file stays and names the process that held it last.

    Raises:
        ConfigError: Another process runs this event; the message names it.
        HostFault: The lock cannot be written.
    """
    try:
        descriptor = os.open(folder.lock, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise _refusal(error, folder.lock) from error
    try:
        _take(descriptor, folder)
        yield
    finally:
        os.close(descriptor)


def holder(folder: EventFolder) -> str | None:
    """Name the process that runs an event now; None where none does.

    Raises:
        HostFault: The lock cannot be read.
    """
    try:
        descriptor = os.open(folder.lock, os.O_RDONLY)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise HostFault(f"{folder.lock}: cannot be read: {error.strerror}") from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return os.pread(descriptor, 32, 0).decode("ascii", "replace").strip() or "(unknown)"
    finally:
        os.close(descriptor)
    return None


def _take(descriptor: int, folder: EventFolder) -> None:
    """Take the lock and sign it, or say who has it."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
    except BlockingIOError as error:
        holder = os.pread(descriptor, 32, 0).decode("ascii", "replace").strip()
        raise ConfigError(
            f"{folder.path}: process {holder or '(unknown)'} is running this event; "
            "wait for it, or stop it with Ctrl-C there, which lets running matches finish"
        ) from error
    except OSError as error:
        raise _refusal(error, folder.lock) from error


def _refuse_foreign(folder: EventFolder, content: bytes, source: Path) -> None:
    """Refuse a folder that belongs to another event, or is no event's and not empty."""
    if folder.event_file.is_file():
        # Before the first line of its log nothing has been published: the copy may be mended.
        # Without logs/ it is no copy of ours but somebody's own event file.
        may_change = folder.logs.is_dir() and not folder.has_begun
        if not may_change and folder.event_file.read_bytes() != content:
            raise ConfigError(
                f"{folder.path}: holds another event: its {EVENT_FILE} is not {source}; "
                "undo the change to go on with it, or give a new folder with -o FOLDER"
            )
    elif any(path.name != TOKENS_FILE for path in folder.path.iterdir()):
        raise ConfigError(
            f"{folder.path}: exists, is not empty and is no event's folder; "
            "give another with -o FOLDER"
        )


def _write_whole(path: Path, content: bytes) -> None:
    """Write a file so that it is there whole or not at all, whenever the machine stops."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    with draft.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def _refusal(error: OSError, path: Path) -> ArenaError:
    """Sort a failure: a wrong place is the user's to mend, the rest is the host's."""
    message = f"{error.filename or path}: the event's folder cannot be written: {error.strerror}"
    return ConfigError(message) if error.errno in _PLACE_IS_WRONG else HostFault(message)
