"""The tables of an event file as they stand in TOML: keys, types and ranges.

Owns the words of the file and what each may hold; the JSON Schema is derived from these
types. Must not know defaults, which belong to the values of :mod:`arena.tournament.event_file`.
Source: commands.md (Event file), design.md §5-6.
"""

from types import MappingProxyType
from typing import Annotated, Any, Final, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from arena.bots.resources import LEAST_MEMORY_MIB
from arena.bots.sandbox.mode import SandboxMode
from arena.tournament.criteria import RankBy
from arena.tournament.event_file import (
    BoardsShared,
    ForfeitCredit,
    Format,
    Names,
    Restart,
    SuspendedMatches,
    Thinking,
)
from arena.tournament.finish_by import ALLOWED
from arena.tournament.rating.sprt import EloModel
from arena.tournament.seed_source import SeedSource
from arena.tournament.table_errors import Later

MOST_MIB: Final = 1 << 24
"""The most memory or disk of a bot, in MiB: 16 TiB."""
DAY_MS: Final = 86_400_000
"""The longest allowance: a day of milliseconds."""
MOST_BOARDS: Final = 1_000_000
"""The most boards, or matches to a target, of one pairing and orientation."""

Criterion = Annotated[
    RankBy,
    Meta(description=", ".join(f'"{one.value}"' for one in RankBy if not one.is_of_format)),
]
"""What can be chosen to rank; criteria that belong to a format get a refusal of their own."""
Allowance = Annotated[int, Meta(ge=0, le=DAY_MS)]
"""Milliseconds that may be none."""
Time = Annotated[int, Meta(ge=1, le=DAY_MS)]
"""Milliseconds, at least one."""
Count = Annotated[int, Meta(ge=1, le=MOST_BOARDS)]
"""A whole number, at least one."""
OptionValue = str | int | float | bool
"""The value of a bot's option."""


class ClockTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``[clock]``: time allowances in milliseconds; ``preset`` is what the others change."""

    preset: Literal["fast", "normal", "long"] | UnsetType = UNSET
    limit_ms: Time | UnsetType = UNSET
    bank_ms: Allowance | UnsetType = UNSET
    increment_ms: Allowance | UnsetType = UNSET
    margin_ms: Allowance | UnsetType = UNSET
    start_ms: Time | UnsetType = UNSET
    reconnect_ms: Allowance | UnsetType = UNSET


class ConductTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``[conduct]``: faults in 100 boards that forfeit a match, and what a forfeit scores."""

    late: Count | UnsetType = UNSET
    illegal: Count | UnsetType = UNSET
    malformed: Count | UnsetType = UNSET
    revoke: Count | UnsetType = UNSET
    infraction: Count | UnsetType = UNSET
    illegal_tries: Count | UnsetType = UNSET
    forfeit_credit: ForfeitCredit | UnsetType = UNSET
    suspend_after: Annotated[int, Meta(ge=0, le=MOST_BOARDS)] | UnsetType = UNSET
    suspended: SuspendedMatches | UnsetType = UNSET


class ResourcesTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``[resources]``: what the processes of one bot may use together."""

    cores: Annotated[int, Meta(ge=1, le=1_024)] | UnsetType = UNSET
    memory: Annotated[int, Meta(ge=LEAST_MEMORY_MIB, le=MOST_MIB)] | UnsetType = UNSET
    tasks: Annotated[int, Meta(ge=16, le=1_000_000)] | UnsetType = UNSET
    disk: Annotated[int, Meta(ge=1, le=MOST_MIB)] | UnsetType = UNSET


class EntrantTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``[[entrant]]``: one bot entered; without ``name`` it is called as its ``bot.toml`` says."""

    bot: Annotated[str, Meta(min_length=1)]
    name: str | UnsetType = UNSET
    tags: list[str] | UnsetType = UNSET
    options: dict[str, OptionValue] | UnsetType = UNSET


class StageTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``[[stage]]``: one competition of all entrants; its tables override the event's."""

    format: Format | UnsetType = UNSET
    cycles: Annotated[int, Meta(ge=1, le=1_000)] | UnsetType = UNSET
    rounds: Annotated[int, Meta(ge=1, le=1_000)] | UnsetType = UNSET
    advance: Count | UnsetType = UNSET
    boards: Count | UnsetType = UNSET
    boards_per_match: Count | Literal["target"] | UnsetType = UNSET
    boards_shared: BoardsShared | UnsetType = UNSET
    restart: Restart | UnsetType = UNSET
    capacity: Annotated[int, Meta(ge=1, le=1_024)] | UnsetType = UNSET
    trust_memory: bool | UnsetType = UNSET
    thinking: Thinking | UnsetType = UNSET
    resources: ResourcesTable | UnsetType = UNSET
    clock: ClockTable | UnsetType = UNSET
    conduct: ConductTable | UnsetType = UNSET
    ruleset: dict[str, Any] | UnsetType = UNSET


class CompareTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``[compare]``: when an event of two is decided; ``test`` says what the bounds are of."""

    test: Literal["points", "elo"]
    low: float
    high: float
    alpha: float | UnsetType = UNSET
    beta: float | UnsetType = UNSET
    model: EloModel | UnsetType = UNSET


class SandboxTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``[sandbox]``: what surrounds bots, and whether their builds may use the network."""

    mode: SandboxMode | UnsetType = UNSET
    build_network: bool | UnsetType = UNSET


class EventTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The top level of an event file."""

    name: str | UnsetType = UNSET
    practice: bool | UnsetType = UNSET
    seed: Annotated[str, Meta(min_length=1)] | UnsetType = UNSET
    seed_source: SeedSource | UnsetType = UNSET
    deals: list[Annotated[str, Meta(min_length=1)]] | UnsetType = UNSET
    names: Names | UnsetType = UNSET
    tables: Annotated[int, Meta(ge=1, le=4_096)] | UnsetType = UNSET
    rank_by: Criterion | UnsetType = UNSET
    tie_breaks: list[Criterion] | UnsetType = UNSET
    compare: CompareTable | UnsetType = UNSET
    resources: ResourcesTable | UnsetType = UNSET
    notify: list[Annotated[str, Meta(min_length=1)]] | UnsetType = UNSET
    finish_by: Annotated[str, Meta(min_length=1, description=ALLOWED)] | UnsetType = UNSET
    clock: ClockTable | UnsetType = UNSET
    conduct: ConductTable | UnsetType = UNSET
    sandbox: SandboxTable | UnsetType = UNSET
    ruleset: dict[str, Any] | UnsetType = UNSET
    entrant: list[EntrantTable] | UnsetType = UNSET
    stage: list[StageTable] | UnsetType = UNSET


NOT_OFFERED_YET: Final = Later(
    keys=MappingProxyType(
        {
            EventTable: frozenset({"reveal"}),
            StageTable: frozenset({"delivery", "sandbox"}),
            ResourcesTable: frozenset({"start_disk", "gpu"}),
        }
    ),
    values=MappingProxyType({}),
    meanwhile=MappingProxyType(
        {
            "reveal": 'cards are public once the event has revealed its seeds, as "event" would '
            "have it (of practice: at once)",
        }
    ),
)
"""What the design has and nothing honours yet: refused apart from what is misspelt."""
