"""The cases of the rules' note, all of them, through the adapter."""

import json
from pathlib import Path
from typing import Any

import pytest

from arena.errors import RulesetError
from tests.rules.case_adapter import evaluate

DATA: dict[str, Any] = json.loads(
    (Path(__file__).parent.parent / "data" / "rule_cases.json").read_text()
)
CASES: dict[str, dict[str, Any]] = {case["id"]: case for case in DATA["cases"]}

PENDING = (
    # traversone: each alone, fewest points
    "SCO-18",
    "SCO-20",
    # terziglio: three seats, auction and monte
    "TER-2",
    "TER-3",
    "TER-4",
    "TER-5",
    "TER-6",
    "TER-8",
    "TER-9",
    "TER-10",
    "TER-11",
)
"""Cases of games that are not offered yet, by name."""


def without_reason(expected: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in expected.items() if key != "reason"}


@pytest.mark.parametrize("name", [name for name in CASES if name not in PENDING])
def test_the_engine_answers_the_case(name: str) -> None:
    """As its sources say."""
    case = CASES[name]
    assert evaluate(case, DATA["rulesets"]) == without_reason(case["expect"])


@pytest.mark.parametrize("name", PENDING)
def test_pending_cases_exist_and_are_refused_as_not_offered(name: str) -> None:
    """Once a game is offered its cases must leave the list."""
    case = CASES[name]
    assert case["ruleset"] in {"terziglio", "traversone-4"}
    with pytest.raises(RulesetError, match="is not offered"):
        evaluate(case, DATA["rulesets"])


def test_every_case_stands_once_and_is_run_or_pending() -> None:
    """None is dropped in silence."""
    assert len(CASES) == len(DATA["cases"]) == 110
    assert len(set(PENDING)) == len(PENDING)
    waiting = {
        name for name, case in CASES.items() if case["ruleset"] in {"terziglio", "traversone-4"}
    }
    assert waiting == set(PENDING)


VARIANTS: list[tuple[str, dict[str, Any], dict[str, Any], dict[str, Any]]] = [
    ("VAL-2", {"last_trick_thirds": 6}, {}, {"with_last_trick": 38, "card_thirds": 32}),
    ("TRK-4", {}, {"plays": [[3, "D4"], [0, "S3"], [1, "D7"], [2, "DJ"]]}, {"winner": 2}),
    ("LEG-3", {"follow_suit": "always"}, {"stock": 4}, {"legal": ["CH"]}),
    ("DRW-1", {"draw_visibility": "public"}, {"trick_winner": 0}, {"opponent_sees": True}),
    ("DRW-4", {"follow_suit": "always"}, {}, {"free_tricks": 0, "follow_tricks": 20}),
    ("SCO-13", {"last_trick_thirds": 1}, {}, {"points": [5, 5]}),
    ("SCO-13", {}, {"card_thirds": [10, 22], "last_trick": 1}, {"points": [3, 8]}),
    ("SCO-17", {"last_trick_thirds": 1}, {}, {"sum_always": None}),
    ("CAP-3", {"cappotto_test": "all_points"}, {}, {"points": [22, 0]}),
    ("DEC-5", {"decl_overlap": False}, {}, {"accepted": [True, False], "points": 3}),
    (
        "DEC-6",
        {"decl_values": {"napoletana": 2, "three": 3, "four": 5}},
        {},
        {"points": 7, "accepted": [True, True]},
    ),
    ("DEC-14", {"decl_window": "before_own_card"}, {}, {"accepted": [False], "points": 0}),
    ("DEC-22", {"decl_understate": False}, {}, {"accepted": [False], "points": 0}),
    ("REV-3", {}, {"stock": 0}, {"revoke": True}),
    ("REV-4", {"revoke_points": 12}, {}, {"deal": [0, 12], "totals": [20, 30]}),
    ("REV-7", {"revoke_declarations": "none"}, {"offender": 1}, {"deal": [10, 0]}),
    ("REV-8", {}, {"played": "D4"}, {"result": "accepted"}),
    ("REV-8", {}, {"played": "B4"}, {"result": "rejected_state_unchanged"}),
    ("REV-9", {"infraction_points": -3}, {"infractions": [1, 2]}, {"totals": [8, 6]}),
    ("REV-9", {"infraction_points": "as_revoke"}, {}, {"totals": [5, 17]}),
    ("REV-11", {"revoke_points": 11}, {}, {"cheaper_to_revoke": False}),
    ("MAT-1", {"target": 25}, {}, {"over": False, "winner": None}),
    (
        "MAT-6",
        {"both_reached": "higher_wins_equal_redeal"},
        {},
        {"over": True, "winner": 0, "phase": "normal"},
    ),
    ("REV-10", {"negative_totals": False}, {}, {"totals": [0, 11]}),
    ("SEA-5", {}, {"dealer": 0}, {"leader": 1, "order": [1, 0]}),
    ("SIG-1", {}, {"is_leader": False}, {"allowed": False}),
    ("SIG-5", {"infraction_points": -2}, {}, {"allowed": False, "points": -2}),
    ("SIG-13", {}, {"outstanding_higher": ["D2"], "hand_after": ["DA"]}, {"true": False}),
    ("SEED-1", {}, {"plays": [[0, "D3"], [1, "DK"], [2, "D4"], [3, "D5"]]}, {"possible": True}),
]


@pytest.mark.parametrize(("name", "parameters", "given", "expect"), VARIANTS)
def test_the_adapter_answers_kinds_not_cases(
    name: str, parameters: dict[str, Any], given: dict[str, Any], expect: dict[str, Any]
) -> None:
    """Other values and parameters, other answers."""
    case = CASES[name]
    rulesets = {case["ruleset"]: DATA["rulesets"][case["ruleset"]] | parameters}
    varied = case | {"id": "?", "given": case["given"] | given, "expect": expect}
    assert evaluate(varied, rulesets) == expect
