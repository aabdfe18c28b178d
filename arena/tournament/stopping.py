"""Stopping: how a run of an event is told to end, and what ends at which word.

Owns the two steps of a stop: at the first, running matches finish and what only prepares
others is given up; at the second, everything ends now. Must not know signals, bots or
matches. Source: issue "The arena plays" ("How well").
"""

from weakref import WeakSet

import trio

from arena.wire.terms import GoodbyeReason


class Stopper:
    """How a run is stopped: once, running matches finish; twice, everything ends now.

    Attributes:
        is_stopping: Whether it was stopped at least once.
        pause_reason: Why the event paused by itself; None: it did not.
        is_cut: Whether it was stopped because its time is up.
        cut_reason: What was cut, once everything that ran has ended; None: nothing was.
    """

    def __init__(self) -> None:
        self.is_stopping = False
        self.pause_reason: str | None = None
        self.is_cut = False
        self.cut_reason: str | None = None
        self._is_ending = False
        self._first: WeakSet[trio.CancelScope] = WeakSet()
        self._second: WeakSet[trio.CancelScope] = WeakSet()

    @property
    def reason(self) -> GoodbyeReason:
        """What a bot that is let go is told."""
        return GoodbyeReason.EVENT_PAUSED if self.is_stopping else GoodbyeReason.FINISHED

    def stop(self) -> None:
        """Stop after the running matches; at the second call, now."""
        self._is_ending = self.is_stopping
        self.is_stopping = True
        for scope in (*self._first, *(self._second if self._is_ending else ())):
            scope.cancel()

    def pause(self, why: str) -> None:
        """Stop after the running matches, for a reason that the organiser has to mend."""
        if self.pause_reason is None:
            self.pause_reason = why
        if not self.is_stopping:
            self.stop()

    def cut(self) -> None:
        """Stop after the running matches, because the time is up."""
        if not self.is_stopping:
            self.is_cut = True
            self.stop()

    def until_stopped(self) -> trio.CancelScope:
        """Make a scope that the first stop cancels: for what only prepares or waits."""
        return _scope(self._first, is_cancelled=self.is_stopping)

    def until_ended(self) -> trio.CancelScope:
        """Make a scope that the second stop cancels: for what plays."""
        return _scope(self._second, is_cancelled=self._is_ending)


def _scope(scopes: WeakSet[trio.CancelScope], *, is_cancelled: bool) -> trio.CancelScope:
    scope = trio.CancelScope()
    scopes.add(scope)
    if is_cancelled:
        scope.cancel()
    return scope
