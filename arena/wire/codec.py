"""Codecs: what a session sends and receives, as bytes.

Owns the two forms in which the same conversation travels: frames of protobuf and lines of
JSON. Must not know links or sessions. Source: protocol.md ("Play", "Bots that speak lines").
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Protocol

from arena.errors import ProtocolViolation
from arena.referee.faults import Reason
from arena.v1 import play_pb2
from arena.wire.from_bot import decode_request, read_message, too_many
from arena.wire.json_dialect import decode_object, from_object, message_to_line
from arena.wire.said import BotSaid, Unreadable
from arena.wire.terms import FRAME_MESSAGES, LINE_BYTES


class Codec(Protocol):
    """How the messages of one session are bytes."""

    def encode(self, messages: Sequence[play_pb2.RefereeMessage]) -> bytes:
        """Write messages to a bot as one frame."""

    def decode(self, data: bytes) -> tuple[BotSaid, ...]:
        """Read a frame from a bot; never raises: what cannot be read is Unreadable."""


class ProtoCodec:
    """Frames as ``arena.v1.PlayResponse`` and ``PlayRequest``."""

    __slots__ = ()

    def encode(self, messages: Sequence[play_pb2.RefereeMessage]) -> bytes:
        """Write a PlayResponse."""
        # The repeated field by hand: building a PlayResponse would copy every message first.
        return b"".join(map(_as_element, messages))

    def decode(self, data: bytes) -> tuple[BotSaid, ...]:
        """Read a PlayRequest."""
        return decode_request(data)


_MESSAGES_TAG: Final = b"\x0a"
"""Field 1 of PlayResponse, length-delimited."""
_VARINT_BITS: Final = 7
_VARINT_MORE: Final = 0x80


def _as_element(message: play_pb2.RefereeMessage) -> bytes:
    """Write a message as one element of ``PlayResponse.messages``."""
    data = message.SerializeToString()
    size = len(data)
    length: list[int] = []
    while size >= _VARINT_MORE:
        length.append(size & (_VARINT_MORE - 1) | _VARINT_MORE)
        size >>= _VARINT_BITS
    length.append(size)
    return b"".join((_MESSAGES_TAG, bytes(length), data))


class LinesCodec:
    """Frames as lines of JSON, one message a line; empty lines say nothing."""

    __slots__ = ()

    def encode(self, messages: Sequence[play_pb2.RefereeMessage]) -> bytes:
        """Write one line a message."""
        return b"".join(map(message_to_line, messages))

    def decode(self, data: bytes) -> tuple[BotSaid, ...]:
        """Read one or more lines; the last one may lack its end."""
        lines = [line for line in data.split(b"\n") if line.strip()]
        if len(lines) > FRAME_MESSAGES:
            return (too_many(len(lines), len(data)),)
        return tuple(map(_read_line, lines))


def _read_line(line: bytes) -> BotSaid:
    size = len(line) + 1
    if size > LINE_BYTES:
        text = f"a line of {size} bytes; allowed are {LINE_BYTES}"
        return Unreadable(reason=Reason.TOO_LARGE, message=text, decision_id=None, size=size)
    decision_id: int | None = None
    skipped: list[str] = []
    try:
        value = decode_object(line)
        decision_id = _decision_id(value)
        message = from_object(play_pb2.BotMessage(), value, skipped)
    except ProtocolViolation as error:
        return Unreadable(
            reason=Reason.MALFORMED, message=str(error), decision_id=decision_id, size=size
        )
    said = read_message(message, size)
    if isinstance(said, Unreadable):
        return replace(said, message=name_skipped(said.message, skipped))
    return said


def name_skipped(message: str, skipped: Sequence[str]) -> str:
    """Name the keys of a line that were skipped, where the rest of it says nothing.

    A misspelt key is skipped like any unknown one: there it is the likely cause.
    """
    if not skipped:
        return message
    return f"{message}; not known here and skipped: {', '.join(skipped[:8])}"


def _decision_id(value: dict[str, object]) -> int | None:
    """Find the decision that a line means to answer, also where it cannot be read whole."""
    answer = value.get("answer")
    number = answer.get("decision_id") if isinstance(answer, dict) else None
    return number if type(number) is int and 0 <= number < 1 << 32 else None
