"""Evidence: what there is of one match, in one archive that verifies alone.

Owns what goes into the archive, for whom, and the check of its list of files. When cards are
public is :mod:`arena.tournament.revealing`'s to say; who may read what stands in docs/record.md
("Who may see what, and when"). Must not judge the match: that is :mod:`arena.record.verify`.
Source: record.md ("arena evidence").
"""

import hashlib
import re
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from arena.errors import ConfigError, HostFault, LogCorrupt
from arena.record.event_log import (
    EventLine,
    event_log_head,
    read_event_log,
    snapshot_event_log,
)
from arena.record.header import LogHeader
from arena.record.paths import attempts, find_log, parse_match_id
from arena.record.read import MatchRecord, read_log
from arena.tournament.accounts import noted_attempts
from arena.tournament.begun import read_begun
from arena.tournament.folder import EVENT_LOG, EventFolder
from arena.tournament.revealing import are_cards_public

MANIFEST: Final = "evidence.json"
"""The list of files in an archive; where it stands, a folder is evidence."""
_SCHEMA: Final = 1
_LOGS: Final = "logs"
_STDERR: Final = "stderr"
_EPOCH: Final = (1980, 1, 1, 0, 0, 0)
"""The time of every file: the same evidence is the same archive, byte for byte."""
_OWNER_ONLY: Final = 0o100600 << 16


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """What an archive says of itself; ``files`` are SHA-256 by path."""

    schema: int
    match: str
    attempts: list[int]
    seat: int | None
    """For whom it was made: the entrant at this seat; None: the organiser alone."""
    log_chain: str
    """The head of the event's log when it was made."""
    files: dict[str, str]


def write_evidence(folder: EventFolder, match: str, seat: int | None, out: Path) -> Manifest:
    """Write the archive of one match: every attempt's log, the event's log, stderr.

    Args:
        folder: The event's.
        match: A match id.
        seat: Whose entrant is to read it: stderr is of its own bots alone. None: all of it.
        out: The archive to write; it is readable by its owner alone.

    Raises:
        ConfigError: There is no such match or seat, or its cards are not public yet and it
            was to be for a seat; or ``out`` exists.
        LogCorrupt: A log cannot be read.
        HostFault: The archive cannot be written.
    """
    match = str(parse_match_id(match))
    begun = read_begun(folder)
    kept = attempts(folder.logs, match)
    if begun is None or not kept:
        raise ConfigError(f"{folder.path}: no log of match {match}")
    if seat is not None and not are_cards_public(folder):
        raise ConfigError(
            f"--seat {seat}: the cards of match {match} are not public before the seeds are "
            "revealed; until then evidence is the organiser's (leave --seat out)"
        )
    # Logs before the event's: what that one notes of this match is among them.
    files: dict[str, bytes] = {}
    record: MatchRecord | None = None
    for attempt in kept:
        record, path, content = _read(folder, match, attempt)
        files[f"{_LOGS}/{path.name}"] = content
    if record is None:
        raise AssertionError("there are logs")
    event_log, head = snapshot_event_log(folder.event_log)
    files = {EVENT_LOG: event_log, **files}
    for path in _stderr(folder, match, _seats(record.header, seat)):
        files[f"{_STDERR}/{path.name}"] = path.read_bytes()
    manifest = Manifest(
        schema=_SCHEMA,
        match=match,
        attempts=list(kept),
        seat=seat,
        log_chain=head,
        files={name: hashlib.sha256(content).hexdigest() for name, content in files.items()},
    )
    _write(out, {MANIFEST: msgspec.json.encode(manifest) + b"\n", **files})
    return manifest


def _read(folder: EventFolder, match: str, attempt: int) -> tuple[MatchRecord, Path, bytes]:
    """Read a log that may be compressed, and so renamed, just now."""
    for _ in range(2):
        path = find_log(folder.logs, match, attempt)
        if path is None:
            break
        try:
            content = path.read_bytes()
            return read_log(path), path, content
        except (FileNotFoundError, HostFault):
            if path.exists():
                raise
    raise HostFault(f"{folder.logs}: the log of match {match} attempt {attempt} is gone")


def check_evidence(place: Path) -> Iterator[LogCorrupt]:
    """Hold the files of an unpacked archive against its list; each fault as one sentence."""
    try:
        manifest = _manifest(place)
    except LogCorrupt as corrupt:
        yield corrupt
        return
    there = {
        str(path.relative_to(place))
        for path in place.rglob("*")
        if path.is_file() and path != place / MANIFEST
    }
    for name in sorted(there - manifest.files.keys()):
        yield LogCorrupt(f"{name}: expected no file that {MANIFEST} does not list, found one")
    for name, digest in sorted(manifest.files.items()):
        if name not in there:
            yield LogCorrupt(f"{name}: expected a file, as {MANIFEST} lists it, found none")
        elif (found := hashlib.sha256((place / name).read_bytes()).hexdigest()) != digest:
            yield LogCorrupt(f"{name}: expected SHA-256 {digest}, as listed, found {found}")
    if EVENT_LOG not in there:
        yield LogCorrupt(f"{EVENT_LOG}: expected the event's own log, found none")
        return
    try:
        head = event_log_head(place / EVENT_LOG)
        lines = read_event_log(place / EVENT_LOG)
    except LogCorrupt as corrupt:
        yield corrupt
        return
    yield from _attempts_missing(place, manifest.match, lines)
    if head != manifest.log_chain:
        yield LogCorrupt(f"{EVENT_LOG}: expected log chain {manifest.log_chain}, found {head}")


def evidence_match(place: Path) -> str:
    """Say which match an unpacked archive is of.

    Raises:
        ConfigError: A later arena made it.
        LogCorrupt: Its list of files is none.
    """
    return _manifest(place).match


def _manifest(place: Path) -> Manifest:
    try:
        manifest = msgspec.json.decode((place / MANIFEST).read_bytes(), type=Manifest)
    except msgspec.MsgspecError as error:
        raise LogCorrupt(f"{place / MANIFEST}: not a list of evidence: {error}") from None
    if manifest.schema > _SCHEMA:
        raise ConfigError(f"{place / MANIFEST}: schema {manifest.schema}; known is {_SCHEMA}")
    return manifest


def _attempts_missing(place: Path, match: str, lines: Sequence[EventLine]) -> Iterator[LogCorrupt]:
    """Find attempts that the event's log notes and the archive leaves out."""
    for (noted, attempt), note in noted_attempts(lines, place / EVENT_LOG).items():
        if noted == match and note.digest and find_log(place / _LOGS, match, attempt) is None:
            yield LogCorrupt(
                f"{_LOGS}: expected the log of match {match} attempt {attempt}, which seq "
                f"{note.seq} of {EVENT_LOG} notes, found none"
            )


def _seats(header: LogHeader, seat: int | None) -> tuple[int, ...]:
    """List the seats whose stderr a reader may see: those of its own entrant."""
    seats = range(header.ruleset.seats)
    if seat is None:
        return tuple(seats)
    if seat not in seats:
        raise ConfigError(f"--seat {seat}: allowed are 0 to {len(seats) - 1}")
    own = header.seats[seat].entrant
    return tuple(one for one in seats if header.seats[one].entrant == own)


def _stderr(folder: EventFolder, match: str, seats: tuple[int, ...]) -> list[Path]:
    """Find what bots at these seats wrote in this sitting; it is kept by its first match."""
    sitting = match.rpartition("-m")[0]
    name = re.compile(rf"{re.escape(sitting)}-m\d+\.a\d+\.seat({'|'.join(map(str, seats))})\.txt")
    return sorted(path for path in folder.stderr.glob("*.txt") if name.fullmatch(path.name))


def _write(out: Path, files: dict[str, bytes]) -> None:
    """Write an archive that is the same each time; nothing is left of one that fails."""
    try:
        with out.open("xb") as target:
            out.chmod(0o600)
            with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
                for name, content in files.items():
                    entry = zipfile.ZipInfo(name, _EPOCH)
                    entry.external_attr = _OWNER_ONLY
                    entry.compress_type = zipfile.ZIP_DEFLATED
                    archive.writestr(entry, content)
    except FileExistsError:
        raise ConfigError(f"{out}: exists already; give another name with -o FILE") from None
    except OSError as error:
        out.unlink(missing_ok=True)
        raise HostFault(f"{out}: cannot be written: {error.strerror}") from error
