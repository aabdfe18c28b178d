"""``arena pack`` and ``arena entry``: from an author's folder to the organiser's event."""

import json
import signal
import zipfile
from pathlib import Path

import pytest

from arena.tournament.folder import EventFolder, locked
from tests.bots.archives import write_zip
from tests.cli.bots import HIGH, LOW, write_bot, write_event
from tests.cli.conftest import RunArena, StartArena
from tests.cli.logs import standings_of

SILENT = "import sys; print('I am leaving', file=sys.stderr); sys.exit(3)"


def event_file(home: Path, *bots: str, more: str = "") -> Path:
    return write_event(home / "cup.toml", *bots, seed=None, more=more)


def packed(arena: RunArena, home: Path, name: str, script: str = LOW, **keys: str) -> str:
    """Write a bot, pack it, and remove its folder; give the archive's name."""
    extra = "".join(f"{key} = {value}\n" for key, value in keys.items())
    folder = write_bot(home / f"of {name}", script, name=name)
    manifest = folder / "bot.toml"
    manifest.write_text(extra + manifest.read_text("utf-8"), "utf-8")
    ended = arena("pack", folder, "-o", f"{name}.zip")
    assert ended.status == 0, ended
    return f"{name}.zip"


def listed(arena: RunArena, *more: str) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = json.loads(
        arena("entry", "list", "cup.toml", "--json", *more).out
    )["data"]["entries"]
    return rows


def test_packed_bots_are_entered_played_and_verified(arena: RunArena, home: Path) -> None:
    event_file(home)
    archives = [packed(arena, home, "fox"), packed(arena, home, "hen", HIGH)]
    added = arena("entry", "add", "cup.toml", *archives, "--tag", "student")
    assert added.status == 0, added
    assert [(row["name"], row["number"], row["tags"]) for row in listed(arena)] == [
        ("fox", 1, ["student"]),
        ("hen", 1, ["student"]),
    ]
    page = arena("entry", "list", "cup.toml").out
    assert page.splitlines()[0].split() == [
        "entrant", "version", "entry", "state", "tags", "authors", "hash",
    ]  # fmt: skip
    played = arena("run", "cup.toml")
    assert played.status == 0, played
    assert set(standings_of(home / "cup")) == {"fox", "hen"}
    assert arena("verify", "cup").status == 0
    assert arena("standings", "cup", "--tag", "student").status == 0
    again = arena("entry", "add", "cup.toml", archives[0])
    assert (again.status, "this event has begun with 2 entrants" in again.err) == (2, True), again
    out = arena("entry", "remove", "cup.toml", "fox")
    assert (out.status, "has begun" in out.err) == (2, True), out
    # Before the seeds are revealed cards are hidden, though the event file names nobody.
    log = home / "cup" / "event.jsonl"
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:-2]))
    hidden = arena("replay", "cup", "s1-r1-p1-o0-m1")
    assert (hidden.status, "not public" in hidden.err) == (2, True), hidden
    assert arena("replay", "cup", "s1-r1-p1-o0-m1", "--organiser").status == 0


def test_what_is_entered_has_the_hash_that_was_printed_when_it_was_packed(
    arena: RunArena, home: Path
) -> None:
    event_file(home)
    archive = packed(arena, home, "fox")
    told = json.loads(arena("pack", "of fox", "-o", archive, "--json").out)["data"]
    assert arena("entry", "add", "cup.toml", archive).status == 0
    (row,) = listed(arena)
    assert row["hash"] == told["hash"]


def test_an_author_gets_a_report_with_nothing_of_anybody_else(arena: RunArena, home: Path) -> None:
    event_file(home)
    good = packed(arena, home, "okapi")
    bad = packed(arena, home, "quail", SILENT)
    build = '["sh", "-c", "echo compiling; exit 4"]'
    unbuilt = packed(arena, home, "heron", build=build)
    ended = arena("entry", "add", "cup.toml", good, bad, unbuilt)
    assert ended.status == 1, ended
    assert "entered: okapi 1.0 (okapi.zip): entry 1" in ended.out
    assert "BAD, not entered: quail 1.0" in ended.out
    assert [row["name"] for row in listed(arena)] == ["okapi"]
    reports = {str(row["name"]): home / str(row["report"]) for row in listed(arena, "--all")}
    assert sorted(reports) == ["heron", "okapi", "quail"]
    assert "good" in (reports["okapi"] / "report.txt").read_text("utf-8")
    assert "exited with status 3" in (reports["quail"] / "report.txt").read_text("utf-8")
    assert (reports["quail"] / "stderr-1.txt").read_text("utf-8") == "I am leaving\n"
    assert (reports["heron"] / "build-1.log").read_text("utf-8") == "compiling\n"
    assert "whole output: build-1.log" in (reports["heron"] / "report.txt").read_text("utf-8")
    for name, folder in reports.items():
        data = json.loads((folder / "report.json").read_text("utf-8"))["data"]
        assert (data["bot"]["name"], data["good"]) == (name, name == "okapi")
        text = "".join(path.read_text("utf-8") for path in folder.iterdir())
        assert not any(other in text for other in {"okapi", "quail", "heron"} - {name})
        assert str(home) not in text
        assert (folder.parent / "bot").is_dir() == (name == "okapi")


def test_an_entry_is_replaced_and_kept_until_the_event_begins(arena: RunArena, home: Path) -> None:
    event_file(home, "owl")
    write_bot(home / "owl")
    assert arena("entry", "add", "cup.toml", packed(arena, home, "fox"), "--tag", "a").status == 0
    other = packed(arena, home, "FOX", HIGH)
    ended = arena("entry", "add", "cup.toml", other)
    assert "entry 2, replacing entry 1" in ended.out, ended
    assert [(row["name"], row["number"], row["tags"]) for row in listed(arena)] == [
        ("FOX", 2, ["a"])
    ]
    rows = [
        line.split()[:4] for line in arena("entry", "list", "cup.toml", "--all").out.splitlines()
    ]
    assert rows[1:] == [["fox", "1.0", "1", "replaced"], ["FOX", "1.0", "2", "plays"]]
    theirs = packed(arena, home, "fóx", authors='["somebody else"]')
    ended = arena("entry", "add", "cup.toml", theirs)
    assert (ended.status, "'fóx' is entered by nobody named" in ended.err) == (2, True), ended
    assert arena("entry", "add", "cup.toml", theirs, "--replace").status == 0
    gone = arena("entry", "remove", "cup.toml", "fox")
    assert (gone.status, listed(arena, "--all")) == (0, []), gone


def test_archives_are_refused_each_by_itself_and_nothing_of_them_stays(
    arena: RunArena, home: Path
) -> None:
    event_file(home, "owl")
    write_bot(home / "owl")
    (home / "rubbish.zip").write_bytes(b"PK\x03\x04 rubbish")
    (home / "empty.zip").write_bytes(b"")
    write_zip(home / "evil.zip", [("../../out.txt", b"x")])
    with zipfile.ZipFile(home / "bare.zip", "w") as archive:
        archive.writestr("bot.py", "")
    with zipfile.ZipFile(home / "wrong.zip", "w") as archive:
        archive.writestr("bot.toml", "name = 3")
    taken = packed(arena, home, "owl")
    good = packed(arena, home, "fox")
    words = [
        "rubbish.zip",
        "empty.zip",
        "evil.zip",
        "bare.zip",
        "wrong.zip",
        "none.zip",
        taken,
        good,
        good,
    ]
    ended = arena("entry", "add", "cup.toml", *words)
    assert ended.status == 2, ended
    assert ended.err.splitlines()[-1] == "arena: refused: 8 of 9 archives"
    refused = [line for line in ended.err.splitlines() if line.startswith("refused: ")]
    for said, says in zip(
        refused,
        [
            "is no zip that can be read: File is not a zip file",
            "is no zip that can be read: File is not a zip file",
            "leads out of the folder",
            "no bot.toml at its top",
            "bot.toml: ",
            "No such file",
            "the name of an [[entrant]] of",
            "the name of fox.zip in the same call",
        ],
        strict=True,
    ):
        assert says in said
    assert not (home.parent / "out.txt").exists()
    assert not (home / "out.txt").exists()
    kept = sorted(path.name for path in (home / "cup" / "entries").iterdir())
    assert [name.partition("-")[0] for name in kept] == ["fox"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("none.toml", "fox.zip"), "no such file or folder"),
        (("broken.toml", "fox.zip"), "is no TOML"),
        (("cup.toml", "a.zip", "b.zip", "--name", "x"), "--name is for one archive"),
        (("cup.toml",), "Missing argument"),
    ],
)
def test_wrong_words_make_nothing(
    arena: RunArena, home: Path, words: tuple[str, ...], says: str
) -> None:
    event_file(home)
    (home / "broken.toml").write_text("name = ")
    before = sorted(home.iterdir())
    ended = arena("entry", "add", *words)
    assert (ended.status, says in ended.err, ended.err.count("\n")) == (2, True, 1), ended
    assert sorted(home.iterdir()) == before


@pytest.mark.slow
def test_a_kill_in_the_middle_leaves_nothing_half(
    arena: RunArena, start_arena: StartArena, home: Path
) -> None:
    """Killed while the bot is checked: it builds for as long as nobody comes."""
    event_file(home)
    archive = packed(arena, home, "fox", build='["sh", "-c", "touch started; sleep 600"]')
    adding = start_arena("entry", "add", "cup.toml", archive)
    entries = home / "cup" / "entries"
    adding.until(lambda: any(entries.glob(".draft-*/check/bots/*/started")))
    adding.signal(signal.SIGKILL)
    adding.end()
    assert listed(arena, "--all") == []
    assert arena("entry", "add", "cup.toml", packed(arena, home, "hen")).status == 0
    assert [path.name.partition("-")[0] for path in entries.iterdir()] == ["hen"]


def test_a_run_that_holds_the_event_keeps_entries_out(arena: RunArena, home: Path) -> None:
    event_file(home)
    archive = packed(arena, home, "fox")
    assert arena("entry", "add", "cup.toml", archive).status == 0
    with locked(EventFolder(home / "cup")):
        for words in (("add", "cup.toml", archive), ("remove", "cup.toml", "fox")):
            ended = arena("entry", *words)
            assert (ended.status, "is running this event" in ended.err) == (2, True), ended
    assert len(listed(arena, "--all")) == 1


def test_an_event_without_entrants_yet_gives_its_terms_to_a_check_but_is_not_played(
    arena: RunArena, home: Path
) -> None:
    event_file(home)
    write_bot(home / "fox")
    ended = arena("check", "fox", "--event", "cup.toml")
    assert (ended.status, "plays gamelake-2" in ended.out) == (0, True), ended
    played = arena("run", "cup.toml")
    assert (played.status, "0 entered" in played.err) == (2, True), played
    assert "arena entry add" in played.err


def test_a_folder_that_is_given_before_the_start_takes_bots_from_where_the_file_lies(
    arena: RunArena, home: Path
) -> None:
    event_file(home, "owl")
    write_bot(home / "owl", HIGH)
    assert arena("entry", "add", "cup.toml", packed(arena, home, "fox")).status == 0
    assert arena("run", "cup").status == 0
    assert set(standings_of(home / "cup")) == {"fox", "owl"}
    (home / "cup").rename(home / "moved")
    assert arena("verify", "moved").status == 0
