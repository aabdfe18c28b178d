"""What each seat had left to think, reckoned from the log's own times.

Owns the bank of one seat as the log lets it be known: think times are logged in whole
microseconds, rounded down, so the bank lies between two bounds. Shares no arithmetic with
the referee's clock, so that its mistakes are found. Source: design.md §5.
"""

from arena.referee.clock import Clock

_MS = 1_000
"""Microseconds in a millisecond."""
_LAG_FLOOR_US = 10 * _MS
"""An arrival known less exactly than this, and than the margin, is the host's fault."""


class SeatTime:
    """The clock of one seat in one match; all in microseconds."""

    __slots__ = ("_bank_least", "_bank_most", "_increment", "_limit", "_margin")

    def __init__(self, clock: Clock) -> None:
        self._limit = clock.limit_ms * _MS
        self._margin = clock.margin_ms * _MS
        self._increment = clock.increment_ms * _MS
        self._bank_most = self._bank_least = clock.bank_ms * _MS

    @property
    def banks_ms(self) -> range:
        """What the seat may have been told of its bank, in whole milliseconds."""
        return range(self._bank_least // _MS, self._bank_most // _MS + 1)

    def allowed_us(self) -> int:
        """Give the longest think time that can have been in time."""
        return self._limit + self._bank_most + self._margin

    def must_be_late(self, think_us: int) -> bool:
        """Whether no reading of the log makes this think time one in time."""
        return think_us > self.allowed_us()

    def can_be_late(self, think_us: int) -> bool:
        """Whether some reading of the log makes this think time one too long."""
        return think_us + 1 >= self._limit + self._bank_least + self._margin

    def is_in_doubt(self, think_us: int, lag_us: int) -> bool:
        """Whether nobody can say if an answer of this arrival was in time."""
        vague = lag_us > max(self._margin, _LAG_FLOOR_US)
        return vague and think_us + lag_us > self.allowed_us() + 1

    def spend(self, think_us: int) -> None:
        """Take from the bank what a decision used beyond the limit, then add the increment."""
        most, least = self._bank_most, self._bank_least
        if think_us + 1 > self._limit:
            most -= min(most, max(0, think_us - self._limit))
            least -= min(least, think_us + 1 - self._limit)
        self._bank_most, self._bank_least = most + self._increment, least + self._increment
