"""An event of public chance: committed to, given its text, played, and dealt again by anybody."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from arena.record.event_log import read_event_log
from arena.record.paths import find_log
from arena.record.read import read_log
from arena.rules.cards import Card
from arena.rules.dealing import distribute, leader_of_board
from arena.rules.events import DealStarted
from arena.rules.notation import parse_cards
from tests.cli.bots import HIGH, write_bot, write_event
from tests.cli.conftest import RunArena

DOCS = Path(__file__).parents[2] / "docs"
TEXT = "7 21 28 è 35"


def lines_of(language: str, heading: str) -> str:
    """Take the lines in a language that stand under a heading of docs/tampering.md."""
    page = (DOCS / "tampering.md").read_text("utf-8").partition(f"## {heading}\n")[2]
    found = re.search(rf"```{language}\n(.*?)```", page.partition("\n## ")[0], re.DOTALL)
    assert found is not None
    return found[1]


def printed(program: str, lines: str, *words: str) -> list[str]:
    ended = subprocess.run(
        [program, "-e", lines, *words], capture_output=True, check=True, text=True, timeout=60
    )
    return ended.stdout.split()


@pytest.fixture
def event(home: Path) -> Path:
    write_bot(home / "fox")
    write_bot(home / "hen", HIGH)
    return write_event(
        home / "cup.toml", "fox", "hen", seed=None, more='seed_source = "public"', boards=2
    )


def test_an_event_of_public_chance_from_its_commitment_to_its_proof(
    arena: RunArena, home: Path, event: Path
) -> None:
    early = arena("run", event, "--public-text", TEXT)
    assert (early.status, "nothing is committed to yet" in early.err) == (2, True), early
    assert not (home / "cup").exists()
    for _ in range(2):
        first = arena("run", event)
        assert first.status == 4, first
        assert "awaits its public text" in first.err
        assert re.search(r"stage 1: secret commitment [0-9a-f]{64}\n", first.err)
    assert not list((home / "cup" / "logs").iterdir())
    told = arena("status", "cup").out
    assert "public text" in told
    assert told.endswith("go on with: arena run cup --public-text TEXT\n")
    for words in (("verify", "cup"), ("deal", "cup")):
        waiting = arena(*words)
        assert "deal not yet provable" in waiting.out + waiting.err
    played = arena("run", "cup", "--public-text", TEXT)
    assert played.status == 0, played
    proven = arena("verify", "cup", "--json")
    data = json.loads(proven.out)["data"]
    assert (proven.status, data["good"], data["deals"]) == (0, True, "proven"), proven

    lines: dict[str, Any] = {
        line.kind: line.fields for line in read_event_log(home / "cup" / "event.jsonl")
    }
    (secret,), (seed,) = lines["seed_revealed"]["secrets"], lines["seed_revealed"]["seeds"]
    assert lines["public_text"]["text"] == TEXT
    (promised,) = lines["event_opened"]["secret_commitments"]
    log = find_log(home / "cup" / "logs", "s1-r1-p1-o0-m1", 1)
    assert log is not None
    record = read_log(log)
    deals = {
        line.event.board: (line.event.hands, line.event.stock)
        for line in record.lines
        if isinstance(line.event, DealStarted)
    }
    assert deals
    ruleset = record.header.ruleset
    languages = [one for one in ("perl", "node") if shutil.which(one)]
    for program in languages:
        name = {"perl": "perl", "node": "javascript"}[program]
        made = printed(program, lines_of(name, "Make a seed from public chance"), secret, TEXT)
        assert made == [promised, seed]
        for board, (hands, stock) in deals.items():
            deck = printed(program, lines_of(name, "Deal a board yourself"), made[1], str(board))
            cards: tuple[Card, ...] = parse_cards(" ".join(deck))
            dealt = distribute(ruleset, cards, leader_of_board(ruleset, board))
            assert (dealt.hands, dealt.stock) == (hands, stock)
    shown = json.loads(arena("deal", "cup", "--board", "1", "--json").out)
    assert shown["seed"] == seed
    assert [[str(card) for card in hand] for hand in deals[1][0]] == shown["hands"]
    if not languages:
        pytest.skip("neither perl nor node is here: only the arena dealt again")


def test_a_run_that_is_given_another_text_later_is_refused(
    arena: RunArena, home: Path, event: Path
) -> None:
    assert arena("run", event).status == 4
    log = home / "cup" / "event.jsonl"
    assert arena("run", "cup", "--public-text", TEXT).status == 0
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[:-2]))  # as if a kill had come before the seeds were out
    other = arena("run", "cup", "--public-text", "other")
    assert (other.status, "it stands" in other.err) == (2, True), other
    assert arena("run", "cup").status == 0
    assert arena("verify", "cup").status == 0


def test_an_event_without_public_chance_takes_no_text(
    arena: RunArena, home: Path, event: Path
) -> None:
    plain = write_event(home / "plain.toml", "fox", "hen")
    ended = arena("run", plain, "--public-text", TEXT)
    assert (ended.status, 'seed_source = "public"' in ended.err) == (2, True), ended
