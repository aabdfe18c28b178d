"""The head of a match log: everything that was fixed before the first card.

Owns the LogHeader and its flat form in ``log_opened``. Must not know how a match went.
Source: record.md (kinds: log_opened).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import msgspec

from arena.counted import counted
from arena.errors import ArenaError, ConfigError, LogCorrupt
from arena.referee.clock import Clock
from arena.referee.conduct import Conduct
from arena.rules.ruleset import Ruleset

SCHEMA: Final = 2
"""Version of the log's form; raised when a reader of the old one would misread the new.

1: as first written. 2: seals hold digests of what the seats were sent.
"""

LOG_OPENED: Final = "log_opened"

Plain = str | int | float | bool
"""A value of a table of settings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatHeader:
    """Who sits at a seat: the entrant, and its bot as it was frozen."""

    entrant: str
    bot: str
    version: str
    content_hash: str
    language: str = ""
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class LogHeader:
    """Everything that was fixed before the first card."""

    schema: int = SCHEMA
    arena_version: str
    """Version of the arena that played the match."""
    match: str
    """The match id, as :class:`arena.record.paths.MatchId` writes it."""
    attempt: int = 1
    ruleset: Ruleset
    first_board: int
    boards: int | None
    """How many boards are played; None = to the ruleset's target."""
    clock: Clock
    conduct: Conduct
    commitment: str
    """Of the seed, as 64 hex digits; empty where the cards do not come from a seed."""
    guessable_seed: bool = False
    conditions: Mapping[str, Plain] = field(default_factory=dict)
    """How the match was held: ``thinking``, ``trust_memory``, ``delivery``, tables at once …"""
    resources: Mapping[str, Plain] = field(default_factory=dict)
    """What each bot was allowed: cores, memory, tasks, disk."""
    guards: tuple[str, ...] = ()
    """The sandbox guards that were in force."""
    seats: tuple[SeatHeader, ...]
    """By seat, in turn order."""

    @property
    def entrants(self) -> tuple[str, ...]:
        """The entrant of each side, by side (partners are of one entrant)."""
        ruleset = self.ruleset
        return tuple(
            self.seats[ruleset.seats_of(side)[0]].entrant for side in range(ruleset.side_count)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entrant:
    """The flat form of a SeatHeader; partners share one."""

    name: str
    bot: str
    version: str = ""
    hash: str = ""
    language: str = ""
    options: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Opened:
    """The flat form of a header, field by field as ``log_opened`` has them."""

    schema: int
    arena_version: str
    match: str
    attempt: int
    ruleset: Ruleset
    first_board: int
    boards: int | None = None
    clock: Clock
    conduct: Conduct
    seed_commitment: str = ""
    guessable_seed: bool = False
    conditions: dict[str, Plain] = field(default_factory=dict)
    resources: dict[str, Plain] = field(default_factory=dict)
    guards: tuple[str, ...] = ()
    entrants: tuple[_Entrant, ...]
    seats: tuple[int, ...]


def header_fields(header: LogHeader) -> dict[str, object]:
    """Write a header as the flat fields of ``log_opened``; what is absent is left out."""
    entrants: list[SeatHeader] = []
    for seat in header.seats:
        if seat not in entrants:
            entrants.append(seat)
    opened = _Opened(
        schema=header.schema,
        arena_version=header.arena_version,
        match=header.match,
        attempt=header.attempt,
        ruleset=header.ruleset,
        first_board=header.first_board,
        boards=header.boards,
        clock=header.clock,
        conduct=header.conduct,
        seed_commitment=header.commitment,
        guessable_seed=header.guessable_seed,
        conditions=dict(header.conditions),
        resources=dict(header.resources),
        guards=header.guards,
        entrants=tuple(
            _Entrant(
                name=seat.entrant,
                bot=seat.bot,
                version=seat.version,
                hash=seat.content_hash,
                language=seat.language,
                options=dict(seat.options),
            )
            for seat in entrants
        ),
        seats=tuple(entrants.index(seat) for seat in header.seats),
    )
    fields = _present(msgspec.to_builtins(opened))
    fields["entrants"] = [_present(msgspec.to_builtins(entrant)) for entrant in opened.entrants]
    return fields


def header_from_fields(fields: Mapping[str, object]) -> LogHeader:
    """Read a header from the fields of ``log_opened``; fields unknown here are skipped.

    Raises:
        ConfigError: The log was written by a later arena, with a schema unknown here.
        LogCorrupt: The fields are no header.
    """
    schema = fields.get("schema")
    if isinstance(schema, int) and schema > SCHEMA:
        raise ConfigError(
            f"the log has schema {schema}, this arena reads schemas up to {SCHEMA}: "
            f"use the arena that wrote it ({fields.get('arena_version')}) or a later one"
        )
    try:
        opened = msgspec.convert(fields, _Opened)
    except (msgspec.ValidationError, ArenaError) as error:
        raise LogCorrupt(f"the log's head is not one that an arena wrote: {error}") from None
    if not all(0 <= place < len(opened.entrants) for place in opened.seats):
        raise LogCorrupt(
            f"the log's head seats {list(opened.seats)}, "
            f"of {counted(len(opened.entrants), 'entrant')}"
        )
    seats = tuple(_seat_header(opened.entrants[place]) for place in opened.seats)
    if len(seats) != opened.ruleset.seats:
        raise LogCorrupt(
            f"the log's head names {len(seats)} seats, its ruleset has {opened.ruleset.seats}"
        )
    return LogHeader(
        schema=opened.schema,
        arena_version=opened.arena_version,
        match=opened.match,
        attempt=opened.attempt,
        ruleset=opened.ruleset,
        first_board=opened.first_board,
        boards=opened.boards,
        clock=opened.clock,
        conduct=opened.conduct,
        commitment=opened.seed_commitment,
        guessable_seed=opened.guessable_seed,
        conditions=opened.conditions,
        resources=opened.resources,
        guards=opened.guards,
        seats=seats,
    )


def _seat_header(entrant: _Entrant) -> SeatHeader:
    return SeatHeader(
        entrant=entrant.name,
        bot=entrant.bot,
        version=entrant.version,
        content_hash=entrant.hash,
        language=entrant.language,
        options=entrant.options,
    )


def _present(fields: dict[str, object]) -> dict[str, object]:
    """Leave out what is absent; a number is never absent."""
    return {
        key: value
        for key, value in fields.items()
        if value is not None and value is not False and value not in ("", (), [], {})
    }
