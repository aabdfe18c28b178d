"""Standings for machines: ``standings.json`` and CSV.

Owns the form and the rounding. Must not compute a number, nor know times, hosts or
durations: the same results give the same bytes. Source: commands.md, record.md.
"""

import csv
import io
import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from arena.tournament.standing import EntrantStanding, StageStandings, Standings
from arena.tournament.statistics import Interval

SCHEMA: Final = 1
"""Version of the JSON form."""
DIGITS: Final = 4
"""Decimals of points."""


def standings_json(
    standings: Standings,
    *,
    commitments: Sequence[str] = (),
    fingerprint: str | None = None,
    log_chain: str | None = None,
) -> bytes:
    """Write the document of ``standings.json``: one envelope {schema, kind, data}.

    Args:
        standings: What to write.
        commitments: The published commitment of each stage, in hexadecimal.
        fingerprint: The event's published fingerprint, in hexadecimal.
        log_chain: The head of the event's log, for what is printed; never in the file, since
            the log's times would make it another one in every run.

    Returns:
        UTF-8, two blanks of indentation, a newline at the end; keys always in one order.
    """
    document = {
        "schema": SCHEMA,
        "kind": "standings",
        "data": {
            "event": standings.event,
            "practice": standings.practice,
            "provisional": standings.is_provisional,
            "published": standings.is_published,
            "fingerprint": fingerprint,
            "commitments": list(commitments),
            **({} if log_chain is None else {"log_chain": log_chain}),
            "stages": [_stage_data(stage) for stage in standings.stages],
        },
    }
    return (json.dumps(document, ensure_ascii=False, indent=2) + "\n").encode()


def standings_csv(standings: Standings) -> str:
    """Write one line an entrant and stage, with a header, for a spreadsheet or data frame."""
    out = io.StringIO()
    lines = [
        {
            "stage": stage.stage,
            "ruleset": stage.ruleset,
            "unit": stage.unit.value,
            "provisional": "true" if stage.is_provisional else "false",
            **_flat(entrant),
        }
        for stage in standings.stages
        for entrant in stage.entrants
    ]
    writer = csv.DictWriter(out, fieldnames=list(lines[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(lines)
    return out.getvalue()


def _stage_data(stage: StageStandings) -> dict[str, object]:
    """Turn a stage into JSON's types."""
    return {
        "stage": stage.stage,
        "ruleset": stage.ruleset,
        "unit": stage.unit.value,
        "forfeit_credit": stage.forfeit_credit.value,
        "provisional": stage.is_provisional,
        "matches_counted": stage.matches_counted,
        "matches_planned": stage.matches_planned,
        "notes": [note.value for note in stage.notes],
        "entrants": [_entrant_data(entrant) for entrant in stage.entrants],
    }


def _entrant_data(entrant: EntrantStanding) -> dict[str, object]:
    """Turn a line into JSON's types."""
    return {
        "rank": entrant.rank,
        "name": entrant.name,
        "points": _rounded(entrant.points),
        "interval": _interval_data(entrant.interval),
        **_counts(entrant),
        "suspended": entrant.is_suspended,
        "disqualified": entrant.is_disqualified,
        "faults": {fault.kind.value: fault.count for fault in entrant.faults},
    }


def _counts(entrant: EntrantStanding) -> dict[str, int]:
    """List the counts of a line by name, as JSON and CSV both show them."""
    return {
        "board_groups_won": entrant.groups_won,
        "board_groups_drawn": entrant.groups_drawn,
        "board_groups_lost": entrant.groups_lost,
        "boards_played": entrant.boards_played,
        "boards_forfeited": entrant.boards_forfeited,
        "boards_credited": entrant.boards_credited,
        "matches": entrant.matches,
        "matches_won": entrant.matches_won,
        "matches_drawn": entrant.matches_drawn,
        "matches_lost": entrant.matches_lost,
        "forfeits": entrant.forfeits,
        "voids": entrant.voids,
    }


def _flat(entrant: EntrantStanding) -> dict[str, object]:
    """Turn a line into one level of cells; faults as one number, and by kind in one cell."""
    span = entrant.interval
    return {
        "rank": entrant.rank,
        "name": entrant.name,
        "points": _rounded(entrant.points),
        "low": None if span is None else round(span.low, DIGITS),
        "high": None if span is None else round(span.high, DIGITS),
        **_counts(entrant),
        "suspended": "true" if entrant.is_suspended else "false",
        "disqualified": "true" if entrant.is_disqualified else "false",
        "faults": sum(fault.count for fault in entrant.faults),
        "faults_by_kind": ", ".join(f"{f.kind.value} {f.count}" for f in entrant.faults),
    }


def _interval_data(span: Interval | None) -> dict[str, object] | None:
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


def _rounded(points: Fraction | None) -> float | None:
    """Round points for a machine to read."""
    return None if points is None else round(float(points), DIGITS)
