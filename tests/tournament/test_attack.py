"""Each act of the chaos bot at a table of real processes: what comes of it, and to whom."""

import shutil
from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
import trio

from arena.bots.manifest import Talk
from arena.bots.sandbox.mode import SandboxMode
from arena.bots.sandbox.opening import open_sandbox
from arena.referee.clock import Clock
from arena.referee.events import Fault
from arena.referee.faults import Culprit, FaultKind, Termination, TerminationKind
from arena.tournament.attack import (
    SLACK_MS,
    Finding,
    _problems_of_outcome,
    _problems_of_output,
    _problems_of_time,
    all_attacks,
    attack,
    processes_marked,
)
from arena.tournament.attack_list import ATTACKS, Attack, Giver
from tests.bots.sandbox.conftest import needs_landlock

CLOCK = Clock(limit_ms=300, margin_ms=100, start_ms=5_000)
"""Of acts that shall be late, and soon."""
PATIENT = replace(CLOCK, margin_ms=5_000)
"""Of all others: its margin bears a machine that is busy with other things."""
WIDE_MS = 3_000
"""What a busy machine may add."""
Key = tuple[str, Talk]

ON_WIRE = [(a.act, talk) for a, talk in all_attacks() if a.giver is Giver.REFEREE]
BY_KEEPER = [(a.act, talk) for a, talk in all_attacks() if a.giver is Giver.KEEPER]
BOXED = (Giver.SANDBOX, Giver.NAMESPACES)
IN_SANDBOX = [(a.act, talk) for a, talk in all_attacks() if a.giver in BOXED]
BEHIND_LANDLOCK = [(a.act, talk) for a, talk in all_attacks() if a.giver is Giver.SANDBOX]
needs_bwrap = pytest.mark.skipif(shutil.which("bwrap") is None, reason="bwrap is not installed")


def try_all(keys: Collection[Key], mode: SandboxMode) -> dict[Key, Finding]:
    """Try the acts one after another, each under the clock that shows it."""
    chosen = [(one, talk) for one, talk in all_attacks() if (one.act, talk) in keys]
    late = [(one, talk) for one, talk in chosen if FaultKind.LATE in one.faults]
    others = [(one, talk) for one, talk in chosen if FaultKind.LATE not in one.faults]

    async def play() -> list[Finding]:
        with trio.fail_after(240):
            async with open_sandbox(mode, hidden=(), say=lambda _: None) as sandbox:
                return [
                    finding
                    for acts, clock in ((late, CLOCK), (others, PATIENT))
                    for finding in await attack(acts, clock=clock, sandbox=sandbox)
                ]

    return {(finding.attack.act, finding.talk): finding for finding in trio.run(play)}


@pytest.fixture(scope="module")
def open_findings() -> Mapping[Key, Finding]:
    """Try what referee and keeper must hold by themselves, without a sandbox."""
    return try_all([*ON_WIRE, *BY_KEEPER], SandboxMode.NONE)


@pytest.fixture(scope="module")
def boxed_findings() -> Mapping[Key, Finding]:
    """Try what a sandbox must hold, inside one."""
    return try_all(IN_SANDBOX, SandboxMode.REQUIRED)


@pytest.mark.parametrize("key", [*ON_WIRE, *BY_KEEPER], ids=str)
def test_an_act_ends_as_listed_harms_nobody_and_leaves_nothing(
    open_findings: Mapping[Key, Finding], key: Key
) -> None:
    assert open_findings[key].problems == ()


def test_each_stream_that_a_bot_ends_in_its_turn_is_told_as_left_and_never_as_late(
    open_findings: Mapping[Key, Finding],
) -> None:
    for talk in Talk:
        (fault,) = open_findings["half_close", talk].faults
        assert fault.kind is FaultKind.LEFT


@pytest.mark.parametrize(
    ("act", "kind", "waits_ms"),
    [
        ("silent_before_join", FaultKind.NOT_READY, CLOCK.start_ms),
        ("silent_after_join", FaultKind.NOT_READY, CLOCK.start_ms),
        ("silent_before_ready", FaultKind.NOT_READY, CLOCK.start_ms),
        ("silent_at_decision", FaultKind.LATE, 3 * (CLOCK.limit_ms + CLOCK.margin_ms)),
        ("never_reading", FaultKind.LATE, 3 * (CLOCK.limit_ms + CLOCK.margin_ms)),
    ],
)
def test_silence_costs_the_table_its_limit_and_no_more(
    open_findings: Mapping[Key, Finding], act: str, kind: FaultKind, waits_ms: int
) -> None:
    finding = open_findings[act, Talk.GRPC]
    assert {fault.kind for fault in finding.faults} == {kind}
    assert waits_ms <= finding.elapsed_ms < waits_ms + 3 * SLACK_MS + WIDE_MS


@pytest.mark.parametrize("act", ["silent_at_end", "silent_at_goodbye", "exit_after_last_card"])
def test_what_a_bot_does_after_the_last_card_is_no_loss(
    open_findings: Mapping[Key, Finding], act: str
) -> None:
    finding = open_findings[act, Talk.GRPC]
    assert finding.termination.kind is TerminationKind.COMPLETED
    assert finding.faults == ()


def test_a_crash_is_told_with_the_bots_own_last_lines(
    open_findings: Mapping[Key, Finding],
) -> None:
    for talk in Talk:
        detail = open_findings["crash", talk].termination.detail
        assert "exited with status 1" in detail
        assert "RuntimeError: chaos was told to crash" in detail


@needs_bwrap
@pytest.mark.parametrize("key", IN_SANDBOX, ids=str)
def test_inside_a_sandbox_nothing_of_others_is_reached(
    boxed_findings: Mapping[Key, Finding], key: Key
) -> None:
    assert boxed_findings[key].problems == ()


@needs_landlock
def test_behind_landlock_nothing_of_others_is_reached_but_the_disk_is_not_bounded() -> None:
    found = try_all([*BEHIND_LANDLOCK, ("disk_hog", Talk.GRPC)], SandboxMode.LANDLOCK)
    disk = found.pop(("disk_hog", Talk.GRPC))
    assert disk.problems == ("STOLEN disk: 128 MiB",)
    assert {key: finding.problems for key, finding in found.items()} == dict.fromkeys(found, ())


def test_without_a_sandbox_the_bot_proves_what_it_got_hold_of() -> None:
    acts = ["file_snoop", "environment_snoop", "network", "socket_snoop", "partner_talk"]
    acts += ["disk_hog"]
    found = try_all([(act, Talk.GRPC) for act in acts], SandboxMode.NONE)
    for act in acts:
        finding = found[act, Talk.GRPC]
        assert not finding.held
        assert all(problem.startswith("STOLEN ") for problem in finding.problems)
        assert finding.termination.kind is TerminationKind.COMPLETED


# --- verdicts -------------------------------------------------------------------------

FLOOD = next(one for one in ATTACKS if one.act == "huge_message")
LATE = next(one for one in ATTACKS if one.act == "silent_at_decision")
HOG = next(one for one in ATTACKS if one.act == "fork_bomb")
ENDED = Termination(
    kind=TerminationKind.FORFEIT_FAULTS, culprit=Culprit.BOT, seat=0, detail="3 faults of late"
)


def late(seat: int, kind: FaultKind = FaultKind.LATE) -> Fault:
    return Fault(culprit=Culprit.BOT, kind=kind, seat=seat, detail="thought 452 ms")


def test_the_outcome_that_is_due_is_no_problem() -> None:
    assert list(_problems_of_outcome(LATE, [0], ENDED, [late(0)])) == []


@pytest.mark.parametrize(
    ("one", "ended", "faults", "problem"),
    [
        (LATE, ENDED, [late(0), late(1)], "(seat 1) had a fault: late"),
        (LATE, ENDED, [late(0, FaultKind.LEFT)], "an unexpected fault: left"),
        (LATE, ENDED, [], "no fault was seen; due: late"),
        # What may come besides is not what is due.
        (FLOOD, ENDED, [late(0)], "no fault was seen; due: crashed"),
        (
            LATE,
            Termination(kind=TerminationKind.COMPLETED, detail="late"),
            [late(0)],
            "the match ended completed",
        ),
        (
            LATE,
            Termination(
                kind=TerminationKind.FORFEIT_FAULTS, culprit=Culprit.BOT, seat=1, detail="late"
            ),
            [late(0)],
            "seat 1 was blamed; hostile: 0",
        ),
        (
            HOG,
            Termination(kind=TerminationKind.HOST_FAULT, culprit=Culprit.HOST, detail="lag"),
            [Fault(culprit=Culprit.HOST, kind=FaultKind.HOST_LAG)],
            "the match ended host_fault",
        ),
    ],
)
def test_another_outcome_than_the_one_due_is_told(
    one: Attack, ended: Termination, faults: list[Fault], problem: str
) -> None:
    assert any(problem in told for told in _problems_of_outcome(one, [0], ended, faults))


def test_a_success_of_the_bot_and_an_act_not_tried_are_problems(tmp_path: Path) -> None:
    output = tmp_path / "0.txt"
    output.write_text("TRIED fork_bomb\nSTOLEN processes: 200 at once\n")
    assert list(_problems_of_output(HOG, [output])) == ["STOLEN processes: 200 at once"]
    output.write_text("no such luck\n")
    assert list(_problems_of_output(HOG, [output])) == ["the act was not tried: no such luck"]
    output.write_bytes(b"TRIED fork_bomb\n" + b"x" * 200_000)
    assert list(_problems_of_output(HOG, [output])) == ["200016 bytes of its output were kept"]


def test_a_match_that_takes_longer_than_its_clock_allows_is_a_problem() -> None:
    most = 2 * CLOCK.start_ms + 2 * 10 * (CLOCK.limit_ms + CLOCK.margin_ms + SLACK_MS)
    assert list(_problems_of_time(CLOCK, 10, most)) == []
    assert "the clock allows" in next(iter(_problems_of_time(CLOCK, 10, most + 1)))


async def test_a_process_is_found_by_a_word_of_its_environment() -> None:
    mark = "a-mark-that-nobody-else-has-19c7"
    async with trio.open_nursery() as nursery:
        start = partial(trio.run_process, ["cat"], stdin=-1, check=False, env={"MARK": mark})
        process = await nursery.start(start)
        with trio.fail_after(10):
            while processes_marked(mark) != (process.pid,):  # noqa: ASYNC110  # the kernel tells nobody
                await trio.sleep(0.01)
        process.terminate()
        nursery.cancel_scope.cancel()
    assert processes_marked(mark) == ()
