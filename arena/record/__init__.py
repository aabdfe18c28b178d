"""The record: match logs, the event's log, results, and what can be read back from them.

Owns everything that outlives a match. Must not know bots, connections or schedules.
Source: record.md.
"""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl


def load(path: str | Path) -> "dict[str, pl.LazyFrame]":
    """Give every table as a lazy frame; logs are read when a frame is collected.

    Needs the extra ``analysis``. Tables: :data:`arena.record.export.tables.TABLES`.

    Args:
        path: A match log, an event's folder, a folder of logs, or what ``arena export`` wrote
            (a folder of tables, a dataset).

    Raises:
        ConfigError: There is nothing to load.
    """
    from arena.record.export.frames import frames  # noqa: PLC0415  # an extra

    return frames(Path(path))
