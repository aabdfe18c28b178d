"""The documents: what code cites is there, and what they show works."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from arena.bots.resources import resources_for
from arena.rules.dealing import seed_from_text, shuffled_deck
from arena.rules.notation import format_cards

ROOT = Path(__file__).parents[2]


def test_every_document_that_code_cites_is_there() -> None:
    there = {path.name for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"))}
    cited = {
        (name, str(path.relative_to(ROOT)))
        for path in ROOT.glob("arena/**/*.py")
        for name in re.findall(r"\b[a-z-]+\.md\b", path.read_text("utf-8"), re.IGNORECASE)
    }
    assert {(name, path) for name, path in cited if name not in there} == set()


def test_every_section_of_the_design_that_code_cites_is_there() -> None:
    design = (ROOT / "docs" / "design.md").read_text("utf-8")
    there = set(re.findall(r"^## (\d+)\. ", design, re.MULTILINE))
    cited = {
        number
        for path in ROOT.glob("arena/**/*.py")
        for number in re.findall(r"design\.md §(\d)", path.read_text("utf-8"))
    }
    assert cited <= there


def test_a_bots_scratch_room_is_as_large_as_authors_are_told() -> None:
    text = (ROOT / "docs" / "writing-a-bot.md").read_text("utf-8")
    assert re.findall(r"`/tmp` \((\d+) MiB", text) == [str(resources_for().disk_mib)]


@pytest.mark.parametrize("board", [1, 2, 4_294_967_295])
def test_the_perl_of_the_design_deals_as_the_arena_does(tmp_path: Path, board: int) -> None:
    perl = shutil.which("perl")
    has_sha = perl and subprocess.run([perl, "-MDigest::SHA", "-e1"], check=False).returncode == 0
    if perl is None or not has_sha:
        pytest.skip("no Perl with Digest::SHA here")
    shown = re.search(r"```perl\n(.*?)```", (ROOT / "docs/design.md").read_text("utf-8"), re.DOTALL)
    assert shown is not None
    (tmp_path / "deck.pl").write_text(shown[1], "utf-8")
    seed = seed_from_text("été")
    words = [perl, str(tmp_path / "deck.pl"), seed.hex(), str(board)]
    deck = subprocess.run(words, capture_output=True, check=True, text=True).stdout
    assert deck.strip() == format_cards(shuffled_deck(seed, board))
