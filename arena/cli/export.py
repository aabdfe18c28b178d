"""``arena export``: match logs as tables for data frames. Source: record.md ("arena export")."""

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.output import emit
from arena.errors import ConfigError
from arena.tournament.begun import read_begun
from arena.tournament.folder import EVENT_FILE, EVENT_LOG, locate

_FORMATS = ("parquet", "arrow", "csv")


def command(
    what: Annotated[
        Path, typer.Argument(metavar="LOG", help="A match log, a folder of them, or an EVENT.")
    ],
    *,
    out: Annotated[Path, typer.Option("-o", "--folder", help="Where the tables go.")] = Path(
        "tables"
    ),
    fmt: Annotated[str, typer.Option("--format", help="parquet, arrow or csv.")] = "parquet",
) -> None:
    """Write matches, deals, tricks, plays, decisions, declarations and faults as tables."""
    if fmt not in _FORMATS:
        raise ConfigError(f"--format {fmt}: allowed are {', '.join(_FORMATS)}")
    if find_spec("pyarrow") is None:
        raise ConfigError("arena export needs pyarrow: pip install 'tressette-arena[analysis]'")
    paths = _logs(what)
    from arena.record.export.files import FileFormat, export  # noqa: PLC0415  # an extra

    for table, rows in export(paths, out, FileFormat(fmt)).items():
        emit(f"{out / f'{table}.{fmt}'}: {rows} rows")


def _logs(what: Path) -> list[Path]:
    """List the logs; those of an event only once its cards are public (``reveal``)."""
    if not what.exists():
        raise ConfigError(f"{what}: no such file or folder")
    is_event = what.suffix == ".toml" or (what / EVENT_FILE).is_file()
    if is_event:
        folder = locate(what).folder
        begun = read_begun(folder)
        if begun is None or not begun.is_revealed:
            raise ConfigError(
                f"{folder.path}: its seed is not revealed yet; tables hold every hand, and are "
                "written once the event is over"
            )
        what = folder.logs
    if what.is_file():
        return [what]
    paths = sorted(path for end in ("", ".gz") for path in what.rglob(f"*.jsonl{end}"))
    paths = [path for path in paths if path.name != EVENT_LOG]
    if not paths:
        raise ConfigError(f"{what}: holds no match log")
    return paths
