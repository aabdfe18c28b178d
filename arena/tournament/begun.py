"""Begun: what is known of an event that was started before.

Owns reading the first line of an event's log and telling whether the event that is asked
for is the one that began, and whether it is over. Must not build, start or write anything.
Source: design.md §6 ("Frozen").
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path
from typing import Final

import msgspec

from arena.bots.sandbox.mode import lacking
from arena.errors import ConfigError, LogCorrupt
from arena.record.event_log import EventLine, read_event_log
from arena.tournament.accounts import Attempt, Noted, noted_attempts
from arena.tournament.drawn import read_drawn
from arena.tournament.event_file import Entrant
from arena.tournament.folder import EventFolder, EventPlace
from arena.tournament.freeze import Freeze
from arena.tournament.rulings import Act, Rulings, fold, read_rulings

EVENT_SCHEMA: Final = 1
"""Version of the event log's form; raised when a reader of the old one would misread the new. The
first logs do not carry it."""
_ENDS_OF_RUNS: Final = ("event_opened", "event_resumed", "event_paused")
_SHORT: Final = 12
"""Hexadecimal digits of a hash in messages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Begun:
    """What an event's log says of its start and end."""

    freeze: Freeze
    entrants: tuple[Entrant, ...]
    """Who plays, in the order of entry; empty in logs of an arena that did not say it."""
    bots_from: Path
    """The folder that relative paths of bots start from."""
    commitments: tuple[str, ...]
    """To the seeds, by stage, in hexadecimal; empty while a public text is awaited."""
    secret_commitments: tuple[str, ...]
    """To the secrets that make the seeds with a public text; empty where there is none."""
    public_text: str | None
    """The text, once it was given."""
    guards: tuple[str, ...]
    """What the sandbox kept from bots at the first start."""
    noted: Mapping[Attempt, Noted]
    """The attempts that the log counts or voids."""
    suspended: frozenset[str]
    """The entrants that the log says were suspended, and not reinstated after that."""
    rulings: Rulings
    """What the organiser's rulings come to, with the draws that stand."""
    is_revealed: bool
    """Whether the seeds are out: no card is dealt any more."""
    is_closed: bool
    """Whether everything was played, or publishing ended it after a cut, and the log is closed."""
    is_cut: bool = False
    """Whether ``finish_by`` cut its last run, and none has gone on since."""

    @property
    def awaits_text(self) -> bool:
        """Whether no card can be dealt before a public text is given."""
        return bool(self.secret_commitments) and self.public_text is None

    def refuse_weaker(self, guards: tuple[str, ...], folder: Path) -> None:
        """Refuse to go on with less between the bots and the event than at its first start.

        Raises:
            ConfigError: A guard is lacking; the message names all that are.
        """
        if missing := lacking(self.guards, guards):
            raise ConfigError(
                f"{folder}: this event began with guards that are not in force now: "
                f"{', '.join(missing)}; go on where the sandbox holds, without --sandbox none, "
                "or begin a new event in another folder"
            )

    def refuse_another(self, place: EventPlace) -> None:
        """Refuse an event file that is not, byte for byte, the one that the event began with.

        Raises:
            ConfigError: It is another, or cannot be read.
        """
        digest = hashlib.sha256(place.read()).hexdigest()
        if digest != self.freeze.event:
            raise ConfigError(
                f"{place.file}: not the file that the event in {place.folder.path} began with "
                f"({self.freeze.event[:_SHORT]} → {digest[:_SHORT]}); put it back as it was to "
                "go on, or begin a new event in another folder with -o FOLDER"
            )


def read_begun(folder: EventFolder) -> Begun | None:
    """Read how an event began and how far its log is; None where nothing was published.

    Raises:
        LogCorrupt: The log is not what an arena wrote, or is missing beside matches.
        HostFault: It cannot be read.
    """
    lines = read_event_log(folder.event_log) if folder.has_begun else ()
    return begun_by(lines, folder)


def begun_by(lines: Sequence[EventLine], folder: EventFolder) -> Begun | None:
    """Say how an event began by the lines that were read of its log.

    Raises:
        LogCorrupt: The log is not what an arena wrote, or is missing beside matches.
        ConfigError: A later arena wrote it, with a schema unknown here.
    """
    if not lines:  # killed before the first line was whole
        folder.refuse_lost_log()
        return None
    if lines[0].kind != "event_opened":
        raise LogCorrupt(f"{folder.event_log}: its first line is not event_opened")
    fields = lines[0].fields
    schema = fields.get("schema", 1)
    if isinstance(schema, int) and schema > EVENT_SCHEMA:
        raise ConfigError(
            f"{folder.event_log}: has schema {schema}, this arena reads schemas up to "
            f"{EVENT_SCHEMA}: use the arena that wrote it ({fields.get('arena_version')}) or a "
            "later one"
        )
    bots_from, commitments = fields.get("bots_from"), fields.get("commitments")
    if not (
        isinstance(bots_from, str)
        and isinstance(commitments, list)
        and all(isinstance(commitment, str) for commitment in commitments)
    ):
        raise LogCorrupt(
            f"{folder.event_log}: event_opened lacks bots_from (a text) or commitments (texts)"
        )
    guards = fields.get("guards", [])
    if not (isinstance(guards, list) and all(isinstance(guard, str) for guard in guards)):
        raise LogCorrupt(f"{folder.event_log}: event_opened: guards is no list of texts")
    match fields.get("secret_commitments", []):
        case list(found):
            secret_commitments = tuple(map(str, found))
        case _:
            raise LogCorrupt(f"{folder.event_log}: event_opened: secret_commitments is no list")
    text, commitments = _public_text(lines, folder.event_log) or (None, commitments)
    kinds = {line.kind for line in lines}
    path = folder.event_log
    try:
        freeze = Freeze.from_fields(fields)
    except LogCorrupt as corrupt:
        raise LogCorrupt(f"{path}, seq 1: {corrupt}") from None
    entrants = _entrants(fields.get("entrants", []), folder.event_log)
    if entrants and [entrant.name for entrant in entrants] != list(freeze.entrants):
        raise LogCorrupt(f"{folder.event_log}: event_opened: entrants are not those of its hashes")
    return Begun(
        freeze=freeze,
        entrants=entrants,
        bots_from=folder.path / bots_from,
        commitments=tuple(commitments),
        secret_commitments=secret_commitments,
        public_text=text,
        guards=tuple(guards),
        noted=noted_attempts(lines, folder.event_log),
        suspended=_suspended(lines),
        rulings=_rulings(lines, path),
        is_revealed="seed_revealed" in kinds,
        is_closed="event_closed" in kinds,
        is_cut=_is_cut(lines),
    )


def _rulings(lines: Sequence[EventLine], path: Path) -> Rulings:
    """Say what the rulings come to, with the draws, and what they came to at the end."""
    before = tuple(takewhile(lambda line: line.kind != "seed_revealed", lines))
    drawn = read_drawn(lines, path)
    now = replace(fold(read_rulings(lines, path)), drawn=drawn)
    if len(before) == len(lines):
        return now
    at_end = replace(fold(read_rulings(before, path)), drawn=drawn)
    return replace(now, drawn=replace(drawn, is_over=not _is_cut(lines)), at_end=at_end)


def _is_cut(lines: Iterable[EventLine]) -> bool:
    runs = [line for line in lines if line.kind in _ENDS_OF_RUNS]
    return runs[-1].kind == "event_paused" and "rounds_complete" in runs[-1].fields


def _suspended(lines: Iterable[EventLine]) -> frozenset[str]:
    """Find who is suspended by the log; a second suspension is to be told like the first."""
    found: set[str] = set()
    for line in lines:
        if line.kind == "entrant_suspended":
            found.add(str(line.fields.get("entrant")))
        elif line.kind == "ruling" and line.fields.get("act") == Act.REINSTATE:
            found.discard(str(line.fields.get("on")))
    return frozenset(found)


def _public_text(lines: Iterable[EventLine], path: Path) -> tuple[str, list[str]] | None:
    """Find the public text and the commitments to the seeds that it makes."""
    for line in lines:
        match line.kind, line.fields:
            case "public_text", {"text": str(text), "commitments": list(commitments)}:
                return text, [str(commitment) for commitment in commitments]
            case "public_text", _:
                raise LogCorrupt(f"{path}, seq {line.seq}: public_text lacks text or commitments")
            case _:
                pass
    return None


def entrant_fields(entrants: Iterable[Entrant]) -> list[dict[str, object]]:
    """Give entrants the form in which ``event_opened`` carries them."""
    return [
        {
            "name": entrant.name,
            "bot": entrant.bot,
            "tags": list(entrant.tags),
            "options": dict(entrant.options),
        }
        for entrant in entrants
    ]


def _entrants(value: object, path: Path) -> tuple[Entrant, ...]:
    try:
        return msgspec.convert(value, tuple[Entrant, ...])
    except msgspec.ValidationError as error:
        raise LogCorrupt(f"{path}: event_opened: entrants: {error}") from None
