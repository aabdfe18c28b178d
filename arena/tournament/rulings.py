"""Rulings: what the organiser has decided, as the event's log has it.

Owns the closed list of acts, their form in the log, and what all of them together come to.
Nothing is erased: a ruling changes how results score, not what is on record. Must not know
who asks for standings. Source: design.md §5 ("Rulings").

======================  ====================================================================
act                     what it does
======================  ====================================================================
void MATCH              the match counts for nobody and is not played again
replay MATCH            its result is set aside and the match is played again
adjust MATCH            points of one board, or in a match to a target its totals, are set
disqualify ENTRANT      all its matches count for nobody, it has no rank and plays no more
reinstate ENTRANT       undoes that, and forgives the forfeits that count towards suspension
publish                 the standings are final, until another ruling; an event that
                        ``finish_by`` cut is over, and its seeds are revealed
======================  ====================================================================
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import assert_never

from arena.errors import LogCorrupt
from arena.record.event_log import EventLine
from arena.record.match_row import BoardRow, MatchRow
from arena.referee.faults import Culprit, TerminationKind
from arena.tournament.accounts import Attempt
from arena.tournament.drawn import Drawn


class Act(StrEnum):
    """What an organiser can rule."""

    VOID = "void"
    REPLAY = "replay"
    ADJUST = "adjust"
    DISQUALIFY = "disqualify"
    REINSTATE = "reinstate"
    PUBLISH = "publish"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """One ruling; ``on`` is a match or an entrant, "" for publish."""

    act: Act
    on: str
    by: str
    reason: str
    attempt: int | None = None
    """Of a match, which attempt counted then."""
    board: int | None = None
    """Of an adjustment in a match of boards."""
    points: tuple[int, ...] = ()
    """Of an adjustment, by side."""
    forgiven: tuple[str, ...] = ()
    """Of a reinstatement, the forfeited matches that do not count towards suspension any more."""

    def to_fields(self) -> dict[str, object]:
        """Give the fields of the line ``ruling``."""
        return {
            "act": self.act.value,
            "on": self.on,
            "by": self.by,
            "reason": self.reason,
            **({} if self.attempt is None else {"attempt": self.attempt}),
            **({} if self.board is None else {"board": self.board}),
            **({"points": list(self.points)} if self.points else {}),
            **({"forgiven": list(self.forgiven)} if self.forgiven else {}),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Rulings:
    """What all rulings of an event come to."""

    annulled: frozenset[str] = frozenset()
    set_aside: frozenset[Attempt] = frozenset()
    adjusted: Mapping[tuple[str, int | None], tuple[int, ...]] = field(default_factory=dict)
    """Points by side, by match and board; the board is None for totals to a target."""
    disqualified: frozenset[str] = frozenset()
    forgiven: frozenset[str] = frozenset()
    is_published: bool = False
    was_published: bool = False
    """Whether it has ever been published: a later ruling makes it provisional again."""
    drawn: Drawn = field(default_factory=Drawn)
    """The draws that the log holds: no ruling changes one."""
    at_end: "Rulings | None" = None
    """What they came to when the seeds were revealed, after which no card is dealt."""

    def after(self, ruling: Ruling) -> "Rulings":
        """Give what they come to with one more."""
        is_published = ruling.act is Act.PUBLISH
        base = replace(
            self,
            is_published=is_published,
            was_published=is_published or self.was_published,
        )
        on = ruling.on
        match ruling.act:
            case Act.VOID:
                return replace(base, annulled=self.annulled | {on})
            case Act.REPLAY:
                return replace(
                    base,
                    annulled=self.annulled - {on},
                    adjusted={key: it for key, it in self.adjusted.items() if key[0] != on},
                    set_aside=self.set_aside | {(on, ruling.attempt or 0)},
                )
            case Act.ADJUST:
                return replace(base, adjusted={**self.adjusted, (on, ruling.board): ruling.points})
            case Act.DISQUALIFY:
                return replace(base, disqualified=self.disqualified | {on})
            case Act.REINSTATE:
                return replace(
                    base,
                    disqualified=self.disqualified - {on},
                    forgiven=self.forgiven | set(ruling.forgiven),
                )
            case Act.PUBLISH:
                return base
            case _:
                assert_never(ruling.act)

    def set_aside_in(self, rows: Iterable[MatchRow]) -> tuple[MatchRow, ...]:
        """Give results in which no attempt counts that is to be played again."""
        return tuple(
            replace(row, counted=False) if (row.match_id, row.attempt) in self.set_aside else row
            for row in rows
        )

    def applied(self, rows: Iterable[MatchRow]) -> tuple[MatchRow, ...]:
        """Give the results as they score by the rulings on matches."""
        return tuple(map(self._applied, rows))

    def _applied(self, row: MatchRow) -> MatchRow:
        if (row.match_id, row.attempt) in self.set_aside:
            return replace(row, counted=False)
        if not row.counted:
            return row
        if row.match_id in self.annulled:
            return annulled(row)
        changed = {
            board: points
            for (match, board), points in self.adjusted.items()
            if match == row.match_id
        }
        return _adjusted(row, changed) if changed else row


def annulled(row: MatchRow) -> MatchRow:
    """Give a match as one that counts for nobody."""
    return replace(
        row,
        termination=TerminationKind.ANNULLED,
        culprit=Culprit.NOBODY,
        culprit_seat=None,
        culprit_side=None,
        winner=None,
    )


def _adjusted(row: MatchRow, changed: Mapping[int | None, tuple[int, ...]]) -> MatchRow:
    """Set points of boards, or of the match; whoever then has most has won it."""
    boards = {board.board: board.points for board in row.boards}
    boards |= {board: points for board, points in changed.items() if board is not None}
    played = {board.board for board in row.boards}
    rows = tuple(
        BoardRow(board=board, points=points, is_ruled=board not in played)
        for board, points in sorted(boards.items())
    )
    totals = changed.get(None)
    if totals is None:
        sides = range(len(row.totals))
        totals = tuple(sum(points[side] for points in boards.values()) for side in sides)
    if row.termination.is_forfeit:
        return replace(row, boards=rows, totals=totals)  # who forfeited has still lost
    best = [side for side, total in enumerate(totals) if total == max(totals)]
    return replace(row, boards=rows, totals=totals, winner=best[0] if len(best) == 1 else None)


def read_rulings(lines: Iterable[EventLine], path: Path) -> tuple[Ruling, ...]:
    """Read the rulings of an event's log, in order.

    Raises:
        LogCorrupt: A line is none that an arena writes.
    """
    return tuple(_ruling(line, path) for line in lines if line.kind == "ruling")


def fold(rulings: Iterable[Ruling]) -> Rulings:
    """Say what rulings come to, given in order."""
    total = Rulings()
    for ruling in rulings:
        total = total.after(ruling)
    return total


def _ruling(line: EventLine, path: Path) -> Ruling:
    match line.fields:
        case {"act": str(act), "on": str(on), "by": str(by), "reason": str(reason)} if act in set(
            Act
        ):
            attempt, board = line.fields.get("attempt"), line.fields.get("board")
            return Ruling(
                act=Act(act),
                on=on,
                by=by,
                reason=reason,
                attempt=attempt if isinstance(attempt, int) else None,
                board=board if isinstance(board, int) else None,
                points=tuple(n for n in _list(line, "points") if isinstance(n, int)),
                forgiven=tuple(n for n in _list(line, "forgiven") if isinstance(n, str)),
            )
        case _:
            raise LogCorrupt(
                f"{path}, seq {line.seq}: ruling: expected act ({', '.join(Act)}), on, by and "
                f"reason, found {line.fields!r:.200}"
            )


def _list(line: EventLine, key: str) -> list[object]:
    value = line.fields.get(key)
    return value if isinstance(value, list) else []
