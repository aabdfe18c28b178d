"""The frozen copies of an event are held against the hashes that its log names."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from arena.bots.built_tree import tree_digest
from arena.bots.frozen import content_hash
from arena.tournament.event_file import Entrant, EventFile
from arena.tournament.folder import EventFolder
from arena.tournament.freeze import Freeze
from arena.tournament.verify_bots import bots_wrong
from arena.tournament.verify_event import verify_event
from tests.tournament.played_event import play_event

NAMES = ("one", "two")
EVENT = EventFile(name="cup", entrants=tuple(Entrant(name=name, bot=name) for name in NAMES))


@pytest.fixture
def folder(tmp_path: Path) -> EventFolder:
    """Give a folder for frozen copies."""
    return EventFolder(tmp_path / "event")


@pytest.fixture
def frozen(folder: EventFolder) -> Freeze:
    """Freeze two bots there; the first one is built."""
    hashes = {name: freeze(folder, name) for name in NAMES}
    built = folder.bots / f"{hashes['one']}-built"
    built.mkdir()
    (built / "program").write_text("compiled")
    built.with_name(f"{built.name}.done").write_text(tree_digest(built))
    return Freeze(event="", arena_version="0.1.0", arena_files={}, entrants=hashes)


def freeze(folder: EventFolder, name: str) -> str:
    draft = folder.bots / name
    draft.mkdir(parents=True)
    (draft / "bot.py").write_text(name)
    return draft.rename(folder.bots / content_hash(draft)).name


def look(
    folder: EventFolder, frozen: Freeze, event: EventFile = EVENT
) -> tuple[list[str], list[str]]:
    notes: list[str] = []
    return [str(finding) for finding in bots_wrong(folder, event, frozen, notes)], notes


def test_copies_as_they_were_frozen_are_good(folder: EventFolder, frozen: Freeze) -> None:
    assert look(folder, frozen) == ([], [])


def test_a_changed_copy_is_named_with_its_entrant(folder: EventFolder, frozen: Freeze) -> None:
    copy = folder.bots / frozen.entrants["two"]
    (copy / "more.py").write_text("")
    (finding,), notes = look(folder, frozen)
    assert finding.startswith(f"{copy}: expected the frozen copy of two, as the event's log names")
    assert finding.endswith(f"found {content_hash(copy)}")
    assert notes == []


def test_a_copy_that_cannot_be_a_bot_is_a_changed_one(folder: EventFolder, frozen: Freeze) -> None:
    copy = folder.bots / frozen.entrants["two"]
    (copy / "out").symlink_to("/")
    (finding,), _ = look(folder, frozen)
    assert "found what no bot may hold: " in finding


def test_a_copy_that_is_gone_is_missed_while_others_are_there(
    folder: EventFolder, frozen: Freeze
) -> None:
    copy = folder.bots / frozen.entrants["one"]
    shutil.rmtree(copy)
    (finding,), _ = look(folder, frozen)
    assert finding == f"{copy}: expected the frozen copy of one, found none"


def test_a_folder_that_keeps_no_copy_is_told(folder: EventFolder, frozen: Freeze) -> None:
    shutil.rmtree(folder.bots)
    wrong, (note,) = look(folder, frozen)
    assert (wrong, "no frozen copy is kept here" in note) == ([], True)


@pytest.mark.parametrize("bot", ["remote", "-- python bot.py"])
def test_nothing_is_missed_of_who_was_never_copied(
    bot: str, folder: EventFolder, frozen: Freeze
) -> None:
    shutil.rmtree(folder.bots / frozen.entrants["two"])
    entrants = (EVENT.entrants[0], Entrant(name="two", bot=bot))
    assert look(folder, frozen, replace(EVENT, entrants=entrants)) == ([], [])


def test_a_build_that_was_changed_is_told(folder: EventFolder, frozen: Freeze) -> None:
    built = folder.bots / f"{frozen.entrants['one']}-built"
    (built / "program").write_text("another")
    wrong, (note,) = look(folder, frozen)
    assert (wrong, note) == (
        [],
        f"{built}: changed since one was built; the next start builds it again",
    )


def test_the_verdict_on_an_event_says_so(tmp_path: Path) -> None:
    folder = EventFolder(play_event(tmp_path / "played"))
    assert any("bots not looked at" in note for note in verify_event(folder).notes)
    copy = folder.bots / ("0" * 64)
    copy.mkdir()
    found = [str(finding) for finding in verify_event(folder).wrong]
    assert [one.partition(": ")[0] for one in found] == [str(copy), str(folder.bots / ("1" * 64))]
