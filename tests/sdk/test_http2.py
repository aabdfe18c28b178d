"""One call over HTTP/2, without a socket; test_process.py holds it against gRPC's servers."""

import struct
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.sdk.header_block import Status
from arena.sdk.http2 import MAX_MESSAGE, BrokenStream, Call

DATA, HEADERS, RESET, SETTINGS, PING, GOAWAY, UPDATE, CONTINUATION = 0, 1, 3, 4, 6, 7, 8, 9
WINDOW = 65_535


def frame(kind: int, payload: bytes = b"", *, flags: int = 0, stream: int = 1) -> bytes:
    """Return a frame as it goes over the wire."""
    return len(payload).to_bytes(3, "big") + struct.pack(">BBL", kind, flags, stream) + payload


def message(data: bytes) -> bytes:
    """Return a message of gRPC as it stands in frames."""
    return struct.pack(">BL", 0, len(data)) + data


def frames(data: bytes) -> Sequence[tuple[int, int, int, bytes]]:
    """Take bytes apart into kind, flags, stream and payload of frames."""
    found = []
    while data:
        size = int.from_bytes(data[:3], "big")
        kind, flags, stream = struct.unpack_from(">BBL", data, 3)
        found.append((kind, flags, stream, data[9 : 9 + size]))
        data = data[9 + size :]
    return found


def opened() -> Call:
    """Return a call whose opening has been sent."""
    call = Call("/service/Method")
    call.take()
    return call


def status(code: bytes, words: bytes) -> bytes:
    """Return a header block that ends a call."""
    texts = (b"grpc-status", code, b"grpc-message", words)
    sized = [bytes([len(text)]) + text for text in texts]
    return b"\x00" + sized[0] + sized[1] + b"\x00" + sized[2] + sized[3]


def test_a_call_opens_with_preface_settings_and_headers() -> None:
    opening = Call("/service/Method").take()
    preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
    assert opening.startswith(preface)
    settings, update, headers = frames(opening.removeprefix(preface))
    assert settings[:3] == (SETTINGS, 0, 0)
    assert update[:3] == (UPDATE, 0, 0)
    assert headers[:3] == (HEADERS, 0x4, 1)
    assert b"/service/Method" in headers[3]


def test_a_message_is_sent_in_one_frame_behind_its_size() -> None:
    call = opened()
    call.send(b"card")
    assert frames(call.take()) == [(DATA, 0, 1, message(b"card"))]
    assert call.take() == b""


def test_what_the_windows_do_not_let_through_waits() -> None:
    call = opened()
    call.send(bytes(WINDOW))
    sent = b"".join(payload for *_, payload in frames(call.take()))
    assert len(sent) == WINDOW
    call.receive(frame(UPDATE, struct.pack(">L", 100)))
    assert call.take() == b"", "the stream may go on, the connection not yet"
    call.receive(frame(UPDATE, struct.pack(">L", 100), stream=0))
    assert sent + frames(call.take())[0][3] == message(bytes(WINDOW))


def test_a_larger_window_in_the_settings_holds_for_the_stream() -> None:
    call = opened()
    call.receive(frame(SETTINGS, struct.pack(">HL", 4, WINDOW + 50), stream=0))
    assert frames(call.take()) == [(SETTINGS, 1, 0, b"")]
    call.receive(frame(UPDATE, struct.pack(">L", 50), stream=0))
    call.send(bytes(WINDOW + 40))
    assert sum(len(payload) for *_, payload in frames(call.take())) == WINDOW + 45


@given(st.lists(st.binary(max_size=50), max_size=6), st.data())
def test_messages_come_whole_however_the_bytes_are_cut(
    sent: Sequence[bytes], data: st.DataObject
) -> None:
    body = b"".join(map(message, sent))
    cut = data.draw(st.integers(0, len(body)))
    wire = frame(DATA, body[:cut]) + frame(DATA, b"\x02" + body[cut:] + b"\0\0", flags=0x8)
    step = data.draw(st.integers(1, len(wire)))
    call = opened()
    received = [
        one
        for start in range(0, len(wire), step)
        for one in call.receive(wire[start : start + step])
    ]
    assert received == sent


def test_a_ping_is_answered_and_an_answer_is_not() -> None:
    call = opened()
    call.receive(frame(PING, b"12345678", stream=0) + frame(PING, b"87654321", flags=1, stream=0))
    assert frames(call.take()) == [(PING, 1, 0, b"12345678")]


def test_the_server_may_go_on_once_half_of_what_it_may_send_was_read() -> None:
    call = opened()
    call.receive(frame(DATA, message(bytes(16_000))))
    assert call.take() == b""
    for _ in range(600):
        call.receive(frame(DATA, message(bytes(16_000))))
    updates = frames(call.take())
    assert [(kind, stream) for kind, _, stream, _ in updates] == [(UPDATE, 0), (UPDATE, 1)]
    (size,) = struct.unpack(">L", updates[0][3])
    assert size > 1 << 23


def test_trailers_end_the_call_with_their_status() -> None:
    call = opened()
    call.receive(frame(HEADERS, b"\x88", flags=0x4))
    assert call.ended is None
    call.receive(frame(HEADERS, status(b"10", b"the%20table%20is%20gone"), flags=0x5))
    assert call.ended == Status(code="ABORTED", details="the table is gone")


def test_trailers_may_be_padded_prior_and_in_parts() -> None:
    block = status(b"0", b"")
    call = opened()
    head = b"\x03" + bytes(5) + block[:7] + bytes(3)
    call.receive(frame(HEADERS, head, flags=0x1 | 0x8 | 0x20))
    assert call.ended is None
    call.receive(frame(CONTINUATION, block[7:], flags=0x4))
    assert call.ended == Status(code="OK", details="")


@pytest.mark.parametrize(
    ("wire", "code", "words"),
    [
        (frame(RESET, struct.pack(">L", 8)), "CANCELLED", "reset with HTTP/2's code 8"),
        (frame(RESET, struct.pack(">L", 2)), "INTERNAL", "reset with HTTP/2's code 2"),
        (frame(HEADERS, b"\x88", flags=0x5), "UNKNOWN", "without a status"),
        (frame(DATA, flags=0x1), "UNKNOWN", "without a status"),
    ],
)
def test_other_ends_are_told_too(wire: bytes, code: str, words: str) -> None:
    call = opened()
    call.receive(wire)
    assert call.ended is not None
    assert call.ended.code == code
    assert words in call.ended.details


def test_a_lost_connection_is_told_in_the_words_of_the_server() -> None:
    call = opened()
    call.receive(frame(GOAWAY, bytes(8) + b"too many pings", stream=0))
    assert call.ended is None
    call.lose()
    assert call.ended == Status(code="UNAVAILABLE", details="too many pings")


def test_the_first_end_counts() -> None:
    call = opened()
    call.receive(frame(HEADERS, status(b"0", b""), flags=0x5) + frame(RESET, bytes(4)))
    call.lose()
    assert call.ended == Status(code="OK", details="")


@pytest.mark.parametrize(
    ("wire", "words"),
    [
        (b"HTTP/1.1 400 Bad Request\r\n", "a frame of 4740180 bytes; at most 16384"),
        (frame(DATA, struct.pack(">BL", 1, 4)), "a message of 4 bytes, compressed; wanted"),
        (frame(DATA, struct.pack(">BL", 0, MAX_MESSAGE + 1)), "a message of 4194305 bytes; want"),
        (frame(DATA, b"\x05abc", flags=0x8), "a frame of kind 0 that is wrong: it is all padding"),
        (frame(DATA, b"", flags=0x8), "a frame of kind 0 that is wrong: "),
        (frame(UPDATE, b"123"), "a frame of kind 8 that is wrong: "),
        (frame(SETTINGS, b"1", stream=0), "a frame of kind 4 that is wrong: "),
        (frame(HEADERS, b"\x00\x7f", flags=0x5), "a frame of kind 1 that is wrong: "),
    ],
)
def test_what_no_server_of_grpc_sends_is_named(wire: bytes, words: str) -> None:
    with pytest.raises(BrokenStream, match="^" + words):
        opened().receive(wire)


@given(st.binary(max_size=80))
def test_rubbish_is_a_broken_stream_if_anything(data: bytes) -> None:
    call = opened()
    try:
        call.receive(data)
    except BrokenStream:
        return
    assert len(call.take()) <= 12 * len(data)
