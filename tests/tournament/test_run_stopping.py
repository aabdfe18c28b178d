"""The two steps of a stop: what ends at the first word, and what at the second."""

import trio
from trio.testing import wait_all_tasks_blocked

from arena.tournament.stopping import Stopper
from arena.wire.terms import GoodbyeReason


async def test_the_first_stop_ends_what_prepares_and_the_second_what_plays(
    nursery: trio.Nursery,
) -> None:
    stopper = Stopper()
    ended: list[str] = []

    async def prepare(name: str) -> None:
        with stopper.until_stopped():
            await trio.sleep_forever()
        ended.append(name)

    async def play() -> None:
        with stopper.until_ended():
            await trio.sleep_forever()
        ended.append("play")

    for name in ("prepare", "prepare too"):
        nursery.start_soon(prepare, name)
    nursery.start_soon(play)
    await wait_all_tasks_blocked()
    stopper.stop()
    await wait_all_tasks_blocked()
    assert stopper.is_stopping
    assert sorted(ended) == ["prepare", "prepare too"]
    stopper.stop()
    await wait_all_tasks_blocked()
    assert ended[-1] == "play"
    stopper.stop()  # and it may be said again


async def test_what_begins_after_the_word_ends_at_once() -> None:
    stopper = Stopper()
    stopper.stop()
    with stopper.until_stopped():
        await trio.sleep_forever()
    with stopper.until_ended():
        await trio.lowlevel.checkpoint()
    stopper.stop()
    with stopper.until_ended():
        await trio.sleep_forever()


async def test_a_body_that_is_over_hears_no_stop() -> None:
    stopper = Stopper()
    with stopper.until_stopped():
        pass
    stopper.stop()
    await trio.lowlevel.checkpoint()


def test_bots_let_go_after_a_stop_are_told_that_the_event_pauses() -> None:
    stopper = Stopper()
    reasons = [stopper.reason]
    stopper.stop()
    reasons.append(stopper.reason)
    assert reasons == [GoodbyeReason.FINISHED, GoodbyeReason.EVENT_PAUSED]
