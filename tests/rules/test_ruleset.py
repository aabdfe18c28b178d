"""Rulesets: values, ranges, and what may not be combined."""

from dataclasses import FrozenInstanceError, fields, replace
from typing import Any

import pytest

from arena.errors import RulesetError
from arena.rules.consistency import CONTRADICTIONS, OFFERED, RANGES
from arena.rules.options import AS_REVOKE, Signal, format_option
from arena.rules.presets import PRESETS, override
from arena.rules.ruleset import Ruleset
from arena.rules.ruleset_text import OPTION_TYPES, parse_option
from tests.rules.positions import pickled

PAIRS: list[tuple[str, dict[str, object], str, str]] = [
    ("gamelake-4", {"sides": "each_alone"}, "seats=4", "sides=each_alone"),
    ("gamelake-2", {"sides": "opposite"}, "seats=2", "sides=opposite"),
    (
        "gamelake-4",
        {"hand_size": 5, "stock": 20, "draw_order": "winner_first", "draw_visibility": "public"},
        "seats=4",
        "stock=20",
    ),
    ("gamelake-2", {"hand_size": 9}, "hand_size=9", "stock=20"),
    ("italian-tournament", {"deal_packets": [5, 4]}, "hand_size=10", "deal_packets=5+4"),
    ("gamelake-2", {"draw_order": "none"}, "stock=20", "draw_order=none"),
    ("gamelake-4", {"draw_order": "winner_first"}, "stock=0", "draw_order=winner_first"),
    ("gamelake-2", {"draw_visibility": "none"}, "stock=20", "draw_visibility=none"),
    ("gamelake-4", {"draw_visibility": "public"}, "stock=0", "draw_visibility=public"),
    (
        "gamelake-4",
        {"follow_suit": "when_stock_empty"},
        "stock=0",
        "follow_suit=when_stock_empty",
    ),
    ("gamelake-4", {"declarations": True}, "declarations=on", "decl_window=none"),
    (
        "gamelake-4",
        {"decl_window": "own_first_turn"},
        "declarations=off",
        "decl_window=own_first_turn",
    ),
    ("italian-tournament", {"decl_specify": "none"}, "declarations=on", "decl_specify=none"),
    (
        "gamelake-4",
        {"decl_scored": "immediately"},
        "declarations=off",
        "decl_scored=immediately",
    ),
    ("gamelake-4", {"signals": ["volo"]}, "signals=volo", "signal_who=nobody"),
    ("gamelake-4", {"signal_who": "leader"}, "signals=none", "signal_who=leader"),
    ("gamelake-4", {"signal_truth": "checked"}, "signals=none", "signal_truth=checked"),
    (
        "gamelake-2",
        {"signals": ["volo"], "signal_who": "anyone"},
        "sides=each_alone",
        "signals=volo",
    ),
    ("gamelake-4", {"revoke_points": 10}, "illegal_play=reject", "revoke_points=10"),
    ("gamelake-4", {"revoke_own_points": -1}, "illegal_play=reject", "revoke_own_points=-1"),
    (
        "gamelake-4",
        {"revoke_declarations": "innocent_keeps"},
        "illegal_play=reject",
        "revoke_declarations=innocent_keeps",
    ),
    (
        "gamelake-4",
        {"infraction_points": AS_REVOKE},
        "infraction_points=as_revoke",
        "revoke_points=0",
    ),
    ("gamelake-4", {"illegal_play": "revoke"}, "illegal_play=revoke", "revoke_points=0"),
    (
        "gamelake-4",
        {"cappotto_test": "all_points"},
        "cappotto_bonus=0",
        "cappotto_test=all_points",
    ),
    ("gamelake-4", {"decl_four": 5}, "decl_four=5", "declarations=off"),
    ("gamelake-4", {"decl_overlap": False}, "decl_overlap=off", "declarations=off"),
]


@pytest.mark.parametrize(("preset", "changes", "first", "second"), PAIRS)
def test_a_contradiction_is_refused_with_both_keys_and_values(
    preset: str, changes: dict[str, object], first: str, second: str
) -> None:
    """And it says why."""
    with pytest.raises(RulesetError) as error:
        override(PRESETS[preset], changes)
    head, colon, reason = str(error.value).partition(": ")
    assert head == f"{first} contradicts {second}"
    assert colon
    assert reason


def test_every_contradictory_pair_is_tried_here() -> None:
    """At least 15 of them, and none without an example above."""
    tried = {
        frozenset((first.partition("=")[0], second.partition("=")[0]))
        for _, _, first, second in PAIRS
    }
    assert {frozenset(pair.keys) for pair in CONTRADICTIONS} <= tried
    assert len(tried) >= 15


@pytest.mark.parametrize("key", RANGES)
def test_numbers_have_a_least_and_a_greatest_value(key: str) -> None:
    """One beyond either end is refused, with the range."""
    least, greatest = RANGES[key]
    for value in (least - 1, greatest + 1):
        values: dict[str, Any] = {key: value}
        with pytest.raises(RulesetError, match=f"{key}={value} is not allowed; allowed: {least} t"):
            Ruleset(name="x", **values)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"seats": 3}, "seats=3 is not offered; offered: 2, 4"),
        ({"monte": 4}, "monte=4 is not offered; offered: 0"),
        ({"must_beat": True}, "must_beat=on is not offered; offered: off"),
        ({"deal_packets": (0, 10)}, "deal_packets=0 is not allowed; allowed: 1 to 20"),
        ({"infraction_points": 1}, "infraction_points=1 is not allowed; allowed: -99 to 0"),
        ({"infraction_points": "all"}, "infraction_points=all is not allowed; allowed: a number"),
    ],
)
def test_values_that_are_not_offered_are_refused(values: dict[str, Any], message: str) -> None:
    """The message says what is offered."""
    with pytest.raises(RulesetError) as error:
        Ruleset(name="x", **values)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    ("key", "value", "offered"),
    [
        ("match_end_check", "claim_any_time", "end_of_deal"),
        ("goal", "fewest", "most"),
        ("remainder_to", "last_trick_winner", "nobody"),
        ("both_reached", "fewest_total_wins", "higher_wins_equal_redeal"),
        ("sides", "soloist_vs_two", "opposite, each_alone"),
        ("auction", "chiamo", "none"),
        ("annul_weak_hand", "under_one_point", "off"),
        ("first_leader", "holder_of_D4", "next_after_dealer"),
        ("illegal_play", "forfeit", "reject, revoke"),
        ("cappotto_test", "last_trick_winner_has_11", "all_tricks, all_points"),
    ],
)
def test_values_of_later_games_are_refused_as_not_offered(
    key: str, value: str, offered: str
) -> None:
    """rules.md §4 knows them; the engine does not yet."""
    with pytest.raises(RulesetError, match="is not offered") as error:
        parse_option(key, value)
    assert offered in str(error.value)


def test_all_parameters_of_the_rules_are_fields() -> None:
    """The 42 keys of rules.md §4 (players = seats, decl_values = three fields), max_deals, name."""
    assert len(fields(Ruleset)) == 42 + 2 + 1 + 1
    assert set(RANGES) | set(OFFERED) < set(OPTION_TYPES)


def test_rulesets_are_values() -> None:
    """Frozen, hashable, equal by content, and they can be pickled."""
    ruleset = PRESETS["italian-tournament"]
    assert ruleset == replace(ruleset)
    assert len({ruleset, replace(ruleset), replace(ruleset, target=21)}) == 2
    assert pickled(ruleset) == ruleset
    with pytest.raises(FrozenInstanceError):
        ruleset.target = 3  # type: ignore[misc]


def test_signals_are_a_set_of_words() -> None:
    """Order and repeats make no difference."""
    ruleset = PRESETS["italian-tournament"]
    words = (Signal.VOLO, Signal.LISCIO, Signal.VOLO)
    assert replace(ruleset, signals=words).signals == (Signal.VOLO, Signal.LISCIO)
    assert replace(ruleset, signals=words[1:]) == replace(ruleset, signals=words)


def test_seats_sides_and_tricks_follow_from_the_options() -> None:
    """Four seats are two sides of partners; two seats play each alone, twenty tricks."""
    four, two = PRESETS["gamelake-4"], PRESETS["gamelake-2"]
    assert [four.side_of(seat) for seat in range(4)] == [0, 1, 0, 1]
    assert [four.seats_of(side) for side in range(four.side_count)] == [(0, 2), (1, 3)]
    assert [two.seats_of(side) for side in range(two.side_count)] == [(0,), (1,)]
    assert (four.tricks, two.tricks) == (10, 20)
    assert [four.next_seat(seat) for seat in range(4)] == [1, 2, 3, 0]


def test_options_are_written_as_they_are_read() -> None:
    """Every option of every preset."""
    for ruleset in PRESETS.values():
        for key in OPTION_TYPES:
            value = getattr(ruleset, key)
            assert parse_option(key, format_option(value)) == value
            assert parse_option(key, value) == value
