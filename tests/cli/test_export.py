"""``arena export`` writes tables, overwrites nothing, and keeps cards that are not public."""

import zipfile
from pathlib import Path

import pytest

from tests.cli.conftest import RunArena
from tests.record.make_golden import GOLDENS
from tests.tournament.played_event import play_event

pytest.importorskip("pyarrow")

LOG = GOLDENS / "gamelake-2.completed.jsonl"


@pytest.fixture
def secret(home: Path) -> Path:
    """Play an event that is no practice, up to before its seed is revealed."""
    event = play_event(home / "cup", is_practice=False)
    lines = (event / "event.jsonl").read_bytes().splitlines(keepends=True)
    (event / "event.jsonl").write_bytes(b"".join(lines[:-2]))
    return event


def test_tables_are_written_and_their_rows_told(arena: RunArena, home: Path) -> None:
    ended = arena("export", play_event(home / "trial"), "-o", home / "out", "--format", "csv")
    assert ended.status == 0, ended
    assert "matches.csv: 3 rows" in ended.out
    assert "sessions.csv: 2 rows" in ended.out
    assert len(list((home / "out").iterdir())) == 8


def test_an_event_whose_seed_is_secret_is_exported_for_the_organiser_alone(
    arena: RunArena, home: Path, secret: Path
) -> None:
    log = next((secret / "logs").iterdir())
    for what in (secret, secret / "logs", log, home):
        ended = arena("export", what)
        assert (ended.status, "not public" in ended.err) == (2, True), ended
        assert not (home / "tables").exists()
    assert arena("export", secret, "--organiser").status == 0


def test_what_an_export_wrote_is_replaced_only_by_force(arena: RunArena, home: Path) -> None:
    assert arena("export", LOG).status == 0
    before = (home / "tables" / "plays.parquet").read_bytes()
    again = arena("export", GOLDENS)
    assert (again.status, "exists already" in again.err, "--force" in again.err) == (2, True, True)
    assert (home / "tables" / "plays.parquet").read_bytes() == before
    assert arena("export", GOLDENS, "--force").status == 0
    assert (home / "tables" / "plays.parquet").read_bytes() != before
    assert sorted(path.name for path in home.iterdir()) == ["tables"]


def test_a_file_and_a_folder_of_other_things_are_never_overwritten(
    arena: RunArena, home: Path
) -> None:
    (home / "file").write_text("mine")
    (home / "folder").mkdir()
    (home / "folder" / "mine.txt").write_text("mine")
    for name, says in (("file", "is no folder"), ("folder", "mine.txt"), ("file/x", "written")):
        ended = arena("export", LOG, "-o", name, "--force")
        assert (ended.status, says in ended.err, ended.err.count("\n")) == (2, True, 1), ended
    assert (home / "file").read_text() == (home / "folder" / "mine.txt").read_text() == "mine"
    assert sorted(path.name for path in home.iterdir()) == ["file", "folder"]


def test_a_zip_of_logs_and_an_archive_of_evidence_are_exported_too(
    arena: RunArena, home: Path
) -> None:
    with zipfile.ZipFile(home / "logs.zip", "w") as archive:
        archive.write(LOG, LOG.name)
    assert "matches.parquet: 1 row" in arena("export", "logs.zip", "-o", "one").out
    event = play_event(home / "trial")
    assert arena("evidence", event, "s1-r1-p1-o0-m1", "-o", "appeal.zip").status == 0
    assert "matches.parquet: 2 rows" in arena("export", "appeal.zip", "-o", "two").out


def test_nothing_is_left_of_an_export_that_fails(arena: RunArena, home: Path) -> None:
    (home / "logs").mkdir()
    (home / "logs" / "1.jsonl").write_bytes(LOG.read_bytes())
    (home / "logs" / "2.jsonl").write_bytes(b"no log\n")
    ended = arena("export", "logs", "-o", "out")
    assert (ended.status, ended.err.count("\n")) == (2, 1), ended
    assert [path.name for path in home.iterdir()] == ["logs"]


@pytest.mark.parametrize("words", [("nowhere",), (GOLDENS, "--format", "xls"), (".",)])
def test_wrong_words_are_told(arena: RunArena, words: tuple[str | Path, ...]) -> None:
    ended = arena("export", *words)
    assert (ended.status, ended.err.count("\n")) == (2, 1)


def test_a_dataset_is_written_with_a_licence_and_without_names(arena: RunArena, home: Path) -> None:
    event = play_event(home / "trial")
    words = ("export", event, "--dataset", "set", "--licence", "CC0-1.0", "--anonymous")
    ended = arena(*words, "--pseudonym-key", "key")
    assert ended.status == 0, ended
    assert "set: sessions, all: 2 rows" in ended.out
    assert (home / "key").stat().st_mode & 0o777 == 0o600
    card = (home / "set" / "README.md").read_text("utf-8")
    assert ("CC0-1.0" in card, "trial" in card, "greedy" in card) == (True, False, False)
    before = sorted(path.read_bytes() for path in (home / "set").rglob("*.parquet"))
    assert arena(*words, "--pseudonym-key", "key", "--force").status == 0
    assert sorted(path.read_bytes() for path in (home / "set").rglob("*.parquet")) == before


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--dataset", "set"), "--licence"),
        (("--dataset", "set", "--licence", "a\nb"), "one line"),
        (("--dataset", "set", "--licence", "x", "-o", "out"), "leave -o"),
        (("--dataset", "set", "--licence", "x", "--pseudonym-key", "key"), "--anonymous"),
        (("--anonymous",), "--dataset"),
        (("--dataset", "set", "--licence", "x", "--anonymous", "--pseudonym-key", "bad"), "bad"),
    ],
)
def test_a_dataset_that_is_asked_for_wrongly_is_refused(
    arena: RunArena, home: Path, words: tuple[str, ...], says: str
) -> None:
    (home / "bad").write_text("no key")
    ended = arena("export", LOG, *words)
    assert (ended.status, says in ended.err, ended.err.count("\n")) == (2, True, 1), ended
    assert [path.name for path in home.iterdir()] == ["bad"]
