"""``arena verify`` says what is good and what is not, by words and by its exit status."""

import gzip
import json
import os
import random
import shutil
import stat
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.record.read import MAX_LOG_BYTES
from arena.tournament.folder import EventFolder
from tests.cli.conftest import RunArena
from tests.record.make_golden import GOLDENS, OLD_GOLDENS
from tests.record.test_tampering import changed, golden_lines, place_of, resealed, without
from tests.tournament.played_event import play_event
from tests.tournament.test_verify_event import edit_log, noted_anew

LOG = GOLDENS / "italian-tournament.completed.jsonl"


@pytest.fixture
def event(home: Path) -> Path:
    """Give the folder of an event that was played."""
    return play_event(home / "trial")


def test_an_event_and_its_archive_are_good(arena: RunArena, event: Path) -> None:
    for what in (event, Path(shutil.make_archive(str(event), "zip", event.parent, event.name))):
        ended = arena("verify", what)
        assert ended.status == 0, ended
        assert "every deal follows from the seed" in ended.out
        assert ": good: 3 logs" in ended.out


def test_what_is_wrong_is_told_with_file_seq_expected_and_found(
    arena: RunArena, home: Path
) -> None:
    path = home / "log.jsonl"
    path.write_bytes(resealed(changed("card_played", 3, think_us=-5)(golden_lines())))
    ended = arena("verify", path)
    assert ended.status == 1
    assert f"WRONG: {path}, seq " in ended.out
    ended = arena("verify", path, "--json")
    (wrong,) = json.loads(ended.out)["data"]["wrong"]
    assert {"file", "seq", "expected", "found"} == wrong.keys()


def test_an_events_log_that_cannot_be_read_is_told_as_json_too(
    arena: RunArena, event: Path
) -> None:
    path = event / "event.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"match_counted"', b'"match_voided"', 1))
    ended = arena("verify", event, "--json")
    data = json.loads(ended.out)["data"]
    assert (ended.status, ended.err, data["good"]) == (1, "", False)
    (wrong,) = data["wrong"]
    assert "expected chain" in wrong["text"]


def test_a_seed_that_proves_nothing_is_wrong_input(
    arena: RunArena, home: Path, event: Path
) -> None:
    alone = Path(shutil.copytree(event / "logs", home / "alone"))
    proven = arena("verify", alone, "--seed", "a text")
    assert (proven.status, "every deal follows from the seed" in proven.out) == (0, True)
    for what, says in (
        (alone, "--seed is not the seed that this log commits to (nor that of 2 more)"),
        (min(alone.iterdir()), "--seed is not the seed that this log commits to"),
        (event, "--seed goes with logs outside their event"),
    ):
        ended = arena("verify", what, "--seed", "another text")
        assert (ended.status, ended.out, says in ended.err) == (2, "", True), ended


def test_a_folder_of_logs_is_verified(arena: RunArena) -> None:
    ended = arena("verify", GOLDENS, "--json")
    assert ended.status == 0
    data = json.loads(ended.out)["data"]
    assert (data["good"], data["logs"]) == (True, len(list(GOLDENS.iterdir())))
    assert data["plays_per_second"] > 0


def test_results_are_rebuilt(arena: RunArena, event: Path) -> None:
    (event / "results.sqlite").write_bytes(b"")
    assert arena("verify", event).status != 0
    ended = arena("verify", event, "--rebuild")
    assert (ended.status, "made anew from 3 logs" in ended.err) == (0, True)


@pytest.mark.parametrize("words", [("nowhere",), (LOG, "--rebuild"), (".",)])
def test_wrong_words_are_told(arena: RunArena, words: tuple[str | Path, ...]) -> None:
    ended = arena("verify", *words)
    assert ended.status == 2
    assert ended.err.count("\n") == 1
    assert "Traceback" not in ended.err


def zipped(path: Path, **files: bytes) -> Path:
    """Make an archive of files by name."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def a_fifo(path: Path) -> None:
    os.mkfifo(path)


def a_bomb(path: Path) -> None:
    with gzip.open(path, "wb", compresslevel=1) as file:
        for _ in range((MAX_LOG_BYTES >> 20) + 1):
            file.write(bytes(1 << 20))


def a_link(path: Path) -> None:
    entry = zipfile.ZipInfo("logs")
    entry.external_attr = stat.S_IFLNK << 16
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(entry, "/etc")


def a_pipe(path: Path) -> None:
    entry = zipfile.ZipInfo("a.jsonl")
    entry.external_attr = stat.S_IFIFO << 16
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(entry, "")


def twice(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        archive.writestr("a.jsonl", LOG.read_bytes())
        archive.writestr("a.jsonl", b"")


def of(content: bytes) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(content)


def archive(**files: bytes) -> Callable[[Path], object]:
    return lambda path: zipped(path, **files)


PACKED = gzip.compress(LOG.read_bytes())
RUBBISH: dict[str, tuple[str, Callable[[Path], object], str]] = {
    "nothing": ("a.jsonl", of(b""), "no match log: 0 bytes"),
    "a text": ("a.txt", of(b"hello\n"), "no match log: expected log_opened"),
    "JSON": ("a.jsonl", of(b'{"a":1}\n[]\n'), "no match log: expected log_opened"),
    "bytes": ("a.jsonl", of(bytes(range(256)) * 9), "no match log: expected log_opened"),
    "bytes that command a terminal": ("a.jsonl", of(b"\x1b]0;evil\x07\n"), "no match log"),
    "gzip cut in its first line": ("a.jsonl.gz", of(PACKED[:40]), "no match log"),
    "gzip cut in its head": ("a.jsonl.gz", of(PACKED[:9]), "no match log"),
    "no gzip": ("a.jsonl.gz", of(b"plain"), "compressed data is damaged"),
    "gzip of something else": ("a.jsonl.gz", of(gzip.compress(b"x\n" * 9)), "no match log"),
    "gzip that grows": ("a.jsonl.gz", a_bomb, "the longest log"),
    "a folder without logs": ("folder", Path.mkdir, "holds no match log"),
    "something that never ends": ("a.jsonl", a_fifo, "neither a file nor a folder"),
    "no zip": ("a.zip", of(b"PK\x03\x04 no archive"), "is no zip that can be read"),
    "a zip by another name": ("a.bin", of(b"PK\x03\x04 no archive"), "is no zip that can be read"),
    "an empty zip": ("a.zip", archive(), "holds no match log"),
    "a zip without logs": ("a.zip", archive(readme=b"x"), "holds no match log"),
    "a zip of rubbish": ("a.zip", archive(**{"a.jsonl": b"x\n"}), "a.zip/a.jsonl: no match log"),
    "a zip that leads out": ("a.zip", archive(**{"../a.jsonl": b"x"}), "leads out of the folder"),
    "a zip that leads out, by Windows": ("a.zip", archive(**{"..\\a": b"x"}), "a backslash"),
    "a zip of an absolute path": ("a.zip", archive(**{"/etc/a.jsonl": b"x"}), "absolute name"),
    "a zip with a link": ("a.zip", a_link, "a link; pack the file itself"),
    "a zip of one name twice": ("a.zip", twice, "'a.jsonl': is there twice"),
    "a zip of what is neither": ("a.zip", a_pipe, "is neither a file nor a folder"),
    "a zip that grows": ("a.zip", archive(a=bytes(17 << 20)), "allowed are 200 for one"),
}


@pytest.mark.parametrize("name", RUBBISH)
def test_what_is_no_record_is_wrong_input(arena: RunArena, home: Path, name: str) -> None:
    """One line that names it, and nothing said of how it was played."""
    called, make, words = RUBBISH[name]
    path = home / called
    make(path)
    ended = arena("verify", path)
    assert (ended.status, ended.out) == (2, "")
    assert words in ended.err
    assert str(path) in ended.err
    assert "arena-verify-" not in ended.err
    assert ended.err.count("\n") == 1
    assert ended.err.rstrip("\n").isprintable()


def test_rubbish_among_logs_is_named_and_the_logs_are_verified(arena: RunArena, home: Path) -> None:
    folder = home / "some"
    folder.mkdir()
    shutil.copy(LOG, folder)
    (folder / "rubbish.jsonl").write_bytes(b"x\n")
    ended = arena("verify", folder)
    assert ended.status == 1
    assert f"WRONG: {folder / 'rubbish.jsonl'}, seq 1: expected a match log" in ended.out
    assert "NOT as it was played: 2 logs, 80 plays" in ended.out


def test_a_log_that_is_damaged_after_its_head_is_a_log(arena: RunArena, home: Path) -> None:
    path = home / "log.jsonl.gz"
    for content in (PACKED[:3000], PACKED[:3000] + bytes(range(256)) * 4):
        path.write_bytes(content)
        ended = arena("verify", path)
        assert (ended.status, "NOT as it was played" in ended.out) == (1, True)


@pytest.mark.parametrize("seed", range(20))
def test_an_archive_damaged_anywhere_is_told_in_one_line(
    arena: RunArena, home: Path, seed: int
) -> None:
    content = bytearray(zipped(home / "log.zip", **{"a.jsonl": LOG.read_bytes()}).read_bytes())
    chance = random.Random(seed)  # noqa: S311  # to be repeated
    for _ in range(chance.randrange(1, 9)):
        content[chance.randrange(len(content))] = chance.randrange(256)
    (home / "log.zip").write_bytes(content[: chance.choice((None, chance.randrange(9000)))])
    ended = arena("verify", home / "log.zip")
    assert ended.status in {0, 1, 2}
    assert "Traceback" not in ended.err
    assert ended.err.count("\n") == (ended.status == 2)


def test_views_are_audited_when_asked(arena: RunArena, event: Path) -> None:
    ended = arena("verify", event, "--audit-views")
    assert (ended.status, "none hangs on a hidden card" in ended.out) == (0, True)
    assert "messages made anew, as the seats' digests have them" in ended.out


def test_an_event_whose_logs_do_not_say_what_was_sent_is_not_good(
    arena: RunArena, event: Path
) -> None:
    """Also where every seal, digest and chain was made anew."""
    folder = EventFolder(event)
    for path in folder.logs.iterdir():
        edit_log(folder, path.name, without("views"))
    noted_anew(folder)
    (event / "results.sqlite").unlink()
    assert arena("verify", event, "--rebuild").status == 0
    ended = arena("verify", event, "--audit-views")
    assert ended.status == 1
    assert ended.out.count("expected views in its seals") == 3


def test_what_is_wrong_otherwise_is_not_audited_and_says_so(arena: RunArena, event: Path) -> None:
    (event / "standings.json").unlink()
    ended = arena("verify", event, "--audit-views")
    assert (ended.status, "views not audited" in ended.out) == (1, True)


def test_a_log_of_the_first_schema_says_that_its_views_are_not_recorded(arena: RunArena) -> None:
    path = OLD_GOLDENS / LOG.name
    ended = arena("verify", path, "--audit-views")
    assert (ended.status, f"{path}: views not recorded" in ended.out) == (0, True)


def test_a_seat_that_was_sent_something_else_is_named(arena: RunArena, home: Path) -> None:
    def tell_more(lines: list[dict[str, object]]) -> list[dict[str, object]]:
        views = lines[place_of(lines, "deal_sealed", 1)]["views"]
        assert isinstance(views, list)
        views[2] = "0" * 32
        return lines

    path = home / "log.jsonl"
    path.write_bytes(resealed(tell_more(golden_lines())))
    assert arena("verify", path).status == 0
    ended = arena("verify", path, "--audit-views")
    assert ended.status == 1
    assert f"WRONG: {path}, seq " in ended.out
    assert "expected seat 2 sent what it may see up to the end of board 2" in ended.out


@pytest.mark.parametrize("json", [(), ("--json",)])
def test_what_bots_said_cannot_command_a_terminal(
    arena: RunArena, home: Path, json: tuple[str, ...]
) -> None:
    """Neither by a name, nor by last words on stderr, nor by a line that is no JSON."""
    crash = GOLDENS / "gamelake-4.forfeit_crash.jsonl"
    lines = crash.read_bytes().splitlines(keepends=True)
    assert "\u202e" in lines[0].decode()
    for place, line in (
        (0, lines[0].replace(b'"boards":1', b'"boards":2')),
        (-2, lines[-2].replace(b'"winner":', b'"win\x9b\x1b[2J":')),
        (-3, lines[-3].replace(b'"seat":1', b'"seat":2')),
        (5, b"\x1b]0;evil\x07\x9b\r\n"),
    ):
        path = home / "na\x1b[2Jme\udcff.jsonl"
        path.write_bytes(b"".join([*lines[:place], line, *lines[place:][1:]]))
        ended = arena("verify", path, *json)
        assert ended.status == 1
        shown = (ended.out + ended.err).replace("\n", "")
        assert shown.isprintable(), (place, shown)
        assert "na" in shown
