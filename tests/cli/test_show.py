"""``arena standings`` and ``arena replay``: what was played, for people and for machines."""

import csv
import gzip
import json
import subprocess
from pathlib import Path

import pytest

from tests.cli.bots import HIGH, bad_bot, write_bot, write_event
from tests.cli.conftest import RunArena
from tests.cli.processes import COMMAND

NAMES = ('Così è "bello" | 🂡', "שחקן")


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Play an event once, in which one bot forfeits; its bots have names of all sorts."""
    home = tmp_path_factory.mktemp("shown")
    write_bot(home / "one", HIGH)
    bad_bot(home / "two", "if self.count == 15: raise SystemExit('tired')")
    event = write_event(home / "cup.toml", "one", "two")
    text = event.read_text("utf-8")
    for folder, name in zip(("one", "two"), NAMES, strict=True):
        text = text.replace(f"bot = './{folder}'", f"bot = './{folder}'\nname = '{name}'")
    event.write_text(text, "utf-8")
    done = subprocess.run([*COMMAND, "run", str(event)], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    return home / "cup"


# --- standings ------------------------------------------------------------------------


def test_a_table_shows_everybody_and_what_must_be_said(arena: RunArena, cup: Path) -> None:
    ended = arena("standings", cup)
    assert (ended.status, ended.err) == (0, "")
    lines = ended.out.splitlines()
    assert lines[0] == "cup"
    assert lines[1] == "Stage 1: gamelake-2"
    assert lines[2].split("  ")[0] == "rank"
    for name, line in zip(NAMES, lines[3:5], strict=True):
        assert name in line
    assert "crashed 2" in lines[4]
    notes = [line for line in lines if line.startswith("· ")]
    assert [note.split(":")[0] for note in notes] == [
        "· guessable seed",
        "· trust_memory = true",
        "· boards left by a forfeit",
    ]
    assert lines[-2].startswith("fingerprint ")
    assert lines[-1].startswith("log chain   ")


def test_json_is_one_envelope_and_the_same_as_the_file(arena: RunArena, cup: Path) -> None:
    for words in (["--json"], ["--format", "json"]):
        ended = arena("standings", cup, *words)
        assert ended.out == (cup / "standings.json").read_text("utf-8")
    document = json.loads(ended.out)
    assert list(document) == ["schema", "kind", "data"]
    assert [line["name"] for line in document["data"]["stages"][0]["entrants"]] == list(NAMES)
    assert len(document["data"]["fingerprint"]) == 64


def test_csv_and_markdown_hold_every_name_whole(arena: RunArena, cup: Path) -> None:
    rows = list(csv.DictReader(arena("standings", cup, "--format", "csv").out.splitlines()))
    assert [row["name"] for row in rows] == list(NAMES)
    assert [row["forfeits"] for row in rows] == ["0", "2"]
    page = arena("standings", cup.with_suffix(".toml"), "--format", "markdown").out
    assert page.startswith("# cup\n\n## Stage 1")
    assert 'Così è "bello" \\| 🂡' in page


def test_whoever_has_seen_enough_is_not_an_error(cup: Path) -> None:
    """``arena replay LOG | head -1``: done, and nothing to say."""
    words = [*COMMAND, "replay", str(logs_of(cup)[0])]
    shown = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert shown.stdout is not None
    shown.stdout.close()
    assert shown.stderr is not None
    assert shown.stderr.read() == b""
    shown.stderr.close()
    assert shown.wait(60) == 0


# --- replay ---------------------------------------------------------------------------


def logs_of(cup: Path) -> list[Path]:
    return sorted((cup / "logs").glob("*.jsonl.gz"))


def test_a_log_is_shown_trick_by_trick_packed_or_not(
    arena: RunArena, cup: Path, home: Path
) -> None:
    packed = logs_of(cup)[0]
    shown = arena("replay", packed)
    assert (shown.status, shown.err) == (0, "")
    assert NAMES[1] in shown.out
    assert "tired" in shown.out
    plain = home / "a log.jsonl"
    plain.write_bytes(gzip.decompress(packed.read_bytes()))
    assert arena("replay", plain).out == shown.out


def test_a_seat_sees_less(arena: RunArena, cup: Path) -> None:
    everything = arena("replay", logs_of(cup)[0])
    seen = arena("replay", logs_of(cup)[0], "--seat", "1")
    assert seen.status == 0
    assert seen.out != everything.out
    refused = arena("replay", logs_of(cup)[0], "--seat", "2")
    assert (refused.status, refused.out) == (2, "")
    assert "--seat 2: allowed are 0 to 1" in refused.err


def test_what_is_no_log_is_refused(arena: RunArena, cup: Path, home: Path) -> None:
    folder = arena("replay", cup)
    assert folder.status == 2
    assert "give one match log; for instance" in folder.err
    (home / "rubbish.jsonl").write_bytes(b"\x00rubbish\n")
    (home / "rubbish.jsonl.gz").write_bytes(b"\x1f\x8brubbish")
    (home / "empty.jsonl").touch()
    for name in ("rubbish.jsonl", "rubbish.jsonl.gz", "empty.jsonl"):
        ended = arena("replay", name)
        assert (ended.status, ended.out) == (1, "")
        assert len(ended.err.splitlines()) == 1
        assert name in ended.err
    other = arena("replay", cup / "event.jsonl")
    assert (other.status, len(other.err.splitlines())) == (1, 1)


def test_a_log_that_was_cut_is_shown_as_far_as_it_goes(
    arena: RunArena, cup: Path, home: Path
) -> None:
    whole = gzip.decompress(logs_of(cup)[0].read_bytes())
    (home / "cut.jsonl").write_bytes(whole[: len(whole) // 2])
    ended = arena("replay", "cut.jsonl")
    assert ended.status == 0
    assert NAMES[1] in ended.out
    assert "The log ends here" in ended.out
