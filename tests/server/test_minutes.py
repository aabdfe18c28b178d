"""What was said to seats is written down between the records, as it came about."""

from pathlib import Path

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from arena.errors import HostFault
from arena.record.match_log import MatchLog
from arena.record.read import MatchRecord, read_log
from arena.record.sent import SentDigests
from arena.record.verify.log import judge
from arena.record.verify.sent import audit_sent
from arena.referee.clock import Clock
from arena.referee.conduct import Conduct
from arena.referee.events import MatchEnded, SeatJoined, SeatLost, SeatReturned
from arena.referee.faults import Termination, TerminationKind
from arena.referee.messages import Record
from arena.server.arrivals import LoopWatch
from arena.server.minutes import Minutes
from arena.v1 import play_pb2
from arena.wire import to_bot
from tests.record.samples import make_header, ticking
from tests.server.conversation import answer, first_legal
from tests.server.tables import Bench, HostedTable, hosted
from tests.server.test_reconnect import RemoteTable

RECORD = Record(event=SeatJoined(seat=0), at_ns=1)
MESSAGE = to_bot.update(1, ())


class SentLog:
    """A match's log with the digests that run along."""

    def __init__(self, folder: Path, clock: Clock, boards: int = 1) -> None:
        self.sent = SentDigests(4)
        header = make_header(boards=boards, clock=clock)
        path = folder / "log.jsonl"
        self._log = MatchLog(path, header, wall_time=ticking(), sent=self.sent)
        self.write = self._log.write

    def close(self) -> MatchRecord:
        """Close the log and read it."""
        return read_log(self._log.close().path)


def test_records_and_messages_stay_in_order() -> None:
    seen: list[object] = []
    minutes = Minutes(seen.append, lambda seat, message: seen.append((seat, message)), LoopWatch())
    assert not minutes
    minutes.said(2, MESSAGE)
    minutes.record(RECORD)
    minutes.said(0, MESSAGE)
    assert minutes
    assert seen == []
    minutes.write()
    assert seen == [(2, MESSAGE), RECORD, (0, MESSAGE)]
    assert not minutes


def test_messages_that_nobody_wants_are_not_kept() -> None:
    minutes = Minutes(lambda _: None, None, LoopWatch())
    minutes.said(0, MESSAGE)
    assert not minutes


def test_the_end_is_recorded_with_the_longest_stall() -> None:
    seen: list[Record] = []
    watch = LoopWatch()
    minutes = Minutes(seen.append, None, watch)
    end = MatchEnded(
        termination=Termination(kind=TerminationKind.COMPLETED), totals=(0, 0), winner=None
    )
    minutes.record(Record(event=end, at_ns=0))
    minutes.write()
    (record,) = seen
    assert isinstance(record.event, MatchEnded)
    assert record.event.loop_stall_max_us == watch.stall_max_us


def test_after_a_refusal_the_rest_is_forgotten() -> None:
    def refuse(_record: Record) -> None:
        raise HostFault("the disk is full")

    minutes = Minutes(refuse, None, LoopWatch())
    minutes.record(RECORD)
    minutes.record(RECORD)
    with pytest.raises(HostFault, match="full"):
        minutes.write()
    assert not minutes


CLOCK = Clock(limit_ms=8_000, reconnect_ms=10_000)


async def test_a_hosted_match_logs_what_its_seats_were_sent(tmp_path: Path) -> None:
    async with trio.open_nursery() as nursery:
        bench = Bench(nursery)
        log = SentLog(tmp_path, CLOCK, boards=3)
        match = hosted(boards=3, clock=CLOCK)
        bench.play()
        table = HostedTable(nursery, bench, match, log.write, log.sent.add)
        await table.over.wait()
        record = log.close()
        assert judge(record).first is None
        audit = audit_sent(record)
        assert (audit.first, audit.missing) == (None, "")
        assert audit.messages == 3 * (40 + 4)
        nursery.cancel_scope.cancel()


async def test_so_does_one_whose_bot_was_away_for_a_while(
    tmp_path: Path, mock_clock: MockClock
) -> None:
    """Also where it comes back too late the next time, which ends the match."""
    async with trio.open_nursery() as nursery:
        log = SentLog(tmp_path, CLOCK)
        remote = await RemoteTable(nursery).open(CLOCK, log.write, log.sent.add)
        asked = remote.bot.hear()[-1]
        remote.bot.far.die()
        await wait_all_tasks_blocked()
        mock_clock.jump(3)
        _, again = await remote.come_back(asked.sequence - 1)
        remote.bot.say(answer(again.decision.decision_id, first_legal(again.decision)))
        await wait_all_tasks_blocked()
        await remote.table.play_one(1)
        remote.bot.far.die()
        await wait_all_tasks_blocked()
        mock_clock.autojump_threshold = 0
        await remote.table.over.wait()
        record = log.close()
        kinds = [type(line.event) for line in record.lines]
        assert (kinds.count(SeatLost), kinds.count(SeatReturned)) == (2, 1)
        assert judge(record).first is None
        audit = audit_sent(record)
        assert (audit.first, audit.missing) == (None, "")
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize("leaver", range(4))
async def test_so_does_one_that_a_bot_leaves(leaver: int, tmp_path: Path) -> None:
    async with trio.open_nursery() as nursery:
        bench = Bench(nursery)
        log = SentLog(tmp_path, CLOCK)
        match = hosted(clock=CLOCK, conduct=Conduct())
        table = HostedTable(nursery, bench, match, log.write, log.sent.add)
        await table.start()
        for seat in range(3):
            await table.play_one(seat)
        bench.bots[leaver].say(play_pb2.BotMessage(leave=play_pb2.Leave(reason="enough")))
        await table.over.wait()
        audit = audit_sent(log.close())
        assert (audit.first, audit.missing) == (None, "")
        nursery.cancel_scope.cancel()
