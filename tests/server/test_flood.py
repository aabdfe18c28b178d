"""What Welcome tells is enforced: messages between two decisions."""

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from arena.referee.clock import MS
from arena.referee.faults import FaultKind, TerminationKind
from arena.referee.judging import CROWD
from arena.server.allowance import Allowance
from arena.server.crowds import Crowds
from arena.wire.terms import FRAME_MESSAGES, MESSAGES_PER_DECISION, Limits
from tests.server.conversation import answer, first_legal
from tests.server.tables import LIMIT, MARGIN, TIMED, Bench, HostedTable


async def test_too_many_messages_since_the_last_decision_are_a_flood() -> None:
    """The stream ends RESOURCE_EXHAUSTED, the match by forfeit; duplicates alone do it."""
    async with trio.open_nursery() as nursery:
        bench = Bench(nursery)
        table = HostedTable(nursery, bench)
        await table.start()
        bot = bench.bots[0]
        asked = bot.hear_decision()
        said = answer(asked.decision_id, first_legal(asked))
        frames = MESSAGES_PER_DECISION // FRAME_MESSAGES
        for _ in range(frames):
            bot.say(*[said] * FRAME_MESSAGES)
        await wait_all_tasks_blocked()
        assert table.faults == []
        bot.say(said)
        await wait_all_tasks_blocked()
        assert table.faults == [(FaultKind.FLOOD, 0)]
        assert table.ended.termination.kind is TerminationKind.FORFEIT_FLOOD
        assert bot.far.error is not None
        assert (bot.far.error.code, bot.far.error.reason) == (
            "RESOURCE_EXHAUSTED",
            "TOO_MANY_MESSAGES",
        )
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize(
    ("crowd", "kind"),
    [(1, TerminationKind.HOST_FAULT), (CROWD + 1, TerminationKind.FORFEIT_FLOOD)],
)
async def test_a_lag_of_the_bots_own_making_is_no_void_match(
    mock_clock: MockClock, crowd: int, kind: TerminationKind
) -> None:
    """An answer in doubt after a crowd of empty frames is a flood; alone it is the host's lag."""
    async with trio.open_nursery() as nursery:
        bench = Bench(nursery)
        table = HostedTable(nursery, bench, TIMED)
        await table.start()
        bot = bench.bots[0]
        asked = bot.hear_decision()
        for _ in range(crowd - 1):
            bot.far.send(b"")
        await wait_all_tasks_blocked()
        mock_clock.jump(LIMIT + 2 * MARGIN)
        bot.say(answer(asked.decision_id, first_legal(asked)), lag_ns=60 * MS)
        await wait_all_tasks_blocked()
        assert table.ended.termination.kind is kind
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize("is_here", [True, False], ids=["at the table", "elsewhere"])
async def test_a_lag_of_another_bots_making_is_no_void_match(
    mock_clock: MockClock, *, is_here: bool
) -> None:
    """A bot of the table is at fault; of one elsewhere the table only knows who it was not."""
    async with trio.open_nursery() as nursery:
        bench, elsewhere = Bench(nursery), Bench(nursery, seats=1)
        table = HostedTable(nursery, bench, TIMED)
        await table.start()
        bot = bench.bots[0]
        asked = bot.hear_decision()
        mock_clock.jump(LIMIT + 2 * MARGIN)
        rude = bench.bots[1] if is_here else elsewhere.bots[0]
        for _ in range(CROWD + 1):
            rude.far.send(b"", lag_ns=60 * MS)
        await wait_all_tasks_blocked()  # no time passes: it is one stretch of the loop
        bot.say(answer(asked.decision_id, first_legal(asked)), lag_ns=60 * MS)
        await wait_all_tasks_blocked()
        if is_here:
            ended = table.ended.termination
            assert (ended.kind, ended.seat) == (TerminationKind.FORFEIT_FLOOD, 1)
            assert table.faults == [(FaultKind.FLOOD, 1)]
        else:
            assert table.faults == []
            assert bench.bots[1].hear_decision()
        nursery.cancel_scope.cancel()


def test_a_crowd_is_counted_for_each_table_and_forgotten_with_its_stretch() -> None:
    """A bot at 64 tables that answers all at once is no crowd; many bytes are."""
    crowds = Crowds()
    assert crowds.largest(7) == (None, 0)
    crowds.count("many tables", 64, 64 * 20, 64, 7)
    crowds.count("many bytes", 1, 65_536, 1, 7)
    assert crowds.largest(7) == ("many bytes", 17)
    assert crowds.largest(8) == (None, 0)
    crowds.count("later", 1, 20, 1, 8)
    assert crowds.largest(7) == (None, 0)
    assert crowds.largest(8) == ("later", 1)


LIMITS = Limits(messages_per_decision=256, messages_per_second=2_000)


def test_a_bot_that_answers_what_it_is_asked_never_meets_the_rate() -> None:
    """However fast it plays: each decision pays for its answer."""
    allowance = Allowance(LIMITS, 0)
    assert all(allowance.count(1, asked, asked) is None for asked in range(1, 100_000))


def test_messages_that_nothing_asked_for_meet_the_rate() -> None:
    """A burst of 256, then 2,000 a second: one each half millisecond."""
    allowance = Allowance(LIMITS, 0)
    said = [allowance.count(11, asked, 0) for asked in range(1, 27)]
    assert said[:25] == [None] * 25
    assert said[25] == "more than 2000 messages a second that no decision asked for"
    slow = Allowance(LIMITS, 0)
    assert all(slow.count(11, asked, asked * 5 * MS) is None for asked in range(1, 1_000))


def test_messages_since_a_decision_are_counted_whatever_their_rate() -> None:
    allowance = Allowance(LIMITS, 0)
    assert all(allowance.count(1, 1, number * 1_000 * MS) is None for number in range(256))
    assert allowance.count(1, 1, 300_000 * MS) == (
        "257 messages since its latest decision; allowed are 256"
    )
    assert allowance.count(1, 2, 300_000 * MS) is None
    assert allowance.said == 1


async def test_the_rate_that_is_told_is_applied_for_each_table() -> None:
    """As many again for each table of the capacity."""
    async with trio.open_nursery() as nursery:
        session = Bench(nursery, seats=1).sessions[0]
        assert session.limits == LIMITS
        nursery.cancel_scope.cancel()
