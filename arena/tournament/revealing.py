"""Who may see the cards of an event, and when: one rule for every command that shows them.

Cards are public once the event has revealed its seeds; until then they may have to be played
again (a ruling, another pairing), so they are the organiser's alone. An event of practice has
no secrets: its owner sees them at once. A log that lies in no event's folder belongs to
whoever has it. Files of logs are readable by their owner alone, so that this rule keeps an
organiser from showing cards by mistake, and the file's mode keeps others from reading them.

Owns the rule. Must not know what is shown. Source: design.md §6 ("When cards become public").
"""

from pathlib import Path

from arena.errors import ConfigError
from arena.tournament.begun import read_begun
from arena.tournament.entered import read_event
from arena.tournament.folder import EVENT_FILE, EventFolder, EventPlace


def event_around(place: Path) -> EventFolder | None:
    """Find the event in whose folder a log, or a folder of logs, lies; None if in none."""
    place = place.resolve()
    for folder in (place, *place.parents[:2]):
        # Its log may not be there yet: whoever follows a match is there before it begins.
        if (folder / EVENT_FILE).is_file():
            return EventFolder(folder)
    return None


def are_cards_public(folder: EventFolder) -> bool:
    """Say whether anybody may see the cards of an event now.

    Raises:
        ConfigError: The event file is wrong.
        LogCorrupt: The event's log is not what an arena wrote.
        HostFault: It cannot be read.
    """
    # Logs whose event's log went can still be looked at, as if it had revealed nothing.
    begun = read_begun(folder) if folder.has_begun else None
    if begun is not None and begun.is_revealed:
        return True
    place = EventPlace(file=folder.event_file, folder=folder)
    return read_event(place, begun).practice


def refuse_hidden_cards(*places: Path, is_organiser: bool) -> None:
    """Refuse to show what lies at some paths before its cards are public.

    Args:
        places: Logs, folders of logs or events' folders.
        is_organiser: Whether the organiser asks, who may see them at any time.

    Raises:
        ConfigError: The cards are not public yet.
        LogCorrupt: The event's log is not what an arena wrote.
        HostFault: It cannot be read.
    """
    if is_organiser:
        return
    for path in sorted({folder.path for folder in map(event_around, places) if folder}):
        if not are_cards_public(EventFolder(path)):
            raise ConfigError(
                f"{path}: its cards are not public before the seeds are revealed, at the end of "
                "the event; the organiser sees them with --organiser"
            )
