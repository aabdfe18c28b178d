"""The freeze: what must not change once an event has begun, and its fingerprint.

Owns the hashes of event file, entrants and arena, and naming what differs between two
freezes. Must not know how an entrant's content is hashed (:mod:`arena.bots.frozen`) nor
where a freeze is kept (the event's log). Source: design.md §6 ("Frozen").

The fingerprint is the SHA-256 of these lines, each ended by a newline, in UTF-8::

    tressette freeze v1
    event <SHA-256 of the event file>
    arena <version>
    file <SHA-256> <path>          for every file of the arena's package, paths sorted
    entrant <content hash> <name>  for every entrant, in the order of entry
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.errors import ConfigError, HostFault, LogCorrupt

_SHORT: Final = 12
"""Hexadecimal digits of a hash in messages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Freeze:
    """What an event began with; all hashes in hexadecimal.

    ``arena_files`` by path within the package, ``entrants`` by name in the order of entry.
    """

    event: str
    arena_version: str
    arena_files: Mapping[str, str]
    entrants: Mapping[str, str]

    @property
    def fingerprint(self) -> str:
        """The one hash to publish beside the commitment."""
        lines = [
            "tressette freeze v1",
            f"event {self.event}",
            f"arena {self.arena_version}",
            *(f"file {digest} {path}" for path, digest in sorted(self.arena_files.items())),
            *(f"entrant {digest} {name}" for name, digest in self.entrants.items()),
        ]
        return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()

    def to_fields(self) -> dict[str, object]:
        """Give the fields that ``event_opened`` carries."""
        return {
            "fingerprint": self.fingerprint,
            "event_hash": self.event,
            "arena_version": self.arena_version,
            "arena_files": dict(self.arena_files),
            "entrant_hashes": dict(self.entrants),
        }

    @classmethod
    def from_fields(cls, fields: Mapping[str, object]) -> "Freeze":
        """Read a freeze back from ``event_opened``; other fields are ignored.

        Raises:
            LogCorrupt: A field is missing, or they do not give the fingerprint.
        """
        event, version = fields.get("event_hash"), fields.get("arena_version")
        files, entrants = fields.get("arena_files"), fields.get("entrant_hashes")
        if not (
            isinstance(event, str)
            and isinstance(version, str)
            and isinstance(files, dict)
            and isinstance(entrants, dict)
        ):
            raise LogCorrupt("event_opened does not say what the event began with")
        freeze = cls(event=event, arena_version=version, arena_files=files, entrants=entrants)
        if freeze.fingerprint != fields.get("fingerprint"):
            raise LogCorrupt(
                f"event_opened: the hashes give the fingerprint {freeze.fingerprint}, "
                f"not {fields.get('fingerprint')}"
            )
        return freeze


def freeze_event(
    *,
    event_file: bytes,
    entrants: Mapping[str, str],
    arena_version: str,
    package: Path,
) -> Freeze:
    """Take the freeze of an event as everything stands now.

    Args:
        event_file: The bytes of the event file.
        entrants: Content hash by entrant's name, in the order of entry.
        arena_version: The version of the arena.
        package: The folder of the arena's package.

    Raises:
        HostFault: A file of the package cannot be read.
    """
    return Freeze(
        event=hashlib.sha256(event_file).hexdigest(),
        arena_version=arena_version,
        arena_files=_hash_files(package),
        entrants=dict(entrants),
    )


def differences(before: Freeze, after: Freeze) -> tuple[str, ...]:
    """Name everything that changed between two freezes, one sentence each; empty if nothing."""
    found = []
    if before.event != after.event:
        found.append(f"the event file changed: {_change(before.event, after.event)}")
    if before.arena_version != after.arena_version:
        found.append(f"the arena changed: version {before.arena_version} → {after.arena_version}")
    found += _changes("arena file", before.arena_files, after.arena_files)
    found += _changes("entrant", before.entrants, after.entrants)
    if not found and before.fingerprint != after.fingerprint:
        found.append("the entrants stand in another order")
    return tuple(found)


def refuse_changes(changes: Sequence[str], folder: Path) -> None:
    """Refuse to go on with an event when something changed.

    Raises:
        ConfigError: There are changes; the message names each and the way out.
    """
    if changes:
        listed = "".join(f"\n  {change}" for change in changes)
        raise ConfigError(
            f"{folder}: this event began with other files:{listed}\n"
            "put them back as they were to go on, or begin a new event in another folder"
        )


def _changes(what: str, before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[str]:
    """Name what changed, came or went, in the order of names before, then after."""
    for name, digest in before.items():
        if name not in after:
            yield f"{what} {name} is gone"
        elif after[name] != digest:
            yield f"{what} {name} changed: {_change(digest, after[name])}"
    for name in after:
        if name not in before:
            yield f"{what} {name} is new"


def _change(before: str, after: str) -> str:
    return f"{before[:_SHORT]} → {after[:_SHORT]}"


def _hash_files(package: Path) -> dict[str, str]:
    """Hash every file of a package but the interpreter's caches, by path, sorted."""
    hashes = {}
    try:
        for path in sorted(package.rglob("*")):
            if "__pycache__" not in path.parts and path.is_file():
                digest = hashlib.sha256(path.read_bytes()).hexdigest()
                hashes[path.relative_to(package).as_posix()] = digest
    except OSError as error:
        raise HostFault(f"cannot read {error.filename}: {error.strerror}") from error
    return hashes
