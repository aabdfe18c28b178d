"""Commands that need no event: help, version, rulesets, deals, files to start from."""

import importlib
import inspect
import json
import re
import tomllib
from collections.abc import Callable, Iterator
from importlib.metadata import version
from itertools import chain
from pathlib import Path

import pytest

from arena.cli.main import COMMANDS
from arena.rules.cards import CARDS
from arena.rules.presets import PRESETS
from arena.tournament.event_reading import load_event
from tests.cli.conftest import RunArena

DOCUMENT = (Path(__file__).parents[2] / "docs/commands.md").read_text("utf-8")
VECTORS = Path(__file__).parent.parent / "data" / "deal_vectors.json"


def test_help_lists_every_command_in_its_group(arena: RunArena) -> None:
    for words in ([], ["--help"], ["-h"]):
        ended = arena(*words)
        assert (ended.status, ended.err) == (0, "")
        panels = [entry.panel for entry in COMMANDS]
        places = [ended.out.index(panel) for panel in dict.fromkeys(panels)]
        assert places == sorted(places)
        for entry in COMMANDS:
            assert f"│ {entry.name} " in ended.out
            assert entry.help in ended.out


@pytest.mark.parametrize("name", [entry.name for entry in COMMANDS])
def test_every_command_explains_itself(arena: RunArena, name: str) -> None:
    ended = arena(name, "--help")
    assert (ended.status, ended.err) == (0, "")
    assert f"Usage: arena {name}" in ended.out


def inner_commands() -> Iterator[tuple[str, str, Callable[..., object]]]:
    """Give all commands, those of groups too: the words that call them, and their functions."""
    for entry in COMMANDS:
        module = importlib.import_module(f"arena.cli.{entry.alias_of or entry.name}")
        if not entry.is_group:
            yield entry.name, entry.alias_of or entry.name, module.command
            continue
        for inner in module.app.registered_commands:
            yield f"{entry.name} {inner.name}", f"{entry.name} {inner.name}", inner.callback


@pytest.mark.parametrize(("words", "documented", "command"), list(inner_commands()))
def test_the_help_of_a_command_is_whole_at_80_columns_and_its_options_are_documented(
    arena: RunArena,
    monkeypatch: pytest.MonkeyPatch,
    words: str,
    documented: str,
    command: Callable[..., object],
) -> None:
    """All that its function says is shown, nothing is cut, no word is broken at a border."""
    monkeypatch.setenv("COLUMNS", "80")
    shown = arena(*words.split(), "--help").out
    assert max(map(len, shown.splitlines())) <= 80
    assert "…" not in shown.replace("[:key=value,…]", "")
    flowing = " ".join(re.sub("[│╭╮╰╯─]", " ", shown).split())
    assert " ".join((inspect.getdoc(command) or "?").split()) in flowing
    assert "|" not in re.sub(r"\[?MATCH\|ENTRANT\]?", "", shown)
    rows = [line for line in DOCUMENT.splitlines() if f"`arena {documented}" in line]
    everywhere = DOCUMENT[DOCUMENT.index("Options that mean the same everywhere") :]
    told = "\n".join((*rows, everywhere.partition("\n\n")[0]))
    options = set(re.findall(r"(?<=[│ ,])--[a-z][a-z0-9-]*(?= )", shown)) - {"--help"}
    assert {option for option in options if option not in told} == set()


@pytest.mark.parametrize("group", ["new", "rulesets"])
def test_a_group_alone_shows_what_it_holds(arena: RunArena, group: str) -> None:
    ended = arena(group)
    assert ended.status == 0
    assert f"Usage: arena {group}" in ended.out


def test_the_version_is_that_of_the_distribution(arena: RunArena) -> None:
    ended = arena("--version")
    assert (ended.status, ended.out) == (0, f"arena {version('tressette-arena')}\n")


# --- deal -----------------------------------------------------------------------------


@pytest.mark.parametrize("vector", json.loads(VECTORS.read_text("utf-8"))["vectors"])
def test_a_deal_is_flat_json_and_equals_the_published_vectors(
    arena: RunArena, vector: dict[str, object]
) -> None:
    ended = arena("deal", "--seed", str(vector["text"]), "--board", str(vector["board"]), "--json")
    assert ended.status == 0
    dealt = json.loads(ended.out)
    assert list(dealt) == ["seed", "commitment", "board", "leader", "hands", "stock", "monte"]
    for key in ("seed", "commitment", "board"):
        assert dealt[key] == vector[key]
    assert (dealt["stock"], dealt["monte"]) == ([], [])
    assert sorted(chain(*dealt["hands"])) == sorted(vector["deck"])  # type: ignore[call-overload]


def test_a_deal_for_two_has_a_stock_and_shows_who_leads(arena: RunArena) -> None:
    words = ["deal", "--seed", "été 🂡", "--board", "2", "--ruleset", "gamelake-2"]
    dealt = json.loads(arena(*words, "--json").out)
    assert [len(hand) for hand in dealt["hands"]] == [10, 10]
    assert (len(dealt["stock"]), dealt["leader"]) == (20, 1)
    shown = arena(*words)
    assert shown.status == 0
    for part in ("board 2 of gamelake-2", "guessable", "leads", "stock, top first: "):
        assert part in shown.out
    assert "leads" in next(line for line in shown.out.splitlines() if line.startswith("seat 1"))


def test_a_seed_is_given_as_a_text_or_as_its_digits(arena: RunArena) -> None:
    text = json.loads(arena("deal", "--seed", "x", "--json").out)
    assert json.loads(arena("deal", "--seed-hex", text["seed"], "--json").out) == text
    page = arena("deal", "--seed-hex", text["seed"].upper()).out
    assert "guessable" not in page
    hand = page.splitlines()[2].partition(": ")[2].split()[:10]
    assert hand == [str(card) for card in CARDS if str(card) in text["hands"][0]]
    for words, part in (
        (["--seed-hex", text["seed"][1:]], "exactly 64 hexadecimal digits, found 63"),
        (["--seed-hex", "x" * 64], "exactly 64 hexadecimal digits"),
        (["--seed-hex", text["seed"], "--seed", "x"], "give EVENT, --seed TEXT or --seed-hex"),
        ([], "give EVENT, --seed TEXT or --seed-hex"),
    ):
        refused = arena("deal", *words)
        assert (refused.status, refused.out) == (2, "")
        assert part in refused.err


# --- rulesets -------------------------------------------------------------------------


def test_rulesets_are_listed_in_every_format(arena: RunArena) -> None:
    listed = json.loads(arena("rulesets", "list", "--json").out)
    assert (listed["schema"], listed["kind"]) == (1, "rulesets")
    assert [ruleset["name"] for ruleset in listed["data"]] == list(PRESETS)
    for fmt, first in (("table", "ruleset  "), ("csv", "ruleset,"), ("markdown", "| ruleset |")):
        page = arena("rulesets", "list", "--format", fmt)
        assert page.status == 0
        assert page.out.startswith(first)
        assert all(name in page.out for name in PRESETS)


def test_a_ruleset_shows_every_option_and_what_was_changed(arena: RunArena) -> None:
    shown = json.loads(
        arena("rulesets", "show", "italian-tournament:declarations=off", "--json").out
    )
    assert shown["kind"] == "ruleset"
    assert shown["data"]["name"] == "italian-tournament:declarations=off"
    assert shown["data"]["declarations"] is False
    page = arena("rulesets", "show", "italian-tournament:declarations=off")
    assert all(option in page.out for option in shown["data"])


# --- new ------------------------------------------------------------------------------


def test_a_new_event_file_reads_back_and_plays(arena: RunArena, home: Path) -> None:
    made = arena("new", "event", "coppa d'estate.toml", "--name", 'La "coppa" d\'été')
    assert made.status == 0
    assert "next: arena run" in made.out
    file = home / "coppa d'estate.toml"
    event = load_event(file)
    assert event.name == 'La "coppa" d\'été'
    assert set(tomllib.loads(file.read_text("utf-8"))) >= {"clock", "conduct", "ruleset", "stage"}
    text = file.read_text("utf-8").replace("boards = 100", "boards = 1")
    file.write_text(text, "utf-8")
    played = arena("run", file.name)
    assert played.status == 0
    assert 'La "coppa" d\'été' in played.out
    assert (home / "coppa d'estate" / "standings.json").is_file()


def test_a_new_event_file_takes_no_file_s_place(arena: RunArena, home: Path) -> None:
    (home / "cup.toml").write_text("mine", "utf-8")
    for words, part in (
        (["cup.toml"], "cup.toml: exists"),
        (["nowhere/cup.toml"], "nowhere/cup.toml: cannot be written"),
        (["new.toml", "--name", " x"], "name: ' x'"),
    ):
        ended = arena("new", "event", *words)
        assert (ended.status, ended.out) == (2, "")
        assert part in ended.err
    assert (home / "cup.toml").read_text("utf-8") == "mine"
    assert not (home / "new.toml").exists()
