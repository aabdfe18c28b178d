"""``arena standings`` and ``arena replay``: what was played, for people and for machines."""

import csv
import gzip
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from arena.record.event_log import read_event_log
from arena.record.read import read_log
from arena.rules.events import DealStarted
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
        "· ranked by points_per_board; everything else is for information",  # no board was whole
        *(["· no interval"] if "no interval" in lines[3] + lines[4] else []),
        "· guessable seed",
        "· trust_memory = true",
        "· boards left by a forfeit",
        *(["· † of what was played out only"] if "†" in lines[3] + lines[4] else []),
    ]
    assert lines[-3].startswith("fingerprint ")
    assert lines[-2].startswith("commitment  ")
    assert lines[-1].startswith("log chain   ")


def test_json_is_one_envelope_and_the_same_as_the_file(arena: RunArena, cup: Path) -> None:
    for words in (["--json"], ["--format", "json"]):
        ended = arena("standings", cup, *words)
        document = json.loads(ended.out)
        # The file is the same in every run of the event; the chain holds times.
        assert len(document["data"].pop("log_chain")) == 64
        assert document == json.loads((cup / "standings.json").read_bytes())
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
    assert page.splitlines()[-1].startswith("- log chain   ")


def test_an_event_file_that_was_changed_and_newer_events_are_told(
    arena: RunArena, cup: Path, home: Path
) -> None:
    shutil.copytree(cup, home / "cup")
    (home / "cup.toml").write_bytes(cup.with_suffix(".toml").read_bytes())
    assert arena("standings", "cup.toml").err == ""
    shutil.copytree(cup, home / "cup-2")
    with (home / "cup.toml").open("a") as file:
        file.write("\n# changed\n")
    ended = arena("standings", "cup.toml")
    assert ended.status == 0
    changed, newer = ended.err.splitlines()
    assert changed == (
        "cup.toml: changed since cup was played; these standings are of cup/event.toml"
    )
    assert newer == "cup-2: a newer event of this name; see arena standings cup-2"
    (home / "cup" / "event.toml").write_bytes((home / "cup.toml").read_bytes())
    edited = arena("standings", "cup")
    assert (edited.status, edited.out) == (2, "")
    assert "not the file that the event in cup began with" in edited.err


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
    again = arena("replay", plain)
    assert again.out.splitlines()[:-1] == shown.out.splitlines()[:-1]
    checked = re.compile(r"checked: \d+ events as the rules have it, seals whole; (.*)")
    for page, by in (
        (shown, "event.jsonl counts it with this digest"),
        (again, "in no event's folder, so nothing vouches for the seals"),
    ):
        found = checked.fullmatch(page.out.splitlines()[-1])
        assert found is not None
        assert found[1] == by


def test_a_match_of_an_event_is_shown_by_its_id(arena: RunArena, cup: Path) -> None:
    log = logs_of(cup)[0]
    match, attempt = log.name.split(".")[:2]
    whole = arena("replay", log)
    for same in ((cup, match), (cup.with_suffix(".toml"), f"{match}.{attempt}"), (cup, log.name)):
        assert arena("replay", *same).out == whole.out
    one = arena("replay", cup, match, "--deal", "1")
    assert (one.status, "Deal 1, board 1" in one.out) == (0, True)
    for words, parts in (
        ((cup, "s9-r1-p1-o0-m1"), ("no log of match s9-r1-p1-o0-m1",)),
        ((cup, f"{match}.a7"), ("attempt 7; there are attempts 1",)),
        ((cup, "first"), ("'first' is no match id",)),
        ((log, match), ("is no event",)),
        ((cup, match, "--deal", "99"), ("deal 99: this match has deals 1 to",)),
    ):
        refused = arena("replay", *words)
        assert (refused.status, refused.out) == (2, "")
        assert all(part in refused.err for part in parts), refused.err


def test_a_forged_log_is_shown_as_forged(arena: RunArena, cup: Path, home: Path) -> None:
    lines = gzip.decompress(logs_of(cup)[0].read_bytes()).splitlines(keepends=True)
    place = next(n for n, line in enumerate(lines) if b'"event":"trick_won"' in line)
    forged = re.sub(rb'"thirds":(\d)', rb'"thirds":1\1', lines[place])
    assert forged != lines[place]
    (home / "forged.jsonl").write_bytes(b"".join([*lines[:place], forged, *lines[place + 1 :]]))
    ended = arena("replay", "forged.jsonl")
    assert ended.status == 1
    said = f"this log is not what the arena wrote: forged.jsonl, seq {place + 1}: expected "
    assert ended.out.startswith(f"CAREFUL: {said}")
    assert ended.err.startswith(f"arena: {said}")
    assert "checked" not in ended.out
    seen = arena("replay", "forged.jsonl", "--seat", "0")
    assert seen.status == 1
    assert f"forged.jsonl, seq {place + 1}" in seen.err
    assert "expected" not in seen.err


def test_a_board_is_dealt_again_from_the_revealed_seed(arena: RunArena, cup: Path) -> None:
    lines = read_event_log(cup / "event.jsonl")
    revealed = next(line for line in lines if line.kind == "seed_revealed").fields["seeds"]
    assert isinstance(revealed, list)
    (seed,) = revealed
    record = read_log(logs_of(cup)[0])
    (first, *_) = (line.event for line in record.lines if isinstance(line.event, DealStarted))
    again = arena(
        "deal", "--seed-hex", seed, "--board", str(first.board),
        "--ruleset", record.header.ruleset.name, "--json",
    )  # fmt: skip
    dealt = json.loads(again.out)
    assert dealt["commitment"] == record.header.commitment
    assert dealt["leader"] == first.leader
    assert [sorted(hand) for hand in dealt["hands"]] == [
        sorted(map(str, hand)) for hand in first.hands
    ]
    assert dealt["stock"] == [str(card) for card in first.stock]


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
    assert "is an event's folder, not a match log; name a match, for instance" in folder.err
    logs = arena("replay", cup / "logs")
    assert (logs.status, "give one match log; for instance" in logs.err) == (2, True)
    (home / "due.toml").write_text('name = "due"\n', "utf-8")
    due = arena("replay", "due.toml")
    assert (due.status, due.out) == (2, "")
    assert "due.toml: is an event file, not a match log, and no match of it was played" in due.err
    (home / "rubbish.jsonl").write_bytes(b"\x00rubbish\n")
    (home / "rubbish.jsonl.gz").write_bytes(b"\x1f\x8brubbish")
    (home / "empty.jsonl").touch()
    for name in ("rubbish.jsonl", "rubbish.jsonl.gz", "empty.jsonl"):
        ended = arena("replay", name)
        assert (ended.status, ended.out) == (2, "")
        assert len(ended.err.splitlines()) == 1
        assert name in ended.err
    other = arena("replay", cup / "event.jsonl")
    assert (other.status, len(other.err.splitlines())) == (2, 1)
    assert "is an event's own log, not a match's" in other.err


def test_a_log_that_was_cut_is_shown_as_far_as_it_goes(
    arena: RunArena, cup: Path, home: Path
) -> None:
    whole = gzip.decompress(logs_of(cup)[0].read_bytes())
    (home / "cut.jsonl").write_bytes(whole[: len(whole) // 2])
    ended = arena("replay", "cut.jsonl")
    assert ended.status == 0
    assert NAMES[1] in ended.out
    assert "The log ends here" in ended.out
    assert "but the log has no end" in ended.out.splitlines()[-1]
