"""HelpText: what ``--help`` says of a command, read off its function.

Owns that nothing of it is lost or cut at 80 columns: all of the docstring is shown, its lines
joined to paragraphs; a value has one short word for its kind, and what may be chosen stands in
the help, where it is wrapped between words. Must not know commands. Source: commands.md.
"""

import inspect
from collections.abc import Callable, Iterator
from enum import Enum
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Union, get_args, get_origin, get_type_hints

from typer.models import ParameterInfo

_WORDS: Final[dict[type, str]] = {
    bool: "",
    int: "N",
    float: "NUMBER",
    str: "TEXT",
    Path: "PATH",
}
"""How the help calls a value; a flag takes none."""


def explain(command: Callable[..., Any]) -> str:
    """Give the help of a command, and name the values of its options where nobody has.

    What the options are told (``metavar`` and the choices) is kept in their annotations.
    """
    for info, kind in _parameters(command):
        if issubclass(kind, Enum) and info.help and _choices(kind) not in info.help:
            what, bracket, rest = info.help.removesuffix(".").partition(" (")
            info.help = f"{what}: {_choices(kind)}{bracket}{rest}."
        if info.metavar is None:
            info.metavar = _WORDS.get(kind)
    paragraphs = inspect.cleandoc(command.__doc__ or "").split("\n\n")
    return "\n\n".join(paragraph.replace("\n", " ") for paragraph in paragraphs)


def _parameters(command: Callable[..., Any]) -> Iterator[tuple[ParameterInfo, type]]:
    """Give each option and argument with the type of its value, or of one of its values."""
    for hint in get_type_hints(command, include_extras=True).values():
        if get_origin(hint) is not Annotated:
            continue
        kind, info = get_args(hint)[:2]
        while get_origin(kind) in {Union, UnionType, list}:
            kind = next(part for part in get_args(kind) if part is not NoneType)
        if isinstance(info, ParameterInfo) and isinstance(kind, type):
            yield info, kind


def _choices(kind: type[Enum]) -> str:
    return ", ".join(str(choice.value) for choice in kind)
