"""Build keys: what a build comes of, as one digest.

Owns the list of what may change what a build makes: the bot's content, the arena (its code, its
proto files), the sandbox and the place inside it, the network and the variables that name
registries, the machine, its packages and the programs that the steps name. A program is known by
where it lies, its size, times and inode, not by its content: a key is made at every start. What a
step's own script calls is not looked at, but for what the system's packages bring.
Must not know where builds are kept, nor how they are made.
"""

import hashlib
import json
import os
import platform
import shutil
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import arena
from arena.bots.frozen import FrozenBot, content_hash
from arena.bots.sandbox.launch import Sandbox, resolve_python
from arena.bots.sandbox.tools import registry_variables
from arena.bots.sandbox.views import stood_for
from arena.bots.shipped import PROTO, shipped_folder
from arena.errors import ArenaError

_HEAD: Final = b"tressette build v1\0"
_PACKAGES: Final = (
    "/var/lib/dpkg/status", "/var/lib/rpm/rpmdb.sqlite", "/var/lib/pacman/local",
    "/lib/apk/db/installed",
)  # fmt: skip
"""What changes whenever a package of the system does: compilers, and what they link with."""


def build_key(bot: FrozenBot, sandbox: Sandbox, *, has_network: bool) -> str | None:
    """Return 64 hex digits that are the same where a build of the bot would make the same.

    None where there is nothing to keep: the bot has no steps, the sandbox shows builds at their own
    paths, the bot ``needs`` what lies outside, which may change unseen, or the arena's own files
    change just now. Call it from a worker thread: it reads these files.
    """
    steps = bot.manifest.build_steps
    if not steps or sandbox.build_place is None or bot.manifest.needs:
        return None
    proto = shipped_folder(PROTO)
    try:
        own = content_hash(Path(arena.__file__).parent)
        wire = content_hash(proto) if proto.is_dir() else ""
    except ArenaError:
        return None
    given = {
        "bot": bot.hash,
        "arena": own,
        "proto": wire,
        "sandbox": [sandbox.build_mark, sandbox.build_place],
        "network": has_network,
        "variables": dict(registry_variables()) if has_network else {},
        "machine": [platform.node(), platform.machine()],
        "packages": [_known_by(Path(file)) for file in _PACKAGES],
        "programs": [_known_by(Path(program)) for program in sorted(set(_programs(bot)))],
        "python": _known_by(Path(sysconfig.get_path("purelib"))) if bot.manifest.is_python else [],
    }
    text = json.dumps(given, sort_keys=True).encode("ascii")
    return hashlib.sha256(_HEAD + text).hexdigest()


def _programs(bot: FrozenBot) -> Iterator[str]:
    """Find the programs of this machine that the steps name, also within ``sh -c "…"``."""
    for argv in bot.manifest.build_steps:
        first, *others = resolve_python(bot.manifest, argv)
        for word in (first, *(part for other in others for part in other.split())):
            found = shutil.which(word)
            if found is not None and Path(word).is_absolute() is (os.sep in word):
                yield stood_for(found)


def _known_by(file: Path) -> list[str | int]:
    """Tell a file from what it was before, links resolved."""
    try:
        real = file.resolve()
        status = real.stat()
    except OSError:
        return [str(file)]
    return [str(real), status.st_size, status.st_mtime_ns, status.st_ino]
