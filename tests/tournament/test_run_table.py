"""One table of a run, with made-up bots: which set plays what, and when it is replaced."""

from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest
import trio

from arena.record.match_row import MatchRow
from arena.referee.faults import Culprit, TerminationKind
from arena.server.arrivals import Arrivals
from arena.tournament import run_table
from arena.tournament.event_file import EventFile
from arena.tournament.plan import event_sittings
from arena.tournament.run_table import RunTable
from arena.tournament.schedule import MatchPlan, Sitting
from arena.tournament.stopping import Stopper
from arena.tournament.void_watch import VoidWatch
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

    seated = ()

    def __init__(self, name: str, sitting: Sitting, diary: list[str], capacity: int) -> None:
        self.name = name
        self.sitting = sitting
        self.capacity = capacity
        self.fresh = frozenset({0, 1, 2, 3})
        self.losses: list[str] = []
        self._diary = diary
        self._is_gone = False

    @property
    def is_whole(self) -> bool:
        """Whether nobody is lost."""
        return not self.losses

    def settled(self) -> "Set":
        """Give the same bots after their first match."""
        settled = copy(self)
        settled.fresh = frozenset()
        return settled

    def release(self, reason: GoodbyeReason) -> None:
        """Leave."""
        if not self._is_gone:
            self._diary.append(f"{self.name} leaves, {reason.name.lower()}")
        self._is_gone = True


class Keeper:
    """Hands out sets of made-up bots."""

    def __init__(self, stopper: Stopper, diary: list[str]) -> None:
        self.never_seated: set[str] = set()
        self.capacity = 1
        self._stopper = stopper
        self._diary = diary
        self._sets = 0

    async def seat(self, sitting: Sitting) -> Set:
        """Stand for the start of processes."""
        first = _short(sitting.matches[0])
        self._sets += 1
        name = f"set {self._sets}"
        self._diary.append(f"{name} for {first}")
        if first in self.never_seated:
            await trio.sleep_forever()
        return Set(name, sitting, self._diary, self.capacity)

    async def renew(self, bot_set: Set, rest: Sitting, *, is_spent: bool) -> Set:
        """Replace a set."""
        why = "spent" if is_spent else "lost"
        self._diary.append(f"{bot_set.name} is {why}")
        await self.dismiss(bot_set)
        return await self.seat(rest)

    async def dismiss(self, bot_set: Set) -> None:
        """Let a set go."""
        bot_set.release(self._stopper.reason)


class Trial:
    """A table, what it is fed, and a diary of what happens at it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, event: EventFile = EVENT) -> None:
        self.diary: list[str] = []
        self.begun: list[str] = []
        self.counted: list[str] = []
        self.stopper = Stopper()
        self.keeper = Keeper(self.stopper, self.diary)
        self.row: Row = counts
        self.after_match: Callable[[Set], None] = lambda _set: None
        self._sittings: Iterator[Sitting] = event_sittings(event)
        self._attempts: dict[str, int] = {}
        self._voids = VoidWatch((), {})
        monkeypatch.setattr(run_table, "FreshBots", lambda *_: self.keeper)
        monkeypatch.setattr(run_table, "play_one", self.play_one)
        room = SimpleNamespace(runtime=SimpleNamespace(arrivals=Arrivals()))
        self.table = RunTable(cast("Any", None), [cast("Any", room)], self, self.stopper, {})

    async def next_sitting(self) -> Sitting | None:
        """Hand out what the table plays next."""
        return next(self._sittings, None)

    async def begin(self, plan: MatchPlan) -> None:
        """Take note of a match."""
        self.begun.append(_short(plan))

    async def take(self, row: MatchRow) -> None:
        """Take note of a match that counts; pause as a run does."""
        if (why := self._voids.add(row)) is not None:
            self.stopper.pause(why)
        if row.counted:
            self.counted.append(row.match_id)

    async def play_one(
        self,
        _run: object,
        plan: MatchPlan,
        bots: Set,
        *,
        watch: object,  # noqa: ARG002  # as the real one is called
    ) -> MatchRow:
        """Stand for a match."""
        attempt = self._attempts[plan.id] = self._attempts.get(plan.id, 0) + 1
        first = ", its first" if bots.fresh else ""
        self.diary.append(f"{bots.name} begins {_short(plan)}")
        await trio.testing.wait_all_tasks_blocked()  # the next set is prepared meanwhile
        self.diary.append(f"{bots.name} plays {_short(plan)}{first}")
        self.after_match(bots)
        return self.row(plan, attempt)

    @property
    def told(self) -> list[str]:
        """What happened, but for when matches began."""
        return [entry for entry in self.diary if " begins " not in entry]


def _short(plan: MatchPlan) -> str:
    return f"o{plan.orientation}-m{plan.slice}"


async def test_each_sitting_has_a_set_of_its_own_started_while_the_one_before_plays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    trial = Trial(monkeypatch)
    await trial.table.play()
    assert trial.told == [
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
    await trial.table.play()
    assert trial.stopper.pause_reason == "match s1-r1-p1-o0-m1 was void 3 times; its logs say why"
    assert trial.counted == []


async def test_a_set_that_lost_a_bot_is_replaced_before_the_next_match(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    trial = Trial(monkeypatch)

    def lose(bots: Set) -> None:
        if bots.name == "set 1":
            bots.losses.append("a bot")

    trial.after_match = lose
    await trial.table.play()
    assert [entry for entry in trial.told if "set 1" in entry or "set 3" in entry] == [
        "set 1 for o0-m1",
        "set 1 plays o0-m1, its first",
        "set 1 is lost",
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
    assert trial.told[:3] == [
        "set 1 for o0-m1",
        "set 2 for o1-m1",
        "set 1 plays o0-m1, its first",
    ]
    assert sorted(trial.told[3:]) == ["set 1 leaves, event_paused", "set 2 leaves, event_paused"]
    assert len(trial.counted) == 1


async def test_a_stop_gives_up_bots_that_are_still_being_started(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    trial = Trial(monkeypatch)
    trial.keeper.never_seated = {"o1-m1"}
    trial.after_match = lambda _set: trial.stopper.stop()
    with trio.fail_after(30):
        await trial.table.play()
    assert len(trial.counted) == 1


WIDE = event_of("a", "b", boards=10, boards_per_match=2)
"""Two sittings of five matches each."""


def wide(monkeypatch: pytest.MonkeyPatch, capacity: int) -> Trial:
    trial = Trial(monkeypatch, WIDE)
    trial.keeper.capacity = capacity
    trial.row = lambda plan, attempt: replace(wide_row(plan), attempt=attempt)
    return trial


def wide_row(plan: MatchPlan) -> MatchRow:
    return row_of(WIDE, plan, lambda _match, _board: (5, 6))


def begun_at_once(diary: list[str], name: str) -> list[int]:
    """Say how many matches a set had begun and not ended, whenever one was added."""
    under_way, counts = 0, []
    for entry in diary:
        if entry.startswith(f"{name} begins"):
            under_way += 1
            counts.append(under_way)
        elif entry.startswith(f"{name} plays"):
            under_way -= 1
    return counts


async def test_a_set_plays_as_many_matches_at_once_as_its_capacity(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    trial = wide(monkeypatch, 3)
    await trial.table.play()
    for name in ("set 1", "set 2"):
        counts = begun_at_once(trial.diary, name)
        assert len(counts) == 5
        assert max(counts) == 3
    # Those that a set begins at once are all its first: their allowance runs from the launch.
    assert sum(entry.endswith("its first") for entry in trial.diary) == 6
    assert len(trial.counted) == len(set(trial.counted)) == 10
    assert sum("leaves" in entry for entry in trial.diary) == 2


async def test_a_capacity_beyond_the_matches_of_a_sitting_does_no_harm(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    trial = wide(monkeypatch, 64)
    await trial.table.play()
    assert max(begun_at_once(trial.diary, "set 1")) == 5
    assert len(set(trial.counted)) == 10


async def test_beside_a_void_match_others_finish_but_none_begins_with_the_same_set(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    trial = wide(monkeypatch, 3)
    trial.row = lambda plan, attempt: replace(
        wide_row(plan), counted=not (_short(plan) == "o0-m2" and attempt == 1)
    )
    await trial.table.play()
    void_at = next(i for i, entry in enumerate(trial.diary) if "set 1 plays o0-m2" in entry)
    until, after = trial.diary[:void_at], trial.diary[void_at:]
    begun = sum(entry.startswith("set 1 begins") for entry in until)
    assert not any(entry.startswith("set 1 begins") for entry in after)
    assert sum(entry.startswith("set 1 plays") for entry in trial.diary) == begun
    assert after.index("set 1 is spent") > max(
        place for place, entry in enumerate(after) if entry.startswith("set 1 plays")
    )
    # What was void and what had not begun is left to the fresh set.
    assert sum(entry.startswith("set 3 plays") for entry in trial.diary) == 5 - begun + 1
    assert "set 3 for o0-m2" in trial.diary
    assert len(trial.counted) == len(set(trial.counted)) == 10


async def test_a_match_void_three_times_lets_those_beside_it_finish_before_the_event_pauses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    trial = wide(monkeypatch, 5)
    trial.row = lambda plan, attempt: (
        void(plan, attempt) if _short(plan) == "o0-m2" else wide_row(plan)
    )
    await trial.table.play()
    assert "o0-m2 was void 3 times" in str(trial.stopper.pause_reason)
    assert sorted(match[-5:] for match in trial.counted) == ["o0-m1", "o0-m3", "o0-m4", "o0-m5"]


async def test_after_a_stop_all_running_matches_finish_and_no_other_begins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    trial = wide(monkeypatch, 3)
    trial.after_match = lambda _set: None if trial.stopper.is_stopping else trial.stopper.stop()
    await trial.table.play()
    assert len(trial.begun) == len(trial.counted) == 3
    assert sorted(entry for entry in trial.diary if "leaves" in entry) == [
        "set 1 leaves, event_paused",
        "set 2 leaves, event_paused",
    ]
