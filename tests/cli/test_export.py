"""``arena export`` writes tables, and keeps the hands of an event that is still played."""

from pathlib import Path

import pytest

from tests.cli.conftest import RunArena
from tests.record.make_golden import GOLDENS
from tests.tournament.played_event import play_event

pytest.importorskip("pyarrow")


def test_tables_are_written_and_their_rows_told(arena: RunArena, home: Path) -> None:
    ended = arena("export", play_event(home / "trial"), "-o", home / "out", "--format", "csv")
    assert ended.status == 0, ended
    assert "matches.csv: 3 rows" in ended.out
    assert len(list((home / "out").iterdir())) == 7


def test_an_event_whose_seed_is_secret_is_not_exported(arena: RunArena, home: Path) -> None:
    event = play_event(home / "trial")
    lines = (event / "event.jsonl").read_bytes().splitlines(keepends=True)
    (event / "event.jsonl").write_bytes(b"".join(lines[:-2]))
    ended = arena("export", event)
    assert (ended.status, "not revealed" in ended.err) == (2, True)


@pytest.mark.parametrize("words", [("nowhere",), (GOLDENS, "--format", "xls"), (".",)])
def test_wrong_words_are_told(arena: RunArena, words: tuple[str | Path, ...]) -> None:
    ended = arena("export", *words)
    assert (ended.status, ended.err.count("\n")) == (2, 1)
