"""The organiser's command gets one JSON line, and no command can hold an event up."""

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
import trio
from trio.testing import MockClock

from arena.errors import ConfigError
from arena.record.event_log import EventLog
from arena.tournament.event_file import EventFile
from arena.tournament.event_status import event_status
from arena.tournament.folder import EventFolder
from arena.tournament.notice import DEADLINE_S, Occasion, check_notify, notify
from arena.tournament.run_state import RunState
from tests.record.samples import ticking
from tests.tournament.played_event import play_event
from tests.tournament.results import event_of


def run_of(*command: str) -> tuple[RunState, list[dict[str, Any]]]:
    event = event_of("a", "b")
    event = EventFile(name="cup", entrants=event.entrants, notify=command)
    told: list[dict[str, Any]] = []

    async def tell_log(kind: str, **fields: object) -> None:
        await trio.lowlevel.checkpoint()
        told.append({"kind": kind, **fields})

    return cast("RunState", SimpleNamespace(event=event, tell_log=tell_log)), told


async def test_the_command_gets_one_json_line(tmp_path: Path) -> None:
    out = tmp_path / "line"
    script = "import sys; open(sys.argv[1], 'wb').write(sys.stdin.buffer.read())"
    run, told = run_of(sys.executable, "-c", script, str(out))
    await notify(run, Occasion.PAUSE, why="été\nno")
    line = out.read_bytes()
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert json.loads(line) == {"occasion": "pause", "event": "cup", "why": "été\nno"}
    assert told == []


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ((sys.executable, "-c", "raise SystemExit(3)"), "exited with status 3"),
        (("/nowhere/at all",), "could not be started: No such file or directory"),
    ],
)
async def test_what_goes_wrong_is_noted_and_harms_nothing(
    command: tuple[str, ...], why: str
) -> None:
    run, told = run_of(*command)
    await notify(run, Occasion.END)
    assert told == [{"kind": "notify_failed", "occasion": "end", "why": why}]


async def test_a_command_that_hangs_is_ended(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    async def hang(*_: object, **__: object) -> None:
        await trio.sleep_forever()

    monkeypatch.setattr(trio, "run_process", hang)
    run, told = run_of("sleeper")
    await notify(run, Occasion.SUSPENSION)
    assert autojump_clock.current_time() >= DEADLINE_S
    assert told[0]["why"] == "was ended after 10 s"


def test_a_command_that_is_not_there_is_refused_before_anything_is_played() -> None:
    run, _ = run_of("no such command")
    with pytest.raises(ConfigError, match="notify: no command 'no such command' on this machine"):
        check_notify(run.event)


def test_the_status_of_an_event_says_what_its_organiser_was_not_told(tmp_path: Path) -> None:
    folder = EventFolder(play_event(tmp_path / "cup"))
    assert event_status(folder).notify_failures == ()
    with EventLog(folder.event_log, wall_time=ticking()) as log:
        for occasion in ("suspension", "end"):
            log.append("notify_failed", occasion=occasion, why="exited with status 3")
    assert event_status(folder).notify_failures == (
        "suspension: exited with status 3",
        "end: exited with status 3",
    )
