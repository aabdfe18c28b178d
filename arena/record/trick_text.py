"""One trick of a replay: its cards on a line, and beneath each card what went with it.

Owns the columns, and that a remark never reads as the next trick's. Must not know what is
said, nor whether a reader may see it: that is :mod:`arena.record.text`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from arena.rules.events import CardPlayed

_MARGIN: Final = len("  trick 10  ")
_CELL: Final = len("0:D3*  ")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Remark:
    """What is said of a seat, or of nobody; ``more`` are lines that follow the first."""

    seat: int | None
    text: str
    more: tuple[str, ...]


class TrickText:
    """What lies on the table, and what is to be said beneath it."""

    def __init__(self) -> None:
        self._plays: list[CardPlayed] = []
        self._remarks: list[_Remark] = []

    @property
    def is_begun(self) -> bool:
        """Whether a card lies on the table."""
        return bool(self._plays)

    def play(self, card: CardPlayed) -> None:
        """Lay a card on the table."""
        self._plays.append(card)

    def remark(self, seat: int | None, text: str, more: tuple[str, ...] = ()) -> None:
        """Keep something to be said beneath the seat's card of this trick."""
        self._remarks.append(_Remark(seat=seat, text=text, more=more))

    def lines(self, number: int, winner: int | None, ending: str) -> Iterator[str]:
        """Tell the trick and clear the table; only remarks where no card lies there."""
        columns: dict[int | None, int] = {
            play.seat: _MARGIN + _CELL * place for place, play in enumerate(self._plays)
        }
        if self._plays:
            cards = "  ".join(
                f"{play.seat}:{play.card}" + ("*" if play.seat == winner else " ")
                for play in self._plays
            )
            yield f"  trick {number:2}  {cards}   {ending}"
        for remark in self._remarks:
            # Without a card above it, a remark stands like a line of its own.
            edge = " " * columns.get(remark.seat, _MARGIN) if self._plays else "  "
            yield f"{edge}{'└ ' if self._plays else ''}{remark.text}"
            yield from (f"{edge}  | {line}" for line in remark.more)
        self._plays.clear()
        self._remarks.clear()
