"""Standings: what an event's results come to, entrant by entrant.

Owns ranks, counts and what must be said beside them. A pure function of the event and the
rows of its results, in whatever order they come; must not know files, clocks or how it is
printed (:mod:`arena.tournament.standings_text`). Source: design.md §2, §5-6.

Each stage has standings of its own: its entrants met under one ruleset on one set of
boards, and numbers of other stages would mean something else.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import assert_never

from arena.errors import LogCorrupt
from arena.record.match_row import MatchRow
from arena.referee.faults import FaultKind, TerminationKind
from arena.tournament.event_file import EventFile, ForfeitCredit, Stage
from arena.tournament.groups import (
    BoardGroup,
    board_groups,
    boards_left,
    field_credit,
    offender_of,
)
from arena.tournament.plan import stage_plan
from arena.tournament.schedule import match_count, orientations
from arena.tournament.standing import (
    EntrantStanding,
    FaultTotal,
    Note,
    StageStandings,
    Standings,
    Unit,
)
from arena.tournament.statistics import GroupValue, interval, points_per_board


def standings(event: EventFile, rows: Iterable[MatchRow]) -> Standings:
    """Work out the standings.

    Args:
        event: The event as frozen.
        rows: Every attempt in the results, in any order.

    Raises:
        LogCorrupt: The results are not of this event or contradict themselves.
    """
    known = {entrant.name for entrant in event.entrants}
    by_stage: defaultdict[int, list[MatchRow]] = defaultdict(list)
    for row in rows:
        if row.stage > len(event.stages):
            raise LogCorrupt(
                f"match {row.match_id}: the event has {len(event.stages)} stages, no {row.stage}"
            )
        if strangers := sorted(set(row.entrants) - known):
            raise LogCorrupt(f"match {row.match_id}: {strangers[0]!r} is no entrant of the event")
        by_stage[row.stage].append(row)
    return Standings(
        event=event.name,
        practice=event.practice,
        stages=tuple(
            _stage_standings(event, number, stage, by_stage[number])
            for number, stage in enumerate(event.stages, start=1)
        ),
    )


def _stage_standings(
    event: EventFile, number: int, stage: Stage, rows: Sequence[MatchRow]
) -> StageStandings:
    """Rank the entrants of one stage."""
    plan = stage_plan(event, number)
    counted = _counted(rows)
    unit = Unit.MATCH if stage.boards_per_match is None else Unit.BOARD
    groups = board_groups(
        counted,
        ways=len(orientations(plan.seats, plan.per_table)) if plan.turned else 1,
        target=stage.ruleset.target if unit is Unit.MATCH else None,
    )
    lines = [
        _line(entrant.name, stage.forfeit_credit, groups, counted, rows)
        for entrant in event.entrants
    ]
    return StageStandings(
        stage=number,
        ruleset=stage.ruleset.name,
        unit=unit,
        forfeit_credit=stage.forfeit_credit,
        matches_counted=len(counted),
        matches_planned=match_count(plan),
        notes=_notes(event, stage),
        entrants=_ranked(lines, unit),
    )


def _counted(rows: Iterable[MatchRow]) -> list[MatchRow]:
    """Pick the matches that count; each counts once."""
    counted: dict[str, MatchRow] = {}
    for row in rows:
        if row.counted and counted.setdefault(row.match_id, row) is not row:
            raise LogCorrupt(
                f"match {row.match_id} counts twice: "
                f"attempts {counted[row.match_id].attempt} and {row.attempt}"
            )
    return list(counted.values())


def _line(
    name: str,
    credit_policy: ForfeitCredit,
    groups: Sequence[BoardGroup],
    counted: Sequence[MatchRow],
    rows: Sequence[MatchRow],
) -> EntrantStanding:
    """Work out one entrant's line, without its rank."""
    own_groups = [group for group in groups if name in group.entrants]
    played = [
        GroupValue(cluster=group.board, value=group.value(name))
        for group in own_groups
        if group.is_played
    ]
    values = [group.value for group in played]
    credit = field_credit(values, credit_policy)
    values += [group.value(name, credit) for group in own_groups if not group.is_played]
    own = [row for row in counted if name in row.entrants and not _is_annulled(row)]
    winners = [None if row.winner is None else row.entrants[row.winner] for row in own]
    forfeited = [row for row in own if offender_of(row) == name]
    left = sum(len(boards_left(row)) for row in own)
    left_by_itself = sum(len(boards_left(row)) for row in forfeited)
    faults: Counter[FaultKind] = Counter()
    for row in own:
        for fault in row.faults:
            if row.seats[fault.seat] == name:
                faults[fault.kind] += fault.count
    return EntrantStanding(
        rank=None,
        name=name,
        points=points_per_board(values),
        interval=interval(played),
        groups_won=sum(group.value > 0 for group in played),
        groups_drawn=sum(group.value == 0 for group in played),
        groups_lost=sum(group.value < 0 for group in played),
        boards_played=sum(len(row.boards) for row in own),
        boards_forfeited=left_by_itself,
        boards_credited=left - left_by_itself,
        matches=len(own),
        matches_won=winners.count(name),
        matches_drawn=winners.count(None),
        matches_lost=len(own) - winners.count(name) - winners.count(None),
        forfeits=len(forfeited),
        voids=sum(_is_spoiled(row) for row in rows if name in row.entrants),
        faults=tuple(
            FaultTotal(kind=kind, count=faults[kind]) for kind in FaultKind if faults[kind]
        ),
    )


def _is_annulled(row: MatchRow) -> bool:
    """Whether a match is settled without a result for anybody."""
    return row.termination is TerminationKind.ANNULLED


def _is_spoiled(row: MatchRow) -> bool:
    """Whether host or referee spoiled an attempt; one that an operator broke off is nobody's."""
    return row.termination.is_void and row.termination is not TerminationKind.ABORTED


def _ranked(lines: Sequence[EntrantStanding], unit: Unit) -> tuple[EntrantStanding, ...]:
    """Sort lines, best first, and number them; those with nothing to go by come last."""
    keyed = [(key, line) for line in lines if (key := _key(line, unit)) is not None]
    keyed.sort(key=lambda item: item[0], reverse=True)
    keys = [key for key, _ in keyed]
    return (
        *(replace(line, rank=keys.index(key) + 1) for key, line in keyed),
        *(line for line in lines if _key(line, unit) is None),
    )


def _key(line: EntrantStanding, unit: Unit) -> tuple[Fraction, Fraction] | None:
    """Give what a line is ranked by, greater is better."""
    points = line.points if line.points is not None else Fraction(0)
    match unit:
        case Unit.BOARD:
            return None if line.points is None else (points, points)
        case Unit.MATCH:
            if line.matches == 0:
                return None
            return Fraction(2 * line.matches_won + line.matches_drawn, line.matches), points
        case _:
            assert_never(unit)


def _notes(event: EventFile, stage: Stage) -> tuple[Note, ...]:
    """List what must be said beside a stage's standings."""
    notes = []
    if event.is_guessable:
        notes.append(Note.GUESSABLE_SEED)
    if stage.trust_memory:
        notes.append(Note.TRUST_MEMORY)
    if not stage.is_turned:
        notes.append(Note.LUCK_NOT_CANCELLED)
    return tuple(notes)
