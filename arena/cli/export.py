"""``arena export``: match logs as tables for data frames. Source: record.md ("arena export")."""

import os
import re
import secrets
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.options import Organiser
from arena.cli.output import emit
from arena.cli.unpacking import unpacked
from arena.counted import counted
from arena.errors import ConfigError, HostFault
from arena.record.export.anonymous import KEY_BYTES, Pseudonyms
from arena.record.export.sources import Source, find_source
from arena.tournament.folder import locate
from arena.tournament.revealing import refuse_hidden_cards

_FORMATS = ("parquet", "arrow", "csv")


def command(
    what: Annotated[
        Path,
        typer.Argument(metavar="LOG", help="A match log, a folder or a zip of them, or an EVENT."),
    ],
    *,
    out: Annotated[
        Path | None,
        typer.Option(
            "-o", "--folder", metavar="FOLDER", help="Where the tables go (default: tables)."
        ),
    ] = None,
    fmt: Annotated[
        str,
        typer.Option("--format", metavar="FORMAT", help="Of the tables: parquet, arrow or csv."),
    ] = "parquet",
    force: Annotated[
        bool, typer.Option("--force", help="Replace what an earlier export wrote there.")
    ] = False,
    dataset: Annotated[
        Path | None,
        typer.Option("--dataset", metavar="DIR", help="Write a dataset for others instead."),
    ] = None,
    licence: Annotated[
        str | None,
        typer.Option("--licence", "--license", help="Of the dataset, as CC-BY-4.0."),
    ] = None,
    anonymous: Annotated[
        bool, typer.Option("--anonymous", help="A dataset without names, words and details.")
    ] = False,
    pseudonym_key: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Same key, same pseudonyms; it is made if it is not there."
        ),
    ] = None,
    organiser: Organiser = False,
) -> None:
    """Write matches, deals, tricks, plays, decisions and more as tables."""
    if fmt not in _FORMATS:
        raise ConfigError(f"--format {fmt}: allowed are {', '.join(_FORMATS)}")
    if dataset is None and (licence is not None or anonymous or pseudonym_key is not None):
        raise ConfigError("--licence, --anonymous and --pseudonym-key go with --dataset DIR")
    if find_spec("pyarrow") is None:
        raise ConfigError("arena export needs pyarrow: pip install 'tressette-arena[analysis]'")
    if dataset is not None:
        if out is not None or fmt != "parquet":
            raise ConfigError("--dataset DIR says where and as what; leave -o and --format out")
        key = _pseudonym_key(pseudonym_key, is_wanted=anonymous)
        with unpacked(what) as place:
            source = _source(place, is_organiser=organiser)
            _dataset(source, dataset, licence, _title(what), key, force=force)
        return
    from arena.record.export.files import FileFormat, export  # noqa: PLC0415  # an extra

    folder = Path("tables") if out is None else out
    with unpacked(what) as place:
        source = _source(place, is_organiser=organiser)
        counts = export(source, folder, FileFormat(fmt), force=force)
    for table, rows in counts.items():
        emit(f"{folder / f'{table}.{fmt}'}: {counted(rows, 'row')}")


def _source(what: Path, *, is_organiser: bool) -> Source:
    """Find the logs; those of an event only once its cards are public."""
    if what.is_file() and what.suffix == ".toml":
        what = locate(what).folder.path
    source = find_source(what)
    # A folder may hold the folders of several events.
    refuse_hidden_cards(*{log.parent for log in source.logs}, is_organiser=is_organiser)
    return source


def _dataset(
    source: Source, folder: Path, licence: str | None, title: str, key: bytes | None, *, force: bool
) -> None:
    if not licence or not licence.isprintable():
        raise ConfigError(
            "--dataset: say with --licence what others may do with it, for instance CC-BY-4.0 "
            f"(one line); given: {licence!r}"
        )
    from arena.record.export.dataset import Terms, write_dataset  # noqa: PLC0415  # an extra

    pseudonyms = None if key is None else Pseudonyms(key)
    if pseudonyms is not None:
        title = "Matches of Tressette"
    terms = Terms(title=title, licence=licence, pseudonyms=pseudonyms)
    tally = write_dataset(source, folder, terms, force=force)
    for (table, part), rows in sorted(tally.rows.items()):
        emit(f"{folder}: {table}, {part}: {counted(rows, 'row')}")
    emit(f"{folder / 'README.md'}: the data card; check all with sha256sum -c SHA256SUMS there")


def _title(what: Path) -> str:
    name = what.resolve().name if what.is_dir() else what.name.partition(".")[0]
    return "".join(letter for letter in name if letter.isprintable()) or "Matches of Tressette"


def _pseudonym_key(path: Path | None, *, is_wanted: bool) -> bytes | None:
    """Give the key of pseudonyms: one that is thrown away afterwards if no file is named.

    Raises:
        ConfigError: The file is no key, or nobody asked for pseudonyms.
        HostFault: It cannot be read or written.
    """
    if not is_wanted:
        if path is not None:
            raise ConfigError("--pseudonym-key goes with --anonymous")
        return None
    if path is None:
        return secrets.token_bytes(KEY_BYTES)
    try:
        if not path.exists():
            with open(path, "x", opener=_private) as file:
                file.write(secrets.token_hex(KEY_BYTES) + "\n")
        text = path.read_text("ascii", "replace").strip()
    except OSError as error:
        raise HostFault(f"{path}: cannot be read or made: {error.strerror}") from error
    if not re.fullmatch(rf"[0-9a-f]{{{2 * KEY_BYTES}}}", text):
        raise ConfigError(f"{path}: expected a key of {2 * KEY_BYTES} hexadecimal digits")
    return bytes.fromhex(text)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
