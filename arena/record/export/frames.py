"""Tables as lazy frames of polars; needs the extra ``analysis``.

Owns reading exported Parquet lazily, and making the same frames of logs in memory.
"""

from collections.abc import Mapping
from pathlib import Path

import polars as pl

from arena.errors import ConfigError
from arena.record.export.tables import TABLES, Kind, Row, log_rows
from arena.record.read import read_log

_TYPES: Mapping[Kind, type[pl.DataType]] = {
    Kind.INT: pl.Int64,
    Kind.TEXT: pl.String,
    Kind.FLAG: pl.Boolean,
}


def frames(path: Path) -> dict[str, pl.LazyFrame]:
    """Give every table by name: of one match log, or of a folder of exported Parquet.

    Raises:
        ConfigError: There is no such file, or the folder lacks a table.
    """
    if path.is_dir():
        for name in TABLES:
            if not (path / f"{name}.parquet").is_file():
                raise ConfigError(f"{path}: holds no {name}.parquet; make it with arena export")
        return {name: pl.scan_parquet(path / f"{name}.parquet") for name in TABLES}
    if not path.is_file():
        raise ConfigError(f"{path}: no such file or folder")
    rows: dict[str, list[Row]] = {name: [] for name in TABLES}
    for name, row in log_rows(read_log(path)):
        rows[name].append(row)
    return {
        name: pl.DataFrame(
            rows[name],
            schema={column.name: _TYPES[column.kind] for column in columns},
            orient="row",
        ).lazy()
        for name, columns in TABLES.items()
    }
