"""A command whose standard streams are closed does what it does, and ends as it ends."""

import subprocess
from pathlib import Path

import pytest

from tests.cli.processes import COMMAND, PATIENCE_S

LOG = Path(__file__).parents[1] / "data" / "logs" / "italian-tournament.completed.jsonl"
TABLE = ("rulesets", "list")


def closing(closed: str, *words: str | Path) -> "subprocess.CompletedProcess[str]":
    """Run a command through a shell that closes some of its streams first."""
    return subprocess.run(
        ["/bin/sh", "-c", f'exec "$@" {closed}', "sh", *COMMAND, *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )


def test_a_replay_without_stdin_is_plain_text() -> None:
    ended = closing("<&-", "replay", LOG)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith("Match ")


@pytest.mark.parametrize("words", [("replay", LOG), ("verify", LOG), TABLE])
def test_a_command_that_nobody_can_read_ends_well(words: tuple[str | Path, ...]) -> None:
    ended = closing(">&-", *words)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")


def test_the_status_is_told_where_every_stream_is_closed() -> None:
    everything = "<&- >&- 2>&-"
    assert closing(everything, *TABLE).returncode == 0
    assert closing(everything, "verify", "nothing-there").returncode == 2
