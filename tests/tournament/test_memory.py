"""No process ever meets a board twice, whatever is void, lost or stopped (design.md §6)."""

import random
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
import trio
from hypothesis import given, settings
from hypothesis import strategies as st
from trio.testing import MockClock

from arena.bots.sandbox.launch import NO_SANDBOX, Sandbox
from arena.bots.seating import SeatingRoom
from arena.record.match_row import MatchRow
from arena.referee.faults import Culprit, TerminationKind
from arena.rules.presets import parse_ruleset
from arena.server.arrivals import Arrivals
from arena.tournament import run_table, runner
from arena.tournament.bot_sets import BotSet
from arena.tournament.event_file import BoardsShared, Entrant, EventFile, Restart, Stage
from arena.tournament.plan import event_sittings, stage_plan
from arena.tournament.rulings import Rulings
from arena.tournament.run_state import RunState
from arena.tournament.runner import run_event
from arena.tournament.schedule import MatchPlan, for_attempt, orientations
from arena.tournament.stopping import Stopper
from arena.tournament.void_watch import MOST_ATTEMPTS, VoidWatch
from tests.tournament.made_up_bots import Launcher, Process
from tests.tournament.results import row_of

STAGES = st.builds(
    Stage,
    cycles=st.integers(1, 2),
    boards=st.integers(1, 4),
    boards_per_match=st.integers(1, 2) | st.none(),
    boards_shared=st.sampled_from(BoardsShared),
    restart=st.sampled_from(Restart),
    capacity=st.just(4),
    trust_memory=st.booleans(),
    forgets=st.booleans(),
    ruleset=st.just(parse_ruleset("gamelake-4:max_deals=5")),
).filter(lambda stage: (stage.restart, stage.boards_shared) != (Restart.NEVER, BoardsShared.EVENT))


@dataclass(frozen=True, slots=True, kw_only=True)
class Luck:
    """How often something goes wrong, in per cent of matches, and what comes of it."""

    seed: int
    void: int
    lost: int
    stop: int


class Play:
    """An event played by made-up processes that remember every board."""

    def __init__(
        self, patch: pytest.MonkeyPatch, event: EventFile, tables: int, luck: Luck
    ) -> None:
        self.event = event
        self.launcher = Launcher(patch, capacity=event.stages[0].capacity)
        self.stopper = Stopper()
        self.counted: list[str] = []
        self.most_at_once = 0
        self._luck = luck
        self._chance = random.Random(luck.seed)  # noqa: S311  # no secret
        self._attempts: Counter[str] = Counter()
        self.run = cast(
            "RunState",
            SimpleNamespace(
                event=event,
                folder=SimpleNamespace(path=Path()),
                tables=tables,
                results=SimpleNamespace(rows=tuple),
                is_revealed=False,
                noted={},
                rulings=Rulings(),
                noted_suspensions=frozenset(),
                sandbox=NO_SANDBOX,
                tell_log=self._tell_log,
            ),
        )
        patch.setattr(runner, "open_room", _open_room)
        # So many of few matches are void here that an organiser would be asked to mend it.
        patch.setattr(VoidWatch, "add", lambda _watch, _row: None)
        patch.setattr(runner, "close_event", lambda _run: None)
        patch.setattr(runner, "pause_event", lambda _run, why, **_more: None)  # noqa: ARG005
        patch.setattr(run_table, "play_one", self.play_one)

    async def _tell_log(self, _kind: str, **_fields: object) -> None:
        await trio.lowlevel.checkpoint()

    async def play(self) -> bool:
        """Play the event; fail where tables wait for each other for ever."""
        with trio.fail_after(1e6):
            return await run_event(self.run, stopper=self.stopper, report=lambda _progress: None)

    async def play_one(
        self,
        _run: object,
        plan: MatchPlan,
        bots: BotSet,
        *,
        watch: object,  # noqa: ARG002  # as the real one is called
    ) -> MatchRow:
        """Stand for a match: everybody meets its boards, now and then it is void or lost."""
        self._attempts[plan.id] += 1
        stage = stage_plan(self.event, plan.stage)
        plan = for_attempt(stage, plan, self._attempts[plan.id])
        processes = [cast("Process", bot) for bot in bots.seated]
        assert len(set(processes)) == len(plan.seats), "one process, one seat"
        for process, entrant in zip(processes, plan.seats, strict=True):
            assert process.entrant == entrant
            assert process.reason is None, "nobody plays who was let go"
            process.met += _boards(plan, stage.deals_per_match)
            assert len(process.met) == len(set(process.met)), "a board came back"
            process.playing += 1
            assert process.playing <= process.capacity
            self.most_at_once = max(self.most_at_once, process.playing)
        await trio.sleep(self._chance.randint(0, 9))
        for process in processes:
            process.playing -= 1
        if self._goes(self._luck.lost):
            self._chance.choice(processes).session.is_gone = True
        if not self.stopper.is_stopping and self._goes(self._luck.stop):
            self.stopper.stop()
        is_void = self._attempts[plan.id] < MOST_ATTEMPTS and self._goes(self._luck.void)
        if not is_void:
            self.counted.append(plan.id)
        return _row(self.event, plan, is_void=is_void)

    def _goes(self, per_cent: int) -> bool:
        return self._chance.randrange(100) < per_cent


def _boards(plan: MatchPlan, deals: int) -> Iterator[int]:
    yield from range(plan.first_board, plan.first_board + (plan.boards or deals))


def _row(event: EventFile, plan: MatchPlan, *, is_void: bool) -> MatchRow:
    row = row_of(event, plan, lambda _match, _board: (5, 6))
    if not is_void:
        return row
    return replace(row, termination=TerminationKind.HOST_FAULT, culprit=Culprit.HOST, counted=False)


@asynccontextmanager
async def _open_room(
    _start_ms: int, *, server_version: str, sandbox: Sandbox
) -> AsyncIterator[SeatingRoom]:
    yield SeatingRoom(
        runtime=cast("Any", SimpleNamespace(arrivals=Arrivals())),
        gate=cast("Any", None),
        work=cast("Any", None),
        start_ms=1,
        server_version=server_version,
    )


def play(stages: tuple[Stage, ...], *, entrants: int, tables: int, luck: Luck) -> Play:
    """Play an event to its end, or until it is stopped."""
    names = [f"e{number}" for number in range(entrants)]
    event = EventFile(
        name="trial",
        entrants=tuple(Entrant(name=name, bot=name) for name in names),
        stages=stages,
    )
    with pytest.MonkeyPatch.context() as patch:
        trial = Play(patch, event, tables, luck)
        done = trio.run(trial.play, clock=MockClock(autojump_threshold=0))
    planned = [match.id for sitting in event_sittings(event) for match in sitting.matches]
    assert len(trial.counted) == len(set(trial.counted))
    assert done == (len(trial.counted) == len(planned))
    assert done or trial.stopper.is_stopping
    assert all(process.reason is not None for process in trial.launcher.all), "all have left"
    return trial


@settings(max_examples=60, deadline=None)
@given(
    stage=STAGES,
    entrants=st.integers(2, 9),
    tables=st.integers(1, 4),
    luck=st.builds(
        Luck,
        seed=st.integers(0, 2**32),
        void=st.sampled_from([0, 5, 30]),
        lost=st.sampled_from([0, 5, 30]),
        stop=st.sampled_from([0, 2, 20]),
    ),
)
def test_no_process_ever_meets_a_board_twice(
    stage: Stage, entrants: int, tables: int, luck: Luck
) -> None:
    play((stage,), entrants=entrants, tables=tables, luck=luck)


QUIET = Luck(seed=0, void=0, lost=0, stop=0)


@pytest.mark.parametrize("tables", [1, 4])
@pytest.mark.parametrize("entrants", [2, 5, 8])
def test_processes_that_never_restart_are_one_set_per_entrant_and_orientation(
    entrants: int, tables: int
) -> None:
    stage = Stage(boards=2, boards_per_match=1, restart=Restart.NEVER, cycles=2, trust_memory=True)
    trial = play((stage, stage), entrants=entrants, tables=tables, luck=QUIET)
    ways = len(orientations(4, 2))
    assert len(trial.launcher.all) == 2 * entrants * ways * 2  # stages, orientations, partners
    rounds = 2 * (entrants - 1 + entrants % 2)
    byes = entrants % 2 * 2
    assert {len(process.met) for process in trial.launcher.all} == {2 * (rounds - byes)}


def test_a_set_plays_at_most_its_capacity_at_once_and_no_less_where_it_can() -> None:
    stage = Stage(boards=12, boards_per_match=1, capacity=4)
    assert play((stage,), entrants=2, tables=2, luck=QUIET).most_at_once == 4


@pytest.mark.parametrize("tables", [1, 3])
@pytest.mark.parametrize("restart", Restart)
def test_after_a_stop_nobody_stays_however_far_the_tables_are(
    restart: Restart, tables: int
) -> None:
    stage = Stage(boards=2, boards_per_match=1, restart=restart)
    for seed in range(8):
        luck = Luck(seed=seed, void=5, lost=5, stop=10)
        assert play((stage,), entrants=6, tables=tables, luck=luck).stopper.is_stopping
