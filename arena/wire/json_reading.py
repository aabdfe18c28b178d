"""Objects of the JSON dialect, or of canonical proto3 JSON, to messages.

Owns what each type of field accepts and in which words it refuses: path, value, what was
allowed. Keys that no field has are skipped and listed. Must not know single messages.
Source: protocol.md ("One JSON dialect", "Rules of the wire" 8).
"""

import base64
import re
from collections.abc import Callable, Mapping, Sized
from functools import cache
from types import MappingProxyType
from typing import Any, Final, NoReturn, TypeVar

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.json_format import ParseDict, ParseError
from google.protobuf.message import Message

from arena.errors import ProtocolViolation
from arena.wire.json_names import (
    CARD_LIST,
    STRUCT,
    enum_allowed,
    enum_numbers,
    is_map,
    oneof_of,
)

M = TypeVar("M", bound=Message)
_Convert = Callable[[object, str], Any]

_SHOWN: Final = 60
"""Characters of a wrong value that are repeated in an error."""
_INTEGER: Final = re.compile(r"-?[0-9]{1,20}")

_RANGES: Final[Mapping[int, tuple[int, int]]] = MappingProxyType(
    {
        FieldDescriptor.TYPE_UINT32: (0, 2**32 - 1),
        FieldDescriptor.TYPE_SINT32: (-(2**31), 2**31 - 1),
        FieldDescriptor.TYPE_UINT64: (0, 2**64 - 1),
    }
)
"""The whole numbers of each type that ``arena.v1`` uses."""


MOST_ITEMS: Final = 1_024
"""Keys of an object, or items of a list, at most."""


def from_object(message: M, value: object, skipped: list[str], path: str = "") -> M:
    """Fill an empty message from an object and return it.

    Args:
        message: An empty message.
        value: The decoded JSON.
        skipped: Gets the path of every key that no field has.
        path: Where ``value`` stands, for errors.

    Raises:
        ProtocolViolation: A value is none of its field; the text says where, which, and
            what is allowed.
    """
    if not isinstance(value, dict):
        _refuse(path or message.DESCRIPTOR.name, value, "an object")
    _bound(value, path or message.DESCRIPTOR.name, "keys")
    fields = _fields(message.DESCRIPTOR)
    for key, inner in value.items():
        where = f"{path}.{key}" if path else str(key)
        field = fields.get(key)
        if field is None:
            skipped.append(where[:_SHOWN])
        elif inner is not None:
            _fill(message, field, inner, skipped, where)
    return message


def _bound(value: Sized, path: str, what: str) -> None:
    """Refuse what would take the referee's time from everybody: no message is so long."""
    if len(value) > MOST_ITEMS:
        raise ProtocolViolation(f"{path}: {len(value)} {what}; allowed are {MOST_ITEMS}")


@cache
def _fields(descriptor: Descriptor) -> dict[str, FieldDescriptor]:
    return {name: field for field in descriptor.fields for name in (field.name, field.json_name)}


def _fill(
    message: Message, field: FieldDescriptor, value: object, skipped: list[str], path: str
) -> None:
    name = field.name
    oneof = oneof_of(field)
    if oneof is not None:
        other = message.WhichOneof(oneof.name)
        if other is not None and other != name:
            raise ProtocolViolation(f"{path}: {other} is set already; only one of them may be")
    if field.is_repeated:
        _fill_all(message, field, value, skipped, path)
    elif field.message_type is not None:
        inner = getattr(message, name)
        inner.SetInParent()
        _fill_message(inner, value, skipped, path)
    else:
        setattr(message, name, _convert(field)(value, path))


def _fill_all(
    message: Message, field: FieldDescriptor, value: object, skipped: list[str], path: str
) -> None:
    target = getattr(message, field.name)
    if is_map(field):
        if not isinstance(value, dict):
            _refuse(path, value, "an object")
        for key, inner in value.items():
            target[key] = _text(inner, f"{path}.{key}")
        return
    if not isinstance(value, list):
        _refuse(path, value, "a list")
    _bound(value, path, "items")
    if field.message_type is not None:
        for place, inner in enumerate(value):
            _fill_message(target.add(), inner, skipped, f"{path}[{place}]")
    else:
        convert = _convert(field)
        target.extend(convert(inner, f"{path}[{place}]") for place, inner in enumerate(value))


def _fill_message(message: Message, value: object, skipped: list[str], path: str) -> None:
    full_name = message.DESCRIPTOR.full_name
    if full_name == STRUCT:
        if not isinstance(value, dict):
            _refuse(path, value, "an object")
        try:
            ParseDict(value, message)
        except ParseError as error:
            raise ProtocolViolation(f"{path}: {error}") from None
    elif full_name == CARD_LIST and isinstance(value, list):
        from_object(message, {"cards": value}, skipped, path)
    else:
        from_object(message, value, skipped, path)


@cache
def _convert(field: FieldDescriptor) -> _Convert:
    if field.enum_type is not None:
        return _enum_converter(field.enum_type)
    if field.type in _RANGES:
        return _integer_converter(*_RANGES[field.type])
    if field.name == "token":
        return _secret
    return {field.TYPE_STRING: _text, field.TYPE_BYTES: _bytes, field.TYPE_BOOL: _bool}[field.type]


def _enum_converter(enum: EnumDescriptor) -> _Convert:
    numbers = enum_numbers(enum)

    def convert(value: object, path: str) -> int:
        # A bool would pass as a number, a float as the whole number it equals.
        number = numbers.get(value) if type(value) in (str, int) else None  # type: ignore[call-overload]
        if number is None:
            _refuse(path, value, enum_allowed(enum))
        return number  # type: ignore[no-any-return]

    return convert


def _integer_converter(least: int, most: int) -> _Convert:
    def convert(value: object, path: str) -> int:
        number = value
        match value:
            case str() if _INTEGER.fullmatch(value):
                number = int(value)
            case float() if value.is_integer():
                number = int(value)
        if type(number) is not int or not least <= number <= most:
            _refuse(path, value, f"a whole number from {least} to {most}")
        return number

    return convert


def _text(value: object, path: str) -> str:
    if not isinstance(value, str):
        _refuse(path, value, "a text")
    try:
        value.encode()
    except UnicodeEncodeError:
        _refuse(path, value, "a text that has UTF-8")
    return value


def _secret(value: object, path: str) -> str:
    if not isinstance(value, str) or not value.isascii():
        raise ProtocolViolation(f"{path}: not a text of hexadecimal digits")
    return value


def _bool(value: object, path: str) -> bool:
    if not isinstance(value, bool):
        _refuse(path, value, "true or false")
    return value


def _bytes(value: object, path: str) -> bytes:
    if not isinstance(value, str):
        _refuse(path, value, "bytes in base64")
    try:
        standard = value.replace("-", "+").replace("_", "/")
        return base64.b64decode(standard + "=" * (-len(standard) % 4), validate=True)
    except ValueError:
        _refuse(path, value, "bytes in base64")


def _refuse(path: str, value: object, allowed: str) -> NoReturn:
    shown = ascii(value) if isinstance(value, str | int | float | bool) else type(value).__name__
    shown = f"{shown[:_SHOWN]}…" if len(shown) > _SHOWN else shown
    raise ProtocolViolation(f"{path[:200]}: {shown} is not allowed; allowed: {allowed}")
