"""Bots that misbehave in a match: what it costs, who is named, what their author is told."""

from pathlib import Path

import pytest

from arena.referee.faults import Culprit, FaultKind, TerminationKind
from tests.cli.bots import bad_bot, write_bot, write_event, write_raw_bot
from tests.cli.conftest import RunArena
from tests.cli.logs import Played, played_in, standings_of


def play(
    arena: RunArena, home: Path, bot: str, *, more: str = "", boards: int = 1, ruleset: str = ""
) -> list[Played]:
    """Let a bot meet a good one, once in each orientation, and read the logs."""
    write_bot(home / "good")
    event = home / "cup.toml"
    write_event(event, "good", bot, more=more, boards=boards, ruleset=ruleset or "gamelake-2")
    ended = arena("run", "cup.toml", "--tables", "2")
    assert ended.status == 0, ended.err
    return played_in(home / "cup")


def forfeited(matches: list[Played], kind: TerminationKind, *parts: str) -> None:
    """Hold forfeits of the bad bot against what its author must be told."""
    assert len(matches) == 2
    for match in matches:
        assert match.termination.kind is kind
        assert (match.termination.culprit, match.culprit) == (Culprit.BOT, "bad")
        details = " / ".join([fault.detail for fault in match.faults] + [match.termination.detail])
        for part in parts:
            assert part in details


def lines_of(home: Path) -> tuple[dict[str, object], dict[str, object]]:
    """Give the standings' lines of the good bot and the bad one."""
    lines = standings_of(home / "cup")
    return lines["good"], lines["bad"]


# --- bots that are gone ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("act", "parts"),
    [
        (
            "print('lost my mind', file=sys.stderr); raise KeyError('D3')",
            ["exited with status 1 after", "lost my mind", "KeyError: 'D3'", "bot.py"],
        ),
        ("print('bye', file=sys.stderr, flush=True); os._exit(7)", ["status 7 after", "| bye"]),
        ("os.kill(os.getpid(), signal.SIGSEGV)", ["SIGSEGV after", "wrote nothing on stderr"]),
    ],
)
def test_a_crash_in_mid_trick_forfeits_and_tells_how_the_bot_ended(
    arena: RunArena, home: Path, act: str, parts: list[str]
) -> None:
    bad_bot(home / "bad", f"if self.count == 3: {act}")
    matches = play(arena, home, "bad")
    forfeited(matches, TerminationKind.FORFEIT_CRASH, *parts)
    good, bad = lines_of(home)
    assert (bad["points"], bad["boards_forfeited"], bad["forfeits"]) == (-11.0, 2, 2)
    assert bad["faults"] == {"crashed": 2}
    assert (good["points"], good["boards_credited"], good["faults"]) == (2.0, 2, {})


@pytest.mark.parametrize(
    ("mode", "kind", "faults", "detail"),
    [
        ("half-close", TerminationKind.FORFEIT_LEFT, {"left": 2}, "its stream without Leave"),
        ("leave", TerminationKind.FORFEIT_LEFT, {"left": 2}, "the bot sent Leave: enough"),
        ("garbage", TerminationKind.FORFEIT_FAULTS, {"malformed": 6}, "no arena.v1.PlayRequest"),
        ("never ready", TerminationKind.FORFEIT_NOT_READY, {"not_ready": 2}, "within 2500 ms"),
    ],
)
def test_breaking_the_protocol_forfeits_and_says_what_was_wrong(  # noqa: PLR0917
    arena: RunArena,
    home: Path,
    mode: str,
    kind: TerminationKind,
    faults: dict[str, int],
    detail: str,
) -> None:
    write_raw_bot(home / "bad")
    matches = play(arena, home, f"bad:mode={mode}", more="[clock]\nstart_ms = 2500")
    forfeited(matches, kind, detail)
    assert lines_of(home)[1]["faults"] == faults


@pytest.mark.parametrize("partner", ["pass", "time.sleep(0.05)"])
def test_to_exit_right_after_the_last_card_is_no_loss(
    arena: RunArena, home: Path, partner: str
) -> None:
    write_raw_bot(home / "quick to go")
    bad_bot(home / "slow", partner)
    write_event(home / "cup.toml", "slow", "quick to go:mode=quit")
    assert arena("run", "cup.toml", "--tables", "2").status == 0
    for match in played_in(home / "cup"):
        assert match.termination.kind is TerminationKind.COMPLETED
        assert match.faults == ()


def test_a_bot_that_crashes_on_every_start_forfeits_each_match_and_the_event_ends(
    arena: RunArena, home: Path
) -> None:
    mark = home / "started once"
    start = f"""
    import os, sys
    if os.path.exists({str(mark)!r}):
        print("no licence", file=sys.stderr)
        sys.exit(9)
    open({str(mark)!r}, "w").close()
    """
    bad_bot(home / "bad", "pass", start=start)
    matches = play(arena, home, "bad", boards=2, more='[sandbox]\nmode = "none"')
    assert len(matches) == 4
    for match in matches:
        assert match.termination.kind is TerminationKind.FORFEIT_CRASH
        assert "exited with status 9" in match.termination.detail
        assert "no licence" in match.termination.detail
        assert "before its Join" in match.termination.detail
    assert lines_of(home)[1]["forfeits"] == 4
    # Each attempt to start left its own words.
    assert len(list((home / "cup" / "stderr").glob("s1-*.seat*.txt"))) == 8


# --- bots that stay -------------------------------------------------------------------


def test_thinking_beyond_the_limit_is_played_for_then_forfeits(arena: RunArena, home: Path) -> None:
    """Well before it answers; the good bot has time on a busy machine too."""
    bad_bot(home / "bad", "time.sleep(4)")
    matches = play(arena, home, "bad", more="[clock]\nlimit_ms = 1000")
    forfeited(matches, TerminationKind.FORFEIT_FAULTS, "allowed were 1000 ms", "3 faults", "late")
    for match in matches:
        assert match.kinds == [FaultKind.LATE] * 3
        thought_ms = int(match.faults[0].detail.split()[1])
        assert 1000 < thought_ms < 4000
    assert lines_of(home)[1]["faults"] == {"late": 6}


BREAKS_SUIT = """
others = [card for card in view.hand if card not in view.legal]
if others: return others[0]
"""


def test_an_illegal_card_is_refused_with_what_was_allowed(arena: RunArena, home: Path) -> None:
    bad_bot(home / "bad", BREAKS_SUIT)
    matches = play(arena, home, "bad", boards=2)
    details = [fault.detail for match in matches for fault in match.faults]
    assert details
    assert all("can follow suit, so it may not play" in detail for detail in details)
    assert all("; allowed: " in detail for detail in details)
    assert {kind for match in matches for kind in match.kinds} == {FaultKind.ILLEGAL}
    assert set(lines_of(home)[1]["faults"]) == {"illegal"}  # type: ignore[call-overload]


def test_under_a_ruleset_of_revokes_the_card_stands_and_costs_its_points(
    arena: RunArena, home: Path
) -> None:
    bad_bot(home / "bad", BREAKS_SUIT)
    matches = play(arena, home, "bad", ruleset="italian-tournament:declarations=off")
    for match in matches:
        assert match.termination.kind is TerminationKind.COMPLETED
        assert match.kinds == [FaultKind.REVOKE]
        assert "could follow suit" in match.faults[0].detail
    good, bad = lines_of(home)
    assert bad["faults"] == {"revoke": 2}
    assert good["points"] == -bad["points"] > 0  # type: ignore[operator]


def test_a_flood_of_stderr_costs_neither_time_nor_disk(arena: RunArena, home: Path) -> None:
    bad_bot(home / "bad", "sys.stderr.write('x' * 1_000_000)")
    matches = play(arena, home, "bad")
    for match in matches:
        assert match.termination.kind is TerminationKind.COMPLETED
        assert match.faults == ()
    kept = [file.stat().st_size for file in (home / "cup" / "stderr").iterdir()]
    assert 100_000 < max(kept) < 150_000
