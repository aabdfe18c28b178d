"""One gRPC call as HTTP/2: bytes in, messages out, and the other way round.

Owns as much of RFC 9113 as a client needs that makes one bidirectional call on a connection
of its own: frames, flow control, pings, the end. Must not know sockets, threads or what the
messages mean. Why not grpcio: its client takes eight threads, two fifths of a second of
import for eight bots, and most of the processor time of a bot that answers at once.
"""

import struct
from collections.abc import Sequence
from typing import Final

from arena.sdk.header_block import Status, read_status, write_block

MAX_MESSAGE: Final = 4 * 1024 * 1024
"""Size of a message that is read at most: gRPC's own default."""

_PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
_STREAM: Final = 1
"""The number of the only stream, a client's first."""
_FRAME: Final = 16_384
"""Size of a frame that is read at most, RFC 9113's default, and of one that is written."""
_WINDOW: Final = 65_535
"""How much may be sent before the peer has said anything, by the RFC."""
_READ_AHEAD: Final = 1 << 24
"""How much the server may send before it hears that it was read."""

_ACK = _END_STREAM = 0x1
_END_HEADERS, _PADDED, _PRIORITY = 0x4, 0x8, 0x20
_TABLE_SIZE, _INITIAL_WINDOW = 1, 4

_frame_head = struct.Struct(">HBBBL")
_message_head = struct.Struct(">BL")
_setting = struct.Struct(">HL")
_word = struct.Struct(">L")
_RESETS: Final = {7: "UNAVAILABLE", 8: "CANCELLED", 11: "RESOURCE_EXHAUSTED"}
"""Codes of resets and what gRPC makes of them; INTERNAL for all others."""


class _Kind:
    """Kinds of frames, by number; what else there is does not concern a client."""

    DATA = 0
    HEADERS = 1
    RESET = 3
    SETTINGS = 4
    PING = 6
    GOAWAY = 7
    WINDOW_UPDATE = 8
    CONTINUATION = 9


class BrokenStream(Exception):
    """The peer does not speak gRPC as it should; the text says what it sent."""


class Call:
    """The call. Whoever drives it sends what :meth:`take` gives, after every other method.

    Attributes:
        ended: How the call ended; None while it goes on.
    """

    def __init__(self, method: str) -> None:
        headers = {
            ":method": "POST",
            ":scheme": "http",
            ":path": method,
            ":authority": "localhost",
            "te": "trailers",
            "content-type": "application/grpc",
            "user-agent": "tressette-arena-sdk",
        }
        settings = _setting.pack(_TABLE_SIZE, 0) + _setting.pack(_INITIAL_WINDOW, _READ_AHEAD)
        self.ended: Status | None = None
        self._out = bytearray(
            _PREFACE
            + _frame(_Kind.SETTINGS, 0, settings, stream=0)
            + _frame(_Kind.WINDOW_UPDATE, 0, _word.pack(_READ_AHEAD - _WINDOW), stream=0)
            + _frame(_Kind.HEADERS, _END_HEADERS, write_block(headers))
        )
        self._in = b""
        self._body = b""
        self._block = b""
        self._block_ends_stream = False
        self._unsent = b""
        self._window = self._stream_window = self._initial_window = _WINDOW
        self._unacknowledged = 0
        self._goaway = ""

    def take(self) -> bytes:
        """Take the bytes that are to be sent now."""
        out = bytes(self._out)
        self._out.clear()
        return out

    def send(self, message: bytes) -> None:
        """Send a message, as much of it as the server's window lets through for now."""
        self._unsent += _message_head.pack(0, len(message)) + message
        self._send_on()

    def close_half(self) -> None:
        """Say that no more messages come."""
        self._out += _frame(_Kind.DATA, _END_STREAM, b"")

    def lose(self) -> None:
        """Take note that the connection is over."""
        if self.ended is None:
            words = self._goaway or "the connection was closed"
            self.ended = Status(code="UNAVAILABLE", details=words)

    def receive(self, data: bytes) -> Sequence[bytes]:
        """Take bytes in; return the messages that they complete.

        Raises:
            BrokenStream: They are not what a gRPC server sends.
        """
        if self._in:
            data = self._in + data
        messages: list[bytes] = []
        at, size = 0, len(data)
        while size - at >= _frame_head.size:
            high, low, kind, flags, stream = _frame_head.unpack_from(data, at)
            length = high << 8 | low
            if length > _FRAME:
                raise BrokenStream(f"a frame of {length} bytes; at most {_FRAME} were agreed on")
            start = at + _frame_head.size
            if start + length > size:
                break
            at = start + length
            payload = data[start:at]
            try:
                if kind == _Kind.DATA:
                    self._data(flags, payload, messages)
                else:
                    self._control(kind, flags, stream, payload)
            except (struct.error, ValueError, IndexError) as error:
                raise BrokenStream(f"a frame of kind {kind} that is wrong: {error}") from None
        self._in = data[at:]
        return messages

    # --- frames that come --------------------------------------------------------------

    def _data(self, flags: int, payload: bytes, messages: list[bytes]) -> None:
        self._acknowledge(len(payload))
        body = self._body + (_unpadded(payload) if flags & _PADDED else payload)
        while len(body) >= _message_head.size:
            compressed, length = _message_head.unpack_from(body)
            if compressed or length > MAX_MESSAGE:
                raise BrokenStream(
                    f"a message of {length} bytes{', compressed' if compressed else ''}; "
                    f"wanted are plain ones of at most {MAX_MESSAGE}"
                )
            end = _message_head.size + length
            if len(body) < end:
                break
            messages.append(body[_message_head.size : end])
            body = body[end:]
        self._body = body
        if flags & _END_STREAM:
            self._end(Status(code="UNKNOWN", details="the stream ended without a status"))

    def _control(self, kind: int, flags: int, stream: int, payload: bytes) -> None:
        match kind:
            case _Kind.HEADERS | _Kind.CONTINUATION:
                self._headers(kind, flags, payload)
            case _Kind.RESET:
                (code,) = _word.unpack(payload)
                words = f"the stream was reset with HTTP/2's code {code}"
                self._end(Status(code=_RESETS.get(code, "INTERNAL"), details=words))
            case _Kind.SETTINGS if not flags & _ACK:
                self._settings(payload)
            case _Kind.PING if not flags & _ACK:
                self._out += _frame(_Kind.PING, _ACK, payload, stream=0)
            case _Kind.GOAWAY:
                self._goaway = payload[8:].decode(errors="replace")
            case _Kind.WINDOW_UPDATE:
                (more,) = _word.unpack(payload)
                if stream:
                    self._stream_window += more
                else:
                    self._window += more
                self._send_on()
            case _:
                pass

    def _headers(self, kind: int, flags: int, payload: bytes) -> None:
        if kind == _Kind.HEADERS:
            if flags & _PADDED:
                payload = _unpadded(payload)
            if flags & _PRIORITY:
                payload = payload[5:]
            self._block, self._block_ends_stream = b"", bool(flags & _END_STREAM)
        self._block += payload
        if len(self._block) > MAX_MESSAGE:
            raise BrokenStream("headers without end")
        if flags & _END_HEADERS and self._block_ends_stream:
            unknown = Status(code="UNKNOWN", details="the stream ended without a status")
            self._end(read_status(self._block) or unknown)

    def _settings(self, payload: bytes) -> None:
        for key, value in _setting.iter_unpack(payload):
            if key == _INITIAL_WINDOW:
                self._stream_window += value - self._initial_window
                self._initial_window = value
        self._out += _frame(_Kind.SETTINGS, _ACK, b"", stream=0)
        self._send_on()

    def _end(self, status: Status) -> None:
        if self.ended is None:
            self.ended = status

    # --- flow control ------------------------------------------------------------------

    def _acknowledge(self, size: int) -> None:
        """Let the server send as much again, once that is worth a frame."""
        self._unacknowledged += size
        if self._unacknowledged > _READ_AHEAD // 2:
            more = _word.pack(self._unacknowledged)
            self._out += _frame(_Kind.WINDOW_UPDATE, 0, more, stream=0) + _frame(
                _Kind.WINDOW_UPDATE, 0, more
            )
            self._unacknowledged = 0

    def _send_on(self) -> None:
        """Put what is unsent into frames, as far as the windows allow."""
        while self._unsent:
            size = min(len(self._unsent), self._window, self._stream_window, _FRAME)
            if size <= 0:
                return
            self._out += _frame(_Kind.DATA, 0, self._unsent[:size])
            self._unsent = self._unsent[size:]
            self._window -= size
            self._stream_window -= size


def _frame(kind: int, flags: int, payload: bytes, *, stream: int = _STREAM) -> bytes:
    size = len(payload)
    return _frame_head.pack(size >> 8, size & 0xFF, kind, flags, stream) + payload


def _unpadded(payload: bytes) -> bytes:
    """Take the padding off, whose size the first byte tells."""
    size = payload[0]
    if size >= len(payload):
        raise ValueError("it is all padding")
    return payload[1 : len(payload) - size]
