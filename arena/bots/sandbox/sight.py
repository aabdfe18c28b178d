"""Sight: what of this machine a launch must see, whatever back end lets it.

Owns the sum of the views for one launch: system, Python kit, ``needs``, programs; and which
folders of events lie in the folder of a command. Must not know how a back end shows them.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from arena.bots.manifest import PYTHONS
from arena.bots.sandbox.kit import Kit
from arena.bots.sandbox.launch import Launch
from arena.bots.sandbox.views import (
    Bind,
    Link,
    etc_view,
    events_in,
    is_private,
    named_files,
    needs_view,
    program_view,
    system_view,
)


def runtime_view(
    launch: Launch, kit: Kit, hidden: Sequence[Path], *, needs_kit: bool
) -> Iterator[Bind | Link]:
    """Give all but the bot's own folder; of two entries at one place the first counts.

    Raises:
        ConfigError: A path in ``needs`` is gone or private.
    """
    yield from system_view()
    yield from etc_view(has_network=launch.has_network)
    if needs_kit or launch.is_build or is_python(launch):
        yield from kit.binds
    yield from needs_view(launch.manifest, launch.folder, hidden)
    for word in dict.fromkeys((launch.argv[0], launch.manifest.run[0])):
        if not is_kit(launch, word):
            yield from program_view(word, launch.folder, hidden)


def is_kit(launch: Launch, word: str) -> bool:
    """Whether a word of a command is the arena's own interpreter."""
    return word == sys.executable or (launch.manifest.is_python and word in PYTHONS)


def is_python(launch: Launch) -> bool:
    """Whether it is likely to import ``arena.sdk``."""
    return launch.manifest.is_python or Path(launch.argv[0]).name.startswith("python")


def is_homely(launch: Launch) -> bool:
    """Whether it is a command given in a home, of which only named files are seen."""
    return launch.is_command and is_private(launch.folder, ())


def own_files(launch: Launch) -> Iterator[Path]:
    """Give the files of its folder that a command names."""
    return named_files(launch.manifest, launch.folder)


def masks_in(folder: Path, hidden: Sequence[Path]) -> Iterator[Path]:
    """Find folders of events in the folder of a command, as relative paths."""
    yield from events_in(folder)
    whole = folder.resolve()
    for place in hidden:
        if place.is_relative_to(whole):
            yield place.relative_to(whole)
