"""A host carries a whole match: everything in order, to every bot, and to the log."""

import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from arena.referee.events import DecisionAsked, LogEvent, MatchStarted
from arena.referee.faults import FaultKind, TerminationKind
from arena.referee.messages import Record
from arena.rules.events import CardPlayed
from arena.testing.in_memory import play_in_memory
from arena.testing.memory_bots import plays_first
from arena.v1 import cards_pb2, match_pb2, play_pb2
from arena.wire.enums import CARD_NUMBERS
from tests.server.conversation import answer, first_legal, open_session, ready
from tests.server.tables import MATCH, RULES, SEED, TIMED, Bench, HostedTable, hosted


def of_the_game(events: list[LogEvent]) -> list[LogEvent]:
    """Drop who joined and was ready in which order."""
    return events[events.index(MatchStarted()) :]


async def test_a_match_is_recorded_event_by_event_as_the_rules_bring_it_about(
    nursery: trio.Nursery,
) -> None:
    bench = Bench(nursery)
    bench.play()
    table = HostedTable(nursery, bench, hosted(boards=3))
    await table.over.wait()
    alone = play_in_memory(
        [plays_first] * 4, ruleset=RULES, boards=3, seed_text=SEED, clock=MATCH.clock
    )
    assert of_the_game(table.events) == of_the_game(alone.events)
    assert table.outcome is not None
    assert table.outcome.termination.kind is TerminationKind.COMPLETED
    assert (table.outcome.totals, table.outcome.winner) == (
        alone.ended.totals,
        alone.ended.winner,
    )


async def test_every_seat_hears_one_whole_conversation_without_a_gap(
    nursery: trio.Nursery,
) -> None:
    bench = Bench(nursery)
    bench.play()
    table = HostedTable(nursery, bench, hosted(boards=3))
    await table.over.wait()
    await wait_all_tasks_blocked()
    for bot in bench.bots:
        assert [m.sequence for m in bot.heard] == list(range(1, len(bot.heard) + 1))
        decisions = [m.decision.decision_id for m in bot.of_kind("decision")]
        assert decisions == list(range(1, 31))
        assert len(bot.of_kind("update")) == 3  # the end of each deal
        ends = bot.of_kind("match_ended")
        assert [m.match_ended.table for m in ends] == [1]
        assert bot.heard[-1] is ends[0]


async def test_a_match_is_announced_to_each_seat_as_it_is(nursery: trio.Nursery) -> None:
    bench = Bench(nursery)
    names = ("a", "b", "a", "b")
    HostedTable(nursery, bench, hosted(seat_names=names, commitment=b"c" * 32, boards=None))
    await wait_all_tasks_blocked()
    for seat, bot in enumerate(bench.bots):
        (message,) = bot.hear()
        started = message.match_started
        assert (started.table, started.match_id, started.seat) == (1, "match", seat)
        assert (started.bot_seed, tuple(started.seat_names)) == (seat + 1, names)
        assert (started.seed_commitment, started.target) == (b"c" * 32, RULES.target)
        assert started.clock.limit_ms == 20_000


async def test_nobody_is_asked_before_the_last_ready(nursery: trio.Nursery) -> None:
    bench = Bench(nursery)
    HostedTable(nursery, bench)
    await wait_all_tasks_blocked()
    for bot in bench.bots[:3]:
        bot.say(ready())
    await wait_all_tasks_blocked()
    assert bench.hear() == [["match_started"]] * 4
    bench.bots[3].say(ready())
    await wait_all_tasks_blocked()
    assert bench.hear() == [["decision"], [], [], []]


async def test_a_bot_that_need_not_say_ready_is_asked_with_its_announcement(
    nursery: trio.Nursery,
) -> None:
    bench = Bench(nursery, seats=0)
    for _ in range(4):
        bench.seat(*open_session(implies_ready=True))
    bench.play()
    table = HostedTable(nursery, bench)
    await table.over.wait()
    assert table.ended.termination.kind is TerminationKind.COMPLETED
    assert len(bench.bots[0].of_kind("decision")) == 10


async def test_the_next_match_in_the_same_session_has_the_free_number_and_counts_on(
    nursery: trio.Nursery,
) -> None:
    bench = Bench(nursery)
    bench.play()
    for first_board in (1, 2):
        table = HostedTable(nursery, bench, hosted(first_board=first_board))
        await table.over.wait()
    await wait_all_tasks_blocked()
    for bot in bench.bots:
        assert [m.match_started.table for m in bot.of_kind("match_started")] == [1, 1]
        decisions = [m.decision.decision_id for m in bot.of_kind("decision")]
        assert decisions == list(range(1, 21))


# --- answers --------------------------------------------------------------------------


async def test_the_same_answer_twice_is_harmless_and_another_one_is_refused(
    nursery: trio.Nursery,
) -> None:
    bench = Bench(nursery)
    table = HostedTable(nursery, bench)
    await table.start()
    bot = bench.bots[0]
    legal = bot.hear_decision().card.legal
    bot.say(answer(1, legal[0]), answer(1, legal[0]), answer(1, legal[1]))
    await wait_all_tasks_blocked()
    (message,) = bot.hear()
    assert message.rejected.reason == match_pb2.ERROR_REASON_ALREADY_ANSWERED
    assert (message.rejected.table, message.rejected.decision_id) == (1, 1)
    assert table.faults == []
    assert bench.bots[1].hear_kinds() == ["decision"]


async def test_a_refused_card_is_answered_with_what_was_allowed_and_the_same_decision_id(
    nursery: trio.Nursery,
) -> None:
    bench = Bench(nursery)
    table = HostedTable(nursery, bench)
    await table.start()
    bot = bench.bots[0]
    decision = bot.hear_decision()
    hand = decision.observation.hand
    bot.say(answer(1, next(card for card in cards_pb2.Card.values() if card and card not in hand)))
    await wait_all_tasks_blocked()
    (message,) = bot.hear()
    assert message.rejected.decision_id == 1
    assert list(message.rejected.allowed) == list(decision.card.legal)
    assert table.faults == [(FaultKind.NOT_HELD, 0)]


async def test_rubbish_is_refused_at_the_table_and_the_match_goes_on(
    nursery: trio.Nursery,
) -> None:
    bench = Bench(nursery)
    table = HostedTable(nursery, bench)
    await table.start()
    bench.bots[2].far.send(b"\xff\xff")
    bench.bots[3].say(answer(77))
    await wait_all_tasks_blocked()
    refused = [bench.bots[seat].hear()[-1].rejected for seat in (2, 3)]
    assert [(one.table, one.HasField("decision_id")) for one in refused] == [(1, False)] * 2
    assert set(table.faults) == {(FaultKind.MALFORMED, 2), (FaultKind.UNSOLICITED, 3)}
    bench.play()
    bench.bots[0].say(answer(1, first_legal(bench.bots[0].hear_decision())))
    await table.over.wait()
    assert table.ended.termination.kind is TerminationKind.COMPLETED


async def test_an_answer_guessed_before_its_question_was_written_stands(
    nursery: trio.Nursery, mock_clock: MockClock
) -> None:
    """Its question still arrives, and starts no clock: neither its own nor another's."""
    bench = Bench(nursery)
    table = HostedTable(nursery, bench, TIMED)
    bench.bots[0].far.stop_reading()
    bench.sessions[0].queue(play_pb2.RefereeMessage(update=play_pb2.Update()))
    await wait_all_tasks_blocked()
    for bot in bench.bots:
        bot.say(ready())
    await wait_all_tasks_blocked()
    asked = next(e for e in table.events if isinstance(e, DecisionAsked))
    bench.bots[0].say(answer(1, CARD_NUMBERS[asked.legal[0]]))
    await wait_all_tasks_blocked()
    assert bench.bots[1].hear_kinds()[-1] == "decision"
    mock_clock.jump(0.05)
    bench.bots[0].far.read_on()
    await wait_all_tasks_blocked()
    mock_clock.jump(0.07)
    await wait_all_tasks_blocked()
    assert table.faults == [(FaultKind.LATE, 1)]


# --- several tables -------------------------------------------------------------------


async def test_two_tables_with_the_same_bots_are_both_played_to_the_end(
    nursery: trio.Nursery,
) -> None:
    bench = Bench(nursery, capacity=2)
    bench.play()
    tables = [HostedTable(nursery, bench, hosted(first_board=board)) for board in (1, 2)]
    for table in tables:
        await table.over.wait()
    await wait_all_tasks_blocked()
    for table in tables:
        assert table.ended.termination.kind is TerminationKind.COMPLETED
        alone = play_in_memory(
            [plays_first] * 4,
            ruleset=RULES,
            first_board=table.match.first_board,
            seed_text=SEED,
            clock=MATCH.clock,
        )
        assert of_the_game(table.events) == of_the_game(alone.events)
    for bot in bench.bots:
        asked = [m.decision for m in bot.of_kind("decision")]
        assert [d.decision_id for d in asked] == list(range(1, 21))
        assert [d.table for d in asked].count(1) == 10
        assert [m.sequence for m in bot.heard] == list(range(1, len(bot.heard) + 1))


async def test_what_a_frame_of_answers_brings_about_goes_to_each_bot_in_one_frame(
    nursery: trio.Nursery,
) -> None:
    bench = Bench(nursery, capacity=8)
    for _ in range(8):
        HostedTable(nursery, bench)
    await wait_all_tasks_blocked()
    for bot in bench.bots:
        bot.say(*[ready(message.match_started.table) for message in bot.hear()])
    await wait_all_tasks_blocked()
    for bot in bench.bots:
        bot.frame_sizes.clear()
        asked = [message.decision for message in bot.hear()]
        assert [decision.table for decision in asked] == list(range(1, 9))
        assert bot.frame_sizes == [8]
        bot.say(*[answer(d.decision_id, first_legal(d)) for d in asked])
        await wait_all_tasks_blocked()


async def test_a_bot_that_crashes_forfeits_at_all_its_tables(nursery: trio.Nursery) -> None:
    bench = Bench(nursery, capacity=2)
    tables = [HostedTable(nursery, bench) for _ in range(2)]
    await wait_all_tasks_blocked()
    bench.sessions[1].lose(FaultKind.CRASHED, "signal 9")
    for table in tables:
        await table.over.wait()
        assert table.ended.termination.kind is TerminationKind.FORFEIT_CRASH
        assert table.ended.termination.seat == 1
    assert bench.hear()[0] == ["match_started"] * 2 + ["update", "match_ended"] * 2


async def test_the_log_is_written_while_the_next_bot_thinks(nursery: trio.Nursery) -> None:
    """The question leaves first; the card before it is on record in the same step."""
    bench = Bench(nursery)
    heard: list[int] = []

    def sink(record: Record) -> None:
        if isinstance(record.event, CardPlayed):
            heard.append(sum(len(bot.far.recv_all()) for bot in bench.bots))

    table = HostedTable(nursery, bench, sink=sink)
    await table.start()
    decision = bench.bots[0].hear_decision()
    bench.bots[0].say(answer(1, first_legal(decision)))
    await wait_all_tasks_blocked()
    assert heard == [1]
