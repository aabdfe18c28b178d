"""Match list: each match that counts as one line, with the id that a ruling needs.

Owns what such a line says. A pure function of results as they score and rulings; must not know
how it is printed. Source: commands.md (``arena standings --matches``).
"""

from collections.abc import Iterable
from dataclasses import dataclass

from arena.record.match_row import MatchRow
from arena.tournament.groups import offender_of
from arena.tournament.rulings import Rulings

MATCH_COLUMNS = ("match", "attempt", "entrants", "points", "ended", "offender", "ruling")
"""Of a table of matches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchLine:
    """A match that counts; ``attempt`` is 0 where nobody played it, ``points`` are by side."""

    match: str
    attempt: int
    entrants: tuple[str, ...]
    points: tuple[int, ...]
    ended: str
    offender: str | None
    ruling: str
    """What the organiser has ruled on it: void, adjust or replay; else empty."""

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
        )


def match_lines(settled: Iterable[MatchRow], rulings: Rulings) -> tuple[MatchLine, ...]:
    """List the matches that count, in the order of the schedule.

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
            points=row.totals,
            ended=row.termination.value,
            offender=offender_of(row),
            ruling=_ruling(row.match_id, rulings, adjusted, replayed),
        )
        for row in counted
    )


def _ruling(match: str, rulings: Rulings, adjusted: set[str], replayed: set[str]) -> str:
    """Name the ruling that stands last: a void match is void whatever else was ruled."""
    if match in rulings.annulled:
        return "void"
    if match in adjusted:
        return "adjust"
    return "replay" if match in replayed else ""


def _place(row: MatchRow) -> tuple[int, ...]:
    return row.stage, row.round, row.pairing, row.orientation, row.slice
