"""Strict reading of TOML tables into msgspec types, with refusals a person can act on.

Owns the wording: table, key, value, what is allowed. Must not know what the tables mean.
A key that is misspelt, one that stands in the wrong table and one that is not offered yet
are three different mistakes and get three different answers.
"""

import difflib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct, inspect

from arena.bots.allowed import allowed
from arena.errors import ConfigError

T = TypeVar("T", bound=Struct)
Path = tuple[str | int, ...]
"""Where a value stands: keys, and places from 0 in lists of tables."""

_PATH: Final = re.compile(r" - at `\$(?P<path>.*)`$")
_STEP: Final = re.compile(r"\.(?P<key>[A-Za-z_]\w*)|\[(?P<index>\d+)\]")
_MISSING: Final = re.compile(r"missing required field `(?P<key>\w+)`")
LONGEST_SHOWN: Final = 80
"""Characters of a refused value that a message repeats."""
_TOP: Final = "at the top, before the first table"


@dataclass(frozen=True, slots=True, kw_only=True)
class Later:
    """What is known but not offered yet: keys by the type of their table, values by key.

    ``meanwhile`` says by key what holds until then.
    """

    keys: Mapping[type[Struct], frozenset[str]]
    values: Mapping[str, frozenset[str]]
    meanwhile: Mapping[str, str]


def read_table(raw: Mapping[str, object], into: type[T], later: Later) -> T:
    """Convert a parsed TOML document.

    Args:
        raw: The document.
        into: The type of its top level; nested tables are its fields.
        later: What is refused as not offered yet.

    Raises:
        ConfigError: The first mistake found, without the file's name.
    """
    top = inspect.type_info(into)
    assert isinstance(top, inspect.StructType)  # noqa: S101  # what a Struct's description is
    _Keys(top=top, later=later).refuse_unknown(raw, top, ())
    try:
        return msgspec.convert(raw, into, strict=True)
    except msgspec.ValidationError as error:
        raise ConfigError(_explain(raw, top, str(error), later.values)) from error


@dataclass(frozen=True, slots=True)
class _Keys:
    """The check that every key of a document is one that its table has."""

    top: inspect.StructType
    later: Later

    def refuse_unknown(
        self, raw: Mapping[str, object], struct: inspect.StructType, path: Path
    ) -> None:
        """Walk the tables that have fixed keys and refuse the first key that is not one."""
        fields = {field.encode_name: field.type for field in struct.fields}
        for key, value in raw.items():
            if key not in fields:
                reason = self._reason(key, struct, path)
                raise ConfigError(f"{_place((*path, key))}: {reason}")
            for at, table, kind in _tables(value, fields[key], (*path, key)):
                self.refuse_unknown(table, kind, at)

    def _reason(self, key: str, struct: inspect.StructType, path: Path) -> str:
        """Say what is wrong: not offered yet, misplaced, misspelt or simply unknown."""
        if key in self.later.keys.get(struct.cls, frozenset()):
            meanwhile = self.later.meanwhile.get(key)
            return f"not offered yet{f'; {meanwhile}' if meanwhile else ''}"
        homes = [home for home, keys in _homes(self.top) if key in keys and home != _home(path)]
        if homes:
            return f"unknown key here; it belongs {' or '.join(homes)}"
        known = [field.encode_name for field in struct.fields]
        if near := difflib.get_close_matches(key, known, n=1):
            return f"unknown key; did you mean {near[0]}?"
        return f"unknown key; known: {', '.join(known)}"


def _tables(
    value: object, kind: inspect.Type, path: Path
) -> Iterator[tuple[Path, Mapping[str, object], inspect.StructType]]:
    """Give the tables with fixed keys at a key; none where the value has another form."""
    match kind, value:
        case inspect.StructType(), dict():
            yield path, value, kind
        case inspect.ListType(item_type=inspect.StructType() as item), list():
            # A member that is no table is refused by the conversion that follows.
            for index, member in enumerate(value):
                if isinstance(member, dict):
                    yield (*path, index), member, item
        case _:
            return


def _homes(top: inspect.StructType) -> Iterator[tuple[str, set[str]]]:
    """List the tables of the first two levels, in words, with their keys."""
    yield _TOP, {field.encode_name for field in top.fields}
    for field in top.fields:
        match field.type:
            case inspect.StructType() as kind:
                yield f"in [{field.encode_name}]", {inner.encode_name for inner in kind.fields}
            case inspect.ListType(item_type=inspect.StructType() as kind):
                yield f"in [[{field.encode_name}]]", {inner.encode_name for inner in kind.fields}
            case _:
                pass


def _home(path: Path) -> str:
    """Word the table at a path as :func:`_homes` does."""
    match path:
        case ():
            return _TOP
        case (str(key), int()):
            return f"in [[{key}]]"
        case _:
            return f"in [{path[-1]}]"


def _place(path: Path) -> str:
    """Word a path as the file shows it: ``[[stage]] 2: [stage.clock] limit_ms``."""
    match path:
        case (str(table), int(index), str(inner), str(key), *_):
            return f"[[{table}]] {index + 1}: [{table}.{inner}] {key}"
        case (str(table), int(index), str(key), *_):
            return f"[[{table}]] {index + 1}: {key}"
        case (str(table), int(index)):
            return f"[[{table}]] {index + 1}"
        case (str(table), str(key), *_):
            return f"[{table}] {key}"
        case _:
            return str(path[0])


def _explain(
    raw: Mapping[str, object],
    top: inspect.StructType,
    message: str,
    later_values: Mapping[str, frozenset[str]],
) -> str:
    """Turn msgspec's message into ours: place, value, what is allowed."""
    found = _PATH.search(message)
    steps = _STEP.finditer(found["path"] if found else "")
    path = tuple(step["key"] if step["index"] is None else int(step["index"]) for step in steps)
    if missing := _MISSING.search(message):
        return f"{_place((*path, missing['key']))}: missing"
    value: Any = raw
    kind: inspect.Type = top
    key = ""
    for step in path:
        value = value[step]
        match kind:
            case inspect.StructType():
                key = str(step)
                kind = next(field.type for field in kind.fields if field.encode_name == key)
            case inspect.ListType():
                kind = kind.item_type
            case _:
                raise AssertionError(f"{message}: no way below {kind!r}")
    reason = "not allowed"
    if isinstance(value, str) and value in later_values.get(key, frozenset()):
        reason = "not offered yet"
    place = _place(path)
    if not isinstance(kind, inspect.StructType) and isinstance(path[-1], int):
        place = f"{_place(path[:-1])}: member {path[-1] + 1}"  # of a list of values
    return f"{place}: {_shown(value)} is {reason}; allowed: {allowed(kind)}"


def _shown(value: object) -> str:
    """Write a value about as the file does, cut where it is long."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"
