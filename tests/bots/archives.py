"""Archives, good and hostile, made member by member."""

import stat
import zipfile
from collections.abc import Iterable
from pathlib import Path

MANIFEST = b'name = "fox"\nversion = "1"\nrun = ["./bot"]\n'


def member(
    name: str, *, kind: int = stat.S_IFREG, mode: int = 0o644, method: int = zipfile.ZIP_STORED
) -> zipfile.ZipInfo:
    """Describe a member as a Unix zip has it."""
    entry = zipfile.ZipInfo("x")
    entry.filename = entry.orig_filename = name
    entry.create_system = 3
    entry.compress_type = method
    entry.external_attr = (kind | mode) << 16
    return entry


def write_zip(
    path: Path, members: Iterable[tuple[zipfile.ZipInfo | str, bytes]], *, manifest: bool = True
) -> Path:
    """Write an archive of a manifest and these members, also what no honest tool would write."""
    with zipfile.ZipFile(path, "w") as archive:
        if manifest:
            archive.writestr("bot.toml", MANIFEST)
        for entry, content in members:
            archive.writestr(entry, content)
    return path
