"""Entered: who plays an event, from its file, from what was handed in, or from its log.

Owns the rule for an entrant that the file does not name: it is called as its ``bot.toml``
says. Once an event has begun, its log says who plays and as what; then no bot is looked at.
Must not build or start anything. Source: commands.md (Event file), record.md ("Event log").
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from msgspec import UNSET

from arena.bots.argument import parse_bot
from arena.errors import ConfigError
from arena.tournament.begun import Begun
from arena.tournament.entries import as_entrants
from arena.tournament.event_file import Entrant, EventFile
from arena.tournament.event_reading import entrant_of, last_part, parse_event
from arena.tournament.event_tables import EntrantTable
from arena.tournament.folder import EventFolder, EventPlace


def read_event(place: EventPlace, begun: Begun | None, base: Path | None = None) -> EventFile:
    """Read an event with all who are entered.

    Args:
        place: The event file, and the folder that may hold entries.
        begun: What the folder's log says, if the event has begun.
        base: Where relative paths of bots start, before that; None: at the event file.

    Raises:
        ConfigError: The file is wrong, or two entrants' names look the same.
        HostFault: Entries cannot be read.
    """
    source = str(place.file)
    if begun is None:
        here = place.file.parent if base is None else base
        return parse_event(
            place.read(), source=source, entered=partial(_before_the_start, place.folder, here)
        )
    if begun.entrants:
        entrants = begun.entrants
        return parse_event(place.read(), source=source, entered=lambda _: entrants)
    # An event that began before its log said so: they were called as they stood in the file.
    return parse_event(place.read(), source=source).only(begun.freeze.entrants)


def named(tables: Sequence[EntrantTable], base: Path) -> tuple[Entrant, ...]:
    """Take the file's own entrants; one without a name is called as its bot's manifest says."""
    return tuple(entrant_of(table, _name_of(table, base)) for table in tables)


def _before_the_start(
    folder: EventFolder, base: Path, tables: Sequence[EntrantTable]
) -> tuple[Entrant, ...]:
    return *named(tables, base), *as_entrants(folder, base)


def _name_of(table: EntrantTable, base: Path) -> str:
    if table.name is not UNSET:
        return table.name
    try:
        return parse_bot(table.bot, base).manifest.name
    except ConfigError:
        # The start tells what is wrong with it; until then it needs some name.
        return last_part(table.bot)
