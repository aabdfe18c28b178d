"""Made-up processes: they are started, remember what they met, and leave; nothing runs."""

from collections.abc import Collection
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, cast

import pytest
import trio

from arena.server.arrivals import Arrivals
from arena.tournament import bot_pool, bot_sets
from arena.tournament.schedule import Sitting
from arena.wire.terms import GoodbyeReason

ROOM = cast("Any", SimpleNamespace(runtime=SimpleNamespace(arrivals=Arrivals())))


@dataclass(slots=True, kw_only=True, eq=False)
class Process:
    """A process that stands for a seated bot.

    Attributes:
        number: From 1, in the order of starts.
        entrant: Whose it is.
        met: The boards it has met.
        playing: How many matches it plays.
        reason: Why it was let go; None: it was not.
    """

    number: int
    entrant: int
    capacity: int = 1
    session: Any = None
    met: list[int] = field(default_factory=list)
    playing: int = 0
    reason: GoodbyeReason | None = None
    waited_for: bool = False

    def __post_init__(self) -> None:
        self.session = SimpleNamespace(is_gone=False, capacity=self.capacity)

    def release(self, reason: GoodbyeReason) -> None:
        """Leave; while it plays, nobody may ask it to."""
        assert self.playing == 0
        if self.reason is None:
            self.reason = reason

    async def ended(self) -> None:
        """Wait until it has left, which takes no time once it was asked to."""
        assert self.reason is not None
        self.waited_for = True
        await trio.lowlevel.checkpoint()


class Launcher:
    """Starts made-up processes instead of real ones, and keeps the list."""

    def __init__(self, patch: pytest.MonkeyPatch, *, capacity: int = 1) -> None:
        self.all: list[Process] = []
        self.capacity = capacity
        patch.setattr(bot_sets, "start_bots", self.start)
        patch.setattr(bot_pool, "start_bots", self.start)

    async def start(
        self,
        _nursery: object,
        _run: object,
        _room: object,
        sitting: Sitting,
        seats: Collection[int],
    ) -> dict[int, Process]:
        """Stand for the start of processes."""
        await trio.lowlevel.checkpoint()
        started = {}
        for seat in seats:
            process = Process(
                number=len(self.all) + 1, entrant=sitting.seats[seat], capacity=self.capacity
            )
            self.all.append(process)
            started[seat] = process
        return started
