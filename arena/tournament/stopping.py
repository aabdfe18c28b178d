"""Stopping: how a run of an event is told to end, and what ends at which word.

Owns the two steps of a stop: at the first, running matches finish and what only prepares
others is given up; at the second, everything ends now. Must not know signals, bots or
matches. Source: issue "The arena plays" ("How well").
"""

from collections.abc import Iterator
from contextlib import contextmanager

import trio

from arena.wire.terms import GoodbyeReason


class Stopper:
    """How a run is stopped: once, running matches finish; twice, everything ends now.

    Attributes:
        is_stopping: Whether it was stopped at least once.
    """

    def __init__(self) -> None:
        self.is_stopping = False
        self._first: set[trio.CancelScope] = set()
        self._second: set[trio.CancelScope] = set()
        self._is_ending = False

    @property
    def reason(self) -> GoodbyeReason:
        """What a bot that is let go is told."""
        return GoodbyeReason.EVENT_PAUSED if self.is_stopping else GoodbyeReason.FINISHED

    def stop(self) -> None:
        """Stop after the running matches; at the second call, now."""
        if self.is_stopping:
            self._is_ending = True
            _cancel(self._second)
        self.is_stopping = True
        _cancel(self._first)

    @contextmanager
    def until_stopped(self) -> Iterator[None]:
        """Cancel the body at the first stop: for what only prepares or waits."""
        with _one_of(self._first, is_cancelled=self.is_stopping):
            yield

    @contextmanager
    def until_ended(self) -> Iterator[None]:
        """Cancel the body at the second stop: for what plays."""
        with _one_of(self._second, is_cancelled=self._is_ending):
            yield


def _cancel(scopes: set[trio.CancelScope]) -> None:
    for scope in scopes:
        scope.cancel()


@contextmanager
def _one_of(scopes: set[trio.CancelScope], *, is_cancelled: bool) -> Iterator[None]:
    scope = trio.CancelScope()
    scopes.add(scope)
    if is_cancelled:
        scope.cancel()
    try:
        with scope:
            yield
    finally:
        scopes.discard(scope)
