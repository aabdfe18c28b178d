"""``arena evidence`` packs a match for an appeal, and the archive verifies alone."""

import json
import shutil
import zipfile
from pathlib import Path

import pytest

from arena.tournament.folder import EventFolder
from tests.cli.conftest import RunArena
from tests.tournament.played_event import play_event
from tests.tournament.test_verify_event import edit_event_log, without_kind

MATCH = "s1-r1-p1-o0-m1"


@pytest.fixture
def event(home: Path) -> Path:
    """Play an event whose first match is at its second attempt; its bots wrote on stderr."""
    folder = play_event(home / "trial")
    for sitting in ("s1-r1-p1-o0", "s1-r1-p1-o1"):
        for seat in range(4):
            file = folder / "stderr" / f"{sitting}-m1.a1.seat{seat}.txt"
            file.write_text(f"seat {seat} thinks")
    return folder


def unpacked(archive: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(archive) as file:
        return {name: file.read(name) for name in file.namelist()}


def pack(archive: Path, files: dict[str, bytes]) -> None:
    with zipfile.ZipFile(archive, "w") as file:
        for name, content in files.items():
            file.writestr(name, content)


def test_an_archive_holds_all_of_one_match_and_verifies_without_its_event(
    arena: RunArena, home: Path, event: Path
) -> None:
    ended = arena("evidence", event, MATCH, "-o", "appeal.zip")
    assert (ended.status, "for the organiser" in ended.out) == (0, True), ended
    names = sorted(unpacked(home / "appeal.zip"))
    assert names == [
        "event.jsonl",
        "evidence.json",
        f"logs/{MATCH}.a1.jsonl",
        f"logs/{MATCH}.a2.jsonl",
        *(f"stderr/{MATCH}.a1.seat{seat}.txt" for seat in range(4)),
    ]
    event.rename(home / "away")
    proven = arena("verify", "appeal.zip", "--json")
    data = json.loads(proven.out)["data"]
    assert (proven.status, data["good"], data["logs"], data["deals"]) == (0, True, 2, "proven")


def test_the_same_evidence_is_the_same_archive_for_its_owner_alone(
    arena: RunArena, home: Path, event: Path
) -> None:
    for name in ("one.zip", "two.zip"):
        assert arena("evidence", event, MATCH, "-o", name).status == 0
    assert (home / "one.zip").read_bytes() == (home / "two.zip").read_bytes()
    assert (home / "one.zip").stat().st_mode & 0o777 == 0o600


def test_an_entrant_gets_the_stderr_of_its_own_bots_alone(
    arena: RunArena, home: Path, event: Path
) -> None:
    assert arena("evidence", event, MATCH, "--seat", "1").status == 0
    files = unpacked(home / f"{MATCH}.seat1.zip")
    stderr = [name for name in sorted(files) if name.startswith("stderr/")]
    assert stderr == [f"stderr/{MATCH}.a1.seat{seat}.txt" for seat in (1, 3)]


def test_an_entrant_gets_nothing_before_the_cards_are_public(arena: RunArena, home: Path) -> None:
    event = play_event(home / "cup", is_practice=False)
    lines = (event / "event.jsonl").read_bytes().splitlines(keepends=True)
    (event / "event.jsonl").write_bytes(b"".join(lines[:-2]))
    ended = arena("evidence", event, MATCH, "--seat", "1")
    assert (ended.status, "not public" in ended.err) == (2, True)
    assert arena("evidence", event, MATCH).status == 0
    proven = arena("verify", f"{MATCH}.zip")
    assert (proven.status, "not yet provable" in proven.out) == (0, True)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        (f"logs/{MATCH}.a2.jsonl", "expected SHA-256"),
        (f"stderr/{MATCH}.a1.seat0.txt", "expected SHA-256"),
        ("event.jsonl", "expected SHA-256"),
    ],
)
def test_a_file_that_was_changed_cut_out_or_put_in_is_found(
    arena: RunArena, home: Path, event: Path, name: str, says: str
) -> None:
    arena("evidence", event, MATCH, "-o", "appeal.zip")
    files = unpacked(home / "appeal.zip")
    pack(home / "changed.zip", {**files, name: files[name].replace(b"1", b"2").replace(b"t", b"T")})
    pack(home / "cut.zip", {one: content for one, content in files.items() if one != name})
    pack(home / "more.zip", {**files, "stderr/more.txt": b"more"})
    changed, cut, more = (arena("verify", f"{which}.zip") for which in ("changed", "cut", "more"))
    assert (changed.status, says in changed.out + changed.err) == (1, True), changed
    assert (cut.status, f"{name}: expected a file" in cut.out + cut.err) == (1, True), cut
    assert (more.status, "stderr/more.txt: expected no file" in more.out) == (1, True), more


def test_a_log_that_is_listed_anew_is_still_held_against_the_events_log(
    arena: RunArena, home: Path, event: Path
) -> None:
    arena("evidence", event, MATCH, "-o", "appeal.zip")
    files = unpacked(home / "appeal.zip")
    other = next(path for path in (event / "logs").glob("s1-r1-p1-o1-m1.a1.*"))
    listed = json.loads(files["evidence.json"])
    name = f"logs/{MATCH}.a1.jsonl"
    del files[name], listed["files"][name]
    files["evidence.json"] = json.dumps(listed).encode()
    files[f"logs/{MATCH}.a2.jsonl"] = other.read_bytes().replace(b"o1-m1", b"o0-m1", 1)
    pack(home / "forged.zip", files)
    assert arena("verify", "forged.zip").status == 1


def test_an_attempt_that_was_left_out_is_missed(arena: RunArena, home: Path, event: Path) -> None:
    arena("evidence", event, MATCH, "-o", "appeal.zip")
    files = unpacked(home / "appeal.zip")
    listed = json.loads(files["evidence.json"])
    name = f"logs/{MATCH}.a1.jsonl"
    del files[name], listed["files"][name]
    pack(home / "less.zip", {**files, "evidence.json": json.dumps(listed).encode()})
    ended = arena("verify", "less.zip")
    assert ended.status == 1
    assert f"expected the log of match {MATCH} attempt 1" in ended.out


def killed(event: Path) -> Path:
    """Let a kill have broken off the first attempt, of which the event's log says nothing."""
    log = event / "logs" / f"{MATCH}.a1.jsonl"
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:-9]))
    edit_event_log(EventFolder(event), without_kind("match_voided"))
    return log


def test_evidence_of_a_match_that_a_kill_broke_off_once_is_good(
    arena: RunArena, event: Path
) -> None:
    log = killed(event)
    assert arena("evidence", event, MATCH, "-o", "appeal.zip").status == 0
    for what in ("appeal.zip", event / "logs"):
        ended = arena("verify", what)
        assert (ended.status, ended.out.count("neither counted nor voided")) == (0, 1), ended
    # What was cut elsewhere is still missed.
    (event / "logs" / f"{MATCH}.a2.jsonl").write_bytes(log.read_bytes())
    assert arena("verify", event / "logs").status == 1


def test_evidence_of_an_event_that_goes_on_meanwhile_is_good(arena: RunArena, event: Path) -> None:
    """A last line that is not whole yet is left out."""
    with (event / "event.jsonl").open("ab") as log:
        log.write(b'{"seq":99,"time":"2026-')
    assert arena("evidence", event, MATCH, "-o", "appeal.zip").status == 0
    ended = arena("verify", "appeal.zip")
    assert (ended.status, ": good: 2 logs" in ended.out) == (0, True), ended


def test_an_archive_can_be_replayed_and_asked_as_it_is(
    arena: RunArena, home: Path, event: Path
) -> None:
    arena("evidence", event, MATCH, "-o", "appeal.zip")
    whole = Path(shutil.make_archive(str(home / "whole"), "zip", event.parent, event.name))
    counted = arena("replay", event, MATCH)
    assert (counted.status, "attempt 2" in counted.out) == (0, True)
    for words in (("appeal.zip",), ("appeal.zip", MATCH), (whole, MATCH)):
        assert arena("replay", *words).out == counted.out
    assert "attempt 1" in arena("replay", "appeal.zip", f"{MATCH}.a1").out
    unnamed = arena("replay", whole)
    assert (unnamed.status, f"name a match, for instance {MATCH}" in unnamed.err) == (2, True)
    seq = arena("ask", "appeal.zip", "--decision", "1", "--", "greedy").err.split()[-1]
    asked = arena("ask", "appeal.zip", "--decision", seq, "--", "greedy")
    assert (asked.status, asked.out.startswith(f"{MATCH}, seq {seq}: ")) == (0, True), asked


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("s1-r9-p1-o0-m1",), "no log of match"),
        (("nonsense",), "nonsense"),
        ((MATCH, "--seat", "4"), "allowed are 0 to 3"),
        ((MATCH, "-o", "there.zip"), "exists already"),
    ],
)
def test_wrong_words_are_told(
    arena: RunArena, home: Path, event: Path, words: tuple[str, ...], says: str
) -> None:
    (home / "there.zip").touch()
    ended = arena("evidence", event, *words)
    assert (ended.status, says in ended.err, ended.err.count("\n")) == (2, True, 1), ended
