"""Tables as lazy frames of polars; needs the extra ``analysis``.

Owns reading exported files lazily (texts of CSV without the apostrophe that guards them), and the
same frames of logs, which are read when a frame is collected: one log at a time, and no more of
them than a ``head`` needs.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import polars as pl
from polars.io.plugins import register_io_source

from arena.errors import ConfigError
from arena.record.csv_page import GUARDED
from arena.record.export.sources import Source, find_source
from arena.record.export.tables import TABLES, Kind, Row

_TYPES: Mapping[Kind, type[pl.DataType]] = {
    Kind.INT: pl.Int64,
    Kind.TEXT: pl.String,
    Kind.FLAG: pl.Boolean,
}
_BATCH_ROWS: Final = 65_536
_ENDINGS: Final = ("parquet", "arrow", "csv")


def frames(place: Path) -> dict[str, pl.LazyFrame]:
    """Give every table by name.

    Args:
        place: A match log, an event's folder, a folder of logs, a folder that ``arena export``
            wrote, or a dataset.

    Raises:
        ConfigError: Nothing of that is there, or an export lacks a table.
    """
    if place.is_dir():
        if (place / "data" / "plays").is_dir():
            return {name: _shards(place, name) for name in TABLES}
        for ending in _ENDINGS:
            if any((place / f"{name}.{ending}").is_file() for name in TABLES):
                return {name: _file(place / f"{name}.{ending}", name) for name in TABLES}
    source = find_source(place)
    return {name: _of_logs(source, name) for name in TABLES}


def schema_of(table: str) -> dict[str, type[pl.DataType]]:
    """Give the polars schema of a table."""
    return {column.name: _TYPES[column.kind] for column in TABLES[table]}


def _shards(place: Path, name: str) -> pl.LazyFrame:
    if not any((place / "data" / name).glob("*.parquet")):
        raise ConfigError(f"{place}: holds no data/{name}/*.parquet; it is no whole dataset")
    return pl.scan_parquet(place / "data" / name / "*.parquet")


def _file(path: Path, name: str) -> pl.LazyFrame:
    if not path.is_file():
        raise ConfigError(f"{path.parent}: holds no {path.name}; make it with arena export")
    match path.suffix:
        case ".parquet":
            return pl.scan_parquet(path)
        case ".arrow":
            return pl.scan_ipc(path)
        case _:
            texts = pl.col(pl.String)
            is_guarded = texts.str.contains(f"^'{GUARDED.removeprefix('^')}")
            bare = pl.when(is_guarded).then(texts.str.slice(1)).otherwise(texts)
            return pl.scan_csv(path, schema=schema_of(name)).with_columns(bare)


def _of_logs(source: Source, table: str) -> pl.LazyFrame:
    """Make a frame of which polars asks the rows when it needs them."""

    def read(
        columns: list[str] | None,
        predicate: pl.Expr | None,
        most: int | None,
        batch_rows: int | None,
    ) -> Iterator[pl.DataFrame]:
        for batch in _batches(source, table, min(batch_rows or _BATCH_ROWS, most or _BATCH_ROWS)):
            frame = pl.DataFrame(batch, schema=schema_of(table), orient="row")
            if most is not None:
                frame = frame.head(most)
                most -= frame.height
            if predicate is not None:
                frame = frame.filter(predicate)
            yield frame if columns is None else frame.select(columns)
            if most == 0:
                return

    return register_io_source(read, schema=schema_of(table), is_pure=True)


def _batches(source: Source, table: str, size: int) -> Iterator[list[Row]]:
    """Cut the rows of a table into batches."""
    rows: list[Row] = []
    of_table = source.sessions() if table == "sessions" else _rows_of(source, table)
    for row in of_table:
        rows.append(row)
        if len(rows) >= size:
            yield rows
            rows = []
    if rows:
        yield rows


def _rows_of(source: Source, table: str) -> Iterator[Row]:
    return (row for name, row in source.tables() if name == table)
