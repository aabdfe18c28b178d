"""The named rulesets, as data, and rulesets as text: ``NAME[:key=value,...]``.

Owns the presets and what it means to override their options. Must not know where a text or
a table came from (command line, event file).
Source: rules.md §2 and §4; where the seeds are silent, the decisions of §2-3.

Values as text: whole numbers; ``on``/``off`` (also ``yes``/``no``, ``true``/``false``); the
names of the closed sets in :mod:`arena.rules.options`; lists joined by ``+``, as in
``deal_packets=5+5`` or ``signals=busso+volo``, an empty one as ``none``.
"""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

from arena.errors import RulesetError
from arena.rules.options import (
    AS_REVOKE,
    BothReached,
    Dealer,
    DeclarationScored,
    DeclarationSpecify,
    DeclarationWindow,
    Direction,
    DrawOrder,
    DrawVisibility,
    FollowSuit,
    IllegalPlay,
    RevokeDeclarations,
    SideScheme,
    Signal,
    SignalWho,
    format_option,
)
from arena.rules.ruleset import Ruleset
from arena.rules.ruleset_text import GROUPS, OPTION_TYPES, nearest, parse_option

_GAMELAKE_4: Final = Ruleset(name="gamelake-4")

_GAMELAKE_2: Final = Ruleset(
    name="gamelake-2",
    seats=2,
    sides=SideScheme.EACH_ALONE,
    stock=20,
    follow_suit=FollowSuit.WHEN_STOCK_EMPTY,
    draw_order=DrawOrder.WINNER_FIRST,
    draw_visibility=DrawVisibility.OWNER_ONLY,
)

_CARDGAMES_ZONE_4: Final = Ruleset(
    name="cardgames-zone-4",
    deal_packets=(5, 5),
    direction=Direction.COUNTER_CLOCKWISE,
    declarations=True,
    decl_window=DeclarationWindow.END_OF_FIRST_TRICK,
    decl_specify=DeclarationSpecify.CARDS_SHOWN_OR_NAMED,
    signals=(Signal.BUSSO, Signal.VOLO, Signal.STRISCIO),
    signal_who=SignalWho.LEADER,
    illegal_play=IllegalPlay.REVOKE,
    revoke_points=11,
    revoke_declarations=RevokeDeclarations.INNOCENT_KEEPS,
    infraction_points=AS_REVOKE,
)

_ITALIAN_TOURNAMENT: Final = Ruleset(
    name="italian-tournament",
    deal_packets=(5, 5),
    direction=Direction.CLOCKWISE,
    dealer=Dealer.EXTERNAL_JUDGE,
    target=31,
    both_reached=BothReached.EXTRA_DEAL_THEN_HIGHER_TOTAL,
    declarations=True,
    decl_window=DeclarationWindow.OWN_FIRST_TURN,
    decl_specify=DeclarationSpecify.ON_REQUEST,
    signals=(Signal.BUSSO, Signal.LISCIO, Signal.PIOMBO, Signal.VOLO),
    signal_who=SignalWho.ANYONE,
    illegal_play=IllegalPlay.REVOKE,
    revoke_points=10,
    revoke_declarations=RevokeDeclarations.INNOCENT_KEEPS,
    infraction_points=-1,
)

_PAGAT_4: Final = Ruleset(
    name="pagat-4",
    deal_packets=(5, 5),
    direction=Direction.COUNTER_CLOCKWISE,
    declarations=True,
    decl_window=DeclarationWindow.END_OF_FIRST_TRICK,
    decl_specify=DeclarationSpecify.ALWAYS,
    decl_scored=DeclarationScored.IMMEDIATELY,
    signals=(Signal.BUSSO, Signal.VOLO, Signal.STRISCIO),
    signal_who=SignalWho.ANYONE,
)

_PAGAT_2: Final = Ruleset(
    name="pagat-2",
    seats=2,
    sides=SideScheme.EACH_ALONE,
    stock=20,
    deal_packets=(5, 5),
    direction=Direction.COUNTER_CLOCKWISE,
    draw_order=DrawOrder.WINNER_FIRST,
    draw_visibility=DrawVisibility.PUBLIC,
    declarations=True,
    decl_window=DeclarationWindow.END_OF_FIRST_TRICK,
    decl_specify=DeclarationSpecify.ALWAYS,
    decl_scored=DeclarationScored.IMMEDIATELY,
)

PRESETS: Final[Mapping[str, Ruleset]] = MappingProxyType(
    {
        preset.name: preset
        for preset in (
            _GAMELAKE_4,
            _GAMELAKE_2,
            _CARDGAMES_ZONE_4,
            _ITALIAN_TOURNAMENT,
            _PAGAT_4,
            _PAGAT_2,
        )
    }
)
"""Every named ruleset, by name."""


def parse_ruleset(text: str) -> Ruleset:
    """Read a ruleset: a preset's name and, after a colon, the options that differ.

    For instance ``gamelake-4:target=11``. Reading a ruleset's own name gives it again.

    Raises:
        RulesetError: on an unknown name, key or value, or a contradictory combination.
    """
    name, colon, rest = text.partition(":")
    preset = _preset(name)
    if not colon:
        return preset
    overrides: dict[str, object] = {}
    for item in rest.split(","):
        key, equals, value = item.partition("=")
        if not equals:
            raise RulesetError(f"{item!r} in {text!r}: write options as key=value")
        if key in overrides:
            raise RulesetError(f"{key} is given twice in {text!r}")
        overrides[key] = value
    return override(preset, overrides)


def override(ruleset: Ruleset, overrides: Mapping[str, object]) -> Ruleset:
    """Return a preset, or an overridden one, with some options changed.

    Options that mean nothing without one that is switched off (the window without
    declarations, say) are switched off with it unless they are named as well. The result's
    name lists what differs from the preset.

    Args:
        ruleset: a preset or what this function made of one.
        overrides: values by option key: text, or values of the option's type.

    Raises:
        RulesetError: on an unknown key or value, or a contradictory combination.
    """
    preset = _preset(ruleset.name.partition(":")[0])
    named = {key: parse_option(key, value) for key, value in overrides.items()}
    values = _settled(preset, _differences(preset, ruleset) | named)
    _refuse_idle(preset, values, named)
    result = replace(preset, **values)
    return replace(result, name=_name(preset, result))


def _preset(name: str) -> Ruleset:
    if name not in PRESETS:
        raise RulesetError(
            f"there is no ruleset {name!r}{nearest(name, PRESETS)}; rulesets: {', '.join(PRESETS)}"
        )
    return PRESETS[name]


def _values(ruleset: Ruleset) -> dict[str, Any]:
    return {key: getattr(ruleset, key) for key in OPTION_TYPES}


def _settled(preset: Ruleset, named: Mapping[str, object]) -> dict[str, Any]:
    """Return all values: the preset's, those named, and what follows from a switch."""
    values = _values(preset) | dict(named)
    for group in GROUPS:
        if group.is_off(values):
            values |= {key: off for key, off in group.off_values.items() if key not in named}
    return values


def _differences(preset: Ruleset, ruleset: Ruleset) -> dict[str, object]:
    """Return the least set of options from which ``_settled`` makes the ruleset again."""
    values = _values(ruleset)
    implied = {
        key
        for group in GROUPS
        if group.is_off(values)
        for key, off in group.off_values.items()
        if values[key] == off
    }
    return {
        key: value
        for key, value in values.items()
        if value != getattr(preset, key) and key not in implied
    }


def _refuse_idle(
    preset: Ruleset, values: Mapping[str, object], named: Mapping[str, object]
) -> None:
    for group in GROUPS:
        for key in group.idle:
            if key in named and named[key] != getattr(preset, key) and group.is_off(values):
                raise RulesetError(
                    f"{key}={format_option(named[key])} contradicts {group.switch}="
                    f"{format_option(values[group.switch])}: it would mean nothing"
                )


def _name(preset: Ruleset, ruleset: Ruleset) -> str:
    options = [
        f"{key}={format_option(value)}" for key, value in _differences(preset, ruleset).items()
    ]
    return f"{preset.name}:{','.join(options)}" if options else preset.name
