"""Tables as files: Parquet (zstd), Arrow and CSV, written as a stream.

Owns the batches and the formats; needs the extra ``analysis``. At most one batch of each
table is held in memory, however many logs there are. Source: record.md ("arena export").
"""

import gc
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pa_compute
import pyarrow.csv as pa_csv
import pyarrow.parquet as pa_parquet

from arena.record.csv_page import GUARDED, HARMLESS
from arena.record.export.fresh import fresh_folder
from arena.record.export.sources import Source
from arena.record.export.tables import TABLES, Kind, Row

_BATCH_ROWS: Final = 65_536
_TYPES: Final = {Kind.INT: pa.int64(), Kind.TEXT: pa.string(), Kind.FLAG: pa.bool_()}


class FileFormat(StrEnum):
    """What tables are written as; also the ending of their names."""

    PARQUET = "parquet"
    ARROW = "arrow"
    CSV = "csv"


def schema_of(table: str) -> pa.Schema:
    """Give the Arrow schema of a table; each field's metadata holds its meaning."""
    return pa.schema(
        [
            pa.field(column.name, _TYPES[column.kind], metadata={"meaning": column.meaning})
            for column in TABLES[table]
        ]
    )


def export(
    source: Source, folder: Path, form: FileFormat, *, force: bool = False
) -> dict[str, int]:
    """Write every table of some logs into a new folder, one file a table.

    The folder is there once all of it is written; ``force`` replaces one of an earlier export.

    Returns:
        The rows of each table.

    Raises:
        ConfigError: Something stands where the folder is to be.
        HostFault: A log cannot be read, or the disk does not take a file.
        LogCorrupt: A log is damaged.
    """
    counts: Counter[str] = Counter()
    with (
        uncollected(),
        fresh_folder(folder, force=force, is_ours=_is_ours) as draft,
        ExitStack() as stack,
    ):
        tables = {name: Table(name, draft / f"{name}.{form.value}", form) for name in TABLES}
        for table in tables.values():
            stack.callback(table.close)
        for name, row in source.tables():
            tables[name].add(row)
            counts[name] += 1
    return {name: counts[name] for name in TABLES}


@contextmanager
def uncollected() -> Iterator[None]:
    """Look for no cycles meanwhile: rows and lines hold none, and the search takes a third."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _is_ours(path: Path) -> bool:
    endings = {f".{form.value}" for form in FileFormat}
    return path.stem in TABLES and path.suffix in endings and path.parent == Path()


class Table:
    """One table while its file is being written."""

    def __init__(self, name: str, path: Path, form: FileFormat) -> None:
        """Create the file.

        Raises:
            OSError: The disk does not take it.
        """
        self._schema = schema_of(name)
        self._rows: list[Row] = []
        self._is_csv = form is FileFormat.CSV
        self._writer: Any
        match form:
            case FileFormat.PARQUET:
                self._writer = pa_parquet.ParquetWriter(path, self._schema, compression="zstd")
            case FileFormat.ARROW:
                self._writer = pa.ipc.new_file(str(path), self._schema)
            case FileFormat.CSV:
                self._writer = pa_csv.CSVWriter(str(path), self._schema)
        self._write: Callable[[pa.RecordBatch], None] = (
            self._writer.write_batch if form is FileFormat.PARQUET else self._writer.write
        )

    def add(self, row: Row) -> None:
        """Take a row; a full batch is written out."""
        self._rows.append(row)
        if len(self._rows) == _BATCH_ROWS:
            self.flush()

    def close(self) -> None:
        """Write out what is held and end the file. Idempotent."""
        self.flush()
        self._writer.close()

    def flush(self) -> None:
        """Write out what is held."""
        if self._rows:
            batch = batch_of(self._rows, self._schema)
            self._write(_guarded(batch) if self._is_csv else batch)
            self._rows.clear()


def _guarded(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Keep texts from being formulas of a spreadsheet (:mod:`arena.record.csv_page`)."""
    return pa.record_batch(
        [
            _guarded_texts(column) if pa.types.is_string(column.type) else column
            for column in batch.columns
        ],
        schema=batch.schema,
    )


def _guarded_texts(column: pa.Array) -> pa.Array:
    is_formula = pa_compute.and_not(
        pa_compute.match_substring_regex(column, GUARDED),
        pa_compute.match_substring_regex(column, HARMLESS),
    )
    return pa_compute.if_else(
        is_formula, pa_compute.binary_join_element_wise("'", column, ""), column
    )


def batch_of(rows: list[Row], schema: pa.Schema) -> pa.RecordBatch:
    """Turn rows into columns."""
    columns = [
        pa.array(column, field.type)
        for column, field in zip(zip(*rows, strict=True), schema, strict=True)
    ]
    return pa.record_batch(columns, schema=schema)
