"""Match list: each match that is settled as one line, with the id that a ruling needs.

Owns what such a line says. A pure function of results as they score and rulings; must not know
how it is printed. Source: commands.md (``arena standings --matches``).
"""

from collections.abc import Iterable
from dataclasses import dataclass

from arena.record.match_row import MatchRow
from arena.tournament.groups import offender_of
from arena.tournament.rulings import Act, Rulings

MATCH_COLUMNS = ("match", "attempt", "entrants", "points", "ended", "offender", "ruling", "counts")
"""Of a table of matches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchLine:
    """A match that is settled.

    ``points`` are by side, as they were played or adjusted, also of a match that counts for
    nobody; where nobody played it ``attempt`` is 0 and there are none.
    """

    match: str
    attempt: int
    entrants: tuple[str, ...]
    points: tuple[int, ...]
    ended: str
    offender: str | None
    ruling: str
    """What the organiser has ruled on it or on who played it; else empty."""
    counts: bool
    """Whether it is in the standings: it is not where a ruling or a suspension annulled it."""

    def to_fields(self) -> dict[str, object]:
        """Give the line for machines."""
        return {
            "match": self.match,
            "attempt": self.attempt,
            "entrants": list(self.entrants),
            "points": list(self.points),
            "ended": self.ended,
            "offender": self.offender,
            "ruling": self.ruling,
            "counts": self.counts,
        }

    def to_cells(self) -> tuple[str, ...]:
        """Give the cells of :data:`MATCH_COLUMNS`."""
        return (
            self.match,
            str(self.attempt or ""),
            " v ".join(self.entrants),
            "-".join(map(str, self.points)),
            self.ended,
            self.offender or "",
            self.ruling,
            "yes" if self.counts else "no",
        )


def match_lines(settled: Iterable[MatchRow], rulings: Rulings) -> tuple[MatchLine, ...]:
    """List the matches that are settled, in the order of the schedule.

    Args:
        settled: Results as :func:`arena.tournament.suspension.with_suspensions` gives them.
        rulings: What the organiser has ruled.
    """
    replayed = {match for match, _ in rulings.set_aside}
    adjusted = {match for match, _ in rulings.adjusted}
    counted = sorted((row for row in settled if row.counted), key=_place)
    return tuple(
        MatchLine(
            match=row.match_id,
            attempt=row.attempt,
            entrants=row.entrants,
            points=row.totals if row.attempt else (),
            ended=row.termination.value,
            offender=offender_of(row),
            ruling=_ruling(row, rulings, adjusted, replayed),
            counts=not row.is_annulled,
        )
        for row in counted
    )


def _ruling(row: MatchRow, rulings: Rulings, adjusted: set[str], replayed: set[str]) -> str:
    """Name the ruling that stands last: a void match is void whatever else was ruled."""
    match = row.match_id
    if match in rulings.annulled:
        return Act.VOID
    if not rulings.disqualified.isdisjoint(row.seats):
        return Act.DISQUALIFY
    if match in adjusted:
        return Act.ADJUST
    return Act.REPLAY if match in replayed else ""


def _place(row: MatchRow) -> tuple[int, ...]:
    return row.stage, row.round, row.pairing, row.orientation, row.slice
