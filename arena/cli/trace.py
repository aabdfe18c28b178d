"""``arena match --trace``: what a bot is asked and answers, while the match is played.

Owns the lines and how many may wait: a terminal that is slow to take them costs lines, which
are counted, never a bot's time. Must not play.
"""

from collections.abc import Callable
from functools import partial
from typing import Final

import trio
import typer

from arena.cli.decisions import DecisionReader
from arena.counted import counted
from arena.referee.events import MatchEnded
from arena.referee.messages import Record
from arena.tournament.schedule import MatchPlan

MOST_WAITING: Final = 4096
"""Lines; about a hundred boards of a bot that answers at once."""
Emit = Callable[[str], None]


class Trace:
    """The trace of one entrant's decisions.

    Args:
        entrant: Its place in the event.
        name: Its name.
        emit: Takes a line; called in a thread.
    """

    def __init__(self, entrant: int, name: str, emit: Emit) -> None:
        self._entrant = entrant
        self._name = name
        self._emit = emit
        self._readers: dict[str, DecisionReader] = {}
        self._told = ""
        self._missed = 0
        self._lines, self._waiting = trio.open_memory_channel[str](MOST_WAITING)

    def take(self, plan: MatchPlan, record: Record) -> None:
        """Take a record of a match; what it tells of the entrant waits to be printed."""
        reader = self._readers.get(plan.id)
        if reader is None:
            seats = [seat for seat, entrant in enumerate(plan.seats) if entrant == self._entrant]
            reader = self._readers[plan.id] = DecisionReader(seats)
        decided = reader.take(record.event, record.timing)
        if decided is not None:
            self._put(plan, str(decided))
        elif isinstance(record.event, MatchEnded):
            del self._readers[plan.id]

    def _put(self, plan: MatchPlan, line: str) -> None:
        if self._told != plan.id:
            seats = [str(seat) for seat, who in enumerate(plan.seats) if who == self._entrant]
            line = f"\n{plan.id}: {self._name} in seats {', '.join(seats)}\n{line}"
        try:
            self._lines.send_nowait(line)
            self._told = plan.id
        except trio.WouldBlock:
            self._missed += 1
        except trio.BrokenResourceError:
            pass  # nobody reads any more

    async def print_all(self) -> None:
        """Print lines as they come, until :meth:`end` and all is printed."""
        async with self._waiting:
            async for line in self._waiting:
                lines = [line]
                while len(lines) < MOST_WAITING:
                    try:
                        lines.append(self._waiting.receive_nowait())
                    except (trio.WouldBlock, trio.EndOfChannel):
                        break
                if not await self._print("\n".join(lines)):
                    break
            else:
                if self._missed:
                    await self._print(
                        f"… missing here: {counted(self._missed, 'decision')}; see the log"
                    )

    async def _print(self, text: str) -> bool:
        """Print in a thread; whether anybody still reads."""
        try:
            await trio.to_thread.run_sync(partial(self._emit, text), abandon_on_cancel=True)
        except typer.Exit:
            return False
        return True

    def end(self) -> None:
        """Say that nothing more comes."""
        self._lines.close()
