"""Crowds: whose messages kept the loop busy since it last waited.

Owns one count a session for the present busy stretch of the loop, so that a lag can be laid
at the door of the bot that made it. Must not know tables or verdicts.
Source: design.md §5 (host's fault), requirements.md P.

Messages of one stretch carry the same start of their arrival
(:class:`arena.server.arrivals.Arrivals`); a new start is a new stretch. Counting is one
comparison and one addition a frame.
"""

from typing import Final

WEIGHT_BYTES: Final = 4_096
"""So many bytes weigh as much as a message."""
_PARTS: Final = 64
"""Into so many parts a message is counted: an honest bot at 64 tables may answer all at once."""


class Crowds:
    """The counts of one loop."""

    __slots__ = ("_counts", "_since_ns")

    def __init__(self) -> None:
        self._since_ns = 0
        self._counts: dict[object, int] = {}

    def count(self, who: object, messages: int, size: int, tables: int, since_ns: int) -> None:
        """Count a frame that may have arrived since ``since_ns``.

        Args:
            who: Whose it is.
            messages: How many it holds.
            size: Its bytes.
            tables: At how many tables its sender may play at once.
            since_ns: Where the frame's stretch began.
        """
        if since_ns != self._since_ns:
            self._since_ns = since_ns
            self._counts.clear()
        parts = (messages + size // WEIGHT_BYTES) * _PARTS // tables
        self._counts[who] = self._counts.get(who, 0) + parts

    def largest(self, since_ns: int) -> tuple[object, int]:
        """Name who sent most in the stretch that began at ``since_ns``; (None, 0) if nobody did.

        The number is that of its messages for each of its tables.
        """
        if since_ns != self._since_ns or not self._counts:
            return None, 0
        who = max(self._counts, key=self._counts.__getitem__)
        return who, self._counts[who] // _PARTS


CROWDS: Final = Crowds()
"""Those of this process's one loop."""
