"""Remote bots at their places: who is waited for, and for how long."""

from pathlib import Path

import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from arena.bots.argument import parse_bot
from arena.bots.remote import freeze_remote, seat_remote
from arena.referee.faults import FaultKind
from arena.server.remote_doors import RemoteDoor
from tests.server.test_reconnect import join, knock, open_doors

BOT = freeze_remote(parse_bot("remote", Path()))
START_MS = 30_000


async def absent_after(door: RemoteDoor) -> tuple[float, str]:
    """Seat a bot that does not come: after how many seconds it is absent, and what is said."""
    began = trio.current_time()
    seat = await seat_remote(BOT, door, START_MS)
    assert seat.session.is_gone
    return trio.current_time() - began, str(seat.session.gone_detail)


async def test_a_bot_that_stays_away_is_waited_for_once(autojump_clock: MockClock) -> None:
    """Not again in each later match: only one that was there meanwhile may take as long again."""
    async with trio.open_nursery() as nursery:
        doors = open_doors(nursery)
        (door,) = doors.by_name("far")
        words = "the remote bot has not joined; it was waited for 30000 ms"
        assert await absent_after(door) == (30, words)
        assert await absent_after(door) == (0, words)
        knock(doors, join())
        await wait_all_tasks_blocked()
        seat = await seat_remote(BOT, door, START_MS)
        assert not seat.session.is_gone
        seat.session.lose(FaultKind.LEFT, "it left")
        assert await absent_after(door) == (30, words)
        nursery.cancel_scope.cancel()


async def test_the_wait_before_the_first_match_is_the_wait(autojump_clock: MockClock) -> None:
    """The start allowance is not given beside what ``--wait`` gave, and the fault says which."""
    async with trio.open_nursery() as nursery:
        doors = open_doors(nursery)
        (door,) = doors.by_name("far")
        door.give_up(2_000)
        words = "the remote bot has not joined; it was waited for 2000 ms"
        assert await absent_after(door) == (0, words)
        nursery.cancel_scope.cancel()


async def test_a_bot_that_came_in_time_is_not_given_up(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        doors = open_doors(nursery)
        (door,) = doors.by_name("far")
        knock(doors, join())
        await wait_all_tasks_blocked()
        door.give_up(2_000)
        assert not (await seat_remote(BOT, door, START_MS)).session.is_gone
        nursery.cancel_scope.cancel()
