"""Header blocks of HTTP/2: what a call says at its start, and the status at its end.

Owns as much of RFC 7541 as a gRPC client needs that told its peer to keep no table: it
writes plain literals, and reads literals. Names and texts in Huffman code are passed over;
gRPC's servers write the status plain. Must not know frames.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote

_CODES: Final = (
    *("OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND"),
    *("ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION"),
    *("ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS"),
    "UNAUTHENTICATED",
)
"""gRPC's status codes, by number."""
_STATUS: Final = b"grpc-status"
_MESSAGE: Final = b"grpc-message"


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """How a call ended: the name of gRPC's code, and the server's words."""

    code: str
    details: str


def write_block(headers: Mapping[str, str]) -> bytes:
    """Return headers as literals that no table keeps. Names and values: at most 126 bytes."""
    block = bytearray()
    for text in (text for pair in headers.items() for text in (b"", *map(str.encode, pair))):
        block.append(len(text))  # 0: a literal whose name follows
        block += text
    return bytes(block)


def read_status(block: bytes) -> Status | None:
    """Find the status in a header block; None if there is none.

    Raises:
        ValueError: The block is not one.
    """
    headers = dict(_headers(block))
    number = headers.get(_STATUS)
    if number is None:
        return None
    code = int(number) if number.isdigit() else len(_CODES)
    return Status(
        code=_CODES[code] if code < len(_CODES) else f"status {number.decode(errors='replace')}",
        details=unquote(headers.get(_MESSAGE, b"").decode(errors="replace")),
    )


def _headers(block: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Give the headers that are written out, name and value."""
    at = 0
    while at < len(block):
        first = block[at]
        if first & 0b1000_0000:  # one of the table's: none that says how a call ended
            _, at = _number(block, at, 7)
        elif first >> 5 == 0b001:  # the size of the table
            _, at = _number(block, at, 5)
        else:
            index, at = _number(block, at, 6 if first & 0b0100_0000 else 4)
            name, at = _text(block, at) if not index else (b"", at)
            value, at = _text(block, at)
            yield name, value


def _number(block: bytes, at: int, bits: int) -> tuple[int, int]:
    """Read a number that begins in the last bits of a byte; give it and what follows."""
    most = (1 << bits) - 1
    value = block[at] & most
    at += 1
    if value < most:
        return value, at
    for shift in range(0, 35, 7):
        if at >= len(block):
            break
        byte = block[at]
        at += 1
        value += (byte & 0x7F) << shift
        if not byte & 0x80:
            return value, at
    raise ValueError("a number in a header block has no end")


def _text(block: bytes, at: int) -> tuple[bytes, int]:
    """Read a text; give it, empty if it is in Huffman code, and what follows."""
    if at >= len(block):
        raise ValueError("a header block ends within a header")
    is_plain = not block[at] & 0x80
    size, at = _number(block, at, 7)
    if at + size > len(block):
        raise ValueError("a header block ends within a text")
    return block[at : at + size] if is_plain else b"", at + size
