"""``arena play``: a person's seat in the terminal."""

import itertools
import re

import pytest

from arena.rules.cards import CARDS
from tests.cli.conftest import RunArena

WORDS = ("play", "--sandbox", "none", "--ruleset", "gamelake-2", "--seed", "a table")


def test_a_person_plays_a_deal_to_its_end(arena: RunArena, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person who types all cards in turn plays those that are legal."""
    typed = itertools.cycle([card.name.lower() for card in CARDS])
    monkeypatch.setattr("builtins.input", lambda _prompt: next(typed))
    ended = arena(*WORDS)
    assert ended.status == 0, ended.err
    hands = [line for line in ended.out.splitlines() if line.startswith("your hand: ")]
    assert len(hands) == 20
    assert all(re.search(r"\[\w\w\]", hand) for hand in hands)
    assert "you are seat 0" in ended.out
    assert re.search(r"The match is over: your side \d+, the other \d+", ended.out)


def test_what_may_not_be_played_is_asked_again(
    arena: RunArena, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = itertools.chain(["X9"], itertools.cycle([card.name for card in CARDS]))
    monkeypatch.setattr("builtins.input", lambda _prompt: next(typed))
    assert "X9: allowed are " in arena(*WORDS).out


def test_an_input_that_ends_is_told_in_one_line(
    arena: RunArena, monkeypatch: pytest.MonkeyPatch
) -> None:
    def end(_prompt: str) -> str:
        raise EOFError

    monkeypatch.setattr("builtins.input", end)
    ended = arena(*WORDS)
    assert ended.status == 2
    assert ended.err.splitlines()[-1] == "arena: the input ended before the match did"
