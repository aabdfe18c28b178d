"""An arena that is told to stop, once or twice: nothing is left, and the same command goes on."""

import contextlib
import json
import os
import re
import signal
from pathlib import Path

import pytest

from arena.referee.faults import TerminationKind
from tests.cli.bots import bad_bot, slow_bot, write_bot, write_event, write_raw_bot
from tests.cli.conftest import RunArena, StartArena
from tests.cli.logs import counted_matches, event_kinds, played_in
from tests.cli.processes import living_under, see_all_gone

PATIENT = "[clock]\nlimit_ms = 600000"
HANGS = "if self.count == 3: time.sleep(3600)"


def stop_once(start_arena: StartArena, home: Path, number: signal.Signals) -> list[str]:
    """Stop an event of four matches by one signal after the first; list what counts."""
    slow_bot(home / "slow", 0.02)
    write_bot(home / "low")
    write_event(home / "cup.toml", "slow", "low", boards=2)
    running = start_arena("run", "cup.toml", "--tables", "1")
    running.see("1/4")
    running.signal(number)
    running.see("stopping: running matches finish; once more to end them now")
    stopped = running.end()
    see_all_gone(home)
    cup = home / "cup"
    assert stopped.status == 4
    assert "stopped; go on with: arena run cup" in stopped.err
    assert "provisional: " in stopped.out
    assert json.loads((cup / "standings.json").read_bytes())["data"]["provisional"] is True
    assert event_kinds(cup)[-1] == "event_paused"
    for match in played_in(cup):
        assert match.termination.kind is TerminationKind.COMPLETED
    counted = counted_matches(cup)
    assert 1 <= len(counted) < 4
    return counted


def test_after_one_ctrl_c_running_matches_finish_and_the_same_command_goes_on(
    start_arena: StartArena, arena: RunArena, home: Path
) -> None:
    counted = stop_once(start_arena, home, signal.SIGINT)
    cup = home / "cup"
    finished = arena("run", "cup")
    assert finished.status == 0
    assert f"already counted: {len(counted)} of 4 matches" in finished.err
    assert counted_matches(cup)[: len(counted)] == counted
    assert len(set(counted_matches(cup))) == len(counted_matches(cup)) == 4
    assert event_kinds(cup)[-2:] == ["seed_revealed", "event_closed"]


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_sigterm_and_the_end_of_the_terminal_are_as_good_as_a_ctrl_c(
    start_arena: StartArena, home: Path, name: str
) -> None:
    number = signal.Signals[name]
    before = signal.signal(number, signal.SIG_DFL)  # these tests themselves may be under nohup
    try:
        stop_once(start_arena, home, number)
    finally:
        signal.signal(number, before)


def test_a_trial_that_is_stopped_is_interrupted_and_nothing_goes_on(
    start_arena: StartArena, home: Path
) -> None:
    slow_bot(home / "slow", 0.05)
    write_bot(home / "low")
    write_event(home / "cup.toml", "slow", "low", boards=2)
    running = start_arena("plan", "cup.toml", "--trial")
    running.see("sandbox")
    running.signal(signal.SIGTERM)
    stopped = running.end()
    see_all_gone(home)
    assert stopped.status == 4
    assert "--trial: stopped before its end; nothing was measured" in stopped.err
    assert "go on with" not in stopped.err
    assert not (home / "cup").exists()


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_at_the_second_signal_everything_ends_and_logs_are_sealed_as_aborted(
    start_arena: StartArena, arena: RunArena, home: Path, name: str
) -> None:
    bad_bot(home / "hangs", HANGS)
    write_bot(home / "low")
    write_event(home / "cup.toml", "hangs", "low", boards=2, more=PATIENT)
    running = start_arena("run", "cup.toml", "--tables", "2")
    running.see("sandbox")
    logs = home / "cup" / "logs"
    running.until(lambda: len(list(logs.glob("*.jsonl"))) == 2)  # both tables play
    running.signal(signal.Signals[name])
    running.see("stopping")
    assert running.lives_for(0.3)
    assert living_under(home / "cup")
    running.signal(signal.Signals[name])
    stopped = running.end()
    see_all_gone(home)
    assert stopped.status == 4
    matches = played_in(home / "cup")
    assert [match.termination.kind for match in matches] == [TerminationKind.ABORTED] * 2
    assert not list(logs.glob("*.jsonl"))
    assert event_kinds(home / "cup").count("match_voided") == 2
    assert counted_matches(home / "cup") == []
    shown = arena("standings", "cup", "--json")
    assert json.loads(shown.out)["data"]["stages"][0]["matches_counted"] == 0


def test_ctrl_c_on_a_terminal_reaches_the_arena_and_not_its_bots(
    start_arena: StartArena, home: Path
) -> None:
    """A terminal sends it to the whole group of processes; on one, progress is a bar."""
    slow_bot(home / "slow", 0.05)
    write_bot(home / "low")
    write_event(home / "cup.toml", "slow", "low", boards=2)
    screen, terminal = os.openpty()
    running = start_arena("run", "cup.toml", "--tables", "1", stderr=terminal)
    os.close(terminal)
    shown = b""
    while not re.search(rb"[123]/4", shown):
        shown += os.read(screen, 4096)
    os.killpg(running.pid, signal.SIGINT)
    with contextlib.suppress(OSError):  # how the end of a terminal shows
        while more := os.read(screen, 4096):
            shown += more
    os.close(screen)
    assert running.end().status == 4
    assert b"stopping: running matches finish" in shown
    assert "━".encode() in shown
    for match in played_in(home / "cup"):
        assert match.termination.kind is TerminationKind.COMPLETED
        assert match.faults == ()


def test_a_signal_before_the_first_match_ends_the_opening_at_once(
    start_arena: StartArena, home: Path
) -> None:
    write_raw_bot(home / "raw")
    write_bot(home / "low")
    event = write_event(
        home / "cup.toml", "raw:mode=silent", "low", more="[clock]\nstart_ms = 600000"
    )
    running = start_arena("run", event)
    # The pre-flight waits for a bot that never joins.
    running.until(lambda: len(list((home / "cup").glob("stderr/preflight-*.txt"))) == 2)
    running.signal(signal.SIGINT)
    stopped = running.end()
    see_all_gone(home)
    assert (stopped.status, stopped.out) == (4, "")
    assert "stopped before anything was played; the same command starts it" in stopped.err


def test_bots_started_for_the_next_match_do_not_delay_the_end(
    start_arena: StartArena, home: Path
) -> None:
    """The second sitting's bots join once, in the pre-flight, and never again."""
    mark = home / "has joined"
    start = f"""
    if os.path.exists({str(mark)!r}) and len(os.listdir({str(mark)!r})) >= 2:
        print("never joins", file=sys.stderr)
        time.sleep(3600)
    os.makedirs({str(mark)!r} + "/" + str(os.getpid()))
    """
    bad_bot(home / "bad", "time.sleep(0.02)", start=start)
    write_bot(home / "low")
    write_event(
        home / "cup.toml", "bad", "low", more="[clock]\nstart_ms = 600000\n[sandbox]\nmode = 'none'"
    )
    running = start_arena("run", "cup.toml", "--tables", "1")
    running.see("1/2")
    running.signal(signal.SIGTERM)
    stopped = running.end()
    assert stopped.status == 4
    assert counted_matches(home / "cup") == ["s1-r1-p1-o0-m1"]


def test_an_event_goes_on_though_nobody_listens_to_its_progress(
    start_arena: StartArena, home: Path
) -> None:
    """Its stderr is a pipe whose reader is gone, as after ``2>&1 | head -1``."""
    write_bot(home / "low")
    write_bot(home / "high")
    write_event(home / "cup.toml", "low", "high")
    reader, writer = os.pipe()
    os.close(reader)
    try:
        ended = start_arena("run", "cup.toml", stderr=writer).end()
    finally:
        os.close(writer)
    assert ended.status == 0
    assert "low" in ended.out
