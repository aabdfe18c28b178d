"""``arena new bot``: from nothing to a match."""

from pathlib import Path

import pytest

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


def test_an_unknown_language_is_told_with_those_that_there_are(arena: RunArena) -> None:
    ended = arena("new", "bot", "--language", "cobol", "mine")
    assert ended.status == 2
    assert "'cobol'" in ended.err
    assert "typescript" in ended.err
