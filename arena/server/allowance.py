"""Allowance: how much a bot may say, as Welcome tells it.

Owns two counts: of messages since the latest decision, and a token bucket over time. Each
decision pays for one message, so that a bot that answers what it is asked never meets the
rate, however fast it plays. Must not know what going over costs.
Source: protocol.md ("Rules of the wire" 9).
"""

from typing import Final

from arena.wire.terms import Limits

_SECOND_NS: Final = 1_000_000_000


class Allowance:
    """What one session may still say. Integer arithmetic in nanoseconds' worth of messages.

    Args:
        limits: What the bot was told.
        now_ns: The moment from which the bucket fills; it begins full.

    Attributes:
        said: Messages since the latest decision.
    """

    __slots__ = ("_asked", "_at_ns", "_cost_ns", "_full_ns", "_left_ns", "_limits", "said")

    def __init__(self, limits: Limits, now_ns: int) -> None:
        self.said = 0
        self._limits = limits
        self._asked = 0
        self._cost_ns = _SECOND_NS // limits.messages_per_second
        self._full_ns = self._left_ns = limits.messages_per_decision * self._cost_ns
        self._at_ns = now_ns

    def count(self, messages: int, asked: int, now_ns: int) -> str | None:
        """Count what has come; say in words how it is too much, None if it is not.

        Args:
            messages: How many came.
            asked: How many decisions the session has been asked by now.
            now_ns: When they came.
        """
        paid = asked - self._asked
        if paid:
            self._asked = asked
            self.said = 0
        self.said += messages
        gained_ns = max(0, now_ns - self._at_ns) + paid * self._cost_ns
        self._at_ns = max(now_ns, self._at_ns)
        self._left_ns = min(self._full_ns, self._left_ns + gained_ns) - messages * self._cost_ns
        most = self._limits.messages_per_decision
        if self.said > most:
            return f"{self.said} messages since its latest decision; allowed are {most}"
        if self._left_ns < 0:
            return (
                f"more than {self._limits.messages_per_second} messages a second that "
                "no decision asked for"
            )
        return None
