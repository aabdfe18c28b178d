"""Tables as files: Parquet (zstd), Arrow and CSV, written as a stream.

Owns the batches and the formats; needs the extra ``analysis``. At most one batch of each
table is held in memory, however many logs there are. Source: record.md ("arena export").
"""

from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pa_parquet

from arena.errors import HostFault
from arena.record.export.tables import TABLES, Kind, Row, log_rows
from arena.record.read import read_log

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


def export(paths: Iterable[Path], folder: Path, form: FileFormat) -> dict[str, int]:
    """Write every table of some logs into a folder, one file a table.

    Returns:
        The rows of each table.

    Raises:
        HostFault: A log cannot be read, or the disk does not take a file.
        LogCorrupt: A log is damaged.
    """
    counts: Counter[str] = Counter()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with ExitStack() as stack:
            tables = {name: _Table(name, folder, form, stack) for name in TABLES}
            for path in paths:
                for name, row in log_rows(read_log(path)):
                    tables[name].add(row)
                    counts[name] += 1
            for table in tables.values():
                table.flush()
    except OSError as error:
        raise HostFault(f"{folder}: the tables cannot be written: {error}") from error
    return {name: counts[name] for name in TABLES}


class _Table:
    """One table that is being written."""

    def __init__(self, name: str, folder: Path, form: FileFormat, stack: ExitStack) -> None:
        self._schema = schema_of(name)
        self._rows: list[Row] = []
        path = folder / f"{name}.{form.value}"
        writer: Any
        match form:
            case FileFormat.PARQUET:
                writer = pa_parquet.ParquetWriter(path, self._schema, compression="zstd")
            case FileFormat.ARROW:
                writer = pa.ipc.new_file(str(path), self._schema)
            case FileFormat.CSV:
                writer = pa_csv.CSVWriter(str(path), self._schema)
        stack.enter_context(writer)
        self._write: Callable[[pa.RecordBatch], None] = (
            writer.write_batch if form is FileFormat.PARQUET else writer.write
        )

    def add(self, row: Row) -> None:
        """Take a row; a full batch is written out."""
        self._rows.append(row)
        if len(self._rows) == _BATCH_ROWS:
            self.flush()

    def flush(self) -> None:
        """Write out what is held."""
        if self._rows:
            columns = [
                pa.array(column, field.type)
                for column, field in zip(zip(*self._rows, strict=True), self._schema, strict=True)
            ]
            self._write(pa.record_batch(columns, schema=self._schema))
            self._rows.clear()
