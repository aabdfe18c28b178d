"""One option of a ruleset from text or from a table of a file; which options lean on others.

Owns the reading of single values and the groups of options that mean nothing while another
one is off. Must not know presets or where a value came from.
Source: rules.md §4.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from enum import EnumType
from types import GenericAlias
from typing import Any, Final, get_args

from arena.errors import RulesetError
from arena.rules.options import (
    AS_REVOKE,
    CappottoTest,
    DeclarationScored,
    DeclarationSpecify,
    DeclarationWindow,
    DrawOrder,
    DrawVisibility,
    FollowSuit,
    IllegalPlay,
    RevokeDeclarations,
    SignalTruth,
    SignalWho,
    format_option,
)
from arena.rules.ruleset import Ruleset

OPTION_TYPES: Final[Mapping[str, Any]] = {
    field.name: field.type for field in fields(Ruleset) if field.name != "name"
}
"""The type of every option, by key, in the order of the fields."""

_BOOLS: Final = {
    "on": True, "yes": True, "true": True, "off": False, "no": False, "false": False,
}  # fmt: skip
_NUMBER: Final = re.compile(r"-?[0-9]{1,20}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Options that mean nothing while another one is off.

    ``off_values`` are what they are set to then; ``idle`` ones keep their values.
    """

    switch: str
    is_off: Callable[[Mapping[str, Any]], bool]
    off_values: Mapping[str, object]
    idle: tuple[str, ...] = ()


GROUPS: Final = (
    Group(
        switch="declarations",
        is_off=lambda values: not values["declarations"],
        off_values={
            "decl_window": DeclarationWindow.NONE,
            "decl_specify": DeclarationSpecify.NONE,
            "decl_scored": DeclarationScored.END_OF_DEAL,
        },
        idle=("decl_napoletana", "decl_three", "decl_four", "decl_overlap", "decl_understate"),
    ),
    Group(
        switch="signals",
        is_off=lambda values: not values["signals"],
        off_values={"signal_who": SignalWho.NOBODY, "signal_truth": SignalTruth.UNCHECKED},
    ),
    Group(
        switch="illegal_play",
        is_off=lambda values: (
            values["illegal_play"] is IllegalPlay.REJECT
            and values["infraction_points"] != AS_REVOKE
        ),
        off_values={
            "revoke_points": 0,
            "revoke_own_points": 0,
            "revoke_declarations": RevokeDeclarations.NONE,
        },
    ),
    Group(
        switch="cappotto_bonus",
        is_off=lambda values: values["cappotto_bonus"] == 0,
        off_values={"cappotto_test": CappottoTest.ALL_TRICKS},
    ),
    Group(
        switch="stock",
        is_off=lambda values: values["stock"] == 0,
        off_values={
            "draw_order": DrawOrder.NONE,
            "draw_visibility": DrawVisibility.NONE,
            "follow_suit": FollowSuit.ALWAYS,
        },
    ),
)


def parse_option(key: str, value: object) -> object:
    """Read one option's value, from text or from a value of the right type already.

    Raises:
        RulesetError: when there is no such option or it has no such value; the message
            names the nearest or says where all are listed; of values it lists what is allowed.
    """
    if key not in OPTION_TYPES:
        raise RulesetError(
            f"there is no option {key!r}{nearest(key, OPTION_TYPES)}; "
            "`arena rulesets show NAME` lists them all"
        )
    kind = OPTION_TYPES[key]
    if kind is bool:
        return _parse_bool(key, value)
    if isinstance(kind, EnumType):
        return _parse_member(key, value, kind)
    if isinstance(kind, GenericAlias):
        return _parse_list(key, value, get_args(kind)[0])
    if kind is not int and value == AS_REVOKE:
        return value
    number = "a whole number"
    return _parse_number(key, value, number if kind is int else f"{number} or {AS_REVOKE}")


def nearest(word: str, known: Mapping[str, object]) -> str:
    """Return the hint that names the nearest known word, or nothing."""
    close = get_close_matches(word.strip().lower(), known, n=1)
    return f", did you mean {close[0]!r}?" if close else ""


def _parse_bool(key: str, value: object) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value in _BOOLS:
        return _BOOLS[value]
    raise _refused(key, value, "on or off")


def _parse_number(key: str, value: object, allowed: str) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        return int(value)
    raise _refused(key, value, allowed)


def _parse_member(key: str, value: object, kind: EnumType) -> object:
    members: Mapping[str, object] = {member.value: member for member in kind}  # type: ignore[var-annotated]
    if isinstance(value, str) and value in members:
        return members[value]
    hint = nearest(value, members) if isinstance(value, str) else ""
    raise RulesetError(f"{key}={_shown(value)} is not offered{hint}; offered: {', '.join(members)}")


def _parse_list(key: str, value: object, kind: Any) -> tuple[object, ...]:
    if isinstance(value, str):
        items: list[object] = [] if value == "none" else list(value.split("+"))
    elif isinstance(value, list | tuple):
        items = list(value)
    else:
        raise _refused(key, value, "a list, as text joined by +, or none")
    if kind is int:
        allowed = "whole numbers joined by +, or none"
        return tuple(_parse_number(key, item, allowed) for item in items)
    return tuple(_parse_member(key, item, kind) for item in items)


def _shown(value: object) -> str:
    return value if isinstance(value, str) else format_option(value)


def _refused(key: str, value: object, allowed: str) -> RulesetError:
    return RulesetError(f"{key}={_shown(value)} is not allowed; allowed: {allowed}")
