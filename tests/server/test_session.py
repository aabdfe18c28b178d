"""A session numbers, batches and ends; nothing that waits for a bot is without bound."""

from collections.abc import Callable
from itertools import count

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from arena.referee.faults import FaultKind
from arena.server.absent import absent_session
from arena.server.endings import full_text
from arena.server.link import LinkClosed, LinkError
from arena.server.outgoing import MAX_QUEUED
from arena.testing.memory_link import MemoryLink
from arena.v1 import play_pb2
from arena.wire.terms import FRAME_BYTES, FRAME_MESSAGES, GoodbyeReason
from tests.server.conversation import Heard, frame, leave, open_session, ready
from tests.server.ports import NotedSeat
from tests.server.sessions import Running, join_tables, queue, update


def long(size: int) -> Heard:
    return Heard(rejected=play_pb2.Rejected(message="x" * size))


# --- out ------------------------------------------------------------------------------


async def test_what_is_queued_leaves_with_the_flush_numbered_from_1() -> None:
    session, bot = open_session()
    session.queue(update())
    assert bot.hear() == []
    session.flush()
    queue(session, 1)
    assert [message.sequence for message in bot.hear()] == [1, 2]
    assert bot.frame_sizes == [1, 1]


async def test_what_becomes_ready_while_a_write_is_in_flight_goes_in_one_next_frame() -> None:
    session, bot = open_session()
    bot.far.stop_reading()
    queue(session, 1)
    for _ in range(5):
        queue(session, 1)
    assert session.is_writing
    assert bot.hear() == []
    bot.far.read_one()
    bot.far.read_one()
    assert [message.sequence for message in bot.hear()] == [1, 2, 3, 4, 5, 6]
    assert bot.frame_sizes == [1, 5]


async def test_a_frame_holds_64_messages_at_most() -> None:
    session, bot = open_session()
    queue(session, 2 * FRAME_MESSAGES + 3)
    assert [message.sequence for message in bot.hear()] == list(range(1, 132))
    assert bot.frame_sizes == [64, 64, 3]


async def test_a_frame_holds_64_kib_at_most() -> None:
    session, bot = open_session()
    for _ in range(40):
        session.queue(long(4_000))
    session.flush()
    frames = bot.far.recv_all()
    assert max(map(len, frames)) <= FRAME_BYTES
    heard = [m for data in frames for m in play_pb2.PlayResponse.FromString(data).messages]
    assert [message.sequence for message in heard] == list(range(1, 41))
    assert len(frames) < 40


async def test_a_message_longer_than_a_frame_goes_alone() -> None:
    session, bot = open_session()
    for size in (10, FRAME_BYTES + 1, 10):
        session.queue(long(size))
    session.flush()
    assert [len(message.rejected.message) for message in bot.hear()] == [10, FRAME_BYTES + 1, 10]
    assert bot.frame_sizes == [1, 1, 1]


async def test_a_message_is_told_when_the_write_of_its_own_frame_started(
    mock_clock: MockClock,
) -> None:
    session, bot = open_session()
    written: list[int] = []
    bot.far.stop_reading()
    session.queue(update(), written.append)
    session.flush()
    session.queue(update(), written.append)
    mock_clock.jump(0.005)
    session.flush()
    assert (written, session.write_started_ns) == ([0], 0)
    mock_clock.jump(0.002)
    bot.far.read_on()
    assert (written, session.write_started_ns) == ([0, 7_000_000], 7_000_000)


async def test_what_a_written_message_brings_about_leaves_at_once_and_in_order() -> None:
    session, bot = open_session()

    moments = count(start=1)
    session.now = lambda: next(moments)
    written: list[int] = []

    def say_more(_: int) -> None:
        session.queue(update(), written.append)
        queue(session, 1)

    session.queue(update(), say_more)
    session.queue(update(), written.append)
    session.flush()
    assert written == [2, 1]  # each with the moment of its own frame
    assert [message.sequence for message in bot.hear()] == [1, 2, 3, 4]
    assert bot.frame_sizes == [2, 2]


async def test_a_bot_that_reads_nothing_is_lost_when_too_many_messages_wait() -> None:
    session, bot = open_session()
    _, (seat,) = join_tables(session, 1)
    bot.far.stop_reading()
    queue(session, 1)
    queue(session, MAX_QUEUED)
    assert not session.is_gone
    queue(session, 1)
    assert session.gone_kind is FaultKind.NOT_READING
    assert seat.gone == [(FaultKind.NOT_READING, full_text(MAX_QUEUED))]
    assert bot.far.error == LinkError("RESOURCE_EXHAUSTED", "TOO_MANY_MESSAGES", seat.gone[0][1])
    bot.far.read_on()
    assert len(bot.hear()) == 1


async def test_a_stream_that_is_closed_is_a_crash_noticed_with_the_next_message() -> None:
    session, bot = open_session()
    _, (seat,) = join_tables(session, 1)
    bot.far.die()
    queue(session, 1)
    assert seat.gone == [(FaultKind.CRASHED, "its stream is closed")]


async def test_the_end_of_a_watched_process_explains_a_stream_that_is_closed() -> None:
    """What is written to it is lost; how it went is told by who watches it."""
    session, bot = open_session()
    session.is_watched = True
    _, (seat,) = join_tables(session, 1)
    bot.far.die()
    queue(session, 2)
    assert not session.is_gone
    assert seat.gone == []
    await session.run()
    session.lose(FaultKind.CRASHED, "was ended by SIGSEGV")
    assert seat.gone == [(FaultKind.CRASHED, "was ended by SIGSEGV")]


@pytest.mark.parametrize(("tables", "sent_at_once"), [(1, 1), (2, 0)])
async def test_frames_are_gathered_only_where_a_bot_plays_at_several_tables(
    tables: int, sent_at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever its capacity: at one table there is nothing to wait for."""
    waiting: list[Callable[[], None]] = []
    monkeypatch.setattr(MemoryLink, "when_idle", lambda _, callback: waiting.append(callback))
    session, bot = open_session(3)
    join_tables(session, tables)
    session.queue(update())
    session.flush_soon()
    assert len(bot.hear()) == sent_at_once
    for callback in waiting:
        callback()
    assert len(bot.hear()) == 1 - sent_at_once


# --- leaving and the end --------------------------------------------------------------


async def test_leaving_one_table_leaves_the_others_and_the_session(nursery: trio.Nursery) -> None:
    it = Running(nursery, capacity=3)
    await it.says(leave(2, "lost my notes"))
    assert [seat.gone for seat in it.seats] == [
        [],
        [(FaultKind.LEFT, "the bot sent Leave: lost my notes")],
        [],
    ]
    assert not it.session.is_gone


async def test_leaving_a_table_whose_match_is_over_is_nothing(nursery: trio.Nursery) -> None:
    it = Running(nursery, capacity=2)
    await it.says(leave(3))
    assert it.seats == [NotedSeat(), NotedSeat()]
    assert it.bot.hear() == []


async def test_leaving_all_tables_ends_the_session_in_order_once_its_seats_have_spoken(
    nursery: trio.Nursery,
) -> None:
    it = Running(nursery, capacity=2)
    for seat in it.seats:
        seat.when_gone = lambda: it.session.queue(update())
    await it.says(leave())
    assert len(it.bot.hear()) == 2
    assert (it.bot.far.is_over, it.bot.far.error) == (True, None)
    assert it.session.gone_kind is FaultKind.LEFT
    assert [seat.gone[0] for seat in it.seats] == [(FaultKind.LEFT, "the bot sent Leave")] * 2


async def test_a_session_is_lost_once_and_its_tables_learn_why() -> None:
    session, bot = open_session(2)
    _, seats = join_tables(session, 2)
    session.lose(FaultKind.CRASHED, "signal 9")
    session.lose(FaultKind.LEFT, "later")
    session.say_goodbye(GoodbyeReason.FINISHED, 0)
    queue(session, 1)
    assert [seat.gone for seat in seats] == [[(FaultKind.CRASHED, "signal 9")]] * 2
    assert (session.gone_kind, session.gone_detail) == (FaultKind.CRASHED, "signal 9")
    assert (bot.hear(), bot.far.is_over, bot.far.error) == ([], True, None)


async def test_a_seat_may_free_its_table_when_it_learns_of_the_loss() -> None:
    session, _ = open_session(2)
    places, seats = join_tables(session, 2)
    for seat in seats:
        seat.when_gone = lambda: session.places.leave(places.pop())
    session.lose(FaultKind.CRASHED, "")
    assert session.places.all() == []


async def test_goodbye_is_said_once_and_ends_the_stream_in_order() -> None:
    session, bot = open_session()
    for _ in range(2):
        session.say_goodbye(GoodbyeReason.SHUTDOWN, 1_000)
    session.lose(FaultKind.CRASHED, "its process has ended as it was told")
    (message,) = bot.hear()
    assert message.goodbye == play_pb2.Goodbye(
        reason=play_pb2.GOODBYE_REASON_SHUTDOWN, grace_ms=1_000
    )
    assert (bot.far.is_over, bot.far.error) == (True, None)
    assert session.gone_detail == "its session is over"


async def test_goodbye_goes_out_behind_what_is_still_being_written() -> None:
    session, bot = open_session()
    bot.far.stop_reading()
    queue(session, 1)
    queue(session, 2)
    session.say_goodbye(GoodbyeReason.FINISHED, 1_000)
    ends = [bot.far.is_over]
    bot.far.read_one()
    ends.append(bot.far.is_over)  # the last frame is on its way, nothing will follow it
    bot.far.read_one()
    assert ends == [False, True]
    assert bot.hear_kinds() == ["update", "update", "update", "goodbye"]
    with pytest.raises(LinkClosed):
        await bot.far.recv()


async def test_goodbye_to_a_bot_that_is_playing_is_a_bug() -> None:
    session, _ = open_session()
    join_tables(session, 1)
    with pytest.raises(AssertionError, match="still playing"):
        session.say_goodbye(GoodbyeReason.FINISHED, 0)


@pytest.mark.parametrize("way", ["lost", "goodbye", "hung up"])
async def test_run_ends_with_the_session_or_the_bots_half_of_the_stream(way: str) -> None:
    session, bot = open_session()
    ends = {
        "lost": lambda: session.lose(FaultKind.CRASHED, ""),
        "goodbye": lambda: session.say_goodbye(GoodbyeReason.FINISHED, 0),
        "hung up": bot.far.hang_up,
    }
    with trio.fail_after(5):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(session.run)
            await wait_all_tasks_blocked()
            ends[way]()


async def test_a_bot_that_has_ended_its_half_is_still_told_what_happens(
    nursery: trio.Nursery,
) -> None:
    it = Running(nursery)
    it.bot.far.send(frame(ready(1)))
    it.bot.far.hang_up()
    await wait_all_tasks_blocked()
    queue(it.session, 1)
    assert len(it.seats[0].ready_ns) == 1
    assert it.bot.hear_kinds() == ["update"]
    assert not it.session.is_gone


def test_the_session_of_an_absent_bot_is_gone_from_the_start() -> None:
    session = absent_session(FaultKind.NOT_READY, "no Join within 30000 ms")
    queue(session, 1)
    assert session.is_gone
    assert session.gone_kind is FaultKind.NOT_READY
    assert session.gone_detail == "no Join within 30000 ms"
