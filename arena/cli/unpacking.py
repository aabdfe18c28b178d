"""An archive of logs that somebody sent, unpacked while a command reads it.

Owns how much such an archive may hold, and where it is unpacked. What may be in any archive is
:mod:`arena.bots.archive`'s. Source: commands.md (``arena verify``), issue 6 ("Robust").
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from arena.bots.archive import ArchiveBounds, unpack
from arena.bots.work_folder import open_work_folder
from arena.errors import ArenaError, HostFault
from arena.record.read import MAX_LOG_BYTES

LOG_BOUNDS: Final = ArchiveBounds(
    files=100_000, content_bytes=16 * MAX_LOG_BYTES, listing_bytes=32 << 20
)
_MAGIC: Final = b"PK"


@contextmanager
def unpacked(what: Path) -> Iterator[Path]:
    """Unpack a zip into a folder of its own while the body runs; give all else as it is.

    Where all lies in one folder of the archive, that folder is given. Errors of the body speak
    of the archive, not of where it was unpacked.

    Raises:
        ConfigError: It is no zip that can be read, or one that is made to do harm.
        HostFault: There is no room for it.
    """
    if not _is_zip(what):
        yield what
        return
    with open_work_folder() as work:
        root = work / "unpacked"
        unpack(what, root, LOG_BOUNDS)
        inside = [*root.iterdir()]
        is_wrapped = len(inside) == 1 and inside[0].is_dir() and inside[0].name != "logs"
        try:
            yield inside[0] if is_wrapped else root
        except ArenaError as error:
            error.args = (str(error).replace(str(root), str(what)),)
            raise


def _is_zip(what: Path) -> bool:
    if not what.is_file():
        return False
    try:
        with what.open("rb") as file:
            return what.suffix == ".zip" or file.read(len(_MAGIC)) == _MAGIC
    except OSError as error:
        raise HostFault(f"cannot read {what}: {error.strerror}") from error
