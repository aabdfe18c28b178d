"""A dataset: shards of Parquet in parts, checksums and a data card, for others to use.

Owns the layout of its folder. Must not know what rows mean beyond their deal and table.
Needs the extra ``analysis``. Source: record.md ("arena export").
"""

import hashlib
import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Final

from arena.record.export.anonymous import Pseudonyms
from arena.record.export.card import data_card
from arena.record.export.files import FileFormat, Table, uncollected
from arena.record.export.fresh import fresh_folder
from arena.record.export.rows import log_rows
from arena.record.export.sources import Source
from arena.record.export.splits import Split, split_of
from arena.record.export.tables import OF_DEALS, TABLES, Row
from arena.record.export.tally import Tally
from arena.record.read import MatchRecord
from arena.rules.events import DealStarted

CARD: Final = "README.md"
CHECKSUMS: Final = "SHA256SUMS"
ALL: Final = "all"
"""The part of tables that are not split."""
SHARD_ROWS: Final = 1_000_000
_DEAL: Final = 2
"""Where the ordinal of its deal stands in a row of such a table."""
_SHARD: Final = re.compile(
    rf"data/({'|'.join(TABLES)})/({'|'.join((*Split, ALL))})-\d{{5}}\.parquet"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What a dataset is called, under which licence others may use it, and whether it names."""

    title: str
    licence: str
    pseudonyms: Pseudonyms | None = None
    """None: names stay as they are."""


def write_dataset(
    source: Source,
    folder: Path,
    terms: Terms,
    *,
    force: bool = False,
    shard_rows: int = SHARD_ROWS,
) -> Tally:
    """Write a dataset of some logs into a new folder; it is there once all of it is written.

    Args:
        source: The logs.
        folder: Where it is to be.
        terms: Title, licence and pseudonyms.
        force: Whether a dataset that is there is replaced.
        shard_rows: The most rows of one file.

    Raises:
        ConfigError: Something stands where the folder is to be.
        HostFault: A log cannot be read, or the disk does not take a file.
        LogCorrupt: A log is damaged.
    """
    tally = Tally()
    with uncollected(), fresh_folder(folder, force=force, is_ours=_is_ours) as draft:
        with ExitStack() as stack:
            shards = {
                (table, str(part)): Shards(draft, table, part, shard_rows)
                for table in TABLES
                for part in (Split if table in OF_DEALS else (ALL,))
            }
            for one in shards.values():
                stack.callback(one.close)
            for table, part, row in _rows(source, terms.pseudonyms, tally):
                tally.add(table, part, row)
                shards[table, part].add(row)
        is_anonymous = terms.pseudonyms is not None
        card = data_card(terms.title, terms.licence, tally, is_anonymous=is_anonymous)
        (draft / CARD).write_text(card, "utf-8")
        (draft / CHECKSUMS).write_text("".join(_checksums(draft)), "utf-8")
    return tally


def _rows(
    source: Source, pseudonyms: Pseudonyms | None, tally: Tally
) -> Iterator[tuple[str, str, Row]]:
    """Give every row with its table and part, without names where there are pseudonyms."""
    if pseudonyms is not None:
        # In the order of names the rows would say where in the schedule each match stood.
        logs = sorted(source.logs, key=lambda path: pseudonyms.match(path.name))
        source = replace(source, logs=tuple(logs))
    for record, is_counted in source.records():
        tally.log(record.header)
        parts = _parts(record)
        for table, row in log_rows(record, is_counted=is_counted):
            part = str(parts[row[_DEAL]]) if table in OF_DEALS else ALL
            yield table, part, row if pseudonyms is None else pseudonyms.row(table, row)
    sessions = source.sessions()
    for row in sessions if pseudonyms is None else pseudonyms.sessions(sessions):
        yield "sessions", ALL, row


def _parts(record: MatchRecord) -> dict[object, Split]:
    """Give the part of each deal of a log, by its ordinal."""
    return {
        line.event.deal: split_of(line.event.hands)
        for line in record.lines
        if isinstance(line.event, DealStarted)
    }


class Shards:
    """The files of one part of one table."""

    def __init__(self, folder: Path, table: str, part: str, most: int) -> None:
        """Begin the first file, which is there even if it stays empty."""
        self._table, self._part, self._most = table, part, most
        self._folder = folder / "data" / table
        self._folder.mkdir(parents=True, exist_ok=True)
        self._number = self._rows = 0
        self._file = self._begin()

    def add(self, row: Row) -> None:
        """Take a row; a full file is followed by the next."""
        if self._rows == self._most:
            self.close()
            self._number, self._rows = self._number + 1, 0
            self._file = self._begin()
        self._file.add(row)
        self._rows += 1

    def close(self) -> None:
        """End the last file. Idempotent."""
        self._file.close()

    def _begin(self) -> Table:
        path = self._folder / f"{self._part}-{self._number:05}.parquet"
        return Table(self._table, path, FileFormat.PARQUET)


def _checksums(folder: Path) -> Iterator[str]:
    """Give the lines that ``sha256sum -c`` reads."""
    for path in sorted(chain((folder / CARD,), (folder / "data").rglob("*.parquet"))):
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        yield f"{digest}  {path.relative_to(folder)}\n"


def _is_ours(path: Path) -> bool:
    name = path.as_posix()
    return name in (CARD, CHECKSUMS) or _SHARD.fullmatch(name) is not None
