"""What a key of a file takes is said in words, for every key there is."""

from typing import Annotated, Literal

import msgspec
import pytest

from arena.bots.allowed import allowed
from arena.tournament.event_file import Names


class Inner(msgspec.Struct):
    """A table with keys of its own."""


class Words(msgspec.Struct):
    """A field of every form, and what its values are called."""

    number: int
    near: Annotated[int, msgspec.Meta(ge=1, le=3)]
    least: Annotated[int, msgspec.Meta(ge=1)]
    most: Annotated[float, msgspec.Meta(le=9)]
    short: Annotated[str, msgspec.Meta(max_length=9)]
    argv: Annotated[tuple[str, ...], msgspec.Meta(min_length=1)]
    tables: dict[str, "Inner"]
    maybe: int | None
    described: Annotated[str, msgspec.Meta(description="a moment")]
    text: str
    full: Annotated[str, msgspec.Meta(min_length=1)]
    truth: bool
    ratio: float
    names: Names
    word: Literal["a", "b"]
    either: int | Literal["c"]
    texts: list[str]
    values: dict[str, int | bool]


def test_each_form_of_value_has_its_words() -> None:
    info = msgspec.inspect.type_info(Words)
    assert isinstance(info, msgspec.inspect.StructType)
    assert {field.name: allowed(field.type) for field in info.fields} == {
        "number": "a whole number",
        "near": "a whole number from 1 to 3",
        "least": "a whole number of 1 or more",
        "most": "a number of 9 or less",
        "short": "a text of 0 to 9 characters",
        "argv": "a list, not empty, each member a text",
        "tables": "a table",
        "maybe": "a whole number",
        "described": "a moment",
        "text": "a text",
        "full": "a text that is not empty",
        "truth": "true or false",
        "ratio": "a number",
        "names": '"hidden", "shown"',
        "word": '"a", "b"',
        "either": 'a whole number or "c"',
        "texts": "a list, each member a text",
        "values": "a table, each value a whole number or true or false",
    }
    with pytest.raises(AssertionError):
        allowed(msgspec.inspect.NoneType())
