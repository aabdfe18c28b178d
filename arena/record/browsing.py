"""Where a replay can stand still, and how one goes from stop to stop.

Owns the stops of a match (before each question, after each deal, at the end) and the moves
between them. Must not know keys or terminals. Source: record.md ("arena replay LOG").
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from arena.record.read import MatchRecord
from arena.record.text import replay_lines
from arena.referee.events import DecisionAsked
from arena.rules.events import DealStarted, TrickWon


class Move(StrEnum):
    """One step of a reader."""

    CARD_ON = "next card"
    CARD_BACK = "previous card"
    TRICK_ON = "next trick"
    TRICK_BACK = "previous trick"
    DEAL_ON = "next deal"
    DEAL_BACK = "previous deal"
    FIRST = "first card"
    LAST = "end of the match"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """A moment of a match: after ``lines`` lines of its log."""

    lines: int
    deal: int
    trick: int
    """From 1; 0 where the deal is over, or none was dealt."""
    starts_trick: bool
    """Whether no card lies on the table: a trick is about to begin, or the deal is over."""
    starts_deal: bool


class Browsing:
    """A reader's place in a match; it begins before the first card."""

    def __init__(self, record: MatchRecord, seat: int | None = None) -> None:
        self._record = record
        self._seat = seat
        self._stops = tuple(_stops(record))
        self._place = 0

    @property
    def stop(self) -> Stop:
        """Where the reader is."""
        return self._stops[self._place]

    def page(self) -> list[str]:
        """Tell the deal up to here, as the whole replay tells it."""
        stop = self.stop
        is_end = stop.lines == len(self._record.lines)
        so_far = replace(
            self._record,
            lines=self._record.lines[: stop.lines],
            # Only the end of what was logged is told to be one.
            complete=self._record.complete or not is_end,
        )
        return list(replay_lines(so_far, self._seat, None if is_end else stop.deal or None))

    def go(self, move: Move) -> None:
        """Go to another stop; where there is none, to the first or last one."""
        match move:
            case Move.CARD_ON:
                self._forward(lambda _: True)
            case Move.CARD_BACK:
                self._back(lambda _: True)
            case Move.TRICK_ON:
                self._forward(lambda stop: stop.starts_trick)
            case Move.TRICK_BACK:
                self._back(lambda stop: stop.starts_trick)
            case Move.DEAL_ON:
                self._forward(lambda stop: stop.starts_deal)
            case Move.DEAL_BACK:
                self._back(lambda stop: stop.starts_deal)
            case Move.FIRST:
                self._place = 0
            case Move.LAST:
                self._place = len(self._stops) - 1

    def _forward(self, is_wanted: Callable[[Stop], bool]) -> None:
        last = len(self._stops) - 1
        later = range(self._place + 1, last)
        self._place = next((at for at in later if is_wanted(self._stops[at])), last)

    def _back(self, is_wanted: Callable[[Stop], bool]) -> None:
        earlier = range(self._place - 1, 0, -1)
        self._place = next((at for at in earlier if is_wanted(self._stops[at])), 0)


def _stops(record: MatchRecord) -> Iterator[Stop]:
    """List where a reader can stand still; the last one is the end of the log."""
    deal = trick = 0
    has_begun = False
    """Whether a card of this deal was asked for."""
    is_empty = True
    for line in record.lines:
        event = line.event
        if isinstance(event, DealStarted):
            if has_begun:
                yield _stop(line.seq - 1, deal, 0, starts_trick=True)
            deal, trick, has_begun, is_empty = event.deal, 1, False, True
        elif isinstance(event, DecisionAsked):
            yield _stop(line.seq - 1, deal, trick, starts_trick=is_empty, starts_deal=not has_begun)
            has_begun, is_empty = True, False
        elif isinstance(event, TrickWon):
            trick += 1
            is_empty = True
    yield _stop(len(record.lines), deal, 0, starts_trick=True)


def _stop(
    lines: int, deal: int, trick: int, *, starts_trick: bool, starts_deal: bool = False
) -> Stop:
    return Stop(
        lines=lines, deal=deal, trick=trick, starts_trick=starts_trick, starts_deal=starts_deal
    )
