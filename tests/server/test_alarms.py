"""Alarms ring once each, at their moment, after what was already on its way."""

import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from arena.referee.clock import MS
from arena.server.alarms import PAUSE_NS, SETTLE_NS, Alarms
from arena.server.arrivals import HANDOVER_NS
from arena.testing.memory_link import trio_now_ns

Rung = tuple[str, int]


def refuse(late_ns: int) -> None:
    raise AssertionError(f"{late_ns} ns late")


def make_alarms() -> tuple[Alarms[str], list[Rung]]:
    rung: list[Rung] = []
    return Alarms(lambda *ring: rung.append(ring), now=trio_now_ns, on_pause=refuse), rung


def open_alarms(nursery: trio.Nursery) -> tuple[Alarms[str], list[Rung]]:
    alarms, rung = make_alarms()
    nursery.start_soon(alarms.run)
    return alarms, rung


async def test_an_alarm_rings_a_moment_after_it_is_due(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    alarms, rung = open_alarms(nursery)
    alarms.set("a", 5 * MS)
    await trio.sleep(1)
    assert rung == [("a", 5 * MS + SETTLE_NS)]


async def test_alarms_ring_in_the_order_of_their_moments(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    alarms, rung = open_alarms(nursery)
    for name, at_ms in (("late", 30), ("early", 10), ("middle", 20)):
        alarms.set(name, at_ms * MS)
    await trio.sleep(1)
    assert [name for name, _ in rung] == ["early", "middle", "late"]


async def test_an_earlier_alarm_set_while_another_is_waited_for_rings_in_time(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    alarms, rung = open_alarms(nursery)
    alarms.set("late", 900 * MS)
    await trio.sleep(0.1)
    alarms.set("early", 200 * MS)
    await trio.sleep(0.2)
    assert rung == [("early", 200 * MS + SETTLE_NS)]


async def test_a_cancelled_alarm_does_not_ring_and_another_still_does(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    alarms, rung = open_alarms(nursery)
    alarms.set("a", 10 * MS)
    alarms.set("b", 20 * MS)
    alarms.cancel("a")
    alarms.cancel("never set")
    await trio.sleep(1)
    assert [name for name, _ in rung] == ["b"]


async def test_an_alarm_set_again_rings_at_the_last_moment_only(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    alarms, rung = open_alarms(nursery)
    alarms.set("a", 10 * MS)
    await trio.sleep(0.005)
    alarms.set("a", 50 * MS)
    await trio.sleep(1)
    assert rung == [("a", 50 * MS + SETTLE_NS)]


async def test_what_an_alarm_cancels_does_not_ring_with_it(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    rung: list[str] = []

    def ring(name: str, _now_ns: int) -> None:
        rung.append(name)
        alarms.cancel("b")
        alarms.set("c", 40 * MS)

    alarms: Alarms[str] = Alarms(ring, now=trio_now_ns, on_pause=refuse)
    for name in ("a", "b", "c"):
        alarms.set(name, 10 * MS)
    nursery.start_soon(alarms.run)
    await trio.sleep(0.03)
    assert rung == ["a"]
    alarms.close()


async def test_waking_late_for_one_alarm_does_not_hurry_another(
    nursery: trio.Nursery, mock_clock: MockClock
) -> None:
    alarms, rung = open_alarms(nursery)
    alarms.set("long due", 10 * MS)
    alarms.set("just due", 50 * MS + HANDOVER_NS)
    await wait_all_tasks_blocked()
    mock_clock.jump(0.05)
    await wait_all_tasks_blocked()
    mock_clock.jump(HANDOVER_NS / 1e9)
    await wait_all_tasks_blocked()
    assert [name for name, _ in rung] == ["long due"]


async def test_what_came_while_the_arena_stood_still_comes_before_a_late_alarm(
    nursery: trio.Nursery, mock_clock: MockClock
) -> None:
    """Other threads, which stood still too, get a moment to hand it over."""
    alarms, rung = open_alarms(nursery)
    alarms.set("a", 10 * MS)
    await wait_all_tasks_blocked()
    mock_clock.jump(0.3)
    await wait_all_tasks_blocked()
    assert rung == []
    mock_clock.jump(HANDOVER_NS / 1e9)
    await wait_all_tasks_blocked()
    assert rung == [("a", 300 * MS + HANDOVER_NS)]


async def test_an_alarm_that_comes_far_too_late_is_a_pause_and_does_not_ring(
    nursery: trio.Nursery, mock_clock: MockClock
) -> None:
    paused: list[int] = []
    rung: list[Rung] = []
    alarms: Alarms[str] = Alarms(
        lambda *ring: rung.append(ring), now=trio_now_ns, on_pause=paused.append
    )
    nursery.start_soon(alarms.run)
    alarms.set("a", 10 * MS)
    await wait_all_tasks_blocked()
    mock_clock.jump((10 * MS + SETTLE_NS + PAUSE_NS) / 1e9)
    await wait_all_tasks_blocked()
    mock_clock.jump(HANDOVER_NS / 1e9)
    await wait_all_tasks_blocked()
    assert (rung, paused) == ([], [PAUSE_NS + HANDOVER_NS])


async def test_a_task_that_is_due_at_the_same_moment_runs_before_the_alarm_rings(
    nursery: trio.Nursery, mock_clock: MockClock
) -> None:
    order: list[str] = []
    alarms: Alarms[str] = Alarms(lambda *_: order.append("alarm"), now=trio_now_ns, on_pause=refuse)
    alarms.set("a", 10 * MS)

    async def message() -> None:
        await trio.sleep_until((10 * MS + SETTLE_NS) / 1e9)
        await trio.lowlevel.checkpoint()  # from the socket to the session's reader
        order.append("message")

    nursery.start_soon(alarms.run)
    nursery.start_soon(message)
    await wait_all_tasks_blocked()
    mock_clock.jump((10 * MS + SETTLE_NS) / 1e9)
    await wait_all_tasks_blocked()
    assert order == ["message", "alarm"]


async def test_run_ends_when_the_alarms_are_closed(autojump_clock: MockClock) -> None:
    alarms, rung = make_alarms()
    alarms.set("a", 10 * MS)
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(alarms.run)
            await wait_all_tasks_blocked()
            alarms.close()
    assert rung == []


async def test_alarms_closed_before_they_run_end_at_once() -> None:
    alarms, _ = make_alarms()
    alarms.close()
    await alarms.run()
