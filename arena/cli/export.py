"""``arena export``: match logs as tables for data frames. Source: record.md ("arena export")."""

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.options import Organiser
from arena.cli.output import emit
from arena.errors import ConfigError
from arena.record.export.sources import Source, find_source
from arena.tournament.folder import locate
from arena.tournament.revealing import refuse_hidden_cards

_FORMATS = ("parquet", "arrow", "csv")


def command(
    what: Annotated[
        Path, typer.Argument(metavar="LOG", help="A match log, a folder of them, or an EVENT.")
    ],
    *,
    out: Annotated[
        Path | None, typer.Option("-o", "--folder", help="Where the tables go (default: tables).")
    ] = None,
    fmt: Annotated[str, typer.Option("--format", help="parquet, arrow or csv.")] = "parquet",
    force: Annotated[
        bool, typer.Option("--force", help="Replace what an earlier export wrote there.")
    ] = False,
    organiser: Organiser = False,
) -> None:
    """Write matches, deals, tricks, plays, decisions and more as tables."""
    if fmt not in _FORMATS:
        raise ConfigError(f"--format {fmt}: allowed are {', '.join(_FORMATS)}")
    if find_spec("pyarrow") is None:
        raise ConfigError("arena export needs pyarrow: pip install 'tressette-arena[analysis]'")
    source = _source(what, is_organiser=organiser)
    from arena.record.export.files import FileFormat, export  # noqa: PLC0415  # an extra

    folder = Path("tables") if out is None else out
    for table, rows in export(source, folder, FileFormat(fmt), force=force).items():
        emit(f"{folder / f'{table}.{fmt}'}: {rows} rows")


def _source(what: Path, *, is_organiser: bool) -> Source:
    """Find the logs; those of an event only once its cards are public."""
    if what.is_file() and what.suffix == ".toml":
        what = locate(what).folder.path
    refuse_hidden_cards(what, is_organiser=is_organiser)
    return find_source(what)
