"""Turns: what is done to a bot's processes as its turns begin and end.

Owns when a bot is let run and stopped, and the CPU time of each decision. Must not know how
that is done: what stops and counts is given by whoever keeps the processes. A session
without a meter (remote bots, several tables at once, no rights on this machine) has none of
it and pays nothing for it. Source: design.md §5, resources.md.

A bot runs from before anything is sent to it until the table has gone on to ask somebody
else. What it is told between its turns (a match's start and end) lets it run until its next
turn has ended.
"""

from typing import Protocol


class Processes(Protocol):
    """All processes of one bot; each call takes one system call at most and never waits."""

    def thaw(self) -> None:
        """Let them run. Idempotent."""

    def freeze(self) -> None:
        """Stop them where they are. Idempotent."""

    def cpu_us(self) -> int | None:
        """Read their CPU time so far (us); None where it cannot be read."""


class TurnMeter:
    """The meter of one session that plays at one table."""

    __slots__ = ("_begun_us", "_freezes", "_processes")

    def __init__(self, processes: Processes, *, freezes: bool) -> None:
        """Count the CPU time of decisions; stop the processes between turns if ``freezes``."""
        self._processes = processes
        self._freezes = freezes
        self._begun_us: int | None = None

    @property
    def freezes(self) -> bool:
        """Whether the bot is stopped out of its turn."""
        return self._freezes

    def wake(self) -> None:
        """Let the bot run: something is about to be sent to it."""
        if self._freezes:
            self._processes.thaw()

    def begin(self) -> None:
        """Note that a decision's clock has started."""
        self._begun_us = self._processes.cpu_us()

    def spent_us(self) -> int | None:
        """Give the CPU time of the decision whose answer has come; None where unknown."""
        begun_us, self._begun_us = self._begun_us, None
        if begun_us is None:
            return None
        now_us = self._processes.cpu_us()
        return None if now_us is None else now_us - begun_us

    def rest(self) -> None:
        """Stop the bot: its turn is over, and somebody else is asked."""
        if self._freezes:
            self._processes.freeze()
