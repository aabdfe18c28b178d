"""Entries: bots that were handed in as archives, kept in the event's folder.

Owns the layout of ``entries/`` and that it is whole whenever the machine stops. The organiser's
event file names nobody of these; ``arena run`` lets them follow those that it names. Must not
unpack or check (:mod:`arena.check.entering`). Source: issue "Tournaments to trust" 7.

::

    entries/<key>/<n>/entry.json   what was handed in, and whether it is entered
                      bot/         its files as they are frozen; not there if it was refused
                      report/      for its author: report.txt, report.json, build and stderr
    entries/.removed/<key>-<k>/    what was taken out again

``<key>`` follows from the folded name, so that two names that look the same share it;
``<n>`` counts what was handed in under it, and the last that was entered plays. A submission is
written elsewhere and renamed to its place: that moment makes it whole.
"""

import contextlib
import hashlib
import os
import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from arena.bots.names import folded
from arena.errors import ConfigError, HostFault
from arena.tournament.event_file import Entrant
from arena.tournament.folder import EventFolder

BOT: Final = "bot"
REPORT: Final = "report"
_ENTRY_FILE: Final = "entry.json"
_FOLDER: Final = "entries"
_REMOVED: Final = ".removed"
_DRAFT: Final = ".draft-"
_SCHEMA: Final = 1


class Submission(msgspec.Struct, frozen=True, kw_only=True):
    """What ``entry.json`` says of one archive that was handed in."""

    schema: int = _SCHEMA
    name: str
    """The entrant's name."""
    version: str
    """The bot's own version."""
    hash: str
    """Content hash of the bot."""
    authors: tuple[str, ...]
    tags: tuple[str, ...]
    order: int
    """Its place among the entries, by the first time that something was entered as this."""
    archive: str
    """The archive's file name, and its SHA-256."""
    archive_sha256: str
    is_entered: bool
    """Whether the check found it good."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A submission and where it lies."""

    submission: Submission
    number: int
    """Which of those under this name, from 1."""
    folder: Path

    @property
    def name(self) -> str:
        """The entrant's name."""
        return self.submission.name

    @property
    def bot(self) -> Path:
        """The folder of the bot."""
        return self.folder / BOT

    @property
    def report(self) -> Path:
        """The folder for its author."""
        return self.folder / REPORT


def entries_of(folder: EventFolder) -> tuple[Entry, ...]:
    """Give the entries that play, one a name, in the order of entry.

    Raises:
        ConfigError: An ``entry.json`` is not as this module writes it.
        HostFault: Something cannot be read.
    """
    last = [
        max(entered, key=lambda entry: entry.number)
        for one in submissions(folder)
        if (entered := [entry for entry in one if entry.submission.is_entered])
    ]
    return tuple(sorted(last, key=lambda entry: (entry.submission.order, entry.name)))


def submissions(folder: EventFolder) -> tuple[tuple[Entry, ...], ...]:
    """Give all that was handed in, by name, each in the order in which it came.

    Raises:
        ConfigError: As :func:`entries_of`.
        HostFault: Something cannot be read.
    """
    root = _root(folder)
    try:
        keys = sorted(path for path in root.iterdir() if not path.name.startswith("."))
        found = [
            sorted(
                (_read(path) for path in key.iterdir() if (path / _ENTRY_FILE).is_file()),
                key=lambda entry: entry.number,
            )
            for key in keys
            if key.is_dir()
        ]
    except (FileNotFoundError, NotADirectoryError):
        return ()  # whoever makes the folder tells what is wrong with it
    except OSError as error:
        raise HostFault(f"{error.filename or root}: cannot be read: {error.strerror}") from error
    return tuple(tuple(entries) for entries in found if entries)


def submissions_of(folder: EventFolder, name: str) -> tuple[Entry, ...]:
    """Give all that was handed in under a name or one that looks the same."""
    key = _key(name)
    return next((one for one in submissions(folder) if one[0].folder.parent.name == key), ())


def as_entrants(folder: EventFolder, base: Path) -> tuple[Entrant, ...]:
    """Give the entries as entrants whose bots' paths start from ``base``."""
    return tuple(
        Entrant(
            name=entry.name,
            bot=os.path.relpath(entry.bot.resolve(), base.resolve()),
            tags=entry.submission.tags,
        )
        for entry in entries_of(folder)
    )


@contextmanager
def draft(folder: EventFolder) -> Iterator[Path]:
    """Give a folder to work in; what is left of it, and of those of killed runs, is removed.

    The caller holds the event's lock.
    """
    root = _root(folder)
    path = root / f"{_DRAFT}{secrets.token_hex(8)}"
    try:
        root.mkdir(exist_ok=True)
        for old in root.glob(f"{_DRAFT}*"):
            _remove(old)
        path.mkdir()
    except OSError as error:
        raise HostFault(f"{path}: cannot be made: {error.strerror}") from error
    try:
        yield path
    finally:
        _remove(path)


def next_order(folder: EventFolder) -> int:
    """Give the place of an entrant that is new: after all that ever were."""
    orders = [entry.submission.order for one in submissions(folder) for entry in one]
    return max(orders, default=0) + 1


def keep(folder: EventFolder, whole: Path, submission: Submission) -> Entry:
    """Put a folder of a draft, with ``bot/`` and ``report/`` in it, in its place in one step.

    Raises:
        HostFault: The disk does not take it.
    """
    home = _root(folder) / _key(submission.name)
    earlier = submissions_of(folder, submission.name)
    number = earlier[-1].number + 1 if earlier else 1
    target = home / str(number)
    try:
        with (whole / _ENTRY_FILE).open("wb") as file:
            file.write(msgspec.json.encode(submission) + b"\n")
            file.flush()
            os.fsync(file.fileno())
        home.mkdir(exist_ok=True)
        whole.rename(target)
    except OSError as error:
        raise HostFault(f"{target}: cannot be written: {error.strerror}") from error
    return Entry(submission=submission, number=number, folder=target)


def withdraw(folder: EventFolder, name: str) -> Path:
    """Take an entrant out, with all that was handed in under its name; give where it lies now.

    Raises:
        ConfigError: There is no such entry.
        HostFault: It cannot be moved.
    """
    found = submissions_of(folder, name)
    if not found:
        there = ", ".join(repr(entry.name) for entry in entries_of(folder)) or "none"
        raise ConfigError(f"{_root(folder)}: no entry {name!r}; there are {there}")
    home, removed = found[0].folder.parent, _root(folder) / _REMOVED
    number = 1
    while (target := removed / f"{home.name}-{number}").exists():
        number += 1
    try:
        removed.mkdir(exist_ok=True)
        home.rename(target)
    except OSError as error:
        raise HostFault(f"{home}: cannot be moved: {error.strerror}") from error
    return target


def _read(path: Path) -> Entry:
    file = path / _ENTRY_FILE
    try:
        submission = msgspec.json.decode(file.read_bytes(), type=Submission)
        number = int(path.name)
    except (msgspec.MsgspecError, ValueError) as error:
        raise ConfigError(f"{file}: not written by arena entry: {error}; remove {path}") from None
    if submission.schema > _SCHEMA:
        raise ConfigError(f"{file}: schema {submission.schema}; known is {_SCHEMA}")
    return Entry(submission=submission, number=number, folder=path)


def _remove(path: Path) -> None:
    """Remove a draft, also what a build has locked away in it."""
    for parent, folders, _ in os.walk(path):
        for name in folders:
            folder = Path(parent, name)
            if not folder.is_symlink():
                with contextlib.suppress(OSError):
                    folder.chmod(0o700)
    shutil.rmtree(path, ignore_errors=True)


def _root(folder: EventFolder) -> Path:
    return folder.path / _FOLDER


def _key(name: str) -> str:
    """Name the folder of a name: what can be read of it, and a hash that tells it apart."""
    plain = re.sub(r"[^a-z0-9]+", "-", folded(name)).strip("-")[:40]
    digest = hashlib.sha256(folded(name).encode()).hexdigest()[:8]
    return f"{plain or 'bot'}-{digest}"
