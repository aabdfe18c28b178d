"""Whole matches over real gRPC: answered, recorded, and re-run without a difference."""

import time
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

import trio

from arena.record.match_log import MatchLog
from arena.record.paths import log_path
from arena.record.read import read_log
from arena.record.rerun import check
from arena.referee.clock import Clock
from arena.referee.events import Fault, MatchEnded
from arena.referee.faults import FaultKind, TerminationKind
from arena.referee.messages import Record
from arena.server.arrivals import current_arrivals
from arena.server.host import HostedMatch, MatchOutcome, play_match
from arena.server.runtime import open_grpc_runtime
from arena.server.session import Session
from arena.v1 import play_pb2
from tests.record.samples import make_header, ticking
from tests.server.conversation import answer, first_legal, frame, ready
from tests.server.grpc_tables import AtManyTables, FirstLegal, open_kit_bots, open_seat
from tests.server.tables import MATCH, hosted

PATIENCE_S = 60


async def play_and_log(match: HostedMatch, sessions: list[Session], log: MatchLog) -> MatchOutcome:
    """Play a match as a sitting does, and close its log."""
    with current_arrivals().watch_loop() as watch:
        outcome = await play_match(match, sessions, sink=log.write, watch=watch)
    log.close()
    return outcome


async def test_a_match_of_20_boards_is_played_and_its_log_re_runs_clean(tmp_path: Path) -> None:
    header = make_header(boards=20, clock=MATCH.clock)
    path = log_path(tmp_path, header.match, header.attempt)
    bots = [FirstLegal() for _ in range(4)]
    with trio.fail_after(PATIENCE_S):
        async with (
            open_grpc_runtime() as runtime,
            open_kit_bots(runtime, tmp_path, bots) as sessions,
        ):
            log = MatchLog(path, header, wall_time=ticking())
            match = hosted(boards=20)
            outcome = await play_and_log(match, sessions, log)
    assert outcome.termination.kind is TerminationKind.COMPLETED
    assert [bot.plays for bot in bots] == [200] * 4
    record = read_log(path)
    assert record.complete
    assert check(record) == ()
    events = [line.event for line in record.lines]
    assert not any(isinstance(event, Fault) for event in events)
    ended = next(event for event in events if isinstance(event, MatchEnded))
    assert ended.totals == outcome.totals


async def test_a_stall_of_the_loop_is_never_a_bots_lateness(tmp_path: Path) -> None:
    """The loop stands still for longer than the limit while an answer is on its way."""
    records: list[Record] = []
    judged = trio.Event()

    def sink(record: Record) -> None:
        records.append(record)
        if record.timing is not None or isinstance(record.event, Fault):
            judged.set()

    with trio.fail_after(PATIENCE_S):
        async with open_grpc_runtime() as runtime, AsyncExitStack() as doors:
            seats = [
                await doors.enter_async_context(open_seat(runtime, tmp_path, str(seat)))
                for seat in range(4)
            ]
            watch = doors.enter_context(current_arrivals().watch_loop())
            match = hosted(clock=Clock(limit_ms=200, margin_ms=10))
            sessions = [seat.session for seat in seats]
            async with trio.open_nursery() as nursery:
                nursery.start_soon(partial(play_match, match, sessions, sink=sink, watch=watch))
                for seat in seats:
                    assert await seat.client.read() is not None
                    await seat.client.write(frame(ready()))
                data = await seats[0].client.read()
                assert data is not None
                decision = play_pb2.PlayResponse.FromString(data).messages[0].decision
                await seats[0].client.write(frame(answer(1, first_legal(decision))))
                time.sleep(0.5)  # noqa: ASYNC251  # this is the stall
                await judged.wait()
                nursery.cancel_scope.cancel()
    kinds = {r.event.kind for r in records if isinstance(r.event, Fault)}
    assert FaultKind.LATE not in kinds


async def test_one_set_of_bots_plays_64_tables_at_once(tmp_path: Path) -> None:
    bots = [AtManyTables() for _ in range(4)]
    outcomes: list[MatchOutcome] = []
    with trio.fail_after(PATIENCE_S):
        async with (
            open_grpc_runtime() as runtime,
            open_kit_bots(runtime, tmp_path, bots) as sessions,
            trio.open_nursery() as nursery,
        ):
            for board in range(1, 65):
                nursery.start_soon(play_board, board, sessions, outcomes)
    kinds = {outcome.termination.kind for outcome in outcomes}
    assert (len(outcomes), kinds) == (64, {TerminationKind.COMPLETED})
    assert [bot.plays for bot in bots] == [640] * 4


async def test_64_tables_of_4_bots_each_are_played_at_once(tmp_path: Path) -> None:
    bots = [FirstLegal() for _ in range(256)]
    outcomes: list[MatchOutcome] = []
    with trio.fail_after(PATIENCE_S):
        async with (
            open_grpc_runtime() as runtime,
            open_kit_bots(runtime, tmp_path, bots) as sessions,
            trio.open_nursery() as nursery,
        ):
            for table in range(64):
                four = sessions[4 * table : 4 * table + 4]
                nursery.start_soon(play_board, table + 1, four, outcomes)
    kinds = {outcome.termination.kind for outcome in outcomes}
    assert (len(outcomes), kinds) == (64, {TerminationKind.COMPLETED})
    assert [bot.plays for bot in bots] == [10] * 256


async def play_board(board: int, sessions: list[Session], outcomes: list[MatchOutcome]) -> None:
    """Play a match of one board without a log."""
    match = hosted(first_board=board)
    with current_arrivals().watch_loop() as watch:
        outcomes.append(await play_match(match, sessions, sink=lambda _: None, watch=watch))
