"""The clock of a seat: limits of an event and the arithmetic of the time bank.

Owns integer arithmetic in nanoseconds; must not read any clock. Source: design.md §5.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Final

from arena.errors import ConfigError

MS: Final = 1_000_000
"""Nanoseconds in a millisecond."""
US: Final = 1_000
"""Nanoseconds in a microsecond."""

NO_LIMIT_MS: Final = 86_400_000
"""A limit of a day is none: nobody waits so long for a card but a person with a debugger."""
MOST_BANK_NS: Final = NO_LIMIT_MS * MS
"""No bank holds more than a day: what increments would add to that is lost, so that a bank is
always a number of the wire."""
REMOTE_MARGIN_MS: Final = 200
"""The default margin where bots come over a network (design.md §5)."""
HOST_LAG_FLOOR_NS: Final = 10 * MS
"""An arrival known less exactly than this, and than the margin, is the host's fault."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """Time allowances, told to bots in MatchStarted exactly as applied (milliseconds).

    ``limit_ms`` is for each decision; ``bank_ms``, filled anew each match, is used by what
    exceeds it; ``increment_ms`` is added to the bank after each own decision, up to a day;
    ``margin_ms`` is for the transport and not told as time to think; ``start_ms`` ends
    with Ready; ``reconnect_ms`` is how long a lost remote seat may take to come back.

    Raises:
        ConfigError: The limit is below 1 ms, another allowance below 0, or one above a day.
    """

    limit_ms: int = 1_000
    bank_ms: int = 0
    increment_ms: int = 0
    margin_ms: int = 10
    start_ms: int = 30_000
    reconnect_ms: int = 10_000

    def __post_init__(self) -> None:
        for field in fields(self):
            least = 1 if field.name == "limit_ms" else 0
            value = getattr(self, field.name)
            if value < least:
                raise ConfigError(
                    f"clock: {field.name} = {value} is too small; "
                    f"allowed are whole milliseconds from {least}"
                )
            if value > NO_LIMIT_MS:
                raise ConfigError(
                    f"clock: {field.name} = {value} is too large; "
                    f"allowed are whole milliseconds up to {NO_LIMIT_MS}"
                )

    @property
    def has_limit(self) -> bool:
        """Whether a decision has a time limit."""
        return self.limit_ms < NO_LIMIT_MS


NO_CLOCK: Final = Clock(limit_ms=NO_LIMIT_MS, start_ms=NO_LIMIT_MS)
"""For authors with a debugger: neither a decision nor a start has a limit."""

PRESETS: Final[Mapping[str, Clock]] = MappingProxyType(
    {
        "fast": Clock(limit_ms=100),
        "normal": Clock(),
        "long": Clock(limit_ms=5_000, bank_ms=60_000),
    }
)
"""The named clocks of an event file. Source: design.md §5."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatClock:
    """What one seat has left to think; a value that each decision replaces.

    All in nanoseconds. ``bank_ns`` is never negative.
    """

    limit_ns: int
    bank_ns: int
    increment_ns: int
    margin_ns: int

    @classmethod
    def full(cls, clock: Clock) -> "SeatClock":
        """Give a seat its clock at the start of a match."""
        return cls(
            limit_ns=clock.limit_ms * MS,
            bank_ns=clock.bank_ms * MS,
            increment_ns=clock.increment_ms * MS,
            margin_ns=clock.margin_ms * MS,
        )

    @property
    def time_ns(self) -> int:
        """The time to think that the seat is told: limit and bank, without the margin."""
        return self.limit_ns + self.bank_ns

    def due_ns(self, started_ns: int) -> int:
        """Say when a decision is lost whose clock started at ``started_ns``."""
        return started_ns + self.limit_ns + self.bank_ns + self.margin_ns

    def is_late(self, think_ns: int) -> bool:
        """Whether ``think_ns`` is more than limit, bank and margin together."""
        return think_ns > self.limit_ns + self.bank_ns + self.margin_ns

    def is_in_doubt(self, earliest_ns: int, latest_ns: int) -> bool:
        """Whether the host watched too badly to say if an answer was in time.

        Both are possible think times of one answer. A bot has the benefit of a doubt that
        the margin covers, and of any that cannot change the verdict.
        """
        return (
            latest_ns - earliest_ns > max(self.margin_ns, HOST_LAG_FLOOR_NS)
            and self.is_late(latest_ns)
            and not self.is_late(earliest_ns)
        )

    def describe_late(self, think_ns: int) -> str:
        """Say in words how long a late seat thought, and what was allowed."""
        return (
            f"thought {think_ns // MS} ms; allowed were {self.limit_ns // MS} ms, "
            f"{self.bank_ns // MS} ms of bank and {self.margin_ns // MS} ms of margin"
        )

    def left_after(self, think_ns: int) -> "SeatClock":
        """Give what is left of one decision's time after ``think_ns`` of it, never below 0."""
        left_ns = max(0, self.time_ns - think_ns)
        bank_ns = min(self.bank_ns, left_ns)
        return replace(self, limit_ns=left_ns - bank_ns, bank_ns=bank_ns)

    def after(self, think_ns: int) -> "SeatClock":
        """Give the clock for the next decision after one that took ``think_ns``.

        What exceeds the limit is taken from the bank as far as it goes, then the
        increment is added, up to ``MOST_BANK_NS``.
        """
        used_ns = min(self.bank_ns, max(0, think_ns - self.limit_ns))
        if used_ns == self.increment_ns:
            return self
        return SeatClock(
            limit_ns=self.limit_ns,
            bank_ns=min(self.bank_ns - used_ns + self.increment_ns, MOST_BANK_NS),
            increment_ns=self.increment_ns,
            margin_ns=self.margin_ns,
        )
