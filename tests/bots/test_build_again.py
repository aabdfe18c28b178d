"""A build that the store keeps is taken from there: no step runs again."""

import shutil
import stat
from pathlib import Path

import pytest
import trio

from arena.bots import build_store
from arena.bots.build import build_bot, check_runnable
from arena.bots.build_store import BuildStore
from arena.bots.frozen import FrozenBot
from arena.errors import BotFailure
from tests.bots.conftest import Boxed, FreezeBot

MAKE = """
language = "sh"
run = ["./made"]
build = [
  ["sh", "-c", "echo run >> ../count"],
  ["sh", "-c", "cp bot.py made; chmod +x made"],
]
"""
TAKEN = "made: built before; taken from the store of builds"


@pytest.fixture
def builds(tmp_path: Path) -> BuildStore:
    """Return an empty store of builds."""
    folder = tmp_path / "builds"
    folder.mkdir(mode=0o700)
    return BuildStore(folder=folder)


class Elsewhere:
    """One event folder after another, each with its own frozen copies."""

    def __init__(self, tmp_path: Path, builds: BuildStore | None) -> None:
        self._place = tmp_path / "store"
        self._builds = builds
        self.said: list[str] = []

    async def build(self, bot: FrozenBot, *, has_network: bool = True) -> FrozenBot:
        """Build in a folder where nothing was built before."""
        for file in self._place.glob("*-boxed*"):
            shutil.rmtree(file) if file.is_dir() else file.unlink()
        return await build_bot(
            bot,
            self._place,
            sandbox=Boxed(),
            has_network=has_network,
            builds=self._builds,
            say=self.said.append,
        )

    @property
    def count(self) -> int:
        """How often steps were run."""
        return len((self._place / "count").read_text().splitlines())


async def test_the_second_folder_takes_what_the_first_built(
    freeze_bot: FreezeBot, tmp_path: Path, builds: BuildStore
) -> None:
    bot = freeze_bot("#!/bin/sh\n", MAKE)
    place = Elsewhere(tmp_path, builds)
    first = await place.build(bot)
    assert (first.is_built_before, place.count) == (False, 1)
    assert place.said[0].startswith("building made")
    place.said.clear()
    second = await place.build(bot)
    assert (second.is_built_before, place.count) == (True, 1)
    assert place.said == [TAKEN]
    check_runnable(second)
    assert stat.S_IMODE((second.folder / "made").stat().st_mode) == 0o555
    assert second.folder == first.folder
    place.said.clear()
    again = await build_bot(
        bot, tmp_path / "store", sandbox=Boxed(), builds=builds, say=place.said.append
    )
    assert (again.is_built_before, place.said) == (False, []), "it is there: nothing is said"


async def test_other_content_or_another_permission_is_built(
    freeze_bot: FreezeBot, tmp_path: Path, builds: BuildStore
) -> None:
    place = Elsewhere(tmp_path, builds)
    await place.build(freeze_bot("#!/bin/sh\n", MAKE))
    await place.build(freeze_bot("#!/bin/sh\nexit 1\n", MAKE))
    await place.build(freeze_bot("#!/bin/sh\n", MAKE), has_network=False)
    assert place.count == 3
    await place.build(freeze_bot("#!/bin/sh\n", MAKE))
    assert place.count == 3


async def test_without_a_store_everything_is_built(freeze_bot: FreezeBot, tmp_path: Path) -> None:
    bot = freeze_bot("#!/bin/sh\n", MAKE)
    place = Elsewhere(tmp_path, None)
    for _ in range(2):
        assert not (await place.build(bot)).is_built_before
    assert place.count == 2


async def test_a_kept_build_that_was_changed_is_built_and_kept_anew(
    freeze_bot: FreezeBot, tmp_path: Path, builds: BuildStore
) -> None:
    bot = freeze_bot("#!/bin/sh\n", MAKE)
    place = Elsewhere(tmp_path, builds)
    await place.build(bot)
    (entry,) = builds.folder.iterdir()
    made = entry / "tree" / "made"
    made.chmod(0o755)
    made.write_text("#!/bin/sh\nevil\n")
    built = await place.build(bot)
    assert (built.is_built_before, place.count) == (False, 2)
    assert (built.folder / "made").read_text() == "#!/bin/sh\n"
    assert (await place.build(bot)).is_built_before


async def test_a_build_that_failed_is_not_kept(
    freeze_bot: FreezeBot, tmp_path: Path, builds: BuildStore
) -> None:
    bot = freeze_bot("", 'language = "sh"\nrun = ["./x"]\nbuild = ["false"]')
    for _ in range(2):
        with pytest.raises(BotFailure):
            await Elsewhere(tmp_path, builds).build(bot)
    assert list(builds.folder.iterdir()) == []


async def test_a_store_that_cannot_be_written_fails_no_build(
    freeze_bot: FreezeBot, tmp_path: Path, builds: BuildStore
) -> None:
    builds.folder.rmdir()
    builds.folder.touch()
    place = Elsewhere(tmp_path, builds)
    built = await place.build(freeze_bot("#!/bin/sh\n", MAKE))
    check_runnable(built)
    assert all("store" not in line for line in place.said)


async def test_an_interrupt_while_a_build_is_kept_leaves_the_build_and_no_half(
    freeze_bot: FreezeBot, tmp_path: Path, builds: BuildStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = freeze_bot("#!/bin/sh\n", MAKE)
    place = Elsewhere(tmp_path, builds)
    with trio.CancelScope() as scope:
        copy = build_store._copy  # the middle of the work

        def interrupted(*args: object) -> None:
            trio.from_thread.run_sync(scope.cancel)
            copy(*args)  # type: ignore[arg-type]

        with monkeypatch.context() as patch:
            patch.setattr(build_store, "_copy", interrupted)
            await place.build(bot)
    assert scope.cancelled_caught
    assert list(builds.folder.iterdir()) == []
    assert not (await place.build(bot)).is_built_before
