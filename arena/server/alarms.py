"""Alarms: the moments at which a table has to be looked at again.

Owns the wait for the next of them, and the courtesy of a moment for what was already on its
way. Must not know what an alarm is for. Source: design.md §4-5.
"""

import math
from collections.abc import Callable
from typing import Final, Generic, TypeVar

import trio

from arena.referee.clock import HOST_LAG_FLOOR_NS, MS
from arena.server.arrivals import HANDOVER_NS

SETTLE_NS: Final = 1 * MS
"""How long after its moment an alarm rings: a message already on its way comes first."""
SETTLE_ROUNDS: Final = 3
"""Scheduler rounds from a readable socket to the session's reader (bridge, stream, session)."""

PAUSE_NS: Final = 500 * MS
"""An alarm that comes so long after its moment tells of no bot: arena or machine stood still."""

_NEVER: Final = 1 << 63

Key = TypeVar("Key")


class Alarms(Generic[Key]):
    """Alarms of one table, each known by its key.

    Args:
        ring: Called with the key and the present moment, once each.
        now: The clock (ns); it runs with trio's.
        on_pause: Called instead, with how late it is (ns), where that is more than
            :data:`PAUSE_NS`.
    """

    __slots__ = ("_changed", "_due", "_is_closed", "_now", "_on_pause", "_ring", "_waits_until_ns")

    def __init__(
        self,
        ring: Callable[[Key, int], None],
        *,
        now: Callable[[], int],
        on_pause: Callable[[int], None],
    ) -> None:
        self._ring = ring
        self._on_pause = on_pause
        self._now = now
        self._due: dict[Key, int] = {}
        self._waits_until_ns = 0
        self._changed = trio.Event()
        self._is_closed = False

    def set(self, key: Key, at_ns: int) -> None:
        """Let an alarm ring; setting it again replaces its moment."""
        self._due[key] = at_ns
        # A later moment needs no wake-up: the wait ends before it and looks again.
        if at_ns < self._waits_until_ns:
            self._changed.set()

    def cancel(self, key: Key) -> None:
        """Let an alarm not ring, if it is set."""
        self._due.pop(key, None)

    def close(self) -> None:
        """Cancel all alarms and end ``run``."""
        self._due.clear()
        self._is_closed = True
        self._changed.set()

    async def run(self) -> None:
        """Ring each alarm at its moment, until closed."""
        await trio.lowlevel.checkpoint()
        while not self._is_closed:
            self._waits_until_ns = min(self._due.values(), default=_NEVER)
            if await self._has_come(self._waits_until_ns):
                if self._late_ns() > HOST_LAG_FLOOR_NS:
                    # What came meanwhile lies with other threads, which stood still too.
                    await trio.sleep(HANDOVER_NS / 1e9)
                for _ in range(SETTLE_ROUNDS):
                    await trio.lowlevel.checkpoint()
                self._ring_due(self._now())

    def _late_ns(self) -> int:
        """Say how long ago the first of those that are due now should have rung."""
        first_ns = min(self._due.values(), default=_NEVER)
        return self._now() - SETTLE_NS - first_ns

    async def _has_come(self, at_ns: int) -> bool:
        """Wait for a moment; False if before it an earlier one was set."""
        deadline = math.inf
        if at_ns != _NEVER:
            deadline = trio.current_time() + (at_ns + SETTLE_NS - self._now()) / 1e9
        with trio.move_on_at(deadline):
            await self._changed.wait()
        if not self._changed.is_set():
            return True
        self._changed = trio.Event()
        return False

    def _ring_due(self, now_ns: int) -> None:
        settled_ns = now_ns - SETTLE_NS
        for key, at_ns in [item for item in self._due.items() if item[1] <= settled_ns]:
            # What rang before it may have cancelled it, or set it anew.
            if self._due.get(key) == at_ns:
                del self._due[key]
                if settled_ns - at_ns > PAUSE_NS:
                    self._on_pause(settled_ns - at_ns)
                else:
                    self._ring(key, now_ns)
