"""What ``arena standings`` shows instead of standings: pairings, faults, matches.

Owns the columns of these views. Must not compute a number. Source: commands.md.
"""

from arena.cli.output import Format, emit, print_envelope, print_rows
from arena.referee.faults import FaultKind
from arena.tournament.folder import EventFolder
from arena.tournament.known import read_known
from arena.tournament.match_list import MATCH_COLUMNS, match_lines
from arena.tournament.pairings_data import (
    PAIRING_COLUMNS,
    pairing_cells,
    pairing_data,
    pairings_csv,
)
from arena.tournament.standing import EntrantStanding, StageStandings
from arena.tournament.standings import standings
from arena.tournament.suspension import with_suspensions


def print_pairings(folder: EventFolder, fmt: Format, *, is_cross: bool) -> None:
    """Print what each pair came to, stage by stage; all of it for information."""
    known = read_known(folder)
    table = standings(known.event, known.rows, known.begun.rulings)
    if fmt is Format.JSON:
        data = [
            {"stage": stage.stage, "pairings": [pairing_data(one) for one in stage.pairings]}
            for stage in table.stages
        ]
        print_envelope("pairings", data)
        return
    if fmt is Format.CSV and not is_cross:
        emit(pairings_csv(table.stages), newline=False)
        return
    for stage in table.stages:
        if fmt is not Format.CSV:
            emit(f"Stage {stage.stage}: {stage.ruleset} (for information)")
        if is_cross:
            print_rows(*_cross(stage), fmt)
        else:
            print_rows(PAIRING_COLUMNS, [pairing_cells(one) for one in stage.pairings], fmt)


def _cross(stage: StageStandings) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Lay out points of each entrant (a line) against each (a column), in ranking order."""
    names = [entrant.name for entrant in stage.entrants]
    points: dict[tuple[str, str], str] = {}
    for pairing in stage.pairings:
        if pairing.points is not None:
            points[pairing.first, pairing.second] = f"{float(pairing.points):+.2f}"
            points[pairing.second, pairing.first] = f"{float(-pairing.points):+.2f}"
    lines = [
        (
            "" if entrant.rank is None else str(entrant.rank),
            entrant.name,
            *(points.get((entrant.name, other), "") for other in names),
        )
        for entrant in stage.entrants
    ]
    return ("rank", "entrant", *names), lines


def print_faults(folder: EventFolder, fmt: Format) -> None:
    """Print who committed which faults and forfeited how many matches, stage by stage."""
    known = read_known(folder)
    table = standings(known.event, known.rows, known.begun.rulings)
    if fmt is Format.JSON:
        data = [
            {
                "stage": stage.stage,
                "entrants": [
                    {
                        "name": line.name,
                        "matches": line.matches,
                        "forfeits": line.forfeits,
                        "suspended": line.is_suspended,
                        "faults": {fault.kind.value: fault.count for fault in line.faults},
                    }
                    for line in stage.entrants
                ],
            }
            for stage in table.stages
        ]
        print_envelope("faults", data)
        return
    stages = [str(stage.stage) for stage in table.stages for _ in stage.entrants]
    lines = [line for stage in table.stages for line in stage.entrants]
    kinds = [kind for kind in FaultKind if any(_faults_of(line, kind) for line in lines)]
    header = ["stage", "entrant", "matches", "forfeits", *(kind.value for kind in kinds)]
    header.append("suspended")
    rows = [
        (
            stage,
            line.name,
            str(line.matches),
            str(line.forfeits),
            *(str(_faults_of(line, kind)) for kind in kinds),
            "yes" if line.is_suspended else "",
        )
        for stage, line in zip(stages, lines, strict=True)
    ]
    print_rows(header, rows, fmt)
    if fmt is Format.TABLE and not kinds:
        emit("· nobody committed a fault in a match that counts")


def _faults_of(line: EntrantStanding, kind: FaultKind) -> int:
    return sum(fault.count for fault in line.faults if fault.kind is kind)


def print_matches(folder: EventFolder, fmt: Format) -> None:
    """Print each match that is settled, with the id that ``arena rule`` takes."""
    known = read_known(folder)
    rulings = known.begun.rulings
    lines = match_lines(with_suspensions(known.event, known.rows, rulings).rows, rulings)
    if fmt is Format.JSON:
        print_envelope("matches", [line.to_fields() for line in lines])
        return
    print_rows(MATCH_COLUMNS, [line.to_cells() for line in lines], fmt)
