"""Unpacking: an author's archive into the folder of a bot.

Owns how much the archive of a bot may hold, and where its manifest is: ``bot.toml`` at the top
or in the one top folder. What may be in any archive is :mod:`arena.bots.archive`'s. Source:
issue "Tournaments to trust" 7.
"""

import shutil
from pathlib import Path
from typing import Final

from arena.bots.archive import ArchiveBounds, unpack
from arena.bots.frozen import MOST_BYTES, MOST_FILES
from arena.bots.manifest import MANIFEST_NAME
from arena.errors import ConfigError

BOT_BOUNDS: Final = ArchiveBounds(files=MOST_FILES, content_bytes=MOST_BYTES, listing_bytes=8 << 20)


def unpack_bot(archive: Path, target: Path) -> Path:
    """Unpack the archive of a bot into a folder that does not exist yet.

    Returns:
        The folder with the manifest: ``target`` or the one folder in it.

    Raises:
        ConfigError: The archive is none, holds what is refused, or no manifest where it should
            be. Nothing is left of ``target``.
        HostFault: The folder cannot be written, or there is no room for what it shall hold.
    """
    unpack(archive, target, BOT_BOUNDS)
    if (target / MANIFEST_NAME).is_file():
        return target
    top = list(target.iterdir())
    if len(top) == 1 and (top[0] / MANIFEST_NAME).is_file():
        return top[0]
    shutil.rmtree(target, ignore_errors=True)
    raise ConfigError(f"{archive}: no {MANIFEST_NAME} at its top; make it with arena pack")
