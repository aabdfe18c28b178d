"""A bot's options, as the arena passes them.

Owns the reading of ``ARENA_OPTION_<KEY>``. Must not know bots.
Source: protocol.md, "Options".
"""

from collections.abc import Mapping
from typing import Final, TypeVar

from arena.errors import ConfigError

Value = TypeVar("Value", str, int, float, bool)

_PREFIX: Final = "ARENA_OPTION_"
_TRUE: Final = ("true", "on", "yes", "1")
_FALSE: Final = ("false", "off", "no", "0")


def read_options(environment: Mapping[str, str]) -> Mapping[str, str]:
    """Collect the options of an environment by their key in lower case."""
    return {
        name.removeprefix(_PREFIX).lower(): text
        for name, text in environment.items()
        if name.startswith(_PREFIX)
    }


def read_option(options: Mapping[str, str], key: str, default: Value) -> Value:
    """Return an option as a value of the default's type, or the default where it is not set.

    Raises:
        ConfigError: its text is no such value.
    """
    text = options.get(key.lower())
    if text is None:
        return default
    kind = type(default)
    if kind is bool:
        if text.lower() in _TRUE + _FALSE:
            return kind(text.lower() in _TRUE)
        raise ConfigError(f"option {key} = {text!r}: true or false was expected")
    try:
        return kind(text)
    except ValueError:
        raise ConfigError(f"option {key} = {text!r}: {kind.__name__} was expected") from None
