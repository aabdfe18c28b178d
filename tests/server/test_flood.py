"""What Welcome tells is enforced: messages between two decisions."""

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from arena.referee.clock import MS
from arena.referee.faults import FaultKind, TerminationKind
from arena.referee.judging import CROWD
from arena.wire.terms import FRAME_MESSAGES, MESSAGES_PER_DECISION
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
