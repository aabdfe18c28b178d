"""The chain is what record.md says it is, byte for byte."""

import hashlib

from hypothesis import given
from hypothesis import strategies as st

from arena.record.seal import Chain

links = st.lists(st.tuples(st.binary(max_size=40), st.binary(min_size=1, max_size=40)))


@given(links)
def test_a_seal_covers_the_previous_chain_and_all_bytes_since_the_previous_seals_line(
    written: list[tuple[bytes, bytes]],
) -> None:
    chain = Chain()
    previous = bytes(32)
    since = b""
    for body, seal_line in written:
        chain.update(body)
        expected = hashlib.sha256(previous + since + body).digest()
        assert chain.head == expected.hex()
        assert chain.seal() == expected.hex()
        chain.update(seal_line)
        previous, since = expected, seal_line


def test_a_chain_does_not_depend_on_how_its_bytes_are_cut_into_pieces() -> None:
    whole, pieces = Chain(), Chain()
    whole.update(b"one line\nanother\n")
    for byte in b"one line\nanother\n":
        pieces.update(bytes([byte]))
    assert whole.head == pieces.head


def test_the_first_seal_starts_from_32_zero_bytes() -> None:
    assert Chain().seal() == hashlib.sha256(bytes(32)).hexdigest()
