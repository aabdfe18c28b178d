"""What one attempt at a match came to, as one value.

Owns the row of the results and how it follows from a log. Must not know databases, nor
what standings make of it (what a forfeit scores is the tournament's to say).
Source: record.md ("Results database").
"""

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from arena.errors import LogCorrupt
from arena.record.header import LogHeader
from arena.record.paths import parse_match_id
from arena.referee.events import Fault, MatchEnded
from arena.referee.faults import Culprit, FaultKind, TerminationKind
from arena.referee.messages import Record
from arena.rules.events import CardPlayed, DealScored, DealStarted


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardRow:
    """A board that was finished: whole points per side."""

    board: int
    points: tuple[int, ...]
    is_ruled: bool = False
    """Whether it was not finished at the table: a forfeit left it and a ruling set its points."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultCount:
    """How many faults of a kind a seat committed in a match."""

    seat: int
    kind: FaultKind
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchRow:
    """What one attempt at a match came to; ``entrants``, ``totals`` by side, ``seats`` by seat."""

    match_id: str
    attempt: int
    stage: int
    round: int
    pairing: int
    orientation: int
    slice: int
    entrants: tuple[str, ...]
    seats: tuple[str, ...]
    """The entrant at each seat."""
    first_board: int
    boards_planned: int | None
    """None = to the ruleset's target."""
    termination: TerminationKind
    culprit: Culprit
    culprit_seat: int | None
    culprit_side: int | None
    totals: tuple[int, ...]
    winner: int | None
    boards: tuple[BoardRow, ...]
    """Finished boards in the order played."""
    faults: tuple[FaultCount, ...]
    """By seat, then kind; only what occurred."""
    digest: str
    """SHA-256 of the log's lines."""
    duration_us: int
    counted: bool
    """Whether it counts; a void attempt is kept without counting."""
    plays: str = ""
    """SHA-256 of what was played, card by card, without times: alike in a repeat."""

    @property
    def is_annulled(self) -> bool:
        """Whether it is settled without a result for anybody."""
        return self.termination is TerminationKind.ANNULLED

    @property
    def scores(self) -> bool:
        """Whether it counts for somebody."""
        return self.counted and not self.is_annulled


def row_from_records(header: LogHeader, records: Iterable[Record], *, digest: str = "") -> MatchRow:
    """Work out the row of a match from what was recorded of it; a pure function.

    Raises:
        LogCorrupt: The records hold no end of the match (a log that was cut).
        ConfigError: The header's match id is none.
    """
    boards: list[BoardRow] = []
    faults: Counter[tuple[int, FaultKind]] = Counter()
    board = header.first_board
    plays = hashlib.sha256()
    start_ns: int | None = None
    at_ns = 0
    end: MatchEnded | None = None
    for record in records:
        at_ns = record.at_ns
        start_ns = at_ns if start_ns is None else start_ns
        match record.event:
            case DealStarted():
                board = record.event.board
                plays.update(f"deal {board}\n".encode())
            case CardPlayed(seat=seat, card=card, signal=signal):
                plays.update(f"{seat} {card.name} {signal or ''}\n".encode())
            case DealScored(points=points):
                boards.append(BoardRow(board=board, points=points))
                plays.update(f"points {points}\n".encode())
            case Fault(seat=int(seat), kind=kind):
                faults[seat, kind] += 1
            case MatchEnded():
                end = record.event
            case _:
                pass
    if end is None:
        raise LogCorrupt(f"the log of {header.match} attempt {header.attempt} says no end")
    place = parse_match_id(header.match)
    culprit_seat = end.termination.seat
    return MatchRow(
        match_id=header.match,
        attempt=header.attempt,
        stage=place.stage,
        round=place.round,
        pairing=place.pairing,
        orientation=place.orientation,
        slice=place.slice,
        entrants=header.entrants,
        seats=tuple(seat.entrant for seat in header.seats),
        first_board=header.first_board,
        boards_planned=header.boards,
        termination=end.termination.kind,
        culprit=end.termination.culprit,
        culprit_seat=culprit_seat,
        culprit_side=None if culprit_seat is None else header.ruleset.side_of(culprit_seat),
        totals=end.totals,
        winner=end.winner,
        boards=tuple(boards),
        faults=tuple(
            FaultCount(seat=seat, kind=kind, count=count)
            for (seat, kind), count in sorted(
                faults.items(), key=lambda item: (item[0][0], item[0][1].value)
            )
        ),
        digest=digest,
        duration_us=(at_ns - (start_ns or 0)) // 1000,
        counted=not end.termination.kind.is_void,
        plays=plays.hexdigest(),
    )
