"""One table of a run, with made-up bots: which set plays what, and when it is replaced."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest
import trio

from arena.errors import HostFault
from arena.record.match_row import MatchRow
from arena.referee.faults import Culprit, TerminationKind
from arena.server.arrivals import Arrivals
from arena.tournament import run_table
from arena.tournament.event_file import EventFile
from arena.tournament.plan import event_sittings
from arena.tournament.run_table import RunTable
from arena.tournament.schedule import MatchPlan, Sitting
from arena.tournament.stopping import Stopper
from arena.wire.terms import GoodbyeReason
from tests.tournament.results import event_of, row_of

EVENT = event_of("a", "b", boards=4, boards_per_match=2)
"""Two sittings of two matches each."""

Row = Callable[[MatchPlan, int], MatchRow]


def counts(plan: MatchPlan, _attempt: int) -> MatchRow:
    return row_of(EVENT, plan, lambda _match, _board: (5, 6))


def void(plan: MatchPlan, attempt: int) -> MatchRow:
    return replace(
        counts(plan, attempt),
        attempt=attempt,
        termination=TerminationKind.HOST_FAULT,
        culprit=Culprit.HOST,
        counted=False,
    )


class Set:
    """A set of bots that does as it is told."""

    def __init__(self, name: str, diary: list[str]) -> None:
        self.name = name
        self.is_whole = True
        self._diary = diary
        self._gone = trio.Event()

    def release(self, reason: GoodbyeReason) -> None:
        """Leave."""
        if not self._gone.is_set():
            self._diary.append(f"{self.name} leaves, {reason.name.lower()}")
        self._gone.set()

    async def ended(self) -> None:
        """Wait until it has left."""
        await self._gone.wait()


class Trial:
    """A table, what it is fed, and a diary of what happens at it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, event: EventFile = EVENT) -> None:
        self.diary: list[str] = []
        self.begun: list[str] = []
        self.counted: list[str] = []
        self.stopper = Stopper()
        self.row: Row = counts
        self.after_match: Callable[[Set], None] = lambda _set: None
        self.never_seated: set[str] = set()
        self._sittings: Iterator[Sitting] = event_sittings(event)
        self._sets = 0
        self._attempts: dict[str, int] = {}
        monkeypatch.setattr(run_table, "seat_set", self.seat_set)
        monkeypatch.setattr(run_table, "play_one", self.play_one)
        room = SimpleNamespace(runtime=SimpleNamespace(arrivals=Arrivals()))
        self.table = RunTable(cast("Any", None), [cast("Any", room)], self, self.stopper)

    def next_sitting(self) -> Sitting | None:
        """Hand out what the table plays next."""
        return next(self._sittings, None)

    async def begin(self, plan: MatchPlan) -> None:
        """Take note of a match."""
        self.begun.append(_short(plan))

    def count(self, row: MatchRow) -> None:
        """Take note of a match that counts."""
        self.counted.append(row.match_id)

    async def seat_set(
        self, _nursery: object, _run: object, _room: object, sitting: Sitting
    ) -> Set:
        """Stand for the start of processes."""
        first = _short(sitting.matches[0])
        self._sets += 1
        name = f"set {self._sets}"
        self.diary.append(f"{name} for {first}")
        if first in self.never_seated:
            await trio.sleep_forever()
        return Set(name, self.diary)

    async def play_one(
        self,
        _run: object,
        plan: MatchPlan,
        bots: Set,
        *,
        watch: object,  # noqa: ARG002  # as the real one is called
        is_first: bool,
    ) -> MatchRow:
        """Stand for a match."""
        attempt = self._attempts[plan.id] = self._attempts.get(plan.id, 0) + 1
        first = ", its first" if is_first else ""
        await trio.testing.wait_all_tasks_blocked()  # the next set is prepared meanwhile
        self.diary.append(f"{bots.name} plays {_short(plan)}{first}")
        self.after_match(bots)
        return self.row(plan, attempt)


def _short(plan: MatchPlan) -> str:
    return f"o{plan.orientation}-m{plan.slice}"


async def test_each_sitting_has_a_set_of_its_own_started_while_the_one_before_plays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    trial = Trial(monkeypatch)
    await trial.table.play()
    assert trial.diary == [
        "set 1 for o0-m1",
        "set 2 for o1-m1",
        "set 1 plays o0-m1, its first",
        "set 1 plays o0-m2",
        "set 1 leaves, finished",
        "set 2 plays o1-m1, its first",
        "set 2 plays o1-m2",
        "set 2 leaves, finished",
    ]
    assert trial.begun == ["o0-m1", "o0-m2", "o1-m1", "o1-m2"]
    assert len(trial.counted) == 4


async def test_bots_of_a_void_match_never_meet_its_boards_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    trial = Trial(monkeypatch)
    trial.row = lambda plan, attempt: (
        void(plan, attempt) if _short(plan) == "o0-m2" and attempt < 3 else counts(plan, attempt)
    )
    await trial.table.play()
    plays = [entry for entry in trial.diary if " plays " in entry]
    assert plays == [
        "set 1 plays o0-m1, its first",
        "set 1 plays o0-m2",
        "set 3 plays o0-m2, its first",
        "set 4 plays o0-m2, its first",
        "set 2 plays o1-m1, its first",
        "set 2 plays o1-m2",
    ]
    assert "set 3 for o0-m2" in trial.diary
    assert len(trial.counted) == len(set(trial.counted)) == 4


async def test_a_match_that_is_void_three_times_pauses_the_event(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    trial = Trial(monkeypatch)
    trial.row = void
    with pytest.RaisesGroup(pytest.RaisesExc(HostFault, match=r"s1-r1-p1-o0-m1 was void 3 times")):
        await trial.table.play()
    assert trial.counted == []


async def test_a_set_that_lost_a_bot_is_replaced_before_the_next_match(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    trial = Trial(monkeypatch)

    def lose(bots: Set) -> None:
        bots.is_whole = bots.name != "set 1"

    trial.after_match = lose
    await trial.table.play()
    assert [entry for entry in trial.diary if "set 1" in entry or "set 3" in entry] == [
        "set 1 for o0-m1",
        "set 1 plays o0-m1, its first",
        "set 1 leaves, finished",
        "set 3 for o0-m2",
        "set 3 plays o0-m2, its first",
        "set 3 leaves, finished",
    ]


async def test_after_a_stop_the_running_match_finishes_and_prepared_bots_leave(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    trial = Trial(monkeypatch)
    trial.after_match = lambda _set: trial.stopper.stop()
    await trial.table.play()
    assert trial.diary[:3] == [
        "set 1 for o0-m1",
        "set 2 for o1-m1",
        "set 1 plays o0-m1, its first",
    ]
    assert sorted(trial.diary[3:]) == ["set 1 leaves, event_paused", "set 2 leaves, event_paused"]
    assert len(trial.counted) == 1


async def test_a_stop_gives_up_bots_that_are_still_being_started(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    trial = Trial(monkeypatch)
    trial.never_seated = {"o1-m1"}
    trial.after_match = lambda _set: trial.stopper.stop()
    with trio.fail_after(30):
        await trial.table.play()
    assert len(trial.counted) == 1
