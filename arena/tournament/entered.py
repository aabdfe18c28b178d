"""Entered: who plays an event, from its file, from what was handed in, or from its log.

Owns the rule for an entrant that the file does not name: it is called as its ``bot.toml``
says, and where the relative paths of its bots start. Once an event has begun, its log says who
plays and as what; then no bot is looked at.
Must not build or start anything. Source: commands.md (Event file), record.md ("Event log").
"""

import shlex
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from msgspec import UNSET

from arena.bots.argument import REMOTE, parse_bot
from arena.errors import ConfigError
from arena.tournament.begun import Begun, read_begun
from arena.tournament.entries import as_entrants
from arena.tournament.event_file import Entrant, EventFile
from arena.tournament.event_reading import entrant_of, last_part, parse_event, parse_terms
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
        here = home_of(place.file) if base is None else base
        return parse_event(
            place.read(), source=source, entered=partial(_before_the_start, place.folder, here)
        )
    if begun.entrants:
        entrants = begun.entrants
        return parse_event(place.read(), source=source, entered=lambda _: entrants)
    # An event that began before its log said so: they were called as they stood in the file.
    return parse_event(place.read(), source=source).only(begun.freeze.entrants)


def bots_base(place: EventPlace) -> Path:
    """Give the folder that relative paths of bots start from, for a start.

    Raises:
        ConfigError: The file is the copy that a start left which was cut short, and has paths
            that may be relative; or it is wrong.
    """
    left = EventFolder(place.file.parent)
    if place.file == left.event_file and left.is_left_by_a_start:
        _refuse_relative(place)
    return home_of(place.file)


def _refuse_relative(place: EventPlace) -> None:
    """Refuse a copy that does not say where relative paths start, if it may have any."""
    own = parse_terms(place.read(), source=str(place.file)).entrants
    if not all(table.bot == REMOTE or Path(table.bot).is_absolute() for table in own):
        raise ConfigError(
            f"{place.file.parent}: its start was cut short before anything was published, and its "
            "copy of the event file does not say where paths of bots start; give the file that it "
            f"was made from: arena run FILE -o {shlex.quote(str(place.folder.path))}"
        )


def home_of(file: Path) -> Path:
    """Give the folder that an event file was written in: relative paths of bots start there.

    The copy in the folder of an event was written elsewhere; the event's log says where.
    """
    folder = EventFolder(file.parent)
    begun = read_begun(folder) if file == folder.event_file and folder.has_begun else None
    return folder.path if begun is None else begun.bots_from


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
