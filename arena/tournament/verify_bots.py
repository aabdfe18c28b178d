"""Whether the bots that an event froze are still those that its log names.

Owns holding the copies in ``bots/`` against the hashes of the freeze. Must not build nor start
anything, nor know what was played. Source: record.md ("The event folder"), design.md §6 ("Frozen").

Whoever runs the machine can change a copy and its hash, so this proves nothing of what ran; it
says whether what lies here is what was published.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from arena.bots.argument import REMOTE, is_command
from arena.bots.built_tree import tree_digest
from arena.bots.frozen import content_hash
from arena.errors import ArenaError, HostFault, LogCorrupt
from arena.tournament.event_file import EventFile
from arena.tournament.folder import EventFolder
from arena.tournament.freeze import Freeze

_BUILT: Final = "-*.done"


def bots_wrong(
    folder: EventFolder, event: EventFile, freeze: Freeze, notes: list[str]
) -> Iterator[LogCorrupt]:
    """Find frozen copies that are gone or are not what their hash says.

    Args:
        folder: The event's.
        event: The event, with its entrants.
        freeze: What its log names.
        notes: Takes what is legal: that no copy is kept, or that a build was changed.

    Raises:
        HostFault: A copy cannot be read.
    """
    # Nothing is copied of a bot that runs elsewhere or is a command.
    away = {one.name for one in event.entrants if one.bot == REMOTE or is_command(one.bot)}
    copied = {name: hash_ for name, hash_ in freeze.entrants.items() if name not in away}
    hashes = dict.fromkeys(copied.values())
    if not any((folder.bots / hash_).is_dir() for hash_ in hashes):
        if hashes:
            notes.append(f"{folder.bots}: no frozen copy is kept here: bots not looked at")
        return
    for hash_ in hashes:
        names = ", ".join(name for name, own in copied.items() if own == hash_)
        copy = folder.bots / hash_
        if not copy.is_dir():
            yield LogCorrupt(f"{copy}: expected the frozen copy of {names}, found none")
        elif (found := _hash_of(copy)) != hash_:
            yield LogCorrupt(
                f"{copy}: expected the frozen copy of {names}, as the event's log names it, "
                f"found {found}"
            )
        notes += _builds_changed(folder.bots, hash_, names)


def _hash_of(copy: Path) -> str:
    """Say what a copy holds: its hash, or why it has none."""
    try:
        return content_hash(copy)
    except HostFault:
        raise
    except ArenaError as error:
        return f"what no bot may hold: {error}"


def _builds_changed(store: Path, hash_: str, names: str) -> Iterator[str]:
    """Find builds of a copy that are not as they were left; the next start builds them again."""
    for mark in sorted(store.glob(f"{hash_}{_BUILT}")):
        built = mark.with_suffix("")
        try:
            is_as_left = built.is_dir() and tree_digest(built) == mark.read_text("ascii", "replace")
        except OSError as error:
            raise HostFault(f"{error.filename}: cannot be read: {error.strerror}") from error
        if not is_as_left:
            yield f"{built}: changed since {names} was built; the next start builds it again"
