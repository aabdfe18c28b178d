"""Read an event file: TOML in, :class:`~arena.tournament.event_file.EventFile` out.

Owns how a stage's tables override the event's, and the order of the checks. The words of
a refusal are made in :mod:`arena.tournament.table_errors`. Must not start or look at bots.
Source: commands.md (Event file).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, time
from pathlib import Path
from typing import Any, assert_never

import msgspec
from msgspec import UNSET, Struct, UnsetType

from arena.bots.argument import REMOTE
from arena.bots.resources import default_tasks
from arena.bots.sandbox.mode import SandboxMode
from arena.bots.strict_toml import parse_toml
from arena.errors import ConfigError, RulesError
from arena.referee.clock import PRESETS as CLOCK_PRESETS
from arena.referee.clock import REMOTE_MARGIN_MS, Clock
from arena.referee.conduct import Conduct
from arena.rules.presets import override, parse_ruleset
from arena.rules.ruleset import Ruleset
from arena.tournament.event_file import Entrant, EventFile, Stage
from arena.tournament.event_tables import (
    NOT_OFFERED_YET,
    ClockTable,
    CompareTable,
    ConductTable,
    EntrantTable,
    EventTable,
    ResourcesTable,
    SandboxTable,
    StageTable,
)
from arena.tournament.finish_by import parse_finish_by
from arena.tournament.plan import stage_plan
from arena.tournament.rating.sequential import EloTest, PointsTest, SequentialTest
from arena.tournament.schedule import MOST_SCHEDULED, last_board
from arena.tournament.table_errors import read_table
from arena.wire.terms import Resources

Entered = Callable[[Sequence[EntrantTable]], tuple[Entrant, ...]]
"""Says who is entered, from the file's own ``[[entrant]]`` tables."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What an event file says of how is played: enough to check a bot."""

    stages: tuple[Stage, ...]
    entrants: tuple[EntrantTable, ...]
    """As the file has them: some may have no name, and they may be too few to play."""
    sandbox: SandboxMode = SandboxMode.AUTO
    build_network: bool = True


def as_written(tables: Sequence[EntrantTable]) -> tuple[Entrant, ...]:
    """Take the file's own entrants without looking at bots.

    One without a name bears the last part of ``bot``: good where names do not matter. Who
    is really entered, and under which name, says :func:`arena.tournament.entered.read_event`.
    """
    return tuple(entrant_of(table, last_part(table.bot)) for table in tables)


def load_event(path: Path) -> EventFile:
    """Read an event file, with entrants as written (see :func:`as_written`).

    Raises:
        ConfigError: The file cannot be read, is no TOML, or holds what is not allowed; the
            message names the file, the table, the key, the value and what is allowed.
    """
    return parse_event(_content(path), source=str(path))


def load_terms(path: Path) -> Terms:
    """Read the terms of an event file alone, which may have no entrants yet.

    Raises:
        ConfigError: As :func:`load_event`.
    """
    return parse_terms(_content(path), source=str(path))


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from error


def parse_event(data: bytes, *, source: str, entered: Entered = as_written) -> EventFile:
    """Read the bytes of an event file; ``source`` is its name in messages.

    Raises:
        ConfigError: As :func:`load_event`.
    """
    raw = parse_toml(data, source)
    if isinstance(moment := raw.get("finish_by"), date | time):
        raw = {**raw, "finish_by": moment.isoformat()}  # TOML has times of its own
    try:
        event = _event(read_table(raw, EventTable, NOT_OFFERED_YET), entered)
        _check_board_numbers(event)
    except ConfigError as error:
        raise ConfigError(f"{source}: {error}") from error
    return event


def parse_terms(data: bytes, *, source: str) -> Terms:
    """Read the terms alone, of an event that may have no entrants yet.

    Raises:
        ConfigError: As :func:`load_event`.
    """
    raw = parse_toml(data, source)
    try:
        table = read_table(raw, EventTable, NOT_OFFERED_YET)
        stages = _stages(table)
    except ConfigError as error:
        raise ConfigError(f"{source}: {error}") from error
    entrants = () if table.entrant is UNSET else tuple(table.entrant)
    return Terms(stages=stages, entrants=entrants, **_sandbox(table.sandbox))


def _event(table: EventTable, entered: Entered) -> EventFile:
    """Fill in the defaults."""
    if table.name is UNSET:
        raise ConfigError('name: missing; give the event one, for instance name = "autumn cup"')
    return EventFile(
        entrants=entered([] if table.entrant is UNSET else table.entrant),
        stages=_stages(table),
        **_given(table, "name", "practice", "seed", "seed_source", "names", "tables", "rank_by"),
        deals=() if table.deals is UNSET else tuple(table.deals),
        tie_breaks=None if table.tie_breaks is UNSET else tuple(table.tie_breaks),
        compare=_compare(table.compare),
        **_sandbox(table.sandbox),
        notify=() if table.notify is UNSET else tuple(table.notify),
        finish_by=None if table.finish_by is UNSET else parse_finish_by(table.finish_by),
    )


def _stages(table: EventTable) -> tuple[Stage, ...]:
    """Fill in the defaults and let each stage's tables override the event's."""
    entrants = () if table.entrant is UNSET else table.entrant
    is_remote = any(entrant.bot == REMOTE for entrant in entrants)
    base = Stage(clock=Clock(margin_ms=REMOTE_MARGIN_MS)) if is_remote else Stage()
    common = replace(
        base,
        clock=_clock(base.clock, table.clock, is_remote=is_remote),
        resources=_resources(base.resources, table.resources),
        ruleset=_ruleset(base.ruleset, table.ruleset, "[ruleset]"),
        **_conduct(base, table.conduct),
    )
    stages = [StageTable()] if table.stage is UNSET else table.stage
    return tuple(
        _stage(common, stage, f"[[stage]] {number}", is_remote=is_remote)
        for number, stage in enumerate(stages, start=1)
    )


def _compare(table: CompareTable | UnsetType) -> SequentialTest | None:
    """Take the test that ends a comparison."""
    if table is UNSET:
        return None
    given = _given(table, "alpha", "beta", "model")
    match table.test:
        case "points":
            if "model" in given:
                raise ConfigError('[compare] model: goes with test = "elo" only; leave it out')
            return PointsTest(points0=table.low, points1=table.high, **given)
        case "elo":
            return EloTest(elo0=table.low, elo1=table.high, **given)
        case _:
            assert_never(table.test)


def _sandbox(table: SandboxTable | UnsetType) -> dict[str, Any]:
    """Take what surrounds bots; it is the same for all stages, as their builds are."""
    if table is UNSET:
        return {}
    given = _given(table, *table.__struct_fields__)
    if "mode" in given:
        given["sandbox"] = given.pop("mode")
    return given


def entrant_of(table: EntrantTable, name: str) -> Entrant:
    """Take an entrant as the file has it; ``name`` is for one that the file does not name."""
    given = _given(table, "tags", "options")
    if "tags" in given:
        given["tags"] = tuple(given["tags"])
    return Entrant(name=name if table.name is UNSET else table.name, bot=table.bot, **given)


def last_part(bot: str) -> str:
    """Take a shipped bot's name or a folder's, without options: ``bots/fox:depth=3`` → fox."""
    before, colon, after = bot.rpartition(":")
    has_options = bool(colon) and "=" in after and "/" not in after
    return Path(before if has_options else bot).name


def _stage(common: Stage, table: StageTable, place: str, *, is_remote: bool) -> Stage:
    """Put what a ``[[stage]]`` says over what the event says for all stages."""
    own = {"boards_per_match", "clock", "conduct", "resources", "ruleset"}
    given = _given(table, *(set(table.__struct_fields__) - own))
    if table.boards_per_match == "target":
        if table.boards is UNSET:
            raise ConfigError(
                f'{place}: boards: missing; with boards_per_match = "target" it is the number '
                "of matches of each pairing in each orientation"
            )
        given["boards_per_match"] = None
    elif table.boards_per_match is not UNSET:
        given["boards_per_match"] = table.boards_per_match
    return replace(
        common,
        clock=_clock(common.clock, table.clock, is_remote=is_remote),
        resources=_resources(common.resources, table.resources),
        ruleset=_ruleset(common.ruleset, table.ruleset, f"{place}: [stage.ruleset]"),
        **_conduct(common, table.conduct),
        **given,
    )


def _clock(base: Clock, table: ClockTable | UnsetType, *, is_remote: bool) -> Clock:
    """Change a clock by what a table gives; a preset starts anew from that preset.

    Where bots play over a network, any preset has that margin.
    """
    if table is UNSET:
        return base
    if table.preset is not UNSET:
        base = CLOCK_PRESETS[table.preset]
        if is_remote:
            base = replace(base, margin_ms=REMOTE_MARGIN_MS)
    return replace(base, **_given(table, *(set(table.__struct_fields__) - {"preset"})))


def _resources(base: Resources, table: ResourcesTable | UnsetType) -> Resources:
    """Change resources by what a table gives; tasks follow new cores where it does not say."""
    if table is UNSET:
        return base
    given = _given(table, *table.__struct_fields__)
    names = {"memory": "memory_mib", "disk": "disk_mib"}
    changes = {names.get(key, key): value for key, value in given.items()}
    if "cores" in changes:
        changes.setdefault("tasks", default_tasks(changes["cores"]))
    return replace(base, **changes)


def _conduct(base: Stage, table: ConductTable | UnsetType) -> dict[str, Any]:
    """Change conduct and what forfeits score and bring, which stand in one table of the file."""
    if table is UNSET:
        return {}
    given = _given(table, *table.__struct_fields__)
    of_stage = ("forfeit_credit", "suspend_after", "suspended")
    changed: dict[str, Any] = {key: given.pop(key) for key in of_stage if key in given}
    conduct: Conduct = replace(base.conduct, **given)
    changed["conduct"] = conduct
    return changed


def _ruleset(base: Ruleset, table: Mapping[str, object] | UnsetType, place: str) -> Ruleset:
    """Change a ruleset by what a table gives; a name starts anew from that ruleset."""
    if table is UNSET:
        return base
    changes = dict(table)
    name = changes.pop("name", base.name)
    if not isinstance(name, str):
        raise ConfigError(f"{place} name: {name!r} is not allowed; allowed: the name of a ruleset")
    try:
        return override(parse_ruleset(name), changes)
    except RulesError as error:
        raise ConfigError(f"{place}: {error}") from error


def _given(table: Struct, *keys: str) -> dict[str, Any]:
    """Pick the keys that the file gives; the rest keep their defaults."""
    values = msgspec.structs.asdict(table)
    return {key: values[key] for key in keys if values[key] is not UNSET}


def _check_board_numbers(event: EventFile) -> None:
    """Refuse a stage with more boards than a seed can deal."""
    for number in range(1, len(event.stages) + 1):
        last = last_board(stage_plan(event, number))
        if last > MOST_SCHEDULED:
            raise ConfigError(
                f"[[stage]] {number}: boards: the stage would need {last} boards; "
                f"allowed are {MOST_SCHEDULED}; play fewer boards or cycles, or share them"
            )
