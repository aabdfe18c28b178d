"""What a key of a file takes is said in words, for every key there is."""

from typing import Annotated, Literal

import msgspec
import pytest

from arena.bots.allowed import allowed
from arena.tournament.event_file import Names


class Words(msgspec.Struct):
    """A field of every form, and what its values are called."""

    number: int
    near: Annotated[int, msgspec.Meta(ge=1, le=3)]
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
