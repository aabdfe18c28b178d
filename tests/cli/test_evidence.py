"""``arena evidence`` packs a match for an appeal, and the archive verifies alone."""

import json
import zipfile
from pathlib import Path

import pytest

from tests.cli.conftest import RunArena
from tests.tournament.played_event import play_event

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
