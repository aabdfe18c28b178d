"""A link in memory behaves as its Protocol says, as far as sessions can tell."""

import pytest
import trio
from trio.testing import MockClock

from arena.referee.messages import Arrival
from arena.server.link import Link, LinkClosed, LinkError, Received
from arena.testing.memory_link import memory_link_pair


async def test_messages_arrive_in_order_stamped_with_the_doubt_about_their_moment(
    mock_clock: MockClock,
) -> None:
    link, bot = memory_link_pair()
    mock_clock.jump(2)
    bot.send(b"1")
    bot.send(b"2", lag_ns=5)
    arena: Link = link
    now = 2_000_000_000
    assert await arena.recv() == Received(b"1", Arrival(earliest_ns=now, latest_ns=now))
    assert await arena.recv() == Received(b"2", Arrival(earliest_ns=now - 5, latest_ns=now))


async def test_a_write_ends_at_once_where_the_bot_reads() -> None:
    link, bot = memory_link_pair()
    link.send(b"1")
    assert not link.is_busy
    assert await bot.recv() == b"1"
    assert bot.recv_all() == []


async def test_a_write_is_in_flight_until_the_bot_reads_it() -> None:
    link, bot = memory_link_pair()
    idle: list[bool] = []
    link.on_idle = lambda: idle.append(link.is_busy)
    bot.stop_reading()
    link.send(b"1")
    with pytest.raises(AssertionError, match="another is in flight"):
        link.send(b"2")
    bot.read_one()
    link.send(b"2")
    bot.read_on()
    link.send(b"3")
    assert idle == [False, False]
    assert bot.recv_all() == [b"1", b"2", b"3"]


async def test_what_was_sent_before_the_end_is_delivered_first() -> None:
    link, bot = memory_link_pair()
    bot.send(b"1")
    bot.hang_up()
    got: list[bytes] = []
    await link.deliver(lambda received: got.append(received.data))
    assert got == [b"1"]
    with pytest.raises(LinkClosed):
        await link.recv()
    link.send(b"still told")
    assert bot.recv_all() == [b"still told"]


async def test_close_lets_the_write_in_flight_out_and_is_idempotent() -> None:
    link, bot = memory_link_pair()
    bot.stop_reading()
    link.send(b"1")
    error = LinkError("ABORTED", "REPLACED", "words")
    link.close(error)
    link.close()
    bot.read_one()
    assert await bot.recv() == b"1"
    with pytest.raises(LinkClosed):
        await bot.recv()
    assert (bot.is_over, bot.error) == (True, error)
    with pytest.raises(LinkClosed):
        link.send(b"2")
    bot.send(b"lost")


async def test_a_stream_that_breaks_loses_what_is_in_flight() -> None:
    link, bot = memory_link_pair()
    bot.stop_reading()
    link.send(b"1")
    bot.die()
    assert bot.recv_all() == []
    with pytest.raises(LinkClosed):
        link.send(b"2")
    with pytest.raises(LinkClosed):
        await link.recv()


async def test_a_cancelled_recv_loses_nothing(nursery: trio.Nursery) -> None:
    link, bot = memory_link_pair()
    with trio.move_on_after(0):
        await link.recv()
    bot.send(b"1")
    assert (await link.recv()).data == b"1"
