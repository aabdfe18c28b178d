"""One rule for an entrant that nobody names: it is called as its bot's manifest says."""

import json
from pathlib import Path

from tests.cli.bots import HIGH, write_bot, write_event
from tests.cli.conftest import RunArena
from tests.cli.logs import standings_of

SHORT = ("--boards", "1", "--ruleset", "gamelake-2", "--sandbox", "none")


def test_a_folder_and_its_manifest_that_differ_give_one_name_everywhere(
    arena: RunArena, home: Path
) -> None:
    write_bot(home / "folder-one", name="Fox")
    write_bot(home / "folder-two", HIGH, name="Hen")
    assert arena("match", "folder-one", "folder-two", *SHORT, "-o", "match").status == 0
    assert set(standings_of(home / "match")) == {"Fox", "Hen"}
    event = write_event(home / "cup.toml", "folder-one", "folder-two")
    assert arena("run", event).status == 0
    assert set(standings_of(home / "cup")) == {"Fox", "Hen"}
    for name in ("folder-one", "folder-two"):
        assert arena("pack", name).status == 0
    write_event(home / "open.toml")
    assert arena("entry", "add", "open.toml", "folder-one.zip", "folder-two.zip").status == 0
    rows = json.loads(arena("entry", "list", "open.toml", "--json").out)["data"]["entries"]
    assert [row["name"] for row in rows] == ["Fox", "Hen"]


def test_an_event_that_began_is_read_after_its_bots_are_gone(arena: RunArena, home: Path) -> None:
    write_bot(home / "folder-one", name="Fox")
    write_bot(home / "folder-two", HIGH, name="Hen")
    assert arena("run", write_event(home / "cup.toml", "folder-one", "folder-two")).status == 0
    for name in ("folder-one", "folder-two"):
        (home / name).rename(home / f"{name} away")
    for words in (("standings", "cup"), ("verify", "cup"), ("status", "cup"), ("plan", "cup")):
        ended = arena(*words)
        assert ended.status == 0, ended
    assert "Fox" in arena("standings", "cup").out


def test_bots_whose_names_look_the_same_play_a_match_under_two(arena: RunArena, home: Path) -> None:
    write_bot(home / "one", name="Fox")
    write_bot(home / "two", HIGH, name="FOX")
    assert arena("match", "one", "two", *SHORT, "-o", "match").status == 0
    assert set(standings_of(home / "match")) == {"Fox", "FOX 2"}
    refused = arena("run", write_event(home / "cup.toml", "one", "two"))
    assert (refused.status, "'FOX' looks like 'Fox', the name of [[entrant]] 1" in refused.err) == (
        2,
        True,
    ), refused
