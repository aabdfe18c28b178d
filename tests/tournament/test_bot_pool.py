"""Processes that live for a stage: who borrows them, who waits, when they are replaced."""

from dataclasses import replace
from typing import Any, cast

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from arena.tournament.bot_pool import BotPool
from arena.tournament.bot_sets import BotSet, FreshBots
from arena.tournament.event_file import Restart
from arena.tournament.plan import event_sittings
from arena.tournament.schedule import Sitting
from arena.tournament.stopping import Stopper
from arena.wire.terms import GoodbyeReason
from tests.tournament.made_up_bots import ROOM, Launcher, Process
from tests.tournament.results import event_of

SITTINGS = list(event_sittings(event_of("a", "b", "c", restart=Restart.NEVER)))


def sitting_of(*entrants: int, orientation: int = 0) -> Sitting:
    """Find the first sitting of two entrants, whoever is at home."""
    return next(
        sitting
        for sitting in SITTINGS
        if set(sitting.seats) == set(entrants) and sitting.orientation == orientation
    )


def numbers(bot_set: BotSet) -> list[int]:
    return [cast("Process", bot).number for bot in bot_set.seated]


class Trial:
    """A pool with made-up processes."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.launcher = Launcher(monkeypatch)
        self.stopper = Stopper()
        self.pool = BotPool(cast("Any", None), cast("Any", None), ROOM, self.stopper)


async def test_an_entrants_processes_are_those_of_its_orientation_in_whatever_seats(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    trial = Trial(monkeypatch)
    seen: dict[tuple[int, int], set[tuple[int, ...]]] = {}
    for sitting in SITTINGS:
        bot_set = await trial.pool.seat(sitting)
        for entrant in set(sitting.seats):
            side = [
                number
                for number, whose in zip(numbers(bot_set), sitting.seats, strict=True)
                if whose == entrant
            ]
            seen.setdefault((entrant, sitting.orientation), set()).add(tuple(side))
        await trial.pool.dismiss(bot_set)
    assert len(SITTINGS) == 6
    assert len(trial.launcher.all) == 3 * 2 * 2
    assert all(len(sides) == 1 for sides in seen.values())
    homes = {sitting.seats[0] for sitting in SITTINGS if sitting.orientation == 0}
    assert len(homes) > 1, "some entrant sits at home in one pairing and not in another"


async def test_only_processes_that_have_not_played_are_fresh(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    trial = Trial(monkeypatch)
    first = await trial.pool.seat(sitting_of(0, 1))
    await trial.pool.dismiss(first)
    second = await trial.pool.seat(sitting_of(0, 2))
    assert first.fresh == {0, 1, 2, 3}
    assert {second.sitting.seats[seat] for seat in second.fresh} == {2}
    assert len(second.fresh) == 2


async def test_a_sitting_waits_for_whom_another_has_borrowed(
    monkeypatch: pytest.MonkeyPatch, nursery: trio.Nursery
) -> None:
    trial = Trial(monkeypatch)
    first = await trial.pool.seat(sitting_of(0, 1))
    other = await trial.pool.seat(sitting_of(0, 1, orientation=1))  # other processes
    got: list[BotSet] = []

    async def borrow() -> None:
        got.append(await trial.pool.seat(sitting_of(1, 2)))

    nursery.start_soon(borrow)
    await wait_all_tasks_blocked()
    assert got == []
    await trial.pool.dismiss(other)
    await wait_all_tasks_blocked()
    assert got == []
    await trial.pool.dismiss(first)
    await wait_all_tasks_blocked()
    assert len(got) == 1


async def test_a_sitting_that_is_given_up_gives_back_what_it_had_borrowed(
    monkeypatch: pytest.MonkeyPatch, nursery: trio.Nursery
) -> None:
    trial = Trial(monkeypatch)
    first = await trial.pool.seat(sitting_of(1, 2))
    with trio.CancelScope() as scope:
        nursery.start_soon(wait_and_cancel, scope)
        await trial.pool.seat(sitting_of(0, 1))  # has 0, waits for 1
    assert scope.cancelled_caught
    await trial.pool.dismiss(first)
    with trio.fail_after(5):
        await trial.pool.seat(sitting_of(0, 1))


async def wait_and_cancel(scope: trio.CancelScope) -> None:
    await wait_all_tasks_blocked()
    scope.cancel()


async def test_of_a_spent_set_all_are_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    trial = Trial(monkeypatch)
    bot_set = await trial.pool.seat(sitting_of(0, 1))
    renewed = await trial.pool.renew(bot_set, bot_set.sitting, is_spent=True)
    assert not set(numbers(bot_set)) & set(numbers(renewed))
    assert renewed.fresh == {0, 1, 2, 3}
    assert all(cast("Process", bot).reason is not None for bot in bot_set.seated)
    again = await trial.pool.renew(renewed, bot_set.sitting, is_spent=True)
    assert all(cast("Process", bot).waited_for for bot in bot_set.seated)
    await trial.pool.dismiss(again)
    assert numbers(await trial.pool.seat(sitting_of(0, 1))) == numbers(again)


async def test_of_a_set_that_lost_a_bot_its_side_is_replaced_and_the_other_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    trial = Trial(monkeypatch)
    bot_set = (await trial.pool.seat(sitting_of(0, 1))).settled()
    cast("Process", bot_set.seated[1]).session.is_gone = True
    assert not bot_set.is_whole
    rest = replace(bot_set.sitting, matches=bot_set.sitting.matches[1:])
    renewed = await trial.pool.renew(bot_set, rest, is_spent=False)
    assert renewed.is_whole
    assert renewed.fresh == {1, 3}
    before, after = numbers(bot_set), numbers(renewed)
    assert [a == b for a, b in zip(before, after, strict=True)] == [True, False, True, False]


async def test_a_bot_lost_between_two_sittings_is_replaced_for_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    trial = Trial(monkeypatch)
    first = await trial.pool.seat(sitting_of(0, 1))
    await trial.pool.dismiss(first)
    cast("Process", first.seated[0]).session.is_gone = True
    second = await trial.pool.seat(sitting_of(0, 1))
    assert second.is_whole
    assert second.fresh == {0, 2}


async def test_at_the_end_of_its_stage_everybody_leaves_once_nobody_plays_or_waits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    trial = Trial(monkeypatch)
    bot_set = await trial.pool.seat(sitting_of(0, 1))
    idle = await trial.pool.seat(sitting_of(0, 1, orientation=1))
    await trial.pool.dismiss(idle)
    trial.pool.close()
    assert all(process.reason is None for process in trial.launcher.all)
    await trial.pool.dismiss(bot_set)
    assert {process.reason for process in trial.launcher.all} == {GoodbyeReason.FINISHED}
    trial.pool.close()


async def test_a_fresh_keeper_starts_each_set_anew_and_waits_for_the_one_before_the_last(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    launcher = Launcher(monkeypatch, capacity=3)
    keeper = FreshBots(cast("Any", None), cast("Any", None), [ROOM], Stopper())
    first = await keeper.seat(sitting_of(0, 1))
    assert first.capacity == 3
    cast("Process", first.seated[2]).session.is_gone = True
    assert first.is_whole, "who has not played yet has to forfeit first"
    assert not first.settled().is_whole
    second = await keeper.renew(first, first.sitting, is_spent=False)
    assert not set(numbers(first)) & set(numbers(second))
    await keeper.dismiss(second)
    assert [process.waited_for for process in launcher.all] == [True] * 4 + [False] * 4
    assert all(process.reason is not None for process in launcher.all)
