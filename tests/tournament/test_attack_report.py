"""The summary of attacks: what was required, what held, what was not tried."""

from dataclasses import replace

import pytest

from arena.bots.manifest import Talk
from arena.bots.resources import MIB, resources_for
from arena.bots.sandbox.mode import SandboxMode
from arena.errors import ConfigError
from arena.referee.faults import Termination, TerminationKind
from arena.tournament.attack import Finding
from arena.tournament.attack_list import ATTACKS
from arena.tournament.attack_report import (
    HOG_ROOM,
    AttackReport,
    choose_attacks,
    guard_names,
    required_guards,
)

GIVEN = resources_for()


def finding(act: str, *problems: str) -> Finding:
    return Finding(
        attack=next(one for one in ATTACKS if one.act == act),
        talk=Talk.GRPC,
        problems=problems,
        termination=Termination(kind=TerminationKind.COMPLETED),
        faults=(),
        elapsed_ms=7,
    )


def test_guards_have_names_of_their_own() -> None:
    names = guard_names()
    assert len(names) == len(set(names))


def test_all_guards_are_required_unless_the_event_wants_no_sandbox() -> None:
    for mode in (SandboxMode.AUTO, SandboxMode.REQUIRED):
        assert required_guards([], mode) == set(guard_names())
    left = required_guards([], SandboxMode.NONE)
    assert "network" not in left
    assert {"join deadline", "orphans", "memory"} <= left
    assert required_guards(["network"], SandboxMode.NONE) == {"network"}
    walled = set(guard_names()) - required_guards([], SandboxMode.LANDLOCK)
    assert walled == {"disk", "disk (lines)"}


def test_a_guard_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(ConfigError, match="no guard 'netwrok'; there are: fair play"):
        required_guards(["netwrok"], SandboxMode.AUTO)
    with pytest.raises(ConfigError, match="no guard 'x'"):
        choose_attacks(["x"], None, GIVEN)


def test_what_is_not_asked_for_or_too_large_for_the_machine_is_skipped() -> None:
    chosen, skipped = choose_attacks(["network"], None, GIVEN)
    assert [one.act for one, _ in chosen] == ["network"]
    assert skipped["files"] == "not asked for"
    needed = 2 * GIVEN.memory_mib * MIB + HOG_ROOM
    _, skipped = choose_attacks([], needed, GIVEN)
    assert skipped == {}
    _, skipped = choose_attacks([], needed - MIB, GIVEN)
    assert skipped == dict.fromkeys(
        ("memory", "memory (lines)"), "only 4095 MiB of memory are available"
    )


def test_a_hog_is_not_let_loose_beyond_bounds_too_large_to_try() -> None:
    wide = replace(GIVEN, tasks=5_000, disk_mib=8_192)
    _, skipped = choose_attacks([], None, wide)
    assert set(skipped) == {"processes", "processes (lines)", "disk", "disk (lines)"}
    assert "too large to go beyond: at most 1000 is tried" in skipped["processes"]


def test_good_is_what_was_tried_and_held_wherever_it_is_required() -> None:
    held, broken = finding("honest"), finding("network", "STOLEN network: TCP")
    required = frozenset({"fair play"})
    report = AttackReport(findings=[held, broken], skipped={"files": "why"}, required=required)
    assert report.is_good
    assert (report.held, report.not_held) == (["fair play"], ["network"])
    rows = {row[0]: row for row in report.rows()}
    assert rows["network"][2:] == ("NOT HELD (not required)", "STOLEN network: TCP")
    assert rows["files"][2:] == ("skipped (not required)", "why")
    for needed in ("network", "files"):
        strict = AttackReport(
            findings=[held, broken], skipped={}, required=frozenset({needed, "fair play"})
        )
        assert not strict.is_good


def test_a_row_is_one_line_whatever_a_bot_wrote() -> None:
    broken = finding("network", "crashed; its last lines:\n  | one\n  | two", "STOLEN x")
    report = AttackReport(findings=[broken], skipped={}, required=frozenset())
    rows = {row[0]: row for row in report.rows()}
    assert rows["network"][3] == "crashed; its last lines: | one | two; STOLEN x"


def test_data_names_guards_held_not_held_and_skipped() -> None:
    report = AttackReport(
        findings=[finding("honest"), finding("network", "STOLEN x")],
        skipped={"files": "why"},
        required=frozenset({"network"}),
    )
    data = report.data()
    assert set(data) == {"guards", "held", "not_held", "skipped"}
    assert (data["held"], data["not_held"], data["skipped"]) == (
        ["fair play"], ["network"], ["files"],
    )  # fmt: skip
    network = next(guard for guard in data["guards"] if guard["guard"] == "network")
    assert network["required"] is True
    assert network["held"] is False
    assert network["problems"] == ["STOLEN x"]
