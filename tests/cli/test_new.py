"""``arena new bot``: from nothing to a match."""

import re
import shlex
from pathlib import Path

import pytest

from arena.bots.templates import Language
from tests.cli.conftest import RunArena
from tests.cli.logs import standings_of

SHORT = ("--boards", "1", "--ruleset", "gamelake-2", "--sandbox", "none", "-o", "here")


@pytest.mark.parametrize("language", ["python", "lines"])
def test_a_new_bot_plays_as_it_is(arena: RunArena, home: Path, language: str) -> None:
    made = arena("new", "bot", "--language", language, "mine")
    assert made.status == 0
    assert made.out.endswith("next: arena match mine\n")
    ended = arena("match", "mine", *SHORT)
    assert ended.status == 0, ended.err
    assert set(standings_of(home / "here")) == {"mine", "greedy"}


def test_a_bot_called_remote_is_named_by_its_folder(arena: RunArena) -> None:
    assert arena("new", "bot", "remote").out.endswith("next: arena match ./remote\n")


def test_an_unknown_language_is_told_with_those_that_there_are(arena: RunArena) -> None:
    ended = arena("new", "bot", "--language", "cobol", "mine")
    assert ended.status == 2
    assert "'cobol'" in ended.err
    assert "typescript" in ended.err


def test_the_way_from_nothing_to_a_match_works_as_it_is_written(
    arena: RunArena, home: Path
) -> None:
    """What docs/writing-a-bot.md shows first is run word for word, but for the sandbox."""
    text = (Path(__file__).parents[2] / "docs" / "writing-a-bot.md").read_text("utf-8")
    shown = re.search(r"```sh\n(.*?)```", text, re.DOTALL)
    assert shown is not None
    commands = [shlex.split(line)[1:] for line in shown[1].splitlines()]
    assert [words[0] for words in commands] == ["new", "match", "match", "check"]
    for words in commands:
        ended = arena(*words, *(() if words[0] == "new" else ("--sandbox", "none")))
        assert ended.status == 0, ended.err
    assert (home / "mine" / "bot.toml").is_file()


def test_every_language_of_arena_new_is_in_the_document() -> None:
    text = (Path(__file__).parents[2] / "docs" / "writing-a-bot.md").read_text("utf-8")
    assert set(re.findall(r"^\| `([a-z-]+)` \| ", text, re.MULTILINE)) >= set(Language)
