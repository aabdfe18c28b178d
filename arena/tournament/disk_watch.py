"""DiskWatch: whether the disk of an event's folder is nearly full.

Owns the limit. Looked at after each match, so that the event pauses while its log and results
can still be written. Must not know how an event is paused. Source: issue "Tournaments to trust".
"""

import shutil
from pathlib import Path
from typing import Final

LEAST_FREE: Final = 256 * 2**20
"""Bytes that must be free for a further match: logs of running matches are not compressed yet."""


def low_disk(folder: Path) -> str | None:
    """Say that less is free than an event needs to go on; None where all is well or unknown."""
    try:
        free = shutil.disk_usage(folder).free
    except OSError:
        return None
    if free >= LEAST_FREE:
        return None
    return (
        f"{folder}: {free >> 20} MiB are free on its disk, less than the {LEAST_FREE >> 20} MiB "
        "that a run needs; make room"
    )
