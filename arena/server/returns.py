"""Returns: how often a remote bot may come back with another stream.

Owns one token bucket a session. Each return is work for the referee, a line in the log and
news for the other seats; without a bound a bot could make any amount of them while it is
asked. Must not know what going over costs. Source: requirements.md F, S; docs/clocks-and-faults.md.
"""

from typing import Final

AT_ONCE: Final = 32
"""Returns that may follow each other without a pause."""
REGAIN_NS: Final = 10_000_000_000
"""So long it takes until one more is allowed."""


class Returns:
    """What one session may still do of it. Integer arithmetic in nanoseconds' worth of returns.

    Args:
        now_ns: The moment from which the bucket fills; it begins full.
    """

    __slots__ = ("_at_ns", "_left_ns")

    def __init__(self, now_ns: int) -> None:
        self._left_ns = AT_ONCE * REGAIN_NS
        self._at_ns = now_ns

    def count(self, now_ns: int) -> str | None:
        """Count a return; say in words how it is one too many, None if it is not."""
        gained_ns = max(0, now_ns - self._at_ns)
        self._at_ns = max(now_ns, self._at_ns)
        self._left_ns = min(AT_ONCE * REGAIN_NS, self._left_ns + gained_ns) - REGAIN_NS
        if self._left_ns >= 0:
            return None
        return (
            f"the bot came back with a new stream more than {AT_ONCE} times in a row; allowed "
            f"is that, and once more every {REGAIN_NS // 1_000_000_000} s: keep one stream open"
        )
