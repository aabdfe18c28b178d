"""However a match ends, it is recorded, every bot is told, and the tables are free again."""

from collections.abc import Callable

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from arena.errors import HostFault
from arena.referee.faults import Culprit, FaultKind, Termination, TerminationKind
from arena.referee.messages import Record
from arena.rules.dealing import DealtCards
from arena.server.absent import absent_session
from arena.server.arrivals import LoopWatch
from arena.server.host import Host
from arena.server.minutes import Minutes
from arena.server.outgoing import MAX_QUEUED
from arena.testing.memory_link import trio_now_ns
from arena.v1 import match_pb2
from tests.server.conversation import answer, first_legal, leave, ready
from tests.server.sessions import queue
from tests.server.tables import MATCH, Bench, HostedTable, hosted


def are_free(bench: Bench) -> bool:
    """Whether no session is at a table any more."""
    return not any(session.places.all() for session in bench.sessions)


# --- bots that go ---------------------------------------------------------------------


async def test_an_absent_bot_forfeits_with_the_reason_and_the_others_hear_of_it_in_order(
    nursery: trio.Nursery,
) -> None:
    bench = Bench(nursery)
    bench.sessions[2] = absent_session(FaultKind.NOT_READY, "no Join within 30000 ms")
    table = HostedTable(nursery, bench)
    await table.over.wait()
    end = table.ended.termination
    assert (end.kind, end.seat) == (TerminationKind.FORFEIT_NOT_READY, 2)
    assert end.detail == "no Join within 30000 ms"
    told = ["match_started", "update", "match_ended"]
    assert bench.hear() == [told, told, [], told]
    assert [bot.frame_sizes for bot in bench.bots] == [[3], [3], [], [3]]
    assert are_free(bench)


async def test_a_bot_that_was_ready_before_there_was_a_match_is_told_so(
    nursery: trio.Nursery, mock_clock: MockClock
) -> None:
    """No log holds what was refused of it then: the fault does."""
    bench = Bench(nursery)
    bench.bots[0].say(ready())
    await wait_all_tasks_blocked()
    table = HostedTable(nursery, bench)
    await wait_all_tasks_blocked()
    for bot in bench.bots[1:]:
        bot.say(ready())
    mock_clock.autojump_threshold = 0
    await table.over.wait()
    end = table.ended.termination
    assert (end.kind, end.seat) == (TerminationKind.FORFEIT_NOT_READY, 0)
    assert "refused before: ready: no match was announced at table 1" in end.detail


async def test_a_stream_that_breaks_with_the_announcement_is_a_crash(
    nursery: trio.Nursery,
) -> None:
    bench = Bench(nursery)
    bench.bots[1].far.die()
    table = HostedTable(nursery, bench)
    await table.over.wait()
    assert table.faults == [(FaultKind.CRASHED, 1)]
    assert bench.hear()[0] == ["match_started", "update", "match_ended"]
    assert are_free(bench)


async def test_a_bot_that_crashes_while_it_thinks_forfeits_at_once(
    nursery: trio.Nursery,
) -> None:
    bench = Bench(nursery)
    table = HostedTable(nursery, bench)
    await table.start()
    bench.sessions[0].lose(FaultKind.CRASHED, "signal 11")
    await table.over.wait()
    assert table.ended.termination.kind is TerminationKind.FORFEIT_CRASH
    assert table.ended.termination.detail == "signal 11"
    assert bench.hear()[1:] == [["update", "match_ended"]] * 3
    assert are_free(bench)


async def test_a_bot_that_leaves_forfeits_and_is_told_so_where_it_left_one_table_only(
    nursery: trio.Nursery,
) -> None:
    bench = Bench(nursery)
    table = HostedTable(nursery, bench)
    await table.start()
    bench.bots[3].say(leave(1, "power cut"))
    await table.over.wait()
    assert table.ended.termination.kind is TerminationKind.FORFEIT_LEFT
    assert bench.bots[3].hear_kinds() == ["match_ended"]
    assert not bench.sessions[3].is_gone


async def test_to_go_right_after_the_last_card_is_no_loss(nursery: trio.Nursery) -> None:
    bench = Bench(nursery)
    bench.play(but=[3])
    table = HostedTable(nursery, bench)
    last = bench.bots[3]
    played = 0
    while played < 10:
        await wait_all_tasks_blocked()
        for message in last.hear():
            if message.HasField("match_started"):
                last.say(ready())
            if message.HasField("decision"):
                last.say(answer(message.decision.decision_id, first_legal(message.decision)))
                played += 1
    last.far.hang_up()
    await wait_all_tasks_blocked()
    bench.sessions[3].lose(FaultKind.CRASHED, "exit status 0")
    await table.over.wait()
    assert table.ended.termination.kind is TerminationKind.COMPLETED
    assert table.faults == []


async def test_a_bot_gone_before_the_next_match_forfeits_that_one_too(
    nursery: trio.Nursery,
) -> None:
    bench = Bench(nursery)
    first = HostedTable(nursery, bench)
    await first.start()
    bench.sessions[0].lose(FaultKind.CRASHED, "signal 9")
    await first.over.wait()
    second = HostedTable(nursery, bench)
    await second.over.wait()
    assert second.ended.termination.detail == "signal 9"


# --- the arena ends it ----------------------------------------------------------------


async def test_a_cancelled_match_is_aborted_in_the_log_and_for_every_bot(
    nursery: trio.Nursery,
) -> None:
    bench = Bench(nursery)
    table = HostedTable(nursery, bench)
    await table.start()
    table.scope.cancel()
    await table.over.wait()
    assert table.scope.cancelled_caught
    assert table.ended.termination.kind is TerminationKind.ABORTED
    assert table.faults == [(FaultKind.HOST, None)]
    assert bench.hear()[1:] == [["update", "match_ended"]] * 3
    assert are_free(bench)


async def test_a_match_cancelled_before_it_begins_is_aborted_all_the_same(
    nursery: trio.Nursery,
) -> None:
    bench = Bench(nursery)
    table = HostedTable(nursery, bench)
    table.scope.cancel()
    await table.over.wait()
    assert table.ended.termination.kind is TerminationKind.ABORTED
    assert bench.hear() == [["match_started", "update", "match_ended"]] * 4


async def test_a_match_can_be_stopped_for_any_reason_and_is_over_for_all_that_follows(
    nursery: trio.Nursery,
) -> None:
    bench = Bench(nursery)
    records: list[Record] = []
    minutes = Minutes(records.append, None, LoopWatch())
    host = Host(MATCH, bench.sessions, minutes=minutes, now=trio_now_ns)
    nursery.start_soon(host.play)
    await wait_all_tasks_blocked()
    annulled = Termination(kind=TerminationKind.ANNULLED, culprit=Culprit.NOBODY, detail="ruling")
    host.stop(annulled)
    count = len(records)
    host.stop(Termination(kind=TerminationKind.ABORTED))
    bench.bots[0].say(ready())
    await wait_all_tasks_blocked()
    assert len(records) == count
    heard = bench.bots[0].hear()
    end = heard[-1].match_ended.result.termination
    assert end.kind == match_pb2.TERMINATION_KIND_ANNULLED


# --- the host's own faults ------------------------------------------------------------


def failing_at(nth: int, error: Exception) -> Callable[[Record], None]:
    """Make a sink that takes so many records less one."""
    taken = 0

    def sink(_record: Record) -> None:
        nonlocal taken
        taken += 1
        if taken >= nth:
            raise error

    return sink


@pytest.mark.parametrize("nth", [1, 6, 10, 30, 79])
async def test_a_log_that_cannot_be_written_ends_the_match_for_the_bots_and_for_the_caller(
    nursery: trio.Nursery, nth: int
) -> None:
    error = HostFault("no space left on the disk")
    bench = Bench(nursery)
    bench.play()
    table = HostedTable(nursery, bench, sink=failing_at(nth, error))
    await table.over.wait()
    await wait_all_tasks_blocked()
    assert table.failure is error
    assert len(table.records) == nth  # nothing more is offered to it
    assert are_free(bench)
    for bot in bench.bots:
        (end,) = bot.of_kind("match_ended")
        assert end.match_ended.result.termination.kind == match_pb2.TERMINATION_KIND_HOST_FAULT


async def test_a_log_that_fails_with_its_last_record_fails_the_match_for_the_caller(
    nursery: trio.Nursery,
) -> None:
    sizing = Bench(nursery)
    sizing.play()
    whole = HostedTable(nursery, sizing)
    await whole.over.wait()
    bench = Bench(nursery)
    bench.play()
    error = HostFault("no space left on the disk")
    table = HostedTable(nursery, bench, sink=failing_at(len(whole.records), error))
    await table.over.wait()
    assert table.failure is error
    assert are_free(bench)


async def test_the_failure_of_one_tables_log_leaves_the_other_table_alone(
    nursery: trio.Nursery,
) -> None:
    bench = Bench(nursery, capacity=2)
    bench.play()
    other = HostedTable(nursery, bench)
    failing = HostedTable(nursery, bench, sink=failing_at(20, HostFault("disk")))
    await failing.over.wait()
    await other.over.wait()
    assert other.ended.termination.kind is TerminationKind.COMPLETED


async def test_a_cancel_does_not_hide_that_the_log_could_not_be_written(
    nursery: trio.Nursery,
) -> None:
    error = HostFault("no space left on the disk")
    bench = Bench(nursery)
    fails_now = False

    def sink(_record: Record) -> None:
        if fails_now:
            raise error

    table = HostedTable(nursery, bench, sink=sink)
    await table.start()
    fails_now = True
    table.scope.cancel()
    await table.over.wait()
    assert table.failure is error


async def test_a_bug_of_the_referee_comes_out_at_the_match_and_not_at_a_bots_reader(
    nursery: trio.Nursery,
) -> None:
    error = AssertionError("the deck has 41 cards")

    def cards(board: int) -> DealtCards:
        if board > 1:
            raise error
        return MATCH.cards(board)

    bench = Bench(nursery)
    bench.play()
    table = HostedTable(nursery, bench, hosted(cards=cards, boards=2))
    await table.over.wait()
    assert table.failure is error
    assert are_free(bench)
    good = HostedTable(nursery, bench)  # the sessions live
    await good.over.wait()
    assert good.ended.termination.kind is TerminationKind.COMPLETED


async def test_a_table_that_was_given_up_takes_nothing_in_any_more(
    nursery: trio.Nursery,
) -> None:
    def cards(board: int) -> DealtCards:
        if board > 1:
            raise AssertionError("the deck has 41 cards")
        return MATCH.cards(board)

    bench = Bench(nursery)
    bench.play()
    records: list[Record] = []
    match = hosted(cards=cards, boards=2)
    minutes = Minutes(records.append, None, LoopWatch())
    host = Host(match, bench.sessions, minutes=minutes, now=trio_now_ns)
    with pytest.raises(AssertionError, match="41 cards"):
        await host.play()
    count = len(records)
    host.stop(Termination(kind=TerminationKind.ABORTED, culprit=Culprit.HOST))
    assert len(records) == count


async def test_a_bot_whose_queue_runs_over_with_its_question_forfeits(
    nursery: trio.Nursery,
) -> None:
    """It is lost in the middle of the outputs that ask it."""
    bench = Bench(nursery)
    table = HostedTable(nursery, bench)
    await table.start()
    bench.bots[1].far.stop_reading()
    queue(bench.sessions[1], 1)
    queue(bench.sessions[1], MAX_QUEUED)
    await table.play_one(0)
    await table.over.wait()
    assert table.faults == [(FaultKind.NOT_READING, 1)]
    assert table.ended.termination.kind is TerminationKind.FORFEIT_NOT_READING
    assert bench.bots[0].hear_kinds() == ["update", "match_ended"]
    assert are_free(bench)
