"""An author's next command takes what the last one built; who must see a build sees one."""

import json
from pathlib import Path

import pytest

from tests.bots.sandbox.conftest import needs_sandbox
from tests.cli.bots import LOW, SPEAKS_LINES, write_bot, write_event
from tests.cli.conftest import RunArena, StartAtTerminal
from tests.cli.logs import standings_of
from tests.tournament.played_event import play_event

pytestmark = needs_sandbox
BUILDING = "building mine (the first time only"
TAKEN = "mine: built before; taken from the store of builds"
MATCH = ("match", "mine", "--boards", "1", "--ruleset", "gamelake-2")
BUILT_BY_A_STEP = (
    SPEAKS_LINES
    + """
run = ["python", "made.py"]
build = ["sh", "-c", "pwd > where; cp bot.py made.py"]
"""
)


@pytest.fixture(autouse=True)
def builds(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep builds in a folder of the test's; give it."""
    monkeypatch.setenv("ARENA_CACHE", str(home / "cache"))
    return home / "cache" / "builds"


def built_by_a_step(folder: Path, script: str = LOW) -> Path:
    return write_bot(folder, script, manifest=BUILT_BY_A_STEP)


def test_the_second_match_takes_what_the_first_built(
    arena: RunArena, home: Path, builds: Path
) -> None:
    bot = built_by_a_step(home / "mine")
    first = arena(*MATCH)
    assert (first.status, BUILDING in first.err, TAKEN in first.err) == (0, True, False), first
    second = arena(*MATCH, "-o", "second")
    assert (second.status, BUILDING in second.err, TAKEN in second.err) == (0, False, True), second
    assert set(standings_of(home / "second")) == {"mine", "greedy"}
    assert arena("verify", "second").status == 0
    for place in (home / "second" / "bots").glob("*-boxed/where"):
        assert place.read_text() == "/bot\n"
    (bot / "bot.py").write_text(LOW + "\n# changed\n")
    third = arena(*MATCH)
    assert (third.status, BUILDING in third.err, TAKEN in third.err) == (0, True, False), third
    assert len(list(builds.iterdir())) == 2


def test_compare_and_play_take_it_too(
    arena: RunArena, home: Path, at_terminal: StartAtTerminal
) -> None:
    built_by_a_step(home / "mine")
    assert BUILDING in arena(*MATCH).err
    compared = arena("compare", "mine", "greedy", "--boards", "20", "--ruleset", "gamelake-2")
    assert TAKEN in compared.err
    assert BUILDING not in compared.err
    table = at_terminal("play", "mine", "--ruleset", "gamelake-2", "--seed", "a table")
    table.type(b"q\n", at="your card: ")
    assert TAKEN in table.end().out


def test_ask_takes_it_and_leads_the_bot_within_the_sandbox(arena: RunArena, home: Path) -> None:
    """A bot may come from anybody: asked, it sees no more of this machine than at play."""
    play_event(home / "trial")
    built_by_a_step(home / "mine")
    assert BUILDING in arena(*MATCH).err
    words = ("ask", "trial", "s1-r1-p1-o0-m1", "--entrant", "greedy", "--repeat", "1")
    asked = arena(*words, "--", "mine")
    assert (asked.status, TAKEN in asked.err, BUILDING in asked.err) == (0, True, False), asked
    secret = home / "trial" / "event.toml"
    write_bot(home / "curious", f"import sys; open({str(secret)!r}).read()\n{LOW}")
    refused = arena(*words, "--", "curious")
    assert (refused.status, "No such file or directory" in refused.err) == (1, True), refused
    assert arena(*words, "--sandbox", "none", "--", "curious").status == 0


def test_a_quick_check_says_that_no_build_was_tried_and_a_full_one_builds(
    arena: RunArena, home: Path
) -> None:
    built_by_a_step(home / "mine", "import sys; sys.stdin.close(); sys.exit(3)")

    def found(*more: str) -> str:
        ended = arena("check", "mine", "--json", *more)
        assert ended.status == 1, ended
        rows = json.loads(ended.out)["data"]["verdicts"]
        return str(next(row["found"] for row in rows if row["rule"] == "build"))

    assert found() == "1 step"
    assert found() == "built before; taken from the store of builds (--full builds it again)"
    assert found("--full") == "1 step"


def test_an_event_and_an_entry_are_built_for_the_organiser(arena: RunArena, home: Path) -> None:
    built_by_a_step(home / "mine")
    assert BUILDING in arena(*MATCH).err
    write_event(home / "cup.toml", seed=None)
    assert arena("pack", "mine", "-o", "mine.zip").status == 0
    added = arena("entry", "add", "cup.toml", "mine.zip")
    assert (added.status, TAKEN in added.err) == (0, False), added
    assert BUILDING in added.err
    write_bot(home / "other")
    write_event(home / "open.toml", "mine", "other")
    played = arena("run", "open.toml")
    assert (played.status, BUILDING in played.err, TAKEN in played.err) == (0, True, False), played


def test_builds_are_not_kept_where_nobody_wants_it(
    arena: RunArena, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built_by_a_step(home / "mine")
    monkeypatch.setenv("ARENA_CACHE", "off")
    for _ in range(2):
        assert BUILDING in arena(*MATCH).err
    assert not (home / "cache").exists()


def test_a_cache_that_cannot_be_made_is_no_matter(
    arena: RunArena, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built_by_a_step(home / "mine")
    (home / "file").touch()
    monkeypatch.setenv("ARENA_CACHE", str(home / "file"))
    ended = arena(*MATCH)
    assert (ended.status, str(home / "file") in ended.err) == (0, False), ended


def test_a_build_of_no_sandbox_is_never_kept(arena: RunArena, home: Path, builds: Path) -> None:
    """It ran at a path that is another one next time."""
    built_by_a_step(home / "mine")
    for _ in range(2):
        ended = arena(*MATCH, "--sandbox", "none")
        assert (ended.status, BUILDING in ended.err) == (0, True), ended
    assert list(builds.iterdir()) == []
