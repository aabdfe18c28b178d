"""What all parts of one run of an event share.

Owns the bundle of open things (folder, results, log, bots, seeds) and the way a result is
made to count. Must not know tables, sessions or the order of play. Database and log wait
for the disk, so both are written in a worker thread, by one writer at a time.
Source: record.md ("Results database", "Event log").
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version

import trio

from arena.bots.frozen import FrozenBot
from arena.bots.sandbox.launch import NO_SANDBOX, Sandbox
from arena.record.event_log import EventLog
from arena.record.match_row import MatchRow
from arena.record.paths import find_log
from arena.record.results import Results
from arena.referee.messages import Record
from arena.tournament.accounts import Attempt, Noted
from arena.tournament.event_file import EventFile
from arena.tournament.folder import EventFolder
from arena.tournament.rulings import Rulings
from arena.tournament.schedule import MatchPlan
from arena.tournament.seeding import Seed

ARENA_VERSION = version("tressette-arena")


def wall_time() -> str:
    """Give the time of day for headers and seals, in UTC to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


Observer = Callable[[MatchPlan, Record], None]
"""Is told each record of a match as it happens; it must not wait."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunState:
    """An event that is open for playing; ``bots`` by entrant, ``seeds`` by stage from 0."""

    folder: EventFolder
    event: EventFile
    bots: Mapping[str, FrozenBot]
    seeds: tuple[Seed, ...]
    results: Results
    log: EventLog
    tables: int
    is_oversubscribed: bool
    """Whether more tables play at once than the cores allow (requirements.md H)."""
    fingerprint: str
    """The published one, in hexadecimal."""
    is_revealed: bool
    """Whether an earlier run has put the seeds into the log."""
    noted: Mapping[Attempt, Noted] = field(default_factory=dict)
    """The attempts that the log noted before this run, in its order."""
    rulings: Rulings = field(default_factory=Rulings)
    """What the organiser's rulings come to."""
    noted_suspensions: frozenset[str] = frozenset()
    """The entrants whose suspension the log noted before this run."""
    sandbox: Sandbox = NO_SANDBOX
    observer: Observer | None = None
    _writing: trio.Lock = field(default_factory=trio.Lock, init=False, repr=False)

    def bots_of(self, seats: tuple[int, ...]) -> tuple[FrozenBot, ...]:
        """Give the bot of each seat from the entrants' indices."""
        return tuple(self.bots[self.event.entrants[index].name] for index in seats)

    def next_attempt(self, match: str) -> int:
        """Number the next attempt at a match; logs of one are numbered without gaps."""
        attempt = 1
        while find_log(self.folder.logs, match, attempt) is not None:
            attempt += 1
        return attempt

    async def keep(self, row: MatchRow) -> None:
        """Let a match count, or keep a void attempt: first the database, then the log.

        Not to be interrupted half-way: the caller shields it.

        Raises:
            HostFault: The disk does not take it, or another result stands there already.
        """

        def write() -> None:
            if row.counted:
                self.results.count(row)
            else:
                self.results.void(row)
            self.note(row)

        async with self._writing:
            await trio.to_thread.run_sync(write)

    async def tell_log(self, kind: str, *, durable: bool = True, **fields: object) -> None:
        """Append a line to the event's log while matches play; ``durable`` waits for the disk.

        Raises:
            HostFault: The disk does not take it.
        """

        def write() -> None:
            self.log.append(kind, durable=durable, **fields)

        async with self._writing:
            await trio.to_thread.run_sync(write)

    def note(self, row: MatchRow) -> None:
        """Write an attempt that the database holds to the event's log."""
        self.log.append(
            "match_counted" if row.counted else "match_voided",
            match=row.match_id,
            attempt=row.attempt,
            digest=row.digest,
            termination=row.termination.value,
            totals=list(row.totals),
        )
