"""Before the first card everything can be given up."""

import threading
from pathlib import Path

import pytest
import trio

from arena.bots.argument import BotChoice
from arena.bots.frozen import Check, FrozenBot
from arena.tournament import preflight
from arena.tournament.event_file import Entrant, EventFile

ENTRANTS = tuple(Entrant(name=name, bot="-- cat") for name in ("a", "b", "c", "d"))


async def test_a_freezing_that_is_given_up_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    has_begun = trio.Event()

    def tidy(choice: BotChoice, store: Path, check: Check) -> FrozenBot:
        draft = store / "draft"
        draft.mkdir()
        trio.from_thread.run_sync(has_begun.set)
        try:
            while True:
                check()
        finally:
            draft.rmdir()

    monkeypatch.setattr(preflight, "freeze", tidy)
    event = EventFile(name="cup", entrants=ENTRANTS)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(preflight.freeze_entrants, event, tmp_path, tmp_path)
        await has_begun.wait()
        nursery.cancel_scope.cancel()
    assert not (tmp_path / "draft").exists()


async def test_a_freezing_that_hangs_is_left_behind_and_learns_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    release, has_learnt = threading.Event(), threading.Event()
    has_begun = trio.Event()

    def hang(choice: BotChoice, store: Path, check: Check) -> FrozenBot:
        trio.from_thread.run_sync(has_begun.set)
        release.wait()
        try:
            check()
        except trio.Cancelled:
            has_learnt.set()
            raise
        raise AssertionError(f"{choice.folder} is frozen into {store} for nobody")

    monkeypatch.setattr(preflight, "freeze", hang)
    monkeypatch.setattr(preflight, "TIDY_S", 0)
    event = EventFile(name="cup", entrants=ENTRANTS)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(preflight.freeze_entrants, event, tmp_path, tmp_path)
        await has_begun.wait()
        nursery.cancel_scope.cancel()
    release.set()
    assert await trio.to_thread.run_sync(has_learnt.wait, 10)
