"""``arena play``: a person's seat in the terminal."""

import itertools
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from arena.cli.person import HELP
from arena.rules.cards import CARDS
from arena.rules.presets import PRESETS
from tests.cli.bots import bad_bot
from tests.cli.conftest import RunArena, StartAtTerminal

WORDS = ("play", "--sandbox", "none", "--ruleset", "gamelake-2", "--seed", "a table")
CARD_NAMES = [card.name.lower() for card in CARDS]
DECLARING = "4"
"""A seed by which the person's seat and another have something to declare."""


def typing(monkeypatch: pytest.MonkeyPatch, *first: str, then: Iterable[str] = CARD_NAMES) -> None:
    """Let a person type these lines, and then the others again and again; yes to declarations."""
    lines = itertools.chain(first, itertools.cycle(then))
    monkeypatch.setattr(
        "builtins.input", lambda prompt: "" if prompt.startswith("declare") else next(lines)
    )


def test_a_person_plays_a_deal_to_its_end(arena: RunArena, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person who types all cards in turn plays those that are legal."""
    typing(monkeypatch)
    ended = arena(*WORDS)
    assert ended.status == 0, ended.err
    hands = [line for line in ended.out.splitlines() if line.startswith("your hand: ")]
    assert len(hands) == 20
    assert all(re.search(r"\[\w\w\]", hand) for hand in hands)
    assert "you are seat 0" in ended.out
    assert "on the table: nothing, you lead; stock 20" in ended.out
    assert re.search(r"The match is over: your side \d+, the other \d+", ended.out)


@pytest.mark.parametrize("ruleset", PRESETS)
def test_every_ruleset_can_be_played(
    arena: RunArena, monkeypatch: pytest.MonkeyPatch, ruleset: str
) -> None:
    typing(monkeypatch)
    ended = arena("play", "--sandbox", "none", "--ruleset", ruleset, "--seed", "a table")
    assert ended.status == 0, ended.err
    assert "The match is over" in ended.out


@pytest.mark.parametrize(("knave", "horse", "king"), [("8", "9", "10"), ("f", "h", "r")])
def test_faces_can_be_typed_by_their_other_names(
    arena: RunArena, monkeypatch: pytest.MonkeyPatch, knave: str, horse: str, king: str
) -> None:
    """Whoever knows the cards in Italian, or by number, need not learn letters (rules.md §0)."""
    faces = str.maketrans({"j": knave, "h": horse, "k": king, "a": "1"})
    typing(monkeypatch, then=[name.translate(faces) for name in CARD_NAMES])
    ended = arena(*WORDS)
    assert ended.status == 0, ended.err
    assert "The match is over" in ended.out


@pytest.mark.parametrize(
    "wrong",
    ["X9", "D11", "D3 D3 D3", "\x00", "\x1b[2J", "", "D" * 10_000, "\udcff", "🂡", "D3 busso"],
)
def test_what_may_not_be_played_is_asked_again(
    arena: RunArena, monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    typing(monkeypatch, wrong, "q")
    ended = arena(*WORDS)
    assert ended.status == 0
    (line,) = (line for line in ended.out.splitlines() if ": allowed are " in line)
    assert len(line) < 120
    assert line.isprintable()


def test_bytes_that_are_no_text_are_asked_again(
    arena: RunArena, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = iter([b"\xff", b"q"])
    monkeypatch.setattr("builtins.input", lambda _prompt: next(lines).decode("utf-8"))
    ended = arena(*WORDS)
    assert ended.status == 0
    assert "\N{REPLACEMENT CHARACTER}: allowed are " in ended.out


def test_help_is_given_and_how_to_leave_told(
    arena: RunArena, monkeypatch: pytest.MonkeyPatch
) -> None:
    typing(monkeypatch, "?", "quit")
    ended = arena(*WORDS)
    assert ended.status == 0
    assert "type a card, ? for help, q to leave" in ended.out
    assert "D coins, C cups, S swords, B clubs" in ended.out
    assert ended.err.splitlines()[-1] == "you left the table"


@pytest.mark.parametrize(("answer", "is_declared"), [("", True), ("maybe", True), ("n", False)])
def test_combinations_are_offered_and_others_are_told(
    arena: RunArena, monkeypatch: pytest.MonkeyPatch, answer: str, *, is_declared: bool
) -> None:
    cards = itertools.cycle(CARD_NAMES)
    said = itertools.chain([answer], itertools.repeat("y"))
    monkeypatch.setattr(
        "builtins.input", lambda prompt: next(said if prompt.startswith("declare") else cards)
    )
    ended = arena("play", "--sandbox", "none", "--ruleset", "cardgames-zone-4", "--seed", DECLARING)
    assert ended.status == 0, ended.err
    assert ("seat 0 declares " in ended.out) is is_declared
    assert ("MAYBE: type y or n" in ended.out) is (answer == "maybe")
    assert re.search(r"seat [123] declares .*: \d points", ended.out)


def test_a_word_goes_behind_the_card(arena: RunArena, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("busso", "volo", "liscio", "piombo", "striscio")
    typing(monkeypatch, then=[f"{card} {word}" for card in CARD_NAMES for word in words])
    ended = arena(
        "play", "--sandbox", "none", "--ruleset", "italian-tournament", "--seed", "a table"
    )
    assert ended.status == 0, ended.err
    assert "(and with a card: " in ended.out


def test_an_input_that_ends_is_told_in_one_line(
    arena: RunArena, monkeypatch: pytest.MonkeyPatch
) -> None:
    def end(_prompt: str) -> str:
        raise EOFError

    monkeypatch.setattr("builtins.input", end)
    ended = arena(*WORDS)
    assert ended.status == 2
    assert ended.err.splitlines()[-1] == "the input ended before the match did"


def test_an_input_that_was_never_there_is_told_in_one_line(
    arena: RunArena, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", None)
    ended = arena(*WORDS)
    assert ended.status == 2
    assert ended.err.splitlines()[-1] == "the input ended before the match did"


@pytest.mark.parametrize(("ruleset", "tricks"), [("gamelake-2", 20), ("pagat-4", 10)])
def test_every_trick_is_told_the_last_one_of_a_deal_too(
    arena: RunArena, monkeypatch: pytest.MonkeyPatch, ruleset: str, tricks: int
) -> None:
    typing(monkeypatch)
    words = ("--ruleset", ruleset, "--seed", "a table", "--boards", "2")
    ended = arena("play", "--sandbox", "none", *words)
    assert ended.status == 0, ended.err
    seats = 2 if ruleset == "gamelake-2" else 4
    cards = " ".join(rf"{seat}:\w\w" for seat in range(seats))
    told = re.findall(rf"^  seat \d led; {cards}; seat \d won$", ended.out, re.MULTILINE)
    assert len(told) == 2 * tricks
    assert ended.out.rindex(" won\n") < ended.out.index("The match is over")


def test_cards_drawn_in_the_open_are_told(arena: RunArena, monkeypatch: pytest.MonkeyPatch) -> None:
    typing(monkeypatch)
    ended = arena("play", "--sandbox", "none", "--ruleset", "pagat-2", "--seed", "a table")
    assert len(re.findall(r"^  you draw \w\w$", ended.out, re.MULTILINE)) == 10
    assert len(re.findall(r"^  seat 1 draws \w\w$", ended.out, re.MULTILINE)) == 10


def test_a_bot_that_fails_at_the_table_is_told_why(
    arena: RunArena, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad_bot(home / "mine", "raise ValueError('a mistake of mine')")
    typing(monkeypatch)
    ended = arena("play", "mine", "--sandbox", "none", "--ruleset", "gamelake-2")
    assert ended.status == 1
    assert "you play against mine" in ended.err
    assert "forfeit_crash by seat 1: bot mine 1.0: exited with status 1" in ended.err
    assert "a mistake of mine" in ended.err


def test_ctrl_d_at_a_terminal_leaves_the_table(
    arena: RunArena, monkeypatch: pytest.MonkeyPatch
) -> None:
    def end(_prompt: str) -> str:
        raise EOFError

    monkeypatch.setattr("builtins.input", end)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    ended = arena(*WORDS)
    assert ended.status == 0
    assert ended.err.splitlines()[-1] == "you left the table"


@pytest.mark.parametrize(
    ("keys", "says", "status"),
    [
        (b"\x03", "arena: interrupted", 4),
        (b"\x04", "you left the table", 0),
        (b"q\n", "you left the table", 0),
    ],
)
def test_each_way_to_leave_ends_as_the_help_says_on_a_line_of_its_own(
    at_terminal: StartAtTerminal, keys: bytes, says: str, status: int
) -> None:
    arena = at_terminal(*WORDS)
    arena.type(b"?\n", at="your card: ")
    arena.type(keys, at=f"{HELP.splitlines()[-1]}\r\nyour card: ")
    ended = arena.end()
    assert ended.status == status
    assert ended.out.splitlines()[-1] == says
    assert "q leaves the table, as does Ctrl-D; Ctrl-C interrupts (exit status 4)" in ended.out
