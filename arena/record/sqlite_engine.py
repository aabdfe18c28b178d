"""How an SQLite file is opened: to write, or to read where one may not write.

Owns the settings of a connection. Must not know what the tables hold. Source: record.md
("Results database").

A file in WAL mode cannot simply be opened by somebody who may only read it, for SQLite makes
files beside it. Where nothing is left in such a file it can be read as one that never changes;
else those that the writer left are used, as far as they may be read.
"""

import os
import sqlite3
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import sqlalchemy as sa

# WAL: readers never wait for the writer; FULL: a committed match survives a power cut.
_WRITER: Final[tuple[str, ...]] = (
    "journal_mode=WAL",
    "synchronous=FULL",
    "foreign_keys=ON",
    "busy_timeout=5000",
)
_READER: Final[tuple[str, ...]] = ("busy_timeout=5000",)


def sqlite_engine(path: Path, *, may_read_only: bool) -> sa.Engine:
    """Make the engine of an SQLite file; nothing is opened yet.

    Args:
        path: The file.
        may_read_only: Whether somebody who may not write to file and folder reads it instead.
    """
    if not may_read_only or _may_write(path):
        engine = sa.create_engine(sa.URL.create("sqlite", database=str(path)))
        pragmas = _WRITER
    else:
        engine = sa.create_engine(
            "sqlite://", creator=lambda: _connect_to_read(path), poolclass=sa.pool.NullPool
        )
        pragmas = _READER

    def prepare(connection: Any, _record: object) -> None:
        cursor = connection.cursor()
        for pragma in pragmas:
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    sa.event.listen(engine, "connect", prepare)
    return engine


def _may_write(path: Path) -> bool:
    return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)


def _connect_to_read(path: Path) -> sqlite3.Connection:
    wal = path.with_name(f"{path.name}-wal")
    is_settled = not wal.exists() or wal.stat().st_size == 0
    how = "immutable=1" if is_settled else "mode=ro"
    return sqlite3.connect(f"file:{quote(str(path.absolute()))}?{how}", uri=True)
