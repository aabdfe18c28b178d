"""Whatever a bot sends, its session knows whom it concerns; nothing of it is a traceback."""

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from arena.referee.faults import FaultKind, Reason
from arena.server.endings import JOINED_ALREADY, no_table
from arena.server.link import LinkError
from arena.server.places import RECENT_DECISIONS
from arena.v1 import play_pb2
from arena.wire.terms import FRAME_BYTES, FRAME_MESSAGES
from tests.server.conversation import Said, answer, leave, open_session, ready
from tests.server.ports import NotedSeat
from tests.server.sessions import Running, update


async def test_an_answer_goes_to_the_table_that_asked_by_the_tables_own_number(
    nursery: trio.Nursery,
) -> None:
    it = Running(nursery, capacity=2)
    ids = [it.session.places.ask(it.places[table], 30 + table) for table in (1, 0)]
    await it.says(answer(ids[0]), answer(ids[1]))
    assert [seat.answers for seat in it.seats] == [[30], [31]]
    assert it.bot.hear() == []


async def test_the_same_answer_twice_is_for_the_table_to_judge(nursery: trio.Nursery) -> None:
    it = Running(nursery)
    decision_id = it.session.places.ask(it.places[0], 1)
    await it.says(answer(decision_id))
    await it.says(answer(decision_id))
    assert it.seats[0].answers == [1, 1]


async def test_replies_to_a_whole_frame_leave_in_one_frame(nursery: trio.Nursery) -> None:
    it = Running(nursery, capacity=2)
    for seat in it.seats:
        seat.when_ready = lambda: it.session.queue(update())
        seat.when_frame_ends = it.session.flush
    await it.says(ready(1), ready(2), ready(1))
    it.bot.hear()
    assert it.bot.frame_sizes == [3]


async def test_a_seat_is_told_the_end_of_each_frame_that_said_something_to_it(
    nursery: trio.Nursery,
) -> None:
    it = Running(nursery, capacity=3)
    await it.says(ready(1), answer(it.session.places.ask(it.places[1], 1)))
    assert [seat.frames for seat in it.seats] == [1, 1, 0]


async def test_an_answer_to_a_match_that_is_over_is_stale_and_no_fault(
    nursery: trio.Nursery,
) -> None:
    it = Running(nursery, capacity=2)
    decision_id = it.session.places.ask(it.places[0], 1)
    it.session.places.leave(it.places[0])
    await it.says(answer(decision_id))
    assert it.hears_refusals() == [("STALE", decision_id)]
    assert [seat.misfits for seat in it.seats] == [[], []]


async def test_an_answer_to_a_decision_long_ago_is_stale_and_no_fault(
    nursery: trio.Nursery,
) -> None:
    it = Running(nursery)
    ids = [it.session.places.ask(it.places[0], number) for number in range(1, 1_001)]
    await it.says(answer(ids[0]), answer(ids[-RECENT_DECISIONS]))
    assert it.hears_refusals() == [("STALE", ids[0])]
    assert it.seats[0].answers == [1_001 - RECENT_DECISIONS]
    assert it.seats[0].misfits == []


@pytest.mark.parametrize("decision_id", [0, 2, 1 << 31])
async def test_an_answer_to_what_was_never_asked_is_unsolicited_at_every_table(
    nursery: trio.Nursery, decision_id: int
) -> None:
    it = Running(nursery, capacity=2)
    it.session.places.ask(it.places[0], 1)
    await it.says(answer(decision_id))
    assert [seat.misfits for seat in it.seats] == [[(Reason.UNKNOWN_DECISION, None)]] * 2
    assert it.seats[0].words == [f"decision_id {decision_id} was never asked; the latest is 1"]


async def test_without_a_table_the_session_itself_refuses(nursery: trio.Nursery) -> None:
    it = Running(nursery, tables=0)
    await it.says(answer(1), ready(1))
    assert it.hears_refusals() == [("UNKNOWN_DECISION", 1), ("UNKNOWN_MESSAGE", None)]


async def test_undecodable_bytes_are_malformed_at_every_table_and_the_stream_lives(
    nursery: trio.Nursery,
) -> None:
    it = Running(nursery, capacity=2)
    await it.sends(b"\xff\xff\xff")
    await it.says(ready(1))
    assert [seat.misfits for seat in it.seats] == [[(Reason.MALFORMED, None)]] * 2
    assert len(it.seats[0].ready_ns) == 1


async def test_an_answer_that_cannot_be_read_is_charged_to_the_table_it_names(
    nursery: trio.Nursery,
) -> None:
    it = Running(nursery, capacity=2)
    decision_id = it.session.places.ask(it.places[1], 9)
    await it.says(Said(answer=play_pb2.Answer(decision_id=decision_id)))
    assert [seat.misfits for seat in it.seats] == [[], [(Reason.MALFORMED, 9)]]


async def test_an_empty_frame_says_nothing(nursery: trio.Nursery) -> None:
    it = Running(nursery)
    await it.sends(b"")
    assert it.seats == [NotedSeat()]


async def test_a_second_join_is_refused(nursery: trio.Nursery) -> None:
    it = Running(nursery)
    await it.says(Said(join=play_pb2.Join(protocol_version=1)))
    assert it.seats[0].misfits == [(Reason.UNKNOWN_MESSAGE, None)]
    assert it.seats[0].words == [JOINED_ALREADY]


async def test_ready_for_a_table_that_is_not_there_is_refused(nursery: trio.Nursery) -> None:
    it = Running(nursery)
    await it.says(ready(2))
    assert it.seats[0].misfits == [(Reason.UNKNOWN_MESSAGE, None)]
    assert it.seats[0].words == [no_table(2)]
    assert it.seats[0].ready_ns == []


async def test_ready_that_crossed_with_the_end_of_its_match_is_nothing(
    nursery: trio.Nursery,
) -> None:
    it = Running(nursery, capacity=2)
    it.session.places.leave(it.places[1])
    await it.says(ready(2))
    assert it.bot.hear() == []
    assert it.seats == [NotedSeat(), NotedSeat()]


async def test_a_flood_ends_the_session_and_nothing_of_it_is_taken_in(
    nursery: trio.Nursery,
) -> None:
    it = Running(nursery)
    await it.says(*[ready(1)] * (FRAME_MESSAGES + 1))
    words = "65 messages in one frame; allowed are 64"
    assert it.seats[0] == NotedSeat(gone=[(FaultKind.FLOOD, words)])
    assert it.bot.far.error == LinkError("RESOURCE_EXHAUSTED", "TOO_MANY_MESSAGES", words)


async def test_a_frame_too_large_ends_the_session(nursery: trio.Nursery) -> None:
    it = Running(nursery)
    await it.sends(bytes(FRAME_BYTES + 1))
    words = f"a frame of {FRAME_BYTES + 1} bytes; allowed are {FRAME_BYTES}"
    assert it.seats[0].gone == [(FaultKind.FLOOD, words)]
    assert it.bot.far.error == LinkError("RESOURCE_EXHAUSTED", "TOO_LARGE", words)


async def test_what_follows_the_loss_of_the_session_in_a_frame_is_not_taken_in(
    nursery: trio.Nursery,
) -> None:
    it = Running(nursery)
    await it.says(leave(), ready(1))
    assert it.seats[0].ready_ns == []


async def test_a_bot_is_silent_until_anything_has_come_from_it(nursery: trio.Nursery) -> None:
    session, bot = open_session(silence_hint=lambda: "does it flush?")
    nursery.start_soon(session.run)
    assert session.silence_hint == "does it flush?"
    bot.far.send(b"\xff")
    await wait_all_tasks_blocked()
    assert session.silence_hint == ""
