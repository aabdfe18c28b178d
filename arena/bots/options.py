"""Options of a bot: what it declares in ``[options]`` and what a user sets.

Owns the types of options, their bounds, their reading from text and their writing for the
bot's environment. Must not know files or processes. Source: protocol.md ("Options").
"""

import math
from enum import StrEnum

import msgspec

from arena.bots.strict_toml import quote
from arena.errors import ConfigError

OptionValue = bool | int | float | str

MOST_TEXT_BYTES = 4096
"""Of a text in UTF-8: the system bounds what a process may be given at its start."""
MOST_INT = 2**63 - 1
"""An int has 64 bits with its sign, as TOML and most languages have it."""


class OptionType(StrEnum):
    """What kind of value an option takes."""

    BOOL = "bool"
    INT = "int"
    FLOAT = "float"
    TEXT = "text"


_BOOLS = {"true": True, "on": True, "yes": True, "false": False, "off": False, "no": False}


class Option(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One option of a bot: its type, its default and what else it may be."""

    type: OptionType
    default: OptionValue
    min: int | float | None = None
    """Least value of a number."""
    max: int | float | None = None
    """Greatest value of a number."""
    choices: tuple[int | float | str, ...] = ()
    """The only values allowed, where there are any."""
    help: str = ""
    """One sentence for the user."""

    def __post_init__(self) -> None:
        """Refuse bounds that make no sense for the type, and a default outside them."""
        is_number = self.type in (OptionType.INT, OptionType.FLOAT)
        if not is_number and (self.min is not None or self.max is not None):
            raise ValueError(f"min and max are for numbers, not for type {self.type.value}")
        if self.type is OptionType.BOOL and self.choices:
            raise ValueError("choices are not for type bool")
        for choice in (*self.choices, self.default):
            try:
                self.check(choice)
            except ConfigError as error:
                raise ValueError(str(error)) from None

    def check(self, value: object) -> OptionValue:
        """Return a typed value, an integer widened where a float is meant.

        Raises:
            ConfigError: It is of another type, out of bounds, or none of the choices.
        """
        if isinstance(value, int) and not -MOST_INT - 1 <= value <= MOST_INT:
            raise ConfigError(f"{quote(value)} is not within {-MOST_INT - 1} .. {MOST_INT}")
        match self.type, value:
            case OptionType.BOOL, bool(flag):
                fit: OptionValue = flag
            case OptionType.TEXT, str(text):
                fit = text
            case (OptionType.INT, int()) if not isinstance(value, bool):
                fit = value
            case (OptionType.FLOAT, int() | float()) if not isinstance(value, bool):
                fit = float(value)
            case _:
                raise ConfigError(f"{quote(value)} is not of type {self.type.value}")
        if isinstance(fit, float) and not math.isfinite(fit):
            raise ConfigError(f"{fit!r} is not a finite number")
        if isinstance(fit, str):
            _check_text(fit)
        if (self.min is not None and fit < self.min) or (self.max is not None and fit > self.max):  # type: ignore[operator]
            raise ConfigError(f"{fit!r} is not within {self.bounds}")
        if self.choices and fit not in self.choices:
            raise ConfigError(f"{quote(fit)} is none of {', '.join(map(str, self.choices))}")
        return fit

    def parse(self, text: str) -> OptionValue:
        """Read a value from a command line.

        Raises:
            ConfigError: See :meth:`check`.
        """
        try:
            match self.type:
                case OptionType.BOOL:
                    return _BOOLS[text.lower()]
                case OptionType.INT:
                    return self.check(int(text))
                case OptionType.FLOAT:
                    return self.check(float(text))
                case OptionType.TEXT:
                    return self.check(text)
        except (KeyError, ValueError):
            allowed = ", ".join(_BOOLS) if self.type is OptionType.BOOL else self.type.value
            raise ConfigError(f"{quote(text)} is not of type {allowed}") from None

    @property
    def bounds(self) -> str:
        """The bounds as text: "1 .. 9", "1 or more", "9 or less"."""
        if self.min is None:
            return f"{self.max} or less"
        return f"{self.min} or more" if self.max is None else f"{self.min} .. {self.max}"


def _check_text(text: str) -> None:
    if "\0" in text:
        raise ConfigError(f"{quote(text)} holds a zero character")
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > MOST_TEXT_BYTES:
        raise ConfigError(f"{quote(text)} has {size} bytes; allowed are {MOST_TEXT_BYTES}")


def format_option(value: OptionValue) -> str:
    """Write a value as a bot reads it in ``ARENA_OPTION_<KEY>``: true, 3, 0.5, text."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
