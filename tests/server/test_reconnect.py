"""A remote bot loses its stream and comes back: walk 9, in memory."""

from collections.abc import Callable

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from arena.referee.clock import Clock
from arena.referee.faults import FaultKind, TerminationKind
from arena.referee.messages import Record
from arena.server.kept_messages import KEPT, KeptMessages
from arena.server.minutes import OnSent
from arena.server.remote_doors import HANDSHAKE_S, MAX_FRESH, RemoteDoors
from arena.server.returns import AT_ONCE, REGAIN_NS, Returns
from arena.server.session import Session
from arena.testing.memory_link import memory_link_pair, trio_now_ns
from arena.v1 import play_pb2
from arena.wire.codec import ProtoCodec
from tests.server.conversation import BotEnd, Said, answer, first_legal, kind
from tests.server.tables import Bench, HostedTable, hosted

TOKEN = "0123456789abcdef0123456789abcdef"  # noqa: S105  # opens nothing


def join(token: str = TOKEN, resume_after: int | None = None) -> Said:
    """Say Join, for the first time or again."""
    return Said(join=play_pb2.Join(protocol_version=1, token=token, resume_after=resume_after))


def open_doors(nursery: trio.Nursery) -> RemoteDoors:
    """Make the doors of one remote bot."""
    return RemoteDoors(
        nursery, {TOKEN: "far"}, ProtoCodec(), capacity=1, server="test", now=trio_now_ns
    )


def knock(doors: RemoteDoors, *said: Said) -> BotEnd:
    """Open a stream to the doors and say something."""
    link, far = memory_link_pair()
    doors.take(link)
    bot = BotEnd(far)
    if said:
        bot.say(*said)
    return bot


class RemoteTable:
    """A table whose seat 0 is a remote bot."""

    def __init__(self, nursery: trio.Nursery) -> None:
        self.nursery = nursery
        self.doors = open_doors(nursery)

    async def open(
        self,
        clock: Clock,
        sink: Callable[[Record], None] = lambda _: None,
        on_sent: OnSent | None = None,
    ) -> "RemoteTable":
        """Let the bot join and the match begin; seat 0, which leads, is asked."""
        bot = knock(self.doors, join())
        await wait_all_tasks_blocked()
        session = self.doors.by_name("far")[0].session
        assert session is not None
        assert [kind(message) for message in bot.hear()] == ["welcome"]
        self.session: Session = session
        self.bench = Bench(self.nursery, seats=0)
        self.bench.sessions.append(session)
        self.bench.bots.append(bot)
        for seat in (1, 2, 3):
            other = Bench(self.nursery, seats=1)
            self.bench.sessions += other.sessions
            self.bench.bots += other.bots
            assert len(self.bench.bots) == seat + 1
        match = hosted(clock=clock)
        self.table = HostedTable(self.nursery, self.bench, match, sink, on_sent)
        await self.table.start()
        return self

    @property
    def bot(self) -> BotEnd:
        """The present stream of the remote bot."""
        return self.bench.bots[0]

    async def come_back(self, resume_after: int | None) -> list[play_pb2.RefereeMessage]:
        """Join again; return what is heard."""
        self.bench.bots[0] = knock(self.doors, join(resume_after=resume_after))
        await wait_all_tasks_blocked()
        return self.bot.hear()


CLOCK = Clock(limit_ms=8_000, reconnect_ms=10_000)


async def test_a_bot_that_is_back_gets_its_question_with_what_is_left_of_its_time(
    mock_clock: MockClock,
) -> None:
    """The same decision, a gapless sequence, and the others are told both times."""
    async with trio.open_nursery() as nursery:
        remote = await RemoteTable(nursery).open(CLOCK)
        asked = remote.bot.hear()[-1]
        remote.bot.far.die()
        await wait_all_tasks_blocked()
        mock_clock.jump(3)
        welcome, again = await remote.come_back(asked.sequence - 1)
        assert welcome.welcome.resumed == play_pb2.RESUMED_CONTINUED
        assert (welcome.sequence, again.sequence) == (asked.sequence - 1, asked.sequence)
        assert again.decision.decision_id == asked.decision.decision_id
        assert again.decision.time_limit_ms == 5_000
        assert list(again.decision.news) == list(asked.decision.news)
        remote.bot.say(answer(again.decision.decision_id, first_legal(again.decision)))
        await wait_all_tasks_blocked()
        told = remote.bench.bots[1].hear_decision()
        kinds = [event.WhichOneof("event") for event in told.news]
        assert kinds == ["deal_started", "seat_lost", "seat_returned", "card_played"]
        assert remote.table.faults == []
        nursery.cancel_scope.cancel()


async def test_a_question_that_was_seen_is_put_again_with_the_next_number(
    mock_clock: MockClock,
) -> None:
    """It has no news, and the whole observation."""
    async with trio.open_nursery() as nursery:
        remote = await RemoteTable(nursery).open(CLOCK)
        asked = remote.bot.hear()[-1]
        remote.bot.far.die()
        await wait_all_tasks_blocked()
        mock_clock.jump(1)
        welcome, again = await remote.come_back(asked.sequence)
        assert welcome.welcome.resumed == play_pb2.RESUMED_CONTINUED
        assert again.sequence == asked.sequence + 1
        assert again.decision.decision_id == asked.decision.decision_id
        assert again.decision.observation == asked.decision.observation
        assert not again.decision.news
        nursery.cancel_scope.cancel()


async def test_a_bot_that_remembers_nothing_gets_a_snapshot(mock_clock: MockClock) -> None:
    """MatchStarted of the live table, then its question."""
    async with trio.open_nursery() as nursery:
        remote = await RemoteTable(nursery).open(CLOCK)
        asked = remote.bot.hear()[-1]
        remote.bot.far.die()
        await wait_all_tasks_blocked()
        mock_clock.jump(2)
        heard = await remote.come_back(None)
        assert [kind(message) for message in heard] == ["welcome", "match_started", "decision"]
        assert heard[0].welcome.resumed == play_pb2.RESUMED_SNAPSHOT
        assert heard[2].decision.time_limit_ms == 6_000
        assert heard[2].decision.observation == asked.decision.observation
        nursery.cancel_scope.cancel()


async def test_a_second_join_replaces_the_stream_and_nobody_is_told(
    mock_clock: MockClock,  # its fixture
) -> None:
    """The old stream ends ABORTED REPLACED."""
    async with trio.open_nursery() as nursery:
        remote = await RemoteTable(nursery).open(CLOCK)
        old = remote.bot
        asked = old.hear()[-1]
        await remote.come_back(asked.sequence)
        assert old.far.error is not None
        assert (old.far.error.code, old.far.error.reason) == ("ABORTED", "REPLACED")
        remote.bot.say(answer(asked.decision.decision_id, first_legal(asked.decision)))
        await wait_all_tasks_blocked()
        told = remote.bench.bots[1].hear_decision()
        assert [e.WhichOneof("event") for e in told.news] == ["deal_started", "card_played"]
        nursery.cancel_scope.cancel()


async def test_a_bot_that_stays_away_forfeits_as_lost(autojump_clock: MockClock) -> None:
    """After the reconnect allowance, its clock having run all the time."""
    async with trio.open_nursery() as nursery:
        remote = await RemoteTable(nursery).open(Clock(limit_ms=60_000, reconnect_ms=10_000))
        remote.bot.far.die()
        began = trio.current_time()
        await remote.table.over.wait()
        ended = remote.table.ended.termination
        assert (ended.kind, ended.seat) == (TerminationKind.FORFEIT_LOST, 0)
        assert remote.table.faults == [(FaultKind.LOST, 0)]
        assert 10 <= trio.current_time() - began < 10.1
        nursery.cancel_scope.cancel()


async def test_a_bot_that_was_given_up_is_waited_for_once_only_until_it_is_back(
    autojump_clock: MockClock,
) -> None:
    """The next match forfeits at once; after its return it is waited for again."""
    clock = Clock(limit_ms=60_000, reconnect_ms=10_000)
    async with trio.open_nursery() as nursery:
        remote = await RemoteTable(nursery).open(clock)
        remote.bot.far.die()
        await remote.table.over.wait()
        began = trio.current_time()
        second = HostedTable(nursery, remote.bench, hosted(clock=clock))
        await second.over.wait()
        assert trio.current_time() == began
        ended = second.ended.termination
        assert (ended.kind, ended.seat) == (TerminationKind.FORFEIT_LOST, 0)
        assert second.faults == [(FaultKind.LOST, 0)]
        await remote.come_back(None)
        assert not remote.session.was_given_up
        remote.bot.far.die()
        await wait_all_tasks_blocked()
        third = HostedTable(nursery, remote.bench, hosted(clock=clock))
        await third.over.wait()
        assert trio.current_time() - began >= 10
        assert third.ended.termination.kind is TerminationKind.FORFEIT_LOST
        nursery.cancel_scope.cancel()


async def test_the_referee_plays_for_a_seat_that_is_away_when_its_time_is_over(
    autojump_clock: MockClock,
) -> None:
    """Late like any other; the match goes on."""
    async with trio.open_nursery() as nursery:
        remote = await RemoteTable(nursery).open(Clock(limit_ms=1_000, reconnect_ms=10_000))
        remote.bot.far.die()
        await trio.sleep(2)
        assert remote.table.faults == [(FaultKind.LATE, 0)]
        assert remote.bench.bots[1].hear_decision()
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize("dies", [True, False], ids=["breaks", "replaced"])
async def test_a_bot_that_comes_back_without_end_floods(
    mock_clock: MockClock, *, dies: bool
) -> None:
    """Log and the other seats' news stay bounded; the culprit is told, and loses the match."""
    records: list[Record] = []
    async with trio.open_nursery() as nursery:
        remote = await RemoteTable(nursery).open(CLOCK, records.append)
        for _ in range(AT_ONCE):
            if dies:
                remote.bot.far.die()
                await wait_all_tasks_blocked()
            assert await remote.come_back(None)
        assert not remote.session.is_gone
        assert await remote.come_back(None) == []
        assert remote.table.faults == [(FaultKind.FLOOD, 0)]
        ended = remote.table.ended.termination
        assert (ended.kind, ended.seat) == (TerminationKind.FORFEIT_FLOOD, 0)
        assert f"more than {AT_ONCE} times" in ended.detail
        assert remote.bot.far.error is not None
        assert remote.bot.far.error.code == "RESOURCE_EXHAUSTED"
        assert len(records) < 2 * AT_ONCE + 20
        again = knock(remote.doors, join())
        await wait_all_tasks_blocked()
        assert again.hear_kinds() == ["welcome"], "it may play its next matches"
        nursery.cancel_scope.cancel()


def test_a_return_is_allowed_again_after_its_time() -> None:
    returns = Returns(0)
    assert [returns.count(0) for _ in range(AT_ONCE)] == [None] * AT_ONCE
    assert returns.count(REGAIN_NS - 1) is not None
    patient = Returns(0)
    assert all(patient.count(n * REGAIN_NS) is None for n in range(10 * AT_ONCE))


async def test_a_stranger_is_refused_and_a_silent_one_shown_out(
    autojump_clock: MockClock,
) -> None:
    """A wrong token, no Join at all, and more streams than may wait; the bot still gets in."""
    async with trio.open_nursery() as nursery:
        doors = open_doors(nursery)
        stranger = knock(doors, join("f" * 32))
        silent = [knock(doors) for _ in range(MAX_FRESH - 1)]
        await wait_all_tasks_blocked()
        assert stranger.far.error is not None
        assert stranger.far.error.code == "UNAUTHENTICATED"
        bot = knock(doors, join())
        await wait_all_tasks_blocked()
        assert bot.hear_kinds() == ["welcome"]
        silent += [knock(doors), knock(doors)]
        assert silent[0].far.error is not None, "the newest has its place"
        assert silent[0].far.error.reason == "CAPACITY"
        await trio.sleep(HANDSHAKE_S + 0.1)
        codes = {end.far.error.code for end in silent[1:] if end.far.error}
        assert codes == {"DEADLINE_EXCEEDED"}
        assert all(end.far.is_over for end in silent)
        nursery.cancel_scope.cancel()


def test_a_bot_that_missed_more_than_is_kept_is_not_told_a_part() -> None:
    kept = KeptMessages()
    assert kept.after(0) is None
    for sequence in range(1, KEPT + 3):
        kept.append(play_pb2.RefereeMessage(sequence=sequence))
    assert kept.after(1) is None
    missed = kept.after(2)
    assert missed is not None
    assert [message.sequence for message in missed] == list(range(3, KEPT + 3))
    assert kept.after(KEPT + 2) == []
    assert kept.after(KEPT + 3) is None
    assert kept.after(None) is None
