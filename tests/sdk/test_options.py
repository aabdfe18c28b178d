"""Options come from the environment, typed by their defaults."""

import pytest

from arena.errors import ConfigError
from arena.sdk import Bot
from arena.sdk.options import read_option, read_options

ENVIRONMENT = {
    "ARENA_OPTION_DEPTH": "3",
    "ARENA_OPTION_TEMPERATURE": "0.5",
    "ARENA_OPTION_SAFE": "off",
    "ARENA_OPTION_BOOK": "openings.txt",
    "ARENA_TOKEN": "x",
}


def test_options_are_the_variables_of_that_prefix_in_lower_case() -> None:
    assert read_options(ENVIRONMENT) == {
        "depth": "3",
        "temperature": "0.5",
        "safe": "off",
        "book": "openings.txt",
    }


def test_an_option_has_the_type_of_its_default() -> None:
    options = read_options(ENVIRONMENT)
    assert read_option(options, "depth", 1) == 3
    assert read_option(options, "Temperature", 1.0) == 0.5
    assert read_option(options, "safe", default=True) is False
    assert read_option(options, "book", "") == "openings.txt"


def test_an_option_that_is_not_set_has_its_default() -> None:
    assert read_option({}, "depth", 7) == 7


@pytest.mark.parametrize(
    ("default", "expected"), [(1, "int was expected"), (True, "true or false was expected")]
)
def test_a_text_of_another_type_is_refused(default: int, expected: str) -> None:
    with pytest.raises(ConfigError, match=f"option depth = 'deep': {expected}"):
        read_option({"depth": "deep"}, "depth", default)


def test_a_bot_reads_its_own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_OPTION_DEPTH", "4")
    bot = Bot()
    assert bot.options["depth"] == "4"
    assert bot.option("depth", 1) == 4
