"""What README and docs show is run as it stands; what is not says why."""

import json
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from arena.bots.manifest import read_manifest
from arena.referee.events import DecisionAsked
from arena.rules.dealing import seed_from_text
from arena.rules.events import CardPlayed, ClaimKind
from arena.rules.options import Signal
from arena.tournament.event_reading import parse_event
from arena.wire.codec import LinesCodec
from arena.wire.log_reading import decode_event
from arena.wire.said import AnswerSaid
from tests.cli.bots import KIT as BOT
from tests.cli.bots import LOW, SPEAKS_LINES, write_bot, write_event
from tests.cli.conftest import RunArena
from tests.cli.logs import standings_of
from tests.documents.snippets import ROOT, commands, snippet, snippets

SHORT = ("--boards", "1", "--ruleset", "gamelake-2")
KIT = "from arena.sdk import Bot, Card, View"
HERE = {
    ("README.md", ".venv/bin/arena match greedy random"),
    ("README.md", 'name = "lowest"'),
    ("README.md", KIT),
    ("README.md", ".venv/bin/arena new event cup.toml"),
    ("README.md", ".venv/bin/arena verify cup"),
    ("README.md", "make tournament"),
    ("CONTRIBUTING.md", "make setup"),
    ("commands.md", 'name = "autumn cup"'),
    ("design.md", "arena deal --seed-hex HEX --board 2 --ru"),
    ("entries.md", "arena check my/bot --event cup.toml"),
    ("entries.md", "arena entry add cup.toml fox.zip hen.zip"),
    ("record.md", '{"seq":12,"at_us":154,"event":"decision_'),
    ("writing-a-bot.md", 'name = "mine"'),
    ("writing-a-bot.md", KIT),
    ("writing-a-bot.md", "$| = 1;"),
    ("writing-a-bot.md", '{"answer":{"decision_id":1,"card":"D3","'),
}
"""Run by the tests below."""
ELSEWHERE = {
    ("tampering.md", "use Digest::SHA qw(hmac_sha256);"): "tests/record/verify/test_deals.py",
    (
        "tampering.md",
        'const {createHmac} = require("crypto"), ',
    ): "tests/record/verify/test_deals.py",
    ("tables.md", 'pl.col("hand").bitwise_count_ones()'): "tests/record/export/test_document.py",
    (
        "tables.md",
        "SELECT bit_count(hand) FROM 'tables/deci",
    ): "tests/record/export/test_document.py",
    (
        "tables.md",
        "sapply(as.numeric(hand), function(h) sum",
    ): "tests/record/export/test_document.py",
    ("tampering.md", "use Digest::SHA qw(sha256_hex);"): "tests/cli/test_public_seed.py",
    ("tampering.md", 'const {createHash} = require("crypto"), '): "tests/cli/test_public_seed.py",
    ("writing-a-bot.md", "arena new bot --language python mine"): "tests/cli/test_new.py",
    ("design.md", 'use Digest::SHA "hmac_sha256";'): "tests/cli/test_documents.py",
    ("research.md", "from arena.rl import VectorDeals"): "tests/rl/test_document.py",
    ("research.md", "import numpy"): "tests/rl/test_document.py",
    ("research.md", "from arena.rl import environment"): "tests/rl/test_document.py",
}
EXEMPT = {
    ("entries.md", "cup/entries/<name>-<hash>/<n>/entry.json"): "a tree of files",
    (
        "README.md",
        ".venv/bin/arena doctor",
    ): "minutes of attacks; tests/cli/test_doctor.py has some",
    ("research.md", "pip install 'tressette-arena[rl]'"): "needs a network",
    (
        "research.md",
        "OPENBLAS_NUM_THREADS=1 python sample_bot",
    ): "a minute of training; tests/sample_bots/test_learner.py does a tenth",
}


ENTRIES = {key for key in HERE if key[0] == "entries.md"}


def test_every_snippet_is_run_or_says_why_not() -> None:
    known = HERE | ELSEWHERE.keys() | EXEMPT.keys()
    there = {s.key for s in snippets()}
    assert there - known == set(), "run it in this file, or say why not"
    assert known - there == set(), "shown no more"
    assert all((ROOT / file).is_file() for file in ELSEWHERE.values())


PLAYS = commands(snippet("README.md", ".venv/bin/arena match greedy random").text)


@pytest.mark.parametrize("words", PLAYS, ids=" ".join)
def test_the_readmes_commands_for_authors_work(
    arena: RunArena, home: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    """With the bots that they name, one board, and no sandbox."""
    for folder in {"path/to/my/bot", "my/bot", "my/new", "my/old"} & set(words):
        if words[0] != "new":
            write_bot(home / folder)
    if "mybot.py" in words:
        (home / "mybot.py").write_text(BOT, "utf-8")
    if "./mybot" in words:
        (home / "mybot").write_text(f"#!{sys.executable}\n{LOW}", "utf-8")
        (home / "mybot").chmod(0o755)
    if words[0] == "play":
        monkeypatch.setattr("builtins.input", lambda _prompt: "q")
    own, dashes, command = (" ".join(words)).partition(" -- ")
    more = {
        "match": (*SHORT, "--sandbox", "none"),
        "compare": ("--boards", "20", "--ruleset", "gamelake-2"),
        "check": ("--sandbox", "none"),
        "play": ("--sandbox", "none"),
    }.get(words[0], ())
    ended = arena(*own.split(), *more, *dashes.split(), *command.split())
    assert ended.status in ((0, 1) if words[0] == "compare" else (0,)), ended.err


EVENT = commands(snippet("README.md", ".venv/bin/arena new event cup.toml").text)
RECORD = commands(snippet("README.md", ".venv/bin/arena verify cup").text)


def test_the_readmes_commands_for_an_event_work_one_after_another(
    arena: RunArena, home: Path
) -> None:
    """The event's file is made shorter once it is written: two bots, one more, four boards."""
    for words in (*EVENT, *RECORD):
        ended = arena(*words)
        assert ended.status == 0, (words, ended.err)
        if words[:2] == ["new", "event"]:
            for name in ("a", "b", "fox"):
                write_bot(home / name)
            assert arena("pack", "fox", "-o", "fox.zip").status == 0
            more = "[sandbox]\nmode = 'none'\n"
            write_event(home / "cup.toml", "a", "b", boards=4, ruleset="gamelake-4", more=more)
    assert (home / "tables").is_dir()


def test_the_commands_of_entries_work_one_after_another(arena: RunArena, home: Path) -> None:
    write_bot(home / "my" / "bot")
    more = "[sandbox]\nmode = 'none'\n"
    write_event(home / "cup.toml", "my/bot", more=more)
    for name in ("fox", "hen"):
        write_bot(home / name)
        assert arena("pack", name, "-o", f"{name}.zip").status == 0
    first, second = (commands(s.text) for s in snippets() if s.key in ENTRIES)
    for words in (*first, *second):
        ended = arena(*words)
        assert ended.status == 0, (words, ended.out, ended.err)
    assert set(standings_of(home / "cup")) == {"bot", "fox"}


@pytest.mark.parametrize("document", ["README.md", "writing-a-bot.md"])
def test_the_bot_of_30_lines_plays(arena: RunArena, home: Path, document: str) -> None:
    folder = home / "lowest"
    folder.mkdir()
    manifest = snippet("README.md", 'name = "lowest"').text
    (folder / "bot.toml").write_text(manifest, "utf-8")
    (folder / "bot.py").write_text(snippet(document, KIT).text, "utf-8")
    ended = arena("match", "lowest", *SHORT, "--sandbox", "none", "-o", "here")
    assert ended.status == 0, ended.err
    assert set(standings_of(home / "here")) == {"lowest", "greedy"}


def test_the_whole_bot_that_speaks_lines_plays(arena: RunArena, home: Path) -> None:
    if shutil.which("perl") is None:
        pytest.skip("no perl here")
    folder = home / "short"
    folder.mkdir()
    manifest = f'name = "short"\nversion = "1"\nrun = ["perl", "bot.pl"]\n{SPEAKS_LINES}'
    (folder / "bot.toml").write_text(manifest, "utf-8")
    (folder / "bot.pl").write_text(snippet("writing-a-bot.md", "$| = 1;").text, "utf-8")
    ended = arena("match", "short", *SHORT, "--sandbox", "none", "-o", "here")
    assert ended.status == 0, ended.err
    assert set(standings_of(home / "here")) == {"short", "greedy"}


def test_the_answer_with_every_key_says_all_of_it() -> None:
    line = snippet("writing-a-bot.md", '{"answer":{"decision_id":1,"card":"D3","').text
    (said,) = LinesCodec().decode(line.encode())
    assert isinstance(said, AnswerSaid)
    assert [claim.kind for claim in said.answer.declarations] == [
        ClaimKind.NAPOLETANA,
        ClaimKind.THREE,
    ]
    assert said.answer.signal is Signal.BUSSO
    assert (said.value_thirds, said.note) == (7, "keeps the ace")


def test_the_manifest_with_every_key_is_one(tmp_path: Path) -> None:
    text = snippet("writing-a-bot.md", 'name = "mine"').text
    file = tmp_path / "bot.toml"
    file.write_text(text, "utf-8")
    manifest = read_manifest(tmp_path)
    assert manifest.options["depth"].default == 3
    uncommented = re.sub(r"^# (ready = )", r"\1", text, flags=re.MULTILINE)
    uncommented = uncommented.replace('protocol = "grpc"', 'protocol = "lines"')
    file.write_text(uncommented, "utf-8")
    assert read_manifest(tmp_path).implies_ready


def test_the_event_file_of_the_document_is_one() -> None:
    text = snippet("commands.md", 'name = "autumn cup"').text
    event = parse_event(text.encode(), source="cup.toml")
    assert [entrant.name for entrant in event.entrants] == ["greedy", "mine"]
    assert event.stages[0].boards == 20


def test_the_lines_of_a_log_are_read() -> None:
    (shown,) = (s for s in snippets() if s.document == "record.md")
    events = [decode(json.loads(line)) for line in shown.text.splitlines()]
    assert [type(event) for event in events] == [DecisionAsked, CardPlayed]


def decode(fields: dict[str, Any]) -> object:
    """Read one line of a log; give its event."""
    found = decode_event({key: fields[key] for key in fields if key not in ("seq", "at_us")})
    assert isinstance(found, tuple)
    return found[0]


def test_a_board_is_dealt_again_as_the_design_says(arena: RunArena) -> None:
    (words,) = commands(
        next(s.text for s in snippets() if s.document == "design.md" and "HEX --b" in s.text)
    )
    seed = seed_from_text("a text")
    ended = arena(*(seed.hex() if word == "HEX" else word for word in words), "--json")
    assert ended.status == 0, ended.err
    dealt = json.loads(ended.out)
    assert (dealt["seed"], dealt["board"]) == (seed.hex(), 2)


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md"])
def test_what_is_made_can_be_made(document: str) -> None:
    """CI makes them: setup, check, tournament and test."""
    made = {
        target
        for s in snippets()
        if s.document == document
        for target in re.findall(r"^make (\w+)", s.text, re.MULTILINE)
    }
    rules = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert made
    assert made <= set(rules)
