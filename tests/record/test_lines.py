"""A line is one JSON object in UTF-8, whatever text is in it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.record.lines import MAX_LINE_BYTES, NoObject, decode_line, encode_line

texts = st.text(st.characters(exclude_categories=[]), max_size=60)


@given(texts)
def test_text_round_trips_on_one_line(text: str) -> None:
    line = encode_line({"name": text})
    assert line.count(b"\n") == 1
    assert line.endswith(b"\n")
    try:
        text.encode()
    except UnicodeEncodeError:
        # No UTF-8 can hold a lone surrogate: it is kept as a readable escape.
        assert decode_line(line)["name"] == text.encode("utf-8", "backslashreplace").decode()
    else:
        assert decode_line(line) == {"name": text} == json.loads(line)


@pytest.mark.parametrize(
    "name",
    [
        "José Ñandú",
        "北京",
        "🃏👩\u200d👩\u200d👧",
        'quo"te\\back',
        "עברית \u202esdrawkcab",
        "tab\tnewline\nnul\0",
        "\u2028",
    ],
)
def test_names_of_people_round_trip(name: str) -> None:
    fields = {"entrants": [{"name": name}]}
    assert decode_line(encode_line(fields)) == fields


def test_lone_surrogates_are_escaped_at_any_depth() -> None:
    line = encode_line({"a\udcff": [{"b": "c\ud800"}, 1, None]})
    assert decode_line(line) == {"a\\udcff": [{"b": "c\\ud800"}, 1, None]}


@pytest.mark.parametrize(
    "line", [b"", b"[1]\n", b"{", b'{"a":1}{', b'{"a":"\xff"}', b"[" * 100_000]
)
def test_anything_but_an_object_is_refused(line: bytes) -> None:
    with pytest.raises(NoObject):
        decode_line(line)


def test_a_line_beyond_the_limit_is_refused() -> None:
    with pytest.raises(NoObject, match="1048577 bytes"):
        decode_line(b" " * (MAX_LINE_BYTES + 1))
