"""A bot runs in its own turn alone, and the CPU time of each decision is counted."""

from arena.server.turns import TurnMeter


class Scripted:
    """Processes that note what is done to them, and have used 100 us more at each look."""

    def __init__(self, *, counts: bool = True) -> None:
        self.done: list[str] = []
        self._counts = counts
        self._used_us = 0

    def thaw(self) -> None:
        """Note it."""
        self.done.append("thaw")

    def freeze(self) -> None:
        """Note it."""
        self.done.append("freeze")

    def cpu_us(self) -> int | None:
        """Look."""
        self._used_us += 100
        return self._used_us if self._counts else None


def test_a_turn_begins_with_a_thaw_and_ends_with_a_freeze() -> None:
    processes = Scripted()
    meter = TurnMeter(processes, freezes=True)
    meter.wake()
    meter.begin()
    assert meter.spent_us() == 100
    meter.rest()
    assert processes.done == ["thaw", "freeze"]


def test_where_bots_may_always_think_nothing_is_stopped() -> None:
    processes = Scripted()
    meter = TurnMeter(processes, freezes=False)
    meter.wake()
    meter.rest()
    assert processes.done == []


def test_no_cpu_time_is_told_that_was_not_measured() -> None:
    assert TurnMeter(Scripted(), freezes=True).spent_us() is None
    meter = TurnMeter(Scripted(counts=False), freezes=True)
    meter.begin()
    assert meter.spent_us() is None


def test_a_decision_is_counted_once() -> None:
    meter = TurnMeter(Scripted(), freezes=True)
    meter.begin()
    meter.spent_us()
    assert meter.spent_us() is None
