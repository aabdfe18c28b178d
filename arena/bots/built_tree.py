"""Built trees: whether what a build left is still what it left.

Owns the digest of a built folder. Unlike the content hash of a bot it leaves nothing out:
what was compiled is what runs. Must not know builds. Call it from a worker thread.
"""

import hashlib
import os
from pathlib import Path

_CHUNK_BYTES = 1 << 20


def tree_digest(folder: Path) -> str:
    """Digest all that is in a folder: names, links, rights to execute, content (64 hex digits).

    Raises:
        OSError: Something in it cannot be read.
    """
    digest = hashlib.sha256()
    for parent, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted((*names, *(one for one in folders if Path(parent, one).is_symlink()))):
            file = Path(parent, name)
            if file.is_symlink():
                head, content = "l", os.fsencode(file.readlink())
            elif file.is_file():
                head = "x" if os.access(file, os.X_OK) else "-"
                content = _file_digest(file)
            else:  # a pipe or a socket: to open one is to wait for who writes to it
                head, content = "s", b""
            path = os.fsencode(file.relative_to(folder))
            for part in (path, head.encode(), content):
                digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()


def _file_digest(file: Path) -> bytes:
    digest = hashlib.sha256()
    with file.open("rb") as opened:
        while piece := opened.read(_CHUNK_BYTES):
            digest.update(piece)
    return digest.digest()
