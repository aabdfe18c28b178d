"""Lines: one message, one JSON object, one line.

Owns the form of a line and what is said of one that is none. The dialect's objects are
written by :mod:`arena.wire.json_writing` and read by :mod:`arena.wire.json_reading`.
Must not know pipes. Source: protocol.md ("Bots that speak lines").
"""

from typing import Final

import msgspec
from google.protobuf.message import Message

from arena.errors import ProtocolViolation
from arena.v1 import play_pb2
from arena.wire.json_reading import from_object
from arena.wire.json_writing import to_object
from arena.wire.terms import LINE_BYTES

__all__ = [
    "decode_object",
    "from_object",
    "line_to_message",
    "line_to_referee_message",
    "message_to_line",
    "to_object",
]

_encoder: Final = msgspec.json.Encoder()
_decoder: Final = msgspec.json.Decoder()

_SHOWN: Final = 60


def message_to_line(message: Message) -> bytes:
    """Write a message of either side as one line, newline included."""
    return _encoder.encode(to_object(message)) + b"\n"


def line_to_message(line: bytes, skipped: list[str] | None = None) -> play_pb2.BotMessage:
    """Read a line from a bot, with or without its end; keys unknown here are skipped.

    Args:
        line: The line.
        skipped: Gets the paths of those keys.

    Raises:
        ProtocolViolation: It is no JSON object, or a field does not hold what it must.
    """
    return from_object(
        play_pb2.BotMessage(), decode_object(line), [] if skipped is None else skipped
    )


def line_to_referee_message(line: bytes) -> play_pb2.RefereeMessage:
    """Read a line from a referee, with or without its end; keys unknown here are skipped.

    Raises:
        ProtocolViolation: It is no JSON object, or a field does not hold what it must.
    """
    return from_object(play_pb2.RefereeMessage(), decode_object(line), [])


def decode_object(line: bytes) -> dict[str, object]:
    """Read the JSON object of a line, with or without its end (LF or CRLF).

    Raises:
        ProtocolViolation: It is none; the text says where output belongs.
    """
    if len(line) > LINE_BYTES:
        raise ProtocolViolation(f"a line of {len(line)} bytes; allowed are {LINE_BYTES}")
    try:
        value = _decoder.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise _no_object(line, str(error)) from None
    if not isinstance(value, dict):
        raise _no_object(line, "not an object")
    return value


def _no_object(line: bytes, why: str) -> ProtocolViolation:
    # A line with a token in it is not repeated: what is said to a bot may be logged.
    shown = "" if b"token" in line else f" {line[:_SHOWN].decode(errors='replace')!a}"
    return ProtocolViolation(
        f"this line is no JSON object ({why}):{shown}; stdout carries the protocol, one JSON "
        'object a line, such as {"answer":{"decision_id":3,"card":"D3"}}; print everything '
        "else to stderr (in Python: print(..., file=sys.stderr))"
    )
