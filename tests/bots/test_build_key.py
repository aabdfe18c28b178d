"""A build key changes with whatever may change what a build makes, and with nothing else."""

import os
from pathlib import Path

import pytest

from arena.bots import build_key as module
from arena.bots.argument import choose
from arena.bots.build_key import build_key
from arena.bots.frozen import FrozenBot, freeze
from arena.bots.sandbox.launch import NO_SANDBOX
from tests.bots.conftest import Boxed, FreezeBot, WriteBot

STEPS = 'language = "sh"\nrun = ["./bot.py"]\nbuild = ["sh", "-c", "own-tool && cp bot.py made"]'


class OtherPlace(Boxed):
    """Shows builds elsewhere."""

    build_place = "/elsewhere"


@pytest.fixture
def bot(freeze_bot: FreezeBot) -> FrozenBot:
    """Return a bot whose build can be kept."""
    return freeze_bot("#!/bin/sh\n", STEPS)


def key(bot: FrozenBot, *, has_network: bool = True) -> str:
    found = build_key(bot, Boxed(), has_network=has_network)
    assert found is not None
    return found


def test_the_same_build_has_the_same_key_in_another_store(
    bot: FrozenBot, write_bot: WriteBot, tmp_path: Path
) -> None:
    assert len(key(bot)) == 64
    assert key(bot) == key(freeze(choose(write_bot("#!/bin/sh\n", STEPS)), tmp_path / "other"))


def test_what_cannot_be_moved_or_is_nothing_has_none(freeze_bot: FreezeBot, bot: FrozenBot) -> None:
    assert build_key(bot, NO_SANDBOX, has_network=True) is None
    plain = freeze_bot("print(1)")
    assert build_key(plain, Boxed(), has_network=True) is None
    needy = freeze_bot("#!/bin/sh\n", f'{STEPS}\nneeds = ["/usr"]')
    assert build_key(needy, Boxed(), has_network=True) is None


def test_content_place_and_network_are_in_it(freeze_bot: FreezeBot, bot: FrozenBot) -> None:
    keys = {
        key(bot),
        key(bot, has_network=False),
        key(freeze_bot("#!/bin/sh\nexit 1\n", STEPS)),
        build_key(bot, OtherPlace(), has_network=True),
    }
    assert len(keys) == 4


def test_variables_of_registries_count_where_there_is_a_network(
    bot: FrozenBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, without = key(bot), key(bot, has_network=False)
    monkeypatch.setenv("GOFLAGS", "-race")
    monkeypatch.setenv("UNRELATED", "1")
    assert key(bot) != before
    assert key(bot, has_network=False) == without


def test_a_program_that_a_step_names_is_in_it(
    bot: FrozenBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Also within the words that a shell is given."""
    before = key(bot)
    tool = tmp_path / "bin" / "own-tool"
    tool.parent.mkdir()
    tool.write_text("#!/bin/sh\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tool.parent}:{os.environ['PATH']}")
    first = key(bot)
    tool.write_text("#!/bin/sh\necho new version\n")
    assert len({before, first, key(bot)}) == 3


@pytest.mark.parametrize("part", ["arena", "proto", "packages"])
def test_the_arena_and_the_systems_packages_are_in_it(
    part: str, bot: FrozenBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "part" / "some.py"
    file.parent.mkdir()
    file.write_text("old")
    match part:
        case "arena":
            monkeypatch.setattr("arena.__file__", str(file))
        case "proto":
            monkeypatch.setattr(module, "shipped_folder", lambda _: file.parent)
        case _:
            monkeypatch.setattr(module, "_PACKAGES", (str(file),))
    before = key(bot)
    assert key(bot) == before
    file.write_text("newer")
    assert key(bot) != before


def test_an_arena_that_is_changed_just_now_keeps_nothing(
    bot: FrozenBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "part").mkdir()
    (tmp_path / "part" / "some.py").symlink_to("gone.py")
    monkeypatch.setattr("arena.__file__", str(tmp_path / "part" / "__init__.py"))
    assert build_key(bot, Boxed(), has_network=True) is None
