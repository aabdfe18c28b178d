"""Options are typed, bounded and written the way a bot reads them."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.bots.options import Option, OptionType, OptionValue, format_option
from arena.errors import ConfigError

DEPTH = Option(type=OptionType.INT, default=3, min=1, max=9)
STYLE = Option(type=OptionType.TEXT, default="calm", choices=("calm", "bold"))
SAFE = Option(type=OptionType.BOOL, default=True)
RISK = Option(type=OptionType.FLOAT, default=0.5, min=0)


@pytest.mark.parametrize(
    ("option", "text", "value"),
    [
        (DEPTH, "9", 9),
        (STYLE, "bold", "bold"),
        (SAFE, "off", False),
        (SAFE, "True", True),
        (RISK, "2", 2.0),
        (RISK, "1e-3", 0.001),
    ],
)
def test_text_becomes_a_typed_value(option: Option, text: str, value: object) -> None:
    assert option.parse(text) == value
    assert type(option.parse(text)) is type(value)


@pytest.mark.parametrize(
    ("option", "text", "told"),
    [
        (DEPTH, "10", "1 .. 9"),
        (DEPTH, "3.5", "int"),
        (DEPTH, "", "int"),
        (STYLE, "wild", "calm, bold"),
        (SAFE, "maybe", "true, on, yes, false, off, no"),
        (RISK, "-1", "0 or more"),
        (RISK, "nan", "finite"),
        (RISK, "inf", "finite"),
    ],
)
def test_a_bad_text_is_told_with_what_was_allowed(option: Option, text: str, told: str) -> None:
    with pytest.raises(ConfigError) as caught:
        option.parse(text)
    assert told in str(caught.value)


@pytest.mark.parametrize("value", [True, "3", 3.0, None, [3]])
def test_a_value_of_another_type_is_refused(value: object) -> None:
    with pytest.raises(ConfigError):
        DEPTH.check(value)


def test_a_number_is_no_bool_and_a_zero_character_is_no_text() -> None:
    with pytest.raises(ConfigError):
        SAFE.check(1)
    with pytest.raises(ConfigError):
        Option(type=OptionType.TEXT, default="").check("a\0b")


def test_a_default_must_itself_be_allowed() -> None:
    with pytest.raises(ValueError, match="1 or more"):
        Option(type=OptionType.INT, default=0, min=1)


@given(st.integers() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False) | st.text())
def test_what_a_bot_reads_is_the_value(value: OptionValue) -> None:
    text = format_option(value)
    match value:
        case bool():
            assert text == ("true" if value else "false")
        case int():
            assert int(text) == value
        case float():
            assert math.isclose(float(text), value, rel_tol=0, abs_tol=0)
        case str():
            assert text == value


def test_a_number_beyond_64_bits_is_refused() -> None:
    plain = Option(type=OptionType.INT, default=0)
    assert plain.check(-(2**63)) == -(2**63)
    for value in (2**63, 10**5_000):
        with pytest.raises(ConfigError, match="is not within"):
            plain.check(value)
        with pytest.raises(ConfigError, match="is not within"):
            RISK.check(value)


def test_a_text_has_four_kibibytes_at_most_and_an_error_is_short() -> None:
    text = Option(type=OptionType.TEXT, default="")
    assert text.parse("é" * 2048) == "é" * 2048
    with pytest.raises(ConfigError, match="has 4098 bytes; allowed are 4096"):
        text.parse("é" * 2049)
    for option in (DEPTH, SAFE, STYLE, RISK):
        with pytest.raises(ConfigError) as caught:
            option.parse("x" * 4000)
        assert len(str(caught.value)) < 200
