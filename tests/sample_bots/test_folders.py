"""Every sample bot is whole: a manifest, a README, one readable source file."""

from pathlib import Path

import pytest

from arena.bots.argument import choose, parse_bot, shipped_bots
from arena.bots.manifest import read_manifest
from arena.tournament.event_reading import load_event
from tests.sample_bots.bots import FOLDERS, SAMPLE_BOTS

SOURCES = {
    "bash": "bot.sh",
    "c": "bot.c",
    "perl": "bot.pl",
    "python": "bot.py",
    "typescript": "bot.ts",
}
LONGEST = 150
EVERY_FOLDER = pytest.mark.parametrize(
    "folder", FOLDERS, ids=[str(folder.relative_to(SAMPLE_BOTS)) for folder in FOLDERS]
)


def test_the_bots_are_these() -> None:
    names = {str(folder.relative_to(SAMPLE_BOTS)) for folder in FOLDERS}
    assert names >= {
        "bash/last",
        "c/thrifty",
        "perl/low",
        "python/bare",
        "python/greedy",
        "python/random",
        "typescript/careful",
    }


@EVERY_FOLDER
def test_the_manifest_fits_the_folder(folder: Path) -> None:
    manifest = read_manifest(folder)
    assert manifest.name == folder.name
    assert manifest.language == folder.parent.name
    assert manifest.authors
    assert choose(folder).options == {}


@EVERY_FOLDER
def test_the_readme_names_the_bot_and_how_to_play(folder: Path) -> None:
    readme = (folder / "README.md").read_text()
    assert readme.startswith(f"# {folder.name}\n")
    assert "arena match" in readme


@EVERY_FOLDER
def test_the_source_is_one_readable_file(folder: Path) -> None:
    source = folder / SOURCES[folder.parent.name]
    assert len(source.read_text().splitlines()) < LONGEST


def test_the_shipped_event_names_every_bot_once() -> None:
    event = load_event(SAMPLE_BOTS / "round_robin.toml")
    entered = [parse_bot(entrant.bot, SAMPLE_BOTS).folder for entrant in event.entrants]
    assert sorted(entered) == sorted(FOLDERS)


def test_the_shipped_event_says_what_it_trusts() -> None:
    event = load_event(SAMPLE_BOTS / "round_robin.toml")
    (stage,) = event.stages
    assert (event.practice, stage.trust_memory, stage.boards) == (True, True, 4)
    assert stage.ruleset.name == "italian-tournament:declarations=off"


def test_the_bots_are_known_by_their_names() -> None:
    assert {folder.name for folder in FOLDERS} <= shipped_bots().keys()


def test_the_lock_file_names_no_address() -> None:
    lock = (SAMPLE_BOTS / "typescript" / "careful" / "package-lock.json").read_text()
    assert '"resolved"' not in lock
    assert "://" not in lock.replace("https://opencollective.com", "").replace(
        "https://github.com", ""
    )
