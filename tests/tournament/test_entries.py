"""Entries are whole or not there, follow those of the event file, and keep their versions."""

from pathlib import Path

import msgspec
import pytest

from arena.errors import ConfigError, LogCorrupt
from arena.record.event_log import EventLog
from arena.tournament.begun import entrant_fields, read_begun
from arena.tournament.entered import read_event
from arena.tournament.entries import (
    Submission,
    draft,
    entries_of,
    keep,
    next_order,
    submissions,
    submissions_of,
    withdraw,
)
from arena.tournament.event_file import Entrant
from arena.tournament.folder import EventFolder, EventPlace
from arena.tournament.freeze import Freeze

BOT = 'name = "Fox in the file"\nversion = "1"\nrun = ["./bot"]\n'


@pytest.fixture
def folder(tmp_path: Path) -> EventFolder:
    path = tmp_path / "cup"
    path.mkdir()
    return EventFolder(path)


def submit(
    folder: EventFolder, name: str, *, is_entered: bool = True, tags: tuple[str, ...] = ()
) -> int:
    """Keep something under a name; give its number."""
    earlier = submissions_of(folder, name)
    order = earlier[0].submission.order if earlier else next_order(folder)
    with draft(folder) as work:
        (work / "report").mkdir()
        if is_entered:
            (work / "bot").mkdir()
            (work / "bot" / "bot.toml").write_text(BOT)
        submission = Submission(
            name=name,
            version="1",
            hash="0" * 64,
            authors=(),
            tags=tags,
            order=order,
            archive="x.zip",
            archive_sha256="1" * 64,
            is_entered=is_entered,
        )
        entry = keep(folder, work, submission)
    assert entry in [one for all_of in submissions(folder) for one in all_of]
    return entry.number


def names(folder: EventFolder) -> list[tuple[str, int]]:
    return [(entry.name, entry.number) for entry in entries_of(folder)]


def test_a_folder_without_entries_has_none(folder: EventFolder) -> None:
    assert (entries_of(folder), submissions(folder)) == ((), ())


def test_entries_stand_in_the_order_in_which_they_first_came(folder: EventFolder) -> None:
    for name in ("hen", "owl", "ant"):
        submit(folder, name)
    assert submit(folder, "hen") == 2
    assert names(folder) == [("hen", 2), ("owl", 1), ("ant", 1)]
    assert [len(of_name) for of_name in submissions(folder)] == [1, 2, 1]


def test_names_that_look_the_same_are_one_entry(folder: EventFolder) -> None:
    submit(folder, "Café")
    assert submit(folder, "CAFE") == 2
    assert names(folder) == [("CAFE", 2)]


@pytest.mark.parametrize("name", ["a/../../b", "🃏", "שלום", ".", "x" * 64, "con", "a:b=c"])
def test_any_name_has_a_folder_inside_entries(folder: EventFolder, name: str) -> None:
    submit(folder, name)
    (entry,) = entries_of(folder)
    assert entry.name == name
    assert entry.folder.parent.parent == folder.path / "entries"
    assert entry.folder.parent.name.isascii()


def test_what_was_refused_does_not_play_and_what_was_good_before_does(
    folder: EventFolder,
) -> None:
    assert submit(folder, "fox", is_entered=False) == 1
    assert names(folder) == []
    submit(folder, "fox")
    submit(folder, "fox", is_entered=False)
    assert names(folder) == [("fox", 2)]


def test_what_is_removed_lies_aside_and_its_place_is_not_given_again(folder: EventFolder) -> None:
    submit(folder, "fox")
    submit(folder, "hen")
    for _ in range(2):
        where = withdraw(folder, "FOX")
        assert (where / "1" / "bot" / "bot.toml").is_file()
        assert names(folder) == [("hen", 1)]
        submit(folder, "fox")
        assert names(folder) == [("hen", 1), ("fox", 1)]
    with pytest.raises(ConfigError, match=r"no entry 'owl'; there are 'hen', 'fox'"):
        withdraw(folder, "owl")


def test_a_killed_draft_is_no_entry_and_goes_with_the_next_one(folder: EventFolder) -> None:
    submit(folder, "fox")
    before = submissions(folder)
    dead = folder.path / "entries" / ".draft-dead"
    dead.mkdir()
    (dead / "entry.json").write_text("{")
    home = folder.path / "entries" / "hen-00000000"
    (home / "1").mkdir(parents=True)  # killed between the two steps of another arena
    assert submissions(folder) == before
    submit(folder, "owl")
    assert not dead.exists()


def test_a_draft_goes_with_folders_that_a_build_has_locked(folder: EventFolder) -> None:
    with draft(folder) as work:
        deep = work / "a" / "b"
        deep.mkdir(parents=True)
        (deep / "x").touch()
        (work / "link").symlink_to(folder.path)
        deep.chmod(0)
        deep.parent.chmod(0)
    assert list((folder.path / "entries").iterdir()) == []
    assert folder.path.is_dir()


def test_a_draft_that_fails_leaves_nothing(folder: EventFolder) -> None:
    def fail() -> None:
        with draft(folder) as work:
            (work / "x").write_text("x")
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert list((folder.path / "entries").iterdir()) == []


@pytest.mark.parametrize("text", ["{", "{}", "[]", '{"schema": 9}'])
def test_a_file_that_is_no_entry_is_named(folder: EventFolder, text: str) -> None:
    submit(folder, "fox")
    (entry,) = entries_of(folder)
    (entry.folder / "entry.json").write_text(text)
    with pytest.raises(ConfigError, match=r"entry\.json: not written by arena entry"):
        entries_of(folder)


def test_a_later_schema_is_refused(folder: EventFolder) -> None:
    submit(folder, "fox")
    (entry,) = entries_of(folder)
    later = msgspec.structs.replace(entry.submission, schema=2)
    (entry.folder / "entry.json").write_bytes(msgspec.json.encode(later))
    with pytest.raises(ConfigError, match="schema 2; known is 1"):
        entries_of(folder)


# --- who plays ------------------------------------------------------------------------------


def place_of(folder: EventFolder, text: str) -> EventPlace:
    return EventPlace(file=folder.path.parent / "cup.toml", folder=folder, content=text.encode())


def test_entries_follow_the_entrants_of_the_file_and_those_are_called_as_their_manifests_say(
    folder: EventFolder,
) -> None:
    bot = folder.path.parent / "a-folder"
    bot.mkdir()
    (bot / "bot.toml").write_text(BOT)
    submit(folder, "hen", tags=("student",))
    text = 'name = "c"\n[[entrant]]\nbot = "./a-folder"\n[[entrant]]\nbot = "./none:depth=3"\n'
    event = read_event(place_of(folder, text), None)
    (entry,) = entries_of(folder)
    assert event.entrants == (
        Entrant(name="Fox in the file", bot="./a-folder"),
        Entrant(name="none", bot="./none:depth=3"),
        Entrant(name="hen", bot=str(entry.bot.relative_to(folder.path.parent)), tags=("student",)),
    )


def test_a_file_without_entrants_is_played_by_entries_alone(folder: EventFolder) -> None:
    with pytest.raises(ConfigError, match="0 entered"):
        read_event(place_of(folder, 'name = "c"'), None)
    for name in ("hen", "owl"):
        submit(folder, name)
    event = read_event(place_of(folder, 'name = "c"'), None)
    assert [entrant.name for entrant in event.entrants] == ["hen", "owl"]


def test_once_an_event_has_begun_its_log_says_who_plays(folder: EventFolder) -> None:
    entrants = (
        Entrant(name="fox", bot="x", tags=("a",), options={"depth": 3, "safe": True}),
        Entrant(name="hen", bot="y"),
    )
    freeze = Freeze(
        event="e" * 64, arena_version="1", arena_files={}, entrants={"fox": "0", "hen": "1"}
    )
    with EventLog(folder.event_log, wall_time=lambda: "2026-01-01T00:00:00.000Z") as log:
        log.append(
            "event_opened",
            entrants=entrant_fields(entrants),
            bots_from="..",
            commitments=[],
            durable=True,
            **freeze.to_fields(),
        )
    begun = read_begun(folder)
    submit(folder, "late")
    assert read_event(place_of(folder, 'name = "c"'), begun).entrants == entrants


@pytest.mark.parametrize(
    "entrants", [[{"name": "fox", "bot": "x"}], [{"name": 3, "bot": "x"}], 3, [{"name": "fox"}]]
)
def test_entrants_in_the_log_that_are_not_those_of_its_hashes_are_corrupt(
    folder: EventFolder, entrants: object
) -> None:
    freeze = Freeze(event="e", arena_version="1", arena_files={}, entrants={"hen": "1"})
    with EventLog(folder.event_log, wall_time=lambda: "2026-01-01T00:00:00.000Z") as log:
        log.append(
            "event_opened",
            entrants=entrants,
            bots_from="..",
            commitments=[],
            durable=True,
            **freeze.to_fields(),
        )
    with pytest.raises(LogCorrupt, match="entrants"):
        read_begun(folder)
