"""Presets, rulesets as text, and overriding."""

import json
from dataclasses import replace
from enum import EnumType
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import RulesetError
from arena.rules import options
from arena.rules.presets import PRESETS, override, parse_ruleset
from arena.rules.ruleset_text import OPTION_TYPES
from tests.rules.case_adapter import to_ruleset

PARAMETERS: dict[str, Any] = json.loads(
    (Path(__file__).parent.parent / "data" / "rule_cases.json").read_text()
)["rulesets"]


@pytest.mark.parametrize("name", PRESETS)
def test_presets_are_what_the_cases_say(name: str) -> None:
    """Each equals the parameter object of the same name."""
    assert PRESETS[name] == to_ruleset(name, PARAMETERS[name])


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("gamelake-4:target=11", "gamelake-4@11"),
        ("cardgames-zone-4:cappotto_bonus=11", "cardgames-zone-4+cappotto"),
        ("cardgames-zone-4:declarations=off", "cardgames-zone-4-nocombo"),
    ],
)
def test_the_cases_variants_are_overridden_presets(text: str, name: str) -> None:
    """Their names are aliases of tests only."""
    assert replace(parse_ruleset(text), name=name) == to_ruleset(name, PARAMETERS[name])
    with pytest.raises(RulesetError, match="there is no ruleset"):
        parse_ruleset(name)


def test_a_preset_is_read_by_its_name() -> None:
    """Nothing else is needed."""
    assert [parse_ruleset(name) for name in PRESETS] == list(PRESETS.values())
    assert list(PRESETS) == [ruleset.name for ruleset in PRESETS.values()]


def test_options_change_the_ruleset_and_its_name() -> None:
    """In the order of the fields, and only those that differ."""
    ruleset = parse_ruleset("italian-tournament:target=31,signals=volo+busso,negative_totals=no")
    assert ruleset.name == "italian-tournament:signals=busso+volo,negative_totals=off"
    assert ruleset.signals == (options.Signal.BUSSO, options.Signal.VOLO)
    assert ruleset.target == 31
    assert not ruleset.negative_totals
    assert parse_ruleset(ruleset.name) == ruleset


@pytest.mark.parametrize(
    ("text", "switched"),
    [
        (
            "italian-tournament:declarations=off",
            {
                "decl_window": options.DeclarationWindow.NONE,
                "decl_specify": options.DeclarationSpecify.NONE,
            },
        ),
        (
            "pagat-4:declarations=no",
            {"decl_scored": options.DeclarationScored.END_OF_DEAL},
        ),
        ("cardgames-zone-4:signals=none", {"signal_who": options.SignalWho.NOBODY}),
        (
            "italian-tournament:illegal_play=reject",
            {"revoke_points": 0, "revoke_declarations": options.RevokeDeclarations.NONE},
        ),
        ("cardgames-zone-4:illegal_play=reject", {"revoke_points": 11}),
        (
            "gamelake-2:hand_size=20,stock=0",
            {
                "draw_order": options.DrawOrder.NONE,
                "draw_visibility": options.DrawVisibility.NONE,
                "follow_suit": options.FollowSuit.ALWAYS,
            },
        ),
    ],
)
def test_what_leans_on_an_option_is_switched_off_with_it(
    text: str, switched: dict[str, object]
) -> None:
    """So that one key is enough; the name stays as it was given."""
    ruleset = parse_ruleset(text)
    assert {key: getattr(ruleset, key) for key in switched} == switched
    assert parse_ruleset(ruleset.name) == ruleset
    assert ruleset.name.count("=") == text.count("=")


def test_what_was_switched_off_comes_back_with_the_switch() -> None:
    """Overrides are always those of the preset."""
    off = parse_ruleset("italian-tournament:declarations=off,target=21")
    on = override(off, {"declarations": True})
    assert on == parse_ruleset("italian-tournament:target=21")
    assert override(on, {"target": 31}) == PRESETS["italian-tournament"]


def test_a_table_of_an_event_file_may_hold_values_or_text() -> None:
    """TOML's numbers, booleans and lists, or the same as text."""
    typed = override(
        PRESETS["cardgames-zone-4"],
        {"target": 31, "decl_overlap": False, "deal_packets": [10], "signals": ["volo"]},
    )
    text = parse_ruleset("cardgames-zone-4:target=31,decl_overlap=off,deal_packets=10,signals=volo")
    assert typed == text
    assert override(typed, {"deal_packets": "none"}).deal_packets == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("gamelake-5", "there is no ruleset 'gamelake-5', did you mean 'gamelake-4'?; rulesets: "),
        ("Italian-Tournament", "there is no ruleset 'Italian-Tournament', did you mean 'italian"),
        ("", "there is no ruleset ''; rulesets: gamelake-4, "),
        (
            "gamelake-4:tarjet=3",
            "there is no option 'tarjet', did you mean 'target'?; `arena rulesets",
        ),
        ("gamelake-4:zzz=3", "there is no option 'zzz'; `arena rulesets show NAME`"),
        ("gamelake-4:", "'' in 'gamelake-4:': write options as key=value"),
        ("gamelake-4:target", "'target' in 'gamelake-4:target': write options as key=value"),
        ("gamelake-4:target=3,target=4", "target is given twice in "),
        ("gamelake-4:name=x", "there is no option 'name'"),
        ("gamelake-4:target=x", "target=x is not allowed; allowed: a whole number"),
        ("gamelake-4:target=12345678901", "target=12345678901 is not allowed; allowed: 1 to 9999"),
        ("gamelake-4:target=1.5", "target=1.5 is not allowed; allowed: a whole number"),
        ("gamelake-4:declarations=maybe", "declarations=maybe is not allowed; allowed: on or off"),
        (
            "gamelake-4:infraction_points=all",
            "infraction_points=all is not allowed; allowed: a whole number or as_revoke",
        ),
        (
            "gamelake-4:deal_packets=5+x",
            "deal_packets=x is not allowed; allowed: whole numbers joined by +, or none",
        ),
        ("gamelake-4:signals=bussa", "signals=bussa is not offered, did you mean 'busso'?; offer"),
        ("gamelake-4:dealer=nobody", "dealer=nobody is not offered; offered: player, external_"),
    ],
)
def test_a_wrong_text_is_refused_with_the_nearest_word(text: str, message: str) -> None:
    """And what is allowed is listed."""
    with pytest.raises(RulesetError) as error:
        parse_ruleset(text)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("target", True, "target=on is not allowed; allowed: a whole number"),
        ("target", 2.5, "target=2.5 is not allowed; allowed: a whole number"),
        ("declarations", 1, "declarations=1 is not allowed; allowed: on or off"),
        ("dealer", 3, "dealer=3 is not offered; offered: player, external_judge"),
        ("signals", 3, "signals=3 is not allowed; allowed: a list, as text joined by +, or none"),
    ],
)
def test_a_value_of_another_type_is_refused(key: str, value: object, message: str) -> None:
    """As a table of a file may hold one."""
    with pytest.raises(RulesetError) as error:
        override(PRESETS["gamelake-4"], {key: value})
    assert str(error.value) == message


def test_only_presets_can_be_overridden() -> None:
    """A ruleset of unknown origin has no text form."""
    with pytest.raises(RulesetError, match="there is no ruleset 'mine'"):
        override(replace(PRESETS["gamelake-4"], name="mine"), {"target": 11})


def values_of(key: str) -> st.SearchStrategy[object]:
    """Draw values of an option's type, written as text or not."""
    values = {value for preset in PRESETS.values() for value in [getattr(preset, key)]}
    kind = OPTION_TYPES[key]
    if isinstance(kind, EnumType):
        values |= set(kind)
    elif kind is bool:
        values |= {True, False}
    elif key == "signals":
        return st.lists(st.sampled_from(list(options.Signal)))
    elif key == "deal_packets":
        return st.sampled_from([(), (10,), (5, 5), (3, 4, 3)])
    else:
        values |= {1, 2, 7}
    return st.sampled_from(sorted(values, key=str)).flatmap(
        lambda value: st.sampled_from([value, options.format_option(value)])
    )


OVERRIDES = st.lists(st.sampled_from(list(OPTION_TYPES)), max_size=4, unique=True).flatmap(
    lambda keys: st.fixed_dictionaries({key: values_of(key) for key in keys})
)


@settings(deadline=None)
@given(st.sampled_from(list(PRESETS)), OVERRIDES)
def test_a_rulesets_name_reads_back_to_it(preset: str, overrides: dict[str, object]) -> None:
    """Whatever was overridden, unless that is refused."""
    try:
        ruleset = override(PRESETS[preset], overrides)
    except RulesetError:
        return
    assert parse_ruleset(ruleset.name) == ruleset
    assert override(ruleset, {}) == ruleset
