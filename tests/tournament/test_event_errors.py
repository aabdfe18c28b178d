"""Every mistake in an event file is answered with file, place, value and what is allowed."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import Struct, structs

from arena.errors import ConfigError
from arena.tournament.event_reading import load_event, parse_event
from arena.tournament.event_tables import (
    ClockTable,
    CompareTable,
    ConductTable,
    EntrantTable,
    EventTable,
    ResourcesTable,
    SandboxTable,
    StageTable,
)

HEAD = 'name = "cup"\n'
TWO = '[[entrant]]\nbot = "a"\n[[entrant]]\nbot = "b"\n'

MISTAKES = [
    # (before the first table, after the entrants, the answer)
    ('nmes = "shown"', "", "nmes: unknown key; did you mean names?"),
    ("xyzzy = 1", "", "xyzzy: unknown key; known: name, practice, seed, seed_source, deals"),
    ("boards = 4", "", "boards: unknown key here; it belongs in [[stage]]"),
    ("limit_ms = 4", "", "limit_ms: unknown key here; it belongs in [clock]"),
    ('reveal = "deal"', "", "reveal: not offered yet; cards are public once the event has reve"),
    (
        "tie_breaks = ['elo']",
        "",
        'tie_breaks: member 1: "elo" is not allowed; allowed: "points_per_board", "boards_won"',
    ),
    ("finish_by = 5", "", "finish_by: 5 is not allowed; allowed: a time with its zone, for inst"),
    ("finish_by = true", "", "finish_by: true is not allowed; allowed: a time with its zone"),
    ("finish_by = ''", "", 'finish_by: "" is not allowed; allowed: a time with its zone'),
    ("notify = ['a', 3]", "", "notify: member 2: 3 is not allowed; allowed: a text that is not"),
    ("rank_by = 'elo'", "", 'rank_by: "elo" is not allowed; allowed: "points_per_board"'),
    (
        "rank_by = 'boards_won'\ntie_breaks = ['boards_won']",
        "",
        "tie_breaks: 'boards_won' stands twice",
    ),
    ("tables = 0", "", "tables: 0 is not allowed; allowed: a whole number from 1 to 4096"),
    ("tables = true", "", "tables: true is not allowed; allowed: a whole number from 1"),
    ('names = "some"', "", 'names: "some" is not allowed; allowed: "hidden", "shown"'),
    ("practice = 1", "", "practice: 1 is not allowed; allowed: true or false"),
    ('seed = "x"', "", "seed: 'x' is a text that may be guessed"),
    ('seed = ""', "", 'seed: "" is not allowed; allowed: a text that is not empty'),
    ("clock = 3", "", "clock: 3 is not allowed; allowed: a table"),
    ("[clock]\nlimt_ms = 3", "", "[clock] limt_ms: unknown key; did you mean limit_ms?"),
    ("[clock]\nlimit_ms = 0", "", "[clock] limit_ms: 0 is not allowed; allowed: a whole number"),
    ("[clock]\nbank_ms = -1", "", "[clock] bank_ms: -1 is not allowed; allowed: a whole number"),
    ("[clock]\nlimit_ms = 1.5", "", "[clock] limit_ms: 1.5 is not allowed"),
    ('[clock]\npreset = "slow"', "", '[clock] preset: "slow" is not allowed; allowed: "fast"'),
    ("[clock]\nnames = 3", "", "[clock] names: unknown key here; it belongs at the top, before"),
    (
        "[conduct]\nsuspend_after = -1",
        "",
        "[conduct] suspend_after: -1 is not allowed; allowed: a whole number from 0 to 1000000",
    ),
    (
        '[conduct]\nsuspended = "gone"',
        "",
        '[conduct] suspended: "gone" is not allowed; allowed: "forfeit", "annul"',
    ),
    ("[conduct]\nlate = 0", "", "[conduct] late: 0 is not allowed"),
    ('[ruleset]\nname = "gamelak-4"', "", "[ruleset]: there is no ruleset 'gamelak-4'"),
    ("[ruleset]\nname = 4", "", "[ruleset] name: 4 is not allowed; allowed: the name of a"),
    ("[ruleset]\ntarge = 4", "", "[ruleset]: there is no option 'targe', did you mean 'target'?"),
    ("[resources]\ngpu = 1", "", "[resources] gpu: not offered yet"),
    (
        "[resources]\nmemory = 8",
        "",
        "[resources] memory: 8 is not allowed; allowed: a whole",
    ),
    (
        "[resources]\ncores = 0",
        "",
        "[resources] cores: 0 is not allowed; allowed: a whole",
    ),
    ("", "[[entrant]]\nname = 'x'", "[[entrant]] 3: bot: missing"),
    ("", "[[entrant]]\nbot = 3", "[[entrant]] 3: bot: 3 is not allowed; allowed: a text"),
    ("", "[[entrant]]\nbot = ''", '[[entrant]] 3: bot: "" is not allowed'),
    ("", "[[entrant]]\nbots = 'x'", "[[entrant]] 3: bots: unknown key; did you mean bot?"),
    ("", "[[entrant]]\nbot = 'a'", "[[entrant]] 3: name: 'a' is the name of [[entrant]] 1 too"),
    ("", "[[entrant]]\nbot = 'c'\nname = ''", "[[entrant]] 3: name: '' is empty or has blanks"),
    ("", "[[entrant]]\nbot = 'c'\nname = ' c'", "[[entrant]] 3: name: ' c' is empty or has"),
    ("", '[[entrant]]\nbot = "c"\nname = "\\u0007"', "holds the control character U+0007"),
    ("", '[[entrant]]\nbot = "c"\nname = "a\\u202Eb"', "holds the control character U+202E"),
    ("", '[[entrant]]\nbot = "c"\nname = "a\\u200Bb"', "holds the control character U+200B"),
    ("", f"[[entrant]]\nbot = 'c'\nname = '{'x' * 65}'", "has 65 characters; allowed are 1 to 64"),
    ("", "[[entrant]]\nbot = 'c'\ntags = [1]", "[[entrant]] 3: tags: member 1: 1 is not allowed"),
    ("", "[[entrant]]\nbot = 'c'\noptions = { a = [] }", "[[entrant]] 3: options: "),
    ("", "[stage]\nboards = 3", 'stage: {"boards": 3} is not allowed; allowed: tables, each'),
    ("", "[[stage]]\nboards = 0", "[[stage]] 1: boards: 0 is not allowed"),
    ("", "[[stage]]\ncycles = 0", "[[stage]] 1: cycles: 0 is not allowed"),
    ("", "[[stage]]\nboards_per_match = 'all'", 'a whole number from 1 to 1000000 or "target"'),
    ("", "[[stage]]\nboards_per_match = 'target'", "[[stage]] 1: boards: missing; with"),
    ("", "[[stage]]\nformat = 'individual'", "seats 4 at a table; enter at least 4"),
    ("", "[[stage]]\nformat = 'knockout'\ncycles = 2", "cycles: 2 is not allowed with format"),
    ("", "[[stage]]\nformat = 'swiss'\nrounds = 2", "rounds: 2 is not allowed; allowed are 1 to 1"),
    ("", "[[stage]]\nrounds = 2", '[[stage]] 1: rounds: goes with format = "swiss" only'),
    ("", "[[stage]]\nadvance = 2", "[[stage]] 1: advance: 2, but no stage follows"),
    ("", "[[stage]]\nadvance = 3\n[[stage]]", "advance: 3 is not allowed; allowed are 2 to 2"),
    ("rank_by = 'buchholz'", "", "'buchholz' belongs to Swiss or knockout stages"),
    ("", "[[stage]]\nformat = 'swis'", '[[stage]] 1: format: "swis" is not allowed'),
    ("", "[[stage]]\nrestart = 'nevr'", '[[stage]] 1: restart: "nevr" is not allowed'),
    (
        "",
        "[[stage]]\n[[stage]]\nrestart = 'never'\nboards_shared = 'event'",
        '[[stage]] 2: restart = "never" and boards_shared = "event" exclude each other',
    ),
    (
        "",
        "[[stage]]\nrestart = 'never'\nboards_shared = 'event'\ncycles = 2\ntrust_memory = true",
        '[[stage]] 1: restart = "never" and boards_shared = "event" exclude each other',
    ),
    ("", "[[stage]]\ncapacity = 0", "[[stage]] 1: capacity: 0 is not allowed; allowed: a whole"),
    ("", "[[stage]]\ncapacity = 1025", "capacity: 1025 is not allowed; allowed: a whole number"),
    ("", "[[stage]]\ncapacity = 'all'", '[[stage]] 1: capacity: "all" is not allowed'),
    ("capacity = 4", "", "capacity: unknown key here; it belongs in [[stage]]"),
    ("", "[[stage]]\nlimit_ms = 3", "limit_ms: unknown key here; it belongs in [clock]"),
    ("", "[[stage]]\nclock = 3", "[[stage]] 1: clock: 3 is not allowed; allowed: a table"),
    ("", "[[stage]]\n[stage.clock]\nxyzzy = 3", "[stage.clock] xyzzy: unknown key; known: preset"),
    ("", "[[stage]]\n[stage.clock]\nboards = 3", "unknown key here; it belongs in [[stage]]"),
    ("", "[[stage]]\nthinking = 'x'", '[[stage]] 1: thinking: "x" is not allowed; allowed: '),
    ("", "[[stage]]\n[stage.resources]\ngpu = 1", "gpu: not offered yet"),
    (
        "",
        "[[stage]]\n[[stage]]\nboard = 3",
        "[[stage]] 2: board: unknown key; did you mean boards?",
    ),
    (
        "",
        "[[stage]]\n[stage.clock]\nlimit_ms = 0",
        "[[stage]] 1: [stage.clock] limit_ms: 0 is not allowed",
    ),
    (
        "",
        "[[stage]]\n[stage.clock]\nlimitms = 0",
        "[[stage]] 1: [stage.clock] limitms: unknown key; did you mean limit_ms?",
    ),
    (
        "",
        "[[stage]]\n[stage.ruleset]\ntarget = 0",
        "[[stage]] 1: [stage.ruleset]: target=0 is not allowed",
    ),
]


@pytest.mark.parametrize(("top", "end", "answer"), MISTAKES)
def test_a_mistake_is_answered_with_place_value_and_what_is_allowed(
    top: str, end: str, answer: str
) -> None:
    # Tables of the top may not stand before its keys, so the name comes first.
    text = f"{HEAD}{top}\n{TWO}{end}\n"
    with pytest.raises(ConfigError) as caught:
        parse_event(text.encode(), source="cup.toml")
    assert str(caught.value).startswith("cup.toml: ")
    assert answer in str(caught.value)


def wrong_anywhere() -> Iterator[str]:
    """Give a file for each key of each table, with a value that no key takes."""
    for field in structs.fields(EventTable):
        if field.name != "name":
            yield f"{HEAD}{field.name} = [[[]]]\n"
    yield "name = [[[]]]\n"
    inner: dict[str, type[Struct]] = {
        "[clock]": ClockTable,
        "[compare]": CompareTable,
        "[conduct]": ConductTable,
        "[resources]": ResourcesTable,
        "[sandbox]": SandboxTable,
        "[[entrant]]": EntrantTable,
        "[[stage]]": StageTable,
    }
    for head, table in inner.items():
        for field in structs.fields(table):
            yield f"{HEAD}{head}\n{field.name} = [[[]]]\n"


@pytest.mark.parametrize("text", list(wrong_anywhere()))
def test_a_wrong_value_of_any_key_is_answered_with_what_is_allowed(text: str) -> None:
    key = text.splitlines()[-1].partition(" = ")[0]
    with pytest.raises(
        ConfigError, match=rf"{key}(\]\] 1|: member 1)?: \[.* is not allowed; allowed: \S"
    ):
        parse_event(text.encode(), source="cup.toml")


def test_a_list_member_that_is_no_table_is_named_by_its_place() -> None:
    with pytest.raises(ConfigError, match=r"\[\[entrant\]\] 2: 3 is not allowed; allowed: a table"):
        parse_event(f'{HEAD}entrant = [{{ bot = "a" }}, 3]'.encode(), source="cup.toml")


def test_a_long_value_is_cut_in_the_message() -> None:
    text = f"{HEAD}tables = '{'x' * 500}'\n{TWO}"
    with pytest.raises(ConfigError) as caught:
        parse_event(text.encode(), source="cup.toml")
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("entrants", ["", '[[entrant]]\nbot = "a"\n'])
def test_fewer_than_two_entrants_are_refused(entrants: str) -> None:
    with pytest.raises(ConfigError, match=re.escape("seats 2 at a table; enter at least 2")):
        parse_event(f"{HEAD}{entrants}".encode(), source="cup.toml")


def test_a_file_without_a_name_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"cup\.toml: name: missing"):
        parse_event(TWO.encode(), source="cup.toml")


def test_a_name_of_an_event_that_would_spoil_a_page_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"cup\.toml: name: 'a\\nb' holds .* U\+000A"):
        parse_event(f'name = "a\\nb"\n{TWO}'.encode(), source="cup.toml")


def test_more_boards_than_a_seed_deals_are_refused() -> None:
    text = f"{HEAD}{TWO}[[stage]]\nboards = 1_000_000\ncycles = 1_000\nboards_per_match = 'target'"
    with pytest.raises(ConfigError, match="allowed are 67108864"):
        parse_event(text.encode(), source="cup.toml")


@pytest.mark.parametrize(
    ("data", "answer"),
    [
        (b"name = \nx = 1", "is no TOML: .*line 1"),
        (b"name = '\xff'", "is not UTF-8"),
        (b"a = 1\na = 2\nb = 3", "is no TOML: .*line 2"),
    ],
)
def test_what_is_no_toml_is_refused_with_its_place(data: bytes, answer: str) -> None:
    with pytest.raises(ConfigError, match=rf"cup\.toml: {answer}"):
        parse_event(data, source="cup.toml")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"none\.toml: cannot be read: No such file"):
        load_event(tmp_path / "none.toml")


@pytest.mark.parametrize(
    "text",
    [
        "a = " + "[" * 20_000,
        "name = " + "[" * 900 + "]" * 900,
        "name" + ".a" * 3_000 + " = 1",
        "tables = " + "9" * 5_000,
        "tables = 0x" + "f" * 5_000,
        "[ruleset]\ntarget" + ".a" * 400 + " = 1",
    ],
    ids=["deep", "deeper", "dotted", "long", "long hexadecimal", "dotted ruleset"],
)
def test_what_is_beyond_reason_is_answered_like_any_other_mistake(text: str) -> None:
    with pytest.raises(ConfigError, match=r"^event\.toml: "):
        parse_event(text.encode(), source="event.toml")
