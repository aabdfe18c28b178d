"""One line of a log as bytes: JSON, one object, one newline.

Owns the byte form (compact, UTF-8, keys in the order given) that seals and comparisons
rest on. Must not know kinds of events. Source: protocol.md ("One JSON dialect").
"""

import re
from collections.abc import Mapping
from typing import Final

import msgspec

MAX_LINE_BYTES: Final = 1 << 20
"""The longest line of the dialect, newline included."""

TIME_OF_DAY: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", re.ASCII)
"""The form of a time of day in logs: RFC 3339, in UTC."""

_encoder: Final = msgspec.json.Encoder()
_decoder: Final = msgspec.json.Decoder(dict[str, object])


class NoObject(ValueError):  # says what the line is not
    """A line is not one JSON object in UTF-8."""


def encode_line(fields: Mapping[str, object]) -> bytes:
    """Write fields as one line, newline included; text that is no Unicode is escaped."""
    try:
        return _encoder.encode(fields) + b"\n"
    except UnicodeEncodeError:
        # Lone surrogates: bytes of a foreign name or of stderr that never were UTF-8.
        return _encoder.encode(_escape_surrogates(fields)) + b"\n"


def decode_line(line: bytes) -> dict[str, object]:
    """Read one line, with or without its newline.

    Raises:
        NoObject: The bytes are no JSON object, or no UTF-8, or too long.
    """
    if len(line) > MAX_LINE_BYTES:
        raise NoObject(f"a line of {len(line)} bytes (at most {MAX_LINE_BYTES})")
    try:
        return _decoder.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise NoObject(str(error)) from None


def _escape_surrogates(value: object) -> object:
    match value:
        case str():
            return value.encode("utf-8", "backslashreplace").decode()
        case Mapping():
            return {
                _escape_surrogates(key): _escape_surrogates(inner) for key, inner in value.items()
            }
        case list() | tuple():
            return [_escape_surrogates(inner) for inner in value]
        case _:
            return value
