"""Strict TOML: files into typed values, with errors a person can act on.

Owns reading a TOML file into a msgspec Struct: every mistake is told with the file, the
path of the key, the value and what was allowed; an unknown key with the nearest known one.
Must not know what any file means.
"""

import difflib
import enum
import tomllib
import types
import typing
from collections.abc import Iterable
from datetime import date, time
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

from arena.bots.allowed import allowed
from arena.errors import ConfigError

S = TypeVar("S", bound=msgspec.Struct)

_SHOWN = 60
"""A value is quoted up to so many characters."""
MOST_DEPTH = 32
"""Tables and lists in one another; no file of the arena's needs more than six."""
MOST_BITS = 64
"""Of a whole number, its sign included: what TOML promises."""
_TOO_DEEP = f"too deeply; allowed are {MOST_DEPTH} tables and lists in one another"
_TOO_LONG = f"too many digits; allowed are {MOST_BITS} bits with the sign"


def read_toml(file: Path, into: type[S], *, most_bytes: int = -1) -> S:
    """Read a TOML file into a Struct; of a stranger's at most ``most_bytes`` (-1: any number).

    Parsing takes time that grows with the square of a dotted key's length.

    Raises:
        ConfigError: The file cannot be read, is longer, is no TOML, or does not fit the Struct.
    """
    try:
        with file.open("rb") as opened:
            content = opened.read(most_bytes + 1 if most_bytes >= 0 else -1)
    except OSError as error:
        raise ConfigError(f"{file}: cannot be read: {error.strerror}") from error
    if 0 <= most_bytes < len(content):
        raise ConfigError(f"{file}: is longer than {most_bytes} bytes, which are allowed")
    return convert(parse_toml(content, str(file)), into, str(file))


def parse_toml(content: bytes, source: str) -> dict[str, object]:
    """Parse TOML from anybody: what this returns can be walked, compared and quoted.

    Args:
        content: The bytes of the file.
        source: What errors call it.

    Raises:
        ConfigError: It is not UTF-8 or no TOML, is nested more than :data:`MOST_DEPTH` deep,
            or holds a whole number of more than :data:`MOST_BITS` bits.
    """
    try:
        data = tomllib.loads(content.decode())
    except UnicodeDecodeError as error:
        raise ConfigError(f"{source}: is not UTF-8 (byte {error.start})") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{source}: is no TOML: {error}") from error
    except RecursionError:
        raise ConfigError(f"{source}: is nested {_TOO_DEEP}") from None
    except ValueError:  # the parser lets through what int() says of thousands of digits
        raise ConfigError(f"{source}: holds a whole number of {_TOO_LONG}") from None
    _refuse_excess(data, source)
    return data


def _refuse_excess(data: dict[str, object], source: str) -> None:
    """Walk without recursion, level by level: dotted keys nest as deep as they are long."""
    level: list[tuple[str, object]] = list(data.items())
    for _ in range(MOST_DEPTH):
        below: list[tuple[str, object]] = []
        for where, value in level:
            match value:
                case dict():
                    below += ((_join(where, key), item) for key, item in value.items())
                case list():
                    below += ((f"{where}[{index}]", item) for index, item in enumerate(value))
                case int() if value.bit_length() >= MOST_BITS and value != -(1 << MOST_BITS - 1):
                    raise ConfigError(f"{source}: {where}: a whole number of {_TOO_LONG}")
                case _:
                    pass
        level = below
    if level:
        raise ConfigError(f"{source}: {level[0][0][:_SHOWN]}...: is nested {_TOO_DEEP}")


def convert(data: object, into: type[S], source: str) -> S:
    """Convert what TOML or JSON gave into a Struct; ``source`` names it in errors.

    Raises:
        ConfigError: It does not fit.
    """
    try:
        _check(data, into, "")
        return msgspec.convert(data, into)
    except _Misfit as misfit:
        raise ConfigError(f"{source}: {misfit}") from None


def nearest(word: str, known: Iterable[str]) -> str:
    """Return "; did you mean X?" for the known word nearest to ``word``, or nothing."""
    close = difflib.get_close_matches(word, list(known), n=1, cutoff=0.5)
    return f"; did you mean {close[0]!r}?" if close else ""


class _Misfit(Exception):  # private: becomes a ConfigError with the file
    """A value that does not fit, with the path of its key."""


def _check(value: object, expected: Any, where: str) -> None:
    """Raise a _Misfit at the innermost place that does not fit."""
    outer = expected
    if typing.get_origin(expected) is typing.Annotated:
        expected = typing.get_args(expected)[0]
    match value:
        case dict() if struct := _struct_of(expected):
            _check_struct(value, struct, where)
        case dict() if typing.get_origin(expected) is dict:
            item_type = typing.get_args(expected)[-1]
            for key, item in value.items():
                _check(item, item_type, _join(where, key))
        case list() if typing.get_origin(expected) in (list, tuple):
            item_type = typing.get_args(expected)[0]
            for index, item in enumerate(value):
                _check(item, item_type, f"{where}[{index}]")
        case str() if isinstance(expected, type) and issubclass(expected, enum.Enum):
            words = [str(member.value) for member in expected]
            if value not in words:
                raise _Misfit(
                    f"{where} = {quote(value)} is none of {', '.join(words)}{nearest(value, words)}"
                )
        case _:
            pass
    _check_fit(value, outer, where)


def _check_fit(value: object, expected: Any, where: str) -> None:
    """Raise a _Misfit where a value does not fit whose members do, each alone."""
    try:
        msgspec.convert(value, expected)
    except msgspec.ValidationError as error:
        if isinstance(value, dict) and _struct_of(expected):
            # Its keys fit, each alone: it is the Struct that refuses them together.
            reason = str(error).replace("`", "").partition(" - at ")[0]
            raise _Misfit(f"{where}: {reason}" if where else reason) from None
        kinds = allowed(inspect.type_info(expected))
        raise _Misfit(f"{where} = {quote(value)} is not allowed; allowed: {kinds}") from None


def _check_struct(value: dict[str, object], struct: type[msgspec.Struct], where: str) -> None:
    fields = {field.encode_name: field for field in msgspec.structs.fields(struct)}
    for key in value:
        if key not in fields:
            raise _Misfit(
                f"unknown key {_join(where, key)!r}{nearest(key, fields)} "
                f"(known here: {', '.join(fields)})"
            )
    for key, field in fields.items():
        if key in value:
            _check(value[key], _given(field.type), _join(where, key))
        elif field.required:
            raise _Misfit(f"key {_join(where, key)!r} is missing")


def _given(expected: Any) -> Any:
    """Take the type that a key has where it is given, without the mark of what is not."""
    if typing.get_origin(expected) not in (typing.Union, types.UnionType):
        return expected
    return typing.Union[  # noqa: UP007  # of types that are known only here
        tuple(one for one in typing.get_args(expected) if one is not msgspec.UnsetType)
    ]


def _struct_of(expected: Any) -> type[msgspec.Struct] | None:
    candidates = (
        typing.get_args(expected)
        if typing.get_origin(expected) in (typing.Union, types.UnionType)
        else (expected,)
    )
    for candidate in candidates:
        if isinstance(candidate, type) and issubclass(candidate, msgspec.Struct):
            return candidate
    return None


def _join(where: str, key: str) -> str:
    return f"{where}.{key}" if where else key


def quote(value: object) -> str:
    """Return a value as Python writes it, or a moment as TOML does, cut where it is long."""
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, int) and value.bit_length() > 4 * _SHOWN:
        return f"a number of {value.bit_length()} bits"  # writing it may take forever
    text = repr(value)
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "..."
