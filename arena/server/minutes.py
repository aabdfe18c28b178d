"""Minutes: what of a match is still to be written down, in the order it came about.

Owns the order of records and of what was said to the seats, so that each record can be held
against what had been said before it. Must not know logs, nor when it is time to write.
Source: design.md §4 (events go to the log while the bots think).
"""

from collections.abc import Callable
from dataclasses import replace

from arena.referee.events import MatchEnded
from arena.referee.messages import Record
from arena.server.arrivals import LoopWatch
from arena.v1 import play_pb2

OnSent = Callable[[int, play_pb2.RefereeMessage], None]
"""Takes a message that was made for a seat."""


class Minutes:
    """What is still to be written of one match.

    Args:
        sink: Takes the records.
        on_sent: Takes what was said to the seats, if anybody wants to know.
        watch: Where the longest stall of the loop is read at the end.
    """

    __slots__ = ("_items", "_on_sent", "_sink", "_watch")

    def __init__(
        self, sink: Callable[[Record], None], on_sent: OnSent | None, watch: LoopWatch
    ) -> None:
        self._sink = sink
        self._on_sent = on_sent
        self._watch = watch
        self._items: list[Record | tuple[int, play_pb2.RefereeMessage]] = []

    def __bool__(self) -> bool:
        """Whether anything is to be written."""
        return bool(self._items)

    def record(self, record: Record) -> None:
        """Note what happened."""
        self._items.append(record)

    def said(self, seat: int, message: play_pb2.RefereeMessage) -> None:
        """Note what was said to a seat."""
        if self._on_sent is not None:
            self._items.append((seat, message))

    def drop(self) -> None:
        """Forget what was not written: nobody can take it."""
        self._items.clear()

    def write(self) -> None:
        """Bring everything to those who take it.

        Raises:
            Exception: What one of them raised; the rest is forgotten.
        """
        items, self._items = self._items, []
        for item in items:
            if isinstance(item, tuple):
                if self._on_sent is not None:
                    self._on_sent(*item)
            elif isinstance(item.event, MatchEnded):
                ended = replace(item.event, loop_stall_max_us=self._watch.stall_max_us)
                self._sink(replace(item, event=ended))
            else:
                self._sink(item)
