"""Standings for machines: ``standings.json`` and CSV.

Owns the form and the rounding. Must not compute a number, nor know times, hosts or
durations: the same results give the same bytes. Source: commands.md, record.md.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Final, assert_never

from arena.record.csv_page import csv_page
from arena.tournament.compared import Comparison
from arena.tournament.pairings_data import DIGITS, interval_data, pairing_data, rounded
from arena.tournament.standing import EntrantStanding, StageStandings, Standings, Unit

SCHEMA: Final = 3
"""Version of the JSON form; earlier ones: :mod:`arena.tournament.standings_forms`."""
_FOR_INFORMATION: Final = ("first_probability", "separated", "pairings")
"""Besides the counts: what never ranks anybody."""


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
            "stages": [
                _stage_data(stage, is_provisional=standings.is_provisional)
                for stage in standings.stages
            ],
        },
    }
    return written(document)


def written(document: Mapping[str, object]) -> bytes:
    """Write a document of standings as the file has it, byte for byte."""
    return (json.dumps(document, ensure_ascii=False, indent=2) + "\n").encode()


def standings_csv(standings: Standings) -> str:
    """Write one line an entrant and stage, with a header, for a spreadsheet or data frame."""
    lines = [
        {
            "stage": stage.stage,
            "ruleset": stage.ruleset,
            "unit": stage.unit.value,
            "provisional": "true" if standings.is_provisional else "false",
            "published": "true" if standings.is_published else "false",
            **_flat(entrant, stage),
        }
        for stage in standings.stages
        for entrant in stage.entrants
    ]
    return csv_page(list(lines[0]), (list(line.values()) for line in lines))


def _stage_data(stage: StageStandings, *, is_provisional: bool) -> dict[str, object]:
    """Turn a stage into JSON's types."""
    return {
        "stage": stage.stage,
        "ruleset": stage.ruleset,
        "unit": stage.unit.value,
        "forfeit_cost": _forfeit_cost(stage),
        "forfeit_credit": stage.forfeit_credit.value,
        "provisional": is_provisional,
        "matches_counted": stage.matches_counted,
        "matches_planned": stage.matches_planned,
        "rounds_complete": stage.rounds_complete,
        "rounds_planned": stage.rounds_planned,
        "comparison": None if stage.compared is None else comparison_data(stage.compared),
        "rank_by": stage.criteria[0].value,
        "tie_breaks": [criterion.value for criterion in stage.criteria[1:]],
        "for_information": list(_FOR_INFORMATION),
        "notes": [note.value for note in stage.notes],
        "voided": list(stage.ruled.voided),
        "replayed": list(stage.ruled.replayed),
        "adjusted": list(stage.ruled.adjusted),
        "awarded": list(stage.ruled.awarded),
        "entrants": [_entrant_data(entrant, stage) for entrant in stage.entrants],
        "pairings": [pairing_data(pairing) for pairing in stage.pairings],
    }


def comparison_data(found: Comparison) -> dict[str, object]:
    """Say how a comparison stands; ``decided``: it needs no more boards."""
    return {
        "outcome": found.outcome.value,
        "board_groups": found.standing.groups,
        "decided": found.is_decided,
    }


def _forfeit_cost(stage: StageStandings) -> dict[str, int]:
    """Give what a board left costs the offender, or the least total that beats it."""
    match stage.unit:
        case Unit.BOARD:
            return {"first": stage.forfeit_cost.first, "further": stage.forfeit_cost.further}
        case Unit.MATCH:
            return {"against": stage.forfeit_cost.against(0)}
        case _:
            assert_never(stage.unit)


def _entrant_data(entrant: EntrantStanding, stage: StageStandings) -> dict[str, object]:
    """Turn a line into JSON's types."""
    return {
        "rank": entrant.rank,
        "name": entrant.name,
        "criteria": {
            criterion.value: rounded(value)
            for criterion, value in zip(stage.criteria, entrant.criteria, strict=False)
        },
        "points": rounded(entrant.points),
        "interval": interval_data(entrant.interval),
        "first_probability": _probability(entrant.first_probability),
        "separated": entrant.separated,
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
        "repeats": entrant.repeats,
    }


def _flat(entrant: EntrantStanding, stage: StageStandings) -> dict[str, object]:
    """Turn a line into one level of cells; faults as one number, and by kind in one cell."""
    span = entrant.interval
    return {
        "rank": entrant.rank,
        "name": entrant.name,
        "criteria": ", ".join(
            f"{criterion.value} {rounded(value)}"
            for criterion, value in zip(stage.criteria, entrant.criteria, strict=False)
        ),
        "points": rounded(entrant.points),
        "low": None if span is None else round(span.low, DIGITS),
        "high": None if span is None else round(span.high, DIGITS),
        "first_probability": _probability(entrant.first_probability),
        "separated": None if entrant.separated is None else str(entrant.separated).lower(),
        **_counts(entrant),
        "suspended": "true" if entrant.is_suspended else "false",
        "disqualified": "true" if entrant.is_disqualified else "false",
        "faults": sum(fault.count for fault in entrant.faults),
        "faults_by_kind": ", ".join(f"{f.kind.value} {f.count}" for f in entrant.faults),
    }


def _probability(value: float | None) -> float | None:
    """Round a probability."""
    return None if value is None else round(value, DIGITS)
