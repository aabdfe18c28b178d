"""What the READMEs of sample bots and of new bots show works.

A command of the arena exists, with its options and the bot it names; any other is a step of the
manifest's build, which the tests of the languages run.
"""

import itertools
import re
import shlex
from pathlib import Path

import pytest

from arena.bots.argument import parse_bot
from arena.bots.manifest import read_manifest
from arena.bots.templates import Language, write_bot
from tests.documents.snippets import ROOT
from tests.documents.test_commands import GROUPS, NAMES, options_of

FOLDERS = sorted(file.parent for file in ROOT.glob("sample_bots/**/bot.toml"))
INSTALLS = {"apt", "pip"}
ELSEWHERE = {
    "python make_stubs.py": "tests/sample_bots/test_bare.py",
    "python sample_bots/python/learner/train.py": "tests/sample_bots/test_learner.py",
    "python sample_bots/python/learner/train.py 7 1000": "tests/sample_bots/test_learner.py",
}
"""Run there, the training for a tenth of its time."""


def shown(readme: Path) -> list[list[str]]:
    """List the commands of a README: what stands indented by four blanks."""
    lines = re.findall(r"^    (\S.*)$", readme.read_text("utf-8"), re.MULTILINE)
    words = [shlex.split(line, comments=True) for line in lines]
    return [[*itertools.dropwhile(lambda word: "=" in word, line)] for line in words]


def assert_works(words: list[str], folder: Path, base: Path) -> None:
    """Fail unless a command of the README of a folder can be given in ``base``."""
    if words[0] == "arena":
        name, *more = words[1:]
        assert name in NAMES
        inner = more[:1] if name in GROUPS else []
        own = more[: more.index("--")] if "--" in more else more
        assert {word for word in own if word.startswith("-")} <= options_of(name, *inner)
        for word in own:
            if "/" in word or word == ".":
                parse_bot(word, base)
        return
    steps = read_manifest(folder).build_steps
    assert (
        words[0] in INSTALLS
        or shlex.join(words) in ELSEWHERE
        or any(set(words) <= set(step) for step in steps)
    ), f"{words} is no step of {steps}"


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.relative_to(ROOT)))
def test_the_commands_of_a_sample_bots_readme_work(folder: Path) -> None:
    commands = shown(folder / "README.md")
    assert any(words[0] == "arena" for words in commands)
    for words in commands:
        is_from_root = any(word.startswith("sample_bots/") for word in words)
        assert_works(words, folder, ROOT if is_from_root else folder)


@pytest.mark.parametrize("language", Language)
def test_the_commands_of_a_new_bots_readme_work(language: Language, tmp_path: Path) -> None:
    write_bot(language, tmp_path / "mine")
    commands = shown(tmp_path / "mine" / "README.md")
    assert ["arena", "match", "."] in commands
    assert ["arena", "check", "."] in commands
    for words in commands:
        assert not any("sample_bots" in word for word in words)
        assert_works(words, tmp_path / "mine", tmp_path / "mine")


def test_what_runs_elsewhere_is_there() -> None:
    assert all((ROOT / file).is_file() for file in ELSEWHERE.values())
