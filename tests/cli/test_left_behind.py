"""Commands that are ended in the middle leave no folder, and what a kill left goes later."""

import signal
from pathlib import Path

import pytest

from tests.cli.bots import slow_bot
from tests.cli.conftest import RunArena, StartArena
from tests.cli.processes import Arena

# The fixture `scratch` fails a test after which anything is left in TMPDIR.


def start_check(start_arena: StartArena, home: Path) -> Arena:
    slow_bot(home / "slow", 0.1)
    running = start_arena("check", "slow", "--sandbox", "none")
    running.see("2 matches")
    return running


def start_qualify(start_arena: StartArena) -> Arena:
    running = start_arena("qualify", "--sandbox", "none")
    running.see("fair play: held")
    return running


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
@pytest.mark.parametrize("command", ["check", "qualify"])
def test_a_signal_ends_a_command_and_its_folders_in_one_line(
    start_arena: StartArena, home: Path, scratch: Path, command: str, name: str
) -> None:
    is_check = command == "check"
    running = start_check(start_arena, home) if is_check else start_qualify(start_arena)
    assert any(scratch.iterdir())
    running.signal(signal.Signals[name])
    ended = running.end()
    assert ended.status == 4
    assert ended.err.splitlines()[-1] == "arena: interrupted"
    assert "Traceback" not in ended.err


@pytest.mark.parametrize("command", ["check", "qualify"])
def test_what_a_kill_left_goes_with_the_next_command(
    start_arena: StartArena, arena: RunArena, home: Path, scratch: Path, command: str
) -> None:
    is_check = command == "check"
    running = start_check(start_arena, home) if is_check else start_qualify(start_arena)
    running.signal(signal.SIGKILL)
    running.end()
    assert any(scratch.iterdir())
    assert arena("doctor").status == 0
    assert list(scratch.iterdir()) == []
