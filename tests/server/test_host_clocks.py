"""A bot has exactly the time that it is told, from the write of its question on."""

from dataclasses import replace

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from arena.referee.clock import MS, Clock
from arena.referee.events import Fault
from arena.referee.faults import FaultKind, TerminationKind
from arena.rules.events import CardPlayed
from arena.server.arrivals import HANDOVER_NS
from arena.server.endings import deaf_text
from arena.v1 import match_pb2
from tests.server.conversation import BotEnd, answer, first_legal, open_session, ready
from tests.server.sessions import queue
from tests.server.tables import LIMIT, MARGIN, SETTLE, TIMED, Bench, HostedTable, hosted

NS = 1e-9


async def jump(clock: MockClock, seconds: float) -> None:
    """Let time pass, and what it brings about happen."""
    clock.jump(seconds)
    await wait_all_tasks_blocked()


def plays(table: HostedTable) -> list[CardPlayed]:
    return [event for event in table.events if isinstance(event, CardPlayed)]


def say_first_legal(bot: BotEnd, *, lag_ns: int = 0) -> None:
    decision = bot.of_kind("decision")[-1].decision
    bot.say(answer(decision.decision_id, first_legal(decision)), lag_ns=lag_ns)


# --- late, exactly --------------------------------------------------------------------


async def test_an_answer_at_the_very_end_of_limit_and_margin_is_in_time(
    nursery: trio.Nursery, mock_clock: MockClock
) -> None:
    bench = Bench(nursery)
    table = HostedTable(nursery, bench, TIMED)
    await table.start()
    bench.bots[0].hear()
    await jump(mock_clock, LIMIT + MARGIN)
    say_first_legal(bench.bots[0])
    await wait_all_tasks_blocked()
    assert [play.autoplayed for play in plays(table)] == [False]
    assert table.faults == []
    timing = next(r.timing for r in table.records if isinstance(r.event, CardPlayed))
    assert timing is not None
    assert (timing.think_us, timing.lag_us) == (110_000, 0)


async def test_an_answer_one_nanosecond_later_is_late_although_the_alarm_has_not_rung(
    nursery: trio.Nursery, mock_clock: MockClock
) -> None:
    bench = Bench(nursery)
    table = HostedTable(nursery, bench, TIMED)
    await table.start()
    bench.bots[0].hear()
    await jump(mock_clock, LIMIT + MARGIN + NS)
    assert plays(table) == []
    say_first_legal(bench.bots[0])
    await wait_all_tasks_blocked()
    assert [play.autoplayed for play in plays(table)] == [True]
    assert table.faults == [(FaultKind.LATE, 0)]
    (message,) = bench.bots[0].hear()
    assert message.rejected.reason == match_pb2.ERROR_REASON_STALE


async def test_a_silent_bot_is_played_for_when_its_time_is_over_and_not_before(
    nursery: trio.Nursery, mock_clock: MockClock
) -> None:
    bench = Bench(nursery)
    table = HostedTable(nursery, bench, TIMED)
    await table.start()
    await jump(mock_clock, LIMIT + MARGIN + SETTLE - 1_000 * NS)
    assert plays(table) == []
    await jump(mock_clock, 1_000 * NS)
    assert [play.autoplayed for play in plays(table)] == [True]
    assert bench.bots[1].hear_kinds() == ["decision"]


async def test_an_answer_already_on_its_way_comes_before_the_alarm(
    nursery: trio.Nursery, mock_clock: MockClock
) -> None:
    """It arrived in time, and is read in the very moment in which the alarm is due."""
    bench = Bench(nursery)
    table = HostedTable(nursery, bench, TIMED)
    await table.start()
    bench.bots[0].hear()
    mock_clock.jump(LIMIT)
    say_first_legal(bench.bots[0])
    await jump(mock_clock, MARGIN + SETTLE)
    assert [play.autoplayed for play in plays(table)] == [False]
    assert table.faults == []


async def test_the_doubt_about_an_arrival_is_the_bots(
    nursery: trio.Nursery, mock_clock: MockClock
) -> None:
    bench = Bench(nursery)
    table = HostedTable(nursery, bench, TIMED)
    await table.start()
    bench.bots[0].hear()
    await jump(mock_clock, LIMIT + MARGIN + SETTLE / 2)
    say_first_legal(bench.bots[0], lag_ns=1 * MS)
    await wait_all_tasks_blocked()
    assert [play.autoplayed for play in plays(table)] == [False]


async def test_after_a_long_stall_nobody_can_say_and_the_match_is_void(
    nursery: trio.Nursery, mock_clock: MockClock
) -> None:
    """The loop stood still over the whole decision: an answer and the alarm come at once."""
    bench = Bench(nursery)
    table = HostedTable(nursery, bench, TIMED)
    await table.start()
    bench.bots[0].hear()
    mock_clock.jump(1)
    say_first_legal(bench.bots[0], lag_ns=1_000 * MS)
    await wait_all_tasks_blocked()
    assert table.faults == [(FaultKind.HOST_LAG, None)]
    assert table.ended.termination.kind is TerminationKind.HOST_FAULT


async def test_a_bot_is_not_charged_for_what_passed_while_arena_or_machine_stood_still(
    nursery: trio.Nursery, mock_clock: MockClock
) -> None:
    """It may have stood still too: nobody can say whether it would have been in time."""
    bench = Bench(nursery)
    table = HostedTable(nursery, bench, TIMED)
    await table.start()
    bench.bots[0].hear()
    await jump(mock_clock, 3)
    await jump(mock_clock, HANDOVER_NS / 1e9)
    assert table.faults == [(FaultKind.HOST, None)]
    ended = table.ended.termination
    assert ended.kind is TerminationKind.HOST_FAULT
    assert "ms late: arena or machine stood still" in ended.detail


async def test_the_next_decision_of_a_late_bot_tells_it_so(
    nursery: trio.Nursery, mock_clock: MockClock
) -> None:
    bench = Bench(nursery)
    table = HostedTable(nursery, bench, TIMED)
    await table.start()
    bench.bots[0].hear()
    await jump(mock_clock, LIMIT + MARGIN + SETTLE)
    for seat in (1, 2, 3):
        await table.play_one(seat)
    winner = next(bot for bot in bench.bots if bot.hear())
    for _ in range(3):
        if winner is bench.bots[0]:
            break
        say_first_legal(winner)
        await wait_all_tasks_blocked()
        winner = next(bot for bot in bench.bots if bot.hear())
    news = bench.bots[0].of_kind("decision")[-1].decision.news
    assert [event.late.limit_ms for event in news if event.HasField("late")] == [100]


async def test_the_log_has_the_longest_stall_of_the_loop(
    nursery: trio.Nursery, mock_clock: MockClock
) -> None:
    bench = Bench(nursery)
    bench.play()
    table = HostedTable(nursery, bench, TIMED)
    table.watch.stall_max_ns = 7_000_000
    await table.over.wait()
    assert table.ended.loop_stall_max_us == 7_000


# --- when a clock starts --------------------------------------------------------------


async def test_the_clock_starts_with_the_write_and_not_with_the_asking(
    nursery: trio.Nursery, mock_clock: MockClock
) -> None:
    """An earlier write is in flight for less than the margin."""
    bench = Bench(nursery)
    table = HostedTable(nursery, bench, TIMED)
    await wait_all_tasks_blocked()
    bench.bots[0].far.stop_reading()
    queue(bench.sessions[0], 1)
    for bot in bench.bots:
        bot.say(ready())
    await wait_all_tasks_blocked()
    await jump(mock_clock, 0.006)
    bench.bots[0].far.read_on()
    await jump(mock_clock, LIMIT + MARGIN)
    bench.bots[0].hear()
    say_first_legal(bench.bots[0])
    await wait_all_tasks_blocked()
    assert table.faults == []
    timing = next(r.timing for r in table.records if isinstance(r.event, CardPlayed))
    assert timing is not None
    assert timing.think_us == 110_000


async def test_behind_a_write_in_flight_the_clock_starts_the_margin_after_the_asking(
    nursery: trio.Nursery, mock_clock: MockClock
) -> None:
    bench = Bench(nursery)
    table = HostedTable(nursery, bench, TIMED)
    await wait_all_tasks_blocked()
    bench.bots[0].far.stop_reading()
    await jump(mock_clock, 1)
    queue(bench.sessions[0], 1)
    for bot in bench.bots:
        bot.say(ready())
    await wait_all_tasks_blocked()
    await jump(mock_clock, 0.06)
    bench.bots[0].far.read_on()  # its clock runs since 50 ms
    await jump(mock_clock, 0.06)
    bench.bots[0].hear()
    say_first_legal(bench.bots[0])
    await wait_all_tasks_blocked()
    assert table.faults == []
    timing = next(r.timing for r in table.records if isinstance(r.event, CardPlayed))
    assert timing is not None
    assert timing.think_us == 110_000


async def test_a_session_that_reads_another_tables_message_slowly_is_late_not_deaf(
    nursery: trio.Nursery, mock_clock: MockClock
) -> None:
    """The write that is in flight when its time is over began only a moment ago."""
    bench = Bench(nursery)
    table = HostedTable(nursery, bench, TIMED)
    await table.start()
    bench.bots[0].far.stop_reading()
    await jump(mock_clock, LIMIT)
    queue(bench.sessions[0], 1)
    await jump(mock_clock, MARGIN + SETTLE)
    assert table.faults == [(FaultKind.LATE, 0)]


# --- not reading ----------------------------------------------------------------------


async def test_a_bot_that_does_not_read_its_question_forfeits_when_its_time_is_over(
    nursery: trio.Nursery, mock_clock: MockClock
) -> None:
    bench = Bench(nursery)
    table = HostedTable(nursery, bench, TIMED)
    await wait_all_tasks_blocked()
    bench.bots[0].far.stop_reading()
    for bot in bench.bots:
        bot.say(ready())
    await wait_all_tasks_blocked()
    await jump(mock_clock, LIMIT + MARGIN + SETTLE)
    assert table.faults == [(FaultKind.NOT_READING, 0)]
    assert table.ended.termination.kind is TerminationKind.FORFEIT_NOT_READING
    assert table.ended.termination.detail == deaf_text(111 * MS, 110 * MS)
    assert bench.sessions[0].is_gone
    assert bench.hear()[1:] == [["match_started", "update", "match_ended"]] * 3


@pytest.mark.parametrize("bank_ms", [0, 60_000])
async def test_a_question_that_is_never_written_is_bounded_all_the_same(
    nursery: trio.Nursery, mock_clock: MockClock, bank_ms: int
) -> None:
    """It waits behind a write that never ends."""
    bench = Bench(nursery)
    clock = Clock(limit_ms=100, margin_ms=10, bank_ms=bank_ms)
    table = HostedTable(nursery, bench, hosted(clock=clock))
    await wait_all_tasks_blocked()
    bench.bots[0].far.stop_reading()
    queue(bench.sessions[0], 1)
    for bot in bench.bots:
        bot.say(ready())
    await wait_all_tasks_blocked()
    await jump(mock_clock, MARGIN + LIMIT + MARGIN)
    assert not table.over.is_set()
    await jump(mock_clock, SETTLE)
    assert table.faults == [(FaultKind.NOT_READING, 0)]


async def test_with_a_bank_not_reading_shows_although_the_write_began_late(
    nursery: trio.Nursery, mock_clock: MockClock
) -> None:
    bench = Bench(nursery)
    clock = Clock(limit_ms=100, margin_ms=10, bank_ms=60_000)
    table = HostedTable(nursery, bench, hosted(clock=clock))
    await wait_all_tasks_blocked()
    bench.bots[0].far.stop_reading()
    queue(bench.sessions[0], 1)
    for bot in bench.bots:
        bot.say(ready())
    await wait_all_tasks_blocked()
    await jump(mock_clock, 0.05)
    bench.bots[0].far.read_one()
    await jump(mock_clock, LIMIT + MARGIN + SETTLE)
    assert table.faults == [(FaultKind.NOT_READING, 0)]


async def test_with_a_bank_not_reading_shows_after_the_limit_and_not_after_the_bank(
    nursery: trio.Nursery, mock_clock: MockClock
) -> None:
    bench = Bench(nursery)
    clock = Clock(limit_ms=100, margin_ms=10, bank_ms=60_000)
    table = HostedTable(nursery, bench, hosted(clock=clock))
    await wait_all_tasks_blocked()
    bench.bots[0].far.stop_reading()
    for bot in bench.bots:
        bot.say(ready())
    await wait_all_tasks_blocked()
    await jump(mock_clock, LIMIT + MARGIN + SETTLE)
    assert table.faults == [(FaultKind.NOT_READING, 0)]


async def test_a_bot_that_reads_and_thinks_may_use_its_bank(
    nursery: trio.Nursery, mock_clock: MockClock
) -> None:
    bench = Bench(nursery)
    clock = Clock(limit_ms=100, margin_ms=10, bank_ms=2_000)
    table = HostedTable(nursery, bench, hosted(clock=clock))
    await table.start()
    bench.bots[0].hear()
    for _ in range(10):
        await jump(mock_clock, 0.1)
    assert table.faults == []
    await jump(mock_clock, 1.1)
    say_first_legal(bench.bots[0])
    await wait_all_tasks_blocked()
    assert table.faults == []
    assert len(plays(table)) == 1


# --- getting ready --------------------------------------------------------------------


async def test_a_bot_that_is_never_ready_forfeits_when_its_start_allowance_is_over(
    nursery: trio.Nursery, mock_clock: MockClock
) -> None:
    bench = Bench(nursery)
    table = HostedTable(nursery, bench, TIMED)
    await wait_all_tasks_blocked()
    for bot in bench.bots[1:]:
        bot.say(ready())
    await jump(mock_clock, 5)
    assert not table.over.is_set()
    await jump(mock_clock, SETTLE)
    assert table.faults == [(FaultKind.NOT_READY, 0)]
    assert table.ended.termination.kind is TerminationKind.FORFEIT_NOT_READY


async def test_in_a_first_match_the_start_allowance_runs_since_the_launch(
    nursery: trio.Nursery, mock_clock: MockClock
) -> None:
    mock_clock.jump(10)
    bench = Bench(nursery)
    launched = (8_000 * MS, 10_000 * MS, 10_000 * MS, 10_000 * MS)
    table = HostedTable(nursery, bench, replace(TIMED, launched_ns=launched))
    await wait_all_tasks_blocked()
    await jump(mock_clock, 3 + SETTLE)
    assert table.faults == [(FaultKind.NOT_READY, 0)]


async def test_a_thinking_bots_clock_is_its_own_and_starts_anew_with_each_decision(
    nursery: trio.Nursery, mock_clock: MockClock
) -> None:
    bench = Bench(nursery)
    table = HostedTable(nursery, bench, TIMED)
    await table.start()
    for seat in range(4):
        await jump(mock_clock, LIMIT)
        await table.play_one(seat)
    assert table.faults == []
    assert len(plays(table)) == 4


@pytest.mark.parametrize("has_spoken", [True, False])
async def test_a_bot_that_has_never_said_a_word_gets_a_hint_with_its_fault(
    nursery: trio.Nursery, mock_clock: MockClock, *, has_spoken: bool
) -> None:
    bench = Bench(nursery, seats=0)
    for _ in range(4):
        bench.seat(*open_session(implies_ready=True, silence_hint=lambda: "it does not flush"))
    table = HostedTable(nursery, bench, TIMED)
    if has_spoken:
        bench.bots[0].far.send(b"")
    await wait_all_tasks_blocked()
    await jump(mock_clock, LIMIT + MARGIN + SETTLE)
    (fault,) = (event for event in table.events if isinstance(event, Fault))
    assert fault.kind is FaultKind.LATE
    assert ("it does not flush" in fault.detail) is not has_spoken
