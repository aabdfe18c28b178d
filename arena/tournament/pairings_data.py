"""Pairings for machines and tables: cells, JSON and CSV of the crosstable.

Owns their form and rounding, and that of intervals. Must not compute a number.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from arena.record.csv_page import csv_page
from arena.tournament.cross_table import PairingStanding
from arena.tournament.rating.elo import elo, likelihood_of_superiority, normalised_elo
from arena.tournament.standing import StageStandings
from arena.tournament.statistics import Interval

DIGITS: Final = 4
"""Decimals of points."""
_FIVE: Final = 5
"""Counts of a pentanomial."""
PAIRING_COLUMNS: Final = (
    "first",
    "second",
    "points",
    "low",
    "high",
    "won",
    "drawn",
    "lost",
    "matches",
    "forfeits_first",
    "forfeits_second",
    "pairs_or_boards",
    "elo",
    "elo_error",
    "normalised_elo",
    "normalised_elo_error",
    "los",
)


def pairing_data(pairing: PairingStanding) -> dict[str, object]:
    """Turn a pairing into JSON's types; Elo and LOS are of orientations won, drawn and lost."""
    tally = pairing.tally
    rated = elo(tally) if tally.total else None
    normalised = normalised_elo(tally) if tally.total else None
    return {
        "first": pairing.first,
        "second": pairing.second,
        "points": rounded(pairing.points),
        "interval": interval_data(pairing.interval),
        "board_groups_won": pairing.groups_won,
        "board_groups_drawn": pairing.groups_drawn,
        "board_groups_lost": pairing.groups_lost,
        "matches": pairing.matches,
        "forfeits_first": pairing.forfeits[0],
        "forfeits_second": pairing.forfeits[1],
        "pentanomial" if len(tally.counts) == _FIVE else "trinomial": list(tally.counts),
        "elo": None if rated is None else _tenth(rated.value),
        "elo_error": None if rated is None else _tenth(rated.error),
        "normalised_elo": None if normalised is None else _tenth(normalised.value),
        "normalised_elo_error": None if normalised is None else _tenth(normalised.error),
        "los": round(likelihood_of_superiority(tally), DIGITS) if tally.total else None,
    }


def pairings_csv(stages: Sequence[StageStandings]) -> str:
    """Write one line a pairing and stage, with a header."""
    return csv_page(
        ["stage", *PAIRING_COLUMNS],
        (
            [str(stage.stage), *pairing_cells(pairing)]
            for stage in stages
            for pairing in stage.pairings
        ),
    )


def pairing_cells(pairing: PairingStanding) -> tuple[str, ...]:
    """Turn a pairing into cells, in the order of :data:`PAIRING_COLUMNS`."""
    data = pairing_data(pairing)
    span = pairing.interval
    cells: tuple[object, ...] = (
        pairing.first,
        pairing.second,
        data["points"],
        None if span is None else round(span.low, DIGITS),
        None if span is None else round(span.high, DIGITS),
        pairing.groups_won,
        pairing.groups_drawn,
        pairing.groups_lost,
        pairing.matches,
        *pairing.forfeits,
        " ".join(str(count) for count in pairing.tally.counts),
        data["elo"],
        data["elo_error"],
        data["normalised_elo"],
        data["normalised_elo_error"],
        data["los"],
    )
    return tuple("" if cell is None else str(cell) for cell in cells)


def _tenth(value: float | None) -> float | None:
    """Round Elo."""
    return None if value is None else round(value, 1)


def interval_data(span: Interval | None) -> dict[str, object] | None:
    """Turn an interval into JSON's types."""
    if span is None:
        return None
    return {
        "mean": round(span.mean, DIGITS),
        "low": round(span.low, DIGITS),
        "high": round(span.high, DIGITS),
        "standard_error": round(span.standard_error, DIGITS),
        "board_groups": span.groups,
        "different_boards": span.clusters,
    }


def rounded(points: Fraction | None) -> float | None:
    """Round points for a machine to read."""
    return None if points is None else round(float(points), DIGITS)
