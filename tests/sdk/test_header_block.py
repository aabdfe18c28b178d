"""Header blocks: what is written can be read by the rule, and statuses are found."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.sdk.header_block import Status, read_status, write_block


def literal(name: bytes, value: bytes, *, first: int = 0x00, huffman: int = 0x00) -> bytes:
    """Return a literal header with a name of its own."""
    return bytes([first, len(name)]) + name + bytes([len(value) | huffman]) + value


def test_headers_are_written_as_literals_without_a_table() -> None:
    assert write_block({"te": "trailers"}) == b"\x00\x02te\x08trailers"


@pytest.mark.parametrize("first", [0x00, 0x10, 0x40], ids=["plain", "never kept", "kept"])
def test_a_status_is_found_among_other_headers(first: int) -> None:
    block = (
        b"\x20\x88"  # the table has no entries; :status 200 of the static one
        + literal(b"server", b"x")
        + literal(b"grpc-status", b"5", first=first)
        + b"\x0f\x10\x01z"  # the value of a name of the static table
        + literal(b"grpc-message", b"no%20such%20seat", first=first)
    )
    assert read_status(block) == Status(code="NOT_FOUND", details="no such seat")


def test_a_long_message_has_its_size_in_several_bytes() -> None:
    words = b"a" * 500
    block = literal(b"grpc-status", b"10") + b"\x00\x0cgrpc-message\x7f\xf5\x02" + words
    assert read_status(block) == Status(code="ABORTED", details=words.decode())


def test_headers_without_a_status_have_none() -> None:
    assert read_status(b"\x88" + literal(b"server", b"x")) is None
    assert read_status(b"") is None


def test_what_is_in_huffman_code_is_passed_over() -> None:
    block = literal(b"grpc-message", b"\x1d\x7f", huffman=0x80) + literal(b"grpc-status", b"14")
    assert read_status(block) == Status(code="UNAVAILABLE", details="")


@pytest.mark.parametrize("number", [b"17", b"999", b"x"])
def test_a_status_of_a_newer_grpc_is_told_by_its_number(number: bytes) -> None:
    status = read_status(literal(b"grpc-status", number))
    assert status == Status(code=f"status {number.decode()}", details="")


@given(st.binary(max_size=60))
def test_rubbish_is_refused_with_a_value_error_if_at_all(block: bytes) -> None:
    try:
        status = read_status(block)
    except ValueError:
        return
    assert status is None or status.code
