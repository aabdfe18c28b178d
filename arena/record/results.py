"""The results database: a match counts when its row is committed, once.

Owns the tables and the transactions. Must not know how rows come about or what standings
make of them. SQLAlchemy Core; SQLite in the event folder, another database by its URL.
Source: record.md ("Results database").
"""

import shlex
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Self

import msgspec
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from arena.errors import ConfigError, HostFault, LogCorrupt
from arena.record.match_row import FaultCount, MatchRow
from arena.record.paths import MatchId, parse_match_id
from arena.record.sqlite_engine import sqlite_engine

_meta: Final = sa.MetaData()
_matches: Final = sa.Table(
    "matches",
    _meta,
    sa.Column("match_id", sa.Text, primary_key=True),
    sa.Column("attempt", sa.Integer, primary_key=True),
    sa.Column("stage", sa.Integer, nullable=False),
    sa.Column("round", sa.Integer, nullable=False),
    sa.Column("pairing", sa.Integer, nullable=False),
    sa.Column("orientation", sa.Integer, nullable=False),
    sa.Column("slice", sa.Integer, nullable=False),
    sa.Column("entrants", sa.JSON, nullable=False),
    sa.Column("seats", sa.JSON, nullable=False),
    sa.Column("first_board", sa.Integer, nullable=False),
    sa.Column("boards_planned", sa.Integer),
    sa.Column("termination", sa.Text, nullable=False),
    sa.Column("culprit", sa.Text, nullable=False),
    sa.Column("culprit_seat", sa.Integer),
    sa.Column("culprit_side", sa.Integer),
    sa.Column("totals", sa.JSON, nullable=False),
    sa.Column("winner", sa.Integer),
    sa.Column("digest", sa.Text, nullable=False),
    sa.Column("duration_us", sa.BigInteger, nullable=False),
    sa.Column("counted", sa.Boolean, nullable=False),
    sa.Column("plays", sa.Text, nullable=False),
)
# However many attempts a match needed, one of them counts.
sa.Index(
    "one_counted_attempt",
    _matches.c.match_id,
    unique=True,
    sqlite_where=_matches.c.counted,
    postgresql_where=_matches.c.counted,
)
_boards: Final = sa.Table(
    "boards",
    _meta,
    sa.Column("match_id", sa.Text, primary_key=True),
    sa.Column("attempt", sa.Integer, primary_key=True),
    sa.Column("place", sa.Integer, primary_key=True),
    sa.Column("board", sa.Integer, nullable=False),
    sa.Column("points", sa.JSON, nullable=False),
    sa.ForeignKeyConstraint(["match_id", "attempt"], ["matches.match_id", "matches.attempt"]),
)
_faults: Final = sa.Table(
    "faults",
    _meta,
    sa.Column("match_id", sa.Text, primary_key=True),
    sa.Column("attempt", sa.Integer, primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("kind", sa.Text, primary_key=True),
    sa.Column("count", sa.Integer, nullable=False),
    sa.ForeignKeyConstraint(["match_id", "attempt"], ["matches.match_id", "matches.attempt"]),
)
_LATER: Final = frozenset({"plays"})
"""Columns of matches that the first results did not have."""
_SCHEDULE: Final = (
    _matches.c.stage,
    _matches.c.round,
    _matches.c.pairing,
    _matches.c.orientation,
    _matches.c.slice,
    _matches.c.attempt,
)


class _NoRow(Exception):  # says what it is not
    """What the tables hold is no row."""


class Results:
    """The results of one event; safe to call from worker threads, one writer at a time."""

    __slots__ = ("_engine", "_file", "_inode", "_name")

    def __init__(
        self, engine: sa.Engine, name: str, *, file: Path | None = None, must_exist: bool = False
    ) -> None:
        self._engine = engine
        self._name = name
        self._file = file
        self._inode: int | None = None
        if must_exist:
            return
        with self._naming_the_place():
            _meta.create_all(engine)

    @classmethod
    def open(cls, path: Path, *, must_exist: bool = False) -> Self:
        """Open the SQLite database of an event folder.

        Args:
            path: The file.
            must_exist: Whether to refuse where there is none, instead of creating it. Whoever
                may read but not write there can then read the rows, and no more.

        Raises:
            HostFault: The file cannot be opened.
            LogCorrupt: It is no database, or must exist and does not.
        """
        if must_exist and not path.is_file():
            raise LogCorrupt(
                f"{path}: no such file: the results of this event are missing; {_cure(path)}"
            )
        engine = sqlite_engine(path, may_read_only=must_exist)
        results = cls(engine, str(path), file=path, must_exist=must_exist)
        results._inode = _inode_of(path)
        return results

    @classmethod
    def connect(cls, url: str) -> Self:
        """Open a database by its URL, for instance ``postgresql+psycopg://host/name``.

        Raises:
            HostFault: The database does not answer.
        """
        parsed = sa.make_url(url)
        return cls(sa.create_engine(parsed), parsed.render_as_string(hide_password=True))

    def count(self, row: MatchRow) -> bool:
        """Let a match count; whether it is new. The same row again changes nothing.

        Raises:
            HostFault: The database does not take it, or holds another result for this
                attempt, or counts another attempt at this match.
        """
        if not row.counted:
            raise AssertionError("a void attempt is kept with void()")
        return self._keep(row)

    def void(self, row: MatchRow) -> bool:
        """Keep an attempt that counts for nobody; whether it is new.

        Raises:
            HostFault: The database does not take it, or holds another result for it.
        """
        if row.counted:
            raise AssertionError("a match that counts is kept with count()")
        return self._keep(row)

    def set_aside(self, match_id: str, attempt: int) -> None:
        """Let an attempt no more count, because the match is to be played again. Idempotent.

        Raises:
            HostFault: The database does not take it.
        """
        chosen = (_matches.c.match_id == match_id) & (_matches.c.attempt == attempt)
        self._refuse_to_write_nowhere()
        with self._naming_the_place(), self._engine.begin() as connection:
            connection.execute(sa.update(_matches).where(chosen).values(counted=False))

    def rows(self) -> tuple[MatchRow, ...]:
        """Read every attempt, in the order of the schedule.

        Raises:
            HostFault: The database does not answer.
            LogCorrupt: It holds what no arena writes.
        """
        with self._naming_the_place(), self._engine.connect() as connection:
            return tuple(_read_rows(connection))

    def counted_ids(self) -> frozenset[str]:
        """Read the ids of the matches that count."""
        query = sa.select(_matches.c.match_id).where(_matches.c.counted)
        with self._naming_the_place(), self._engine.connect() as connection:
            return frozenset(connection.scalars(query))

    def close(self) -> None:
        """Release the database. Idempotent."""
        self._engine.dispose()

    def _keep(self, row: MatchRow) -> bool:
        key = {"match_id": row.match_id, "attempt": row.attempt}
        self._refuse_to_write_nowhere()
        with self._naming_the_place(), self._engine.begin() as connection:
            insert = sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert
            added = connection.execute(
                insert(_matches).values(_match_values(row)).on_conflict_do_nothing()
            )
            if added.rowcount == 0:
                self._refuse_another(connection, row)
                return False
            if row.boards:
                connection.execute(
                    sa.insert(_boards),
                    [
                        {**key, "place": place, "board": board.board, "points": board.points}
                        for place, board in enumerate(row.boards, start=1)
                    ],
                )
            if row.faults:
                connection.execute(
                    sa.insert(_faults),
                    [
                        {**key, "seat": fault.seat, "kind": fault.kind.value, "count": fault.count}
                        for fault in row.faults
                    ],
                )
        return True

    def _refuse_to_write_nowhere(self) -> None:
        """Refuse to write to a file that was removed: SQLite would, and all of it would be lost."""
        if self._file is not None and _inode_of(self._file) != self._inode:
            raise HostFault(
                f"{self._file}: was removed or replaced while the event ran; put it back, or make "
                f"it anew from the logs with arena verify {self._file.parent} --rebuild"
            )

    def _refuse_another(self, connection: sa.Connection, row: MatchRow) -> None:
        present = tuple(_read_rows(connection, row.match_id))
        if replace(row, faults=_in_order(row.faults)) in present:
            return
        attempts = ", ".join(
            f"attempt {other.attempt} ({'counted' if other.counted else 'void'})"
            for other in present
        )
        raise HostFault(
            f"{self._name}: match {row.match_id} attempt {row.attempt} cannot be "
            f"{'counted' if row.counted else 'kept as void'}: another result stands there "
            f"already: {attempts}; a match counts once"
        )

    @contextmanager
    def _naming_the_place(self) -> Iterator[None]:
        try:
            yield
        except sa.exc.DBAPIError as error:
            if type(error.orig) is sqlite3.DatabaseError:  # its other kinds are the machine's
                raise self._corrupt(error.orig) from error
            raise HostFault(f"the results database {self._name}: {error.orig}") from error
        except sa.exc.NoSuchTableError as error:
            raise self._corrupt(f"expected a table {error}, found none") from error
        except _NoRow as error:
            raise self._corrupt(error) from error
        except (ValueError, TypeError, RecursionError) as error:
            # Raised by the driver's conversions, before there is a row to name.
            raise self._corrupt(f"a value that no arena writes: {error}") from error

    def _corrupt(self, what: object) -> LogCorrupt:
        """Say what is wrong, and the cure: the logs hold everything that stands here."""
        cure = "" if self._file is None else f"; {_cure(self._file)}"
        return LogCorrupt(f"the results database {self._name}: {what}{cure}")


def _cure(path: Path) -> str:
    again = f"arena verify {shlex.quote(str(path.parent))} --rebuild"
    return f"put it back, or make it anew from the logs with {again}"


def _inode_of(path: Path) -> int | None:
    """Tell one file from another that takes its place; None where there is none."""
    try:
        return path.stat().st_ino
    except OSError:
        return None


def _match_values(row: MatchRow) -> dict[str, object]:
    values = {column.name: getattr(row, column.name) for column in _matches.columns}
    return {**values, "termination": row.termination.value, "culprit": row.culprit.value}


def _read_rows(connection: sa.Connection, match_id: str | None = None) -> Iterator[MatchRow]:
    def query(table: sa.Table, *order: sa.Column[Any]) -> sa.Select[Any]:
        present = {column["name"] for column in sa.inspect(connection).get_columns(table.name)}
        # A column that came later is empty in the results of an older arena.
        columns = (
            sa.literal("").label(column.name)
            if column.name in _LATER and column.name not in present
            else column
            for column in table.columns
        )
        chosen = sa.select(*columns).select_from(table).order_by(*order)
        return chosen if match_id is None else chosen.where(table.c.match_id == match_id)

    boards: defaultdict[tuple[str, int], list[object]] = defaultdict(list)
    for board in connection.execute(query(_boards, _boards.c.place)).mappings():
        boards[board["match_id"], board["attempt"]].append(
            {"board": board["board"], "points": board["points"]}
        )
    faults: defaultdict[tuple[str, int], list[object]] = defaultdict(list)
    for fault in connection.execute(query(_faults)).mappings():
        faults[fault["match_id"], fault["attempt"]].append(
            {"seat": fault["seat"], "kind": fault["kind"], "count": fault["count"]}
        )
    for match in connection.execute(query(_matches, *_SCHEDULE)):
        key = match.match_id, match.attempt
        # SQLAlchemy's names are a kind of str that msgspec does not take for one.
        fields = {"".join(name): value for name, value in match._asdict().items()}
        yield _row({**fields, "boards": boards[key], "faults": faults[key]})


def _row(fields: dict[str, object]) -> MatchRow:
    """Make a row of what the tables hold.

    Raises:
        _NoRow: No arena writes this.
    """
    what = f"match {fields['match_id']!r} attempt {fields['attempt']!r}"
    try:
        row = msgspec.convert(fields, MatchRow, strict=True)
        place = parse_match_id(row.match_id)
    except (msgspec.ValidationError, ConfigError) as error:
        raise _NoRow(f"{what}: {error}") from None
    columns = MatchId(
        stage=row.stage,
        round=row.round,
        pairing=row.pairing,
        orientation=row.orientation,
        slice=row.slice,
    )
    if columns != place:
        raise _NoRow(f"{what}: its columns say {columns}")
    sides, seats = range(len(row.totals)), range(len(row.seats))
    for name, number, allowed in (
        ("culprit_seat", row.culprit_seat, seats),
        ("culprit_side", row.culprit_side, sides),
        ("winner", row.winner, sides),
        *(("a fault's seat", fault.seat, seats) for fault in row.faults),
    ):
        if number is not None and number not in allowed:
            raise _NoRow(f"{what}: {name}: expected 0 to {len(allowed) - 1}, found {number}")
    # Partners are of one entrant, or every seat has an entrant of its own.
    entrants, seated = set(row.entrants), set(row.seats)
    is_individual = len(seated) == len(seats) and entrants <= seated
    if len(row.entrants) != len(sides) or not (seated <= entrants or is_individual):
        raise _NoRow(
            f"{what}: its totals {list(row.totals)}, entrants {list(row.entrants)} and seats "
            f"{list(row.seats)} do not fit each other"
        )
    return replace(row, faults=_in_order(row.faults))


def _in_order(faults: Iterable[FaultCount]) -> tuple[FaultCount, ...]:
    # Sorted here: databases differ in how they order text.
    return tuple(sorted(faults, key=lambda fault: (fault.seat, fault.kind.value)))
