"""Standings of one stage: ranks, counts and what must be said beside them.

Owns what the rows of a stage come to, entrant by entrant. Must not know other stages, nor who is
suspended by what: it is told. Source: design.md §2, §5-6.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import assert_never

from arena.errors import LogCorrupt
from arena.record.match_row import MatchRow
from arena.referee.faults import FaultKind, TerminationKind
from arena.tournament.criteria import RankBy, criteria_in_force
from arena.tournament.cross_table import cross_table
from arena.tournament.drawing import StageDrawing, format_samples
from arena.tournament.event_file import EventFile, ForfeitCredit, Format, Stage, SuspendedMatches
from arena.tournament.forfeit_cost import boards_left, forfeit_cost
from arena.tournament.groups import (
    BoardGroup,
    board_groups,
    field_credit,
    most_value,
    offender_of,
    partner_of,
    sides_of,
)
from arena.tournament.plan import stage_plan
from arena.tournament.ranking import rank
from arena.tournament.repeats import repeats
from arena.tournament.rulings import Rulings
from arena.tournament.schedule import orientations
from arena.tournament.standing import (
    EntrantStanding,
    FaultTotal,
    Note,
    RuledMatches,
    StageStandings,
    Unit,
)
from arena.tournament.statistics import GroupValue, interval, points_per_board
from arena.tournament.void_watch import is_spoiled


def stage_standings(
    event: EventFile,
    number: int,
    stage: Stage,
    rows: Sequence[MatchRow],
    *,
    drawing: StageDrawing,
    suspended: frozenset[str],
    rulings: Rulings,
) -> StageStandings:
    """Rank the entrants of one stage.

    Args:
        event: The event as frozen.
        number: The stage, from 1.
        stage: Its conditions.
        rows: Its results as they score.
        drawing: Its field, and the rounds that are drawn.
        suspended: Who is suspended by now.
        rulings: What the organiser has ruled.
    """
    plan = stage_plan(event, number)
    every = _counted(rows)
    again = repeats(every)
    counted = [row for row in every if row.match_id not in again]
    unit = Unit.MATCH if stage.boards_per_match is None else Unit.BOARD
    groups = board_groups(
        counted,
        ways=len(orientations(plan.seats, plan.per_table)) if plan.turned else 1,
        ruleset=stage.ruleset,
    )
    most = most_value(stage.ruleset, is_to_target=unit is Unit.MATCH)
    lines = [
        _line(entrant.name, stage.forfeit_credit, groups, counted, rows, most=most)
        for entrant in (event.entrants[index] for index in drawing.field)
    ]
    repeated = [row for row in every if row.match_id in again]
    lines = [
        replace(line, repeats=sum(line.name in row.seats for row in repeated)) for line in lines
    ]
    lines = [replace(line, is_suspended=line.name in suspended) for line in lines]
    out = rulings.disqualified
    lines = [replace(line, is_disqualified=line.name in out) for line in lines]
    unranked = out | (suspended if stage.suspended is SuspendedMatches.ANNUL else frozenset())
    criteria = _criteria(event, stage.format, unit)
    of_format = format_samples(event, plan, drawing, every, suspended | out)
    ranked = _ranked(
        lines,
        criteria,
        groups,
        counted,
        stage.forfeit_credit,
        unranked=unranked,
        of_format=of_format,
    )
    return StageStandings(
        stage=number,
        ruleset=stage.ruleset.name,
        unit=unit,
        forfeit_cost=forfeit_cost(stage.ruleset),
        forfeit_credit=stage.forfeit_credit,
        matches_counted=len(every),
        matches_planned=drawing.matches_planned,
        rounds_complete=drawing.rounds_complete,
        rounds_planned=drawing.rounds_planned,
        criteria=criteria,
        notes=_notes(event, stage),
        ruled=_ruled(rows, rulings),
        entrants=ranked,
        pairings=cross_table(
            [line.name for line in ranked],
            groups,
            [row for row in counted if not row.is_annulled],
            most,
        ),
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
    *,
    most: int | None,
) -> EntrantStanding:
    """Work out one entrant's line, without its rank."""
    own_groups = [group for group in groups if group.counts_for(name)]
    played = [
        GroupValue(cluster=group.board, value=group.value(name))
        for group in own_groups
        if group.is_played
    ]
    values = [group.value for group in played]
    credit = field_credit(values, credit_policy)
    values += [group.value(name, credit) for group in own_groups if not group.is_played]
    own = [row for row in counted if name in row.seats and not row.is_annulled]
    shares = [_share(row, name) for row in own]
    partnered = sum(len(boards_left(row)) for row in own if partner_of(row) == name)
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
        interval=interval(played, most),
        groups_won=sum(group.value > 0 for group in played),
        groups_drawn=sum(group.value == 0 for group in played),
        groups_lost=sum(group.value < 0 for group in played),
        boards_played=sum(len(row.boards) for row in own),
        boards_forfeited=left_by_itself,
        boards_credited=left - left_by_itself - partnered,
        matches=len(own),
        matches_won=shares.count(Fraction(1)),
        matches_drawn=shares.count(Fraction(1, 2)),
        matches_lost=shares.count(Fraction(0)),
        forfeits=len(forfeited),
        repeats=0,
        first_probability=None,
        separated=None,
        voids=sum(is_spoiled(row.termination) for row in rows if name in row.seats),
        faults=tuple(
            FaultTotal(kind=kind, count=faults[kind]) for kind in FaultKind if faults[kind]
        ),
    )


def _ranked(
    lines: Sequence[EntrantStanding],
    criteria: Sequence[RankBy],
    groups: Sequence[BoardGroup],
    counted: Sequence[MatchRow],
    credit_policy: ForfeitCredit,
    *,
    unranked: frozenset[str],
    of_format: Mapping[RankBy, Mapping[str, Sequence[GroupValue]]],
) -> tuple[EntrantStanding, ...]:
    """Sort lines, best first, and number them; those with nothing to go by come last.

    So do the unranked, whose matches were annulled: a mean that leaves out what they would
    have lost says nothing, and nobody gains by being suspended.
    """
    by_name = {line.name: line for line in lines}
    samples = {
        criterion: {
            name: []
            if name in unranked
            else of_format[criterion].get(name, [])
            if criterion in of_format
            else _sample(name, criterion, groups, counted, credit_policy)
            for name in by_name
        }
        for criterion in criteria
    }
    whole = [group for group in groups if group.is_played]
    finished = [row for row in counted if offender_of(row) is None]
    if criteria[0] in of_format:
        # Who meets whom hangs on the results: nothing is said of other boards.
        played: dict[str, list[GroupValue]] = {name: [] for name in by_name}
    else:
        played = {
            name: _sample(name, criteria[0], whole, finished, credit_policy) for name in by_name
        }
    return tuple(
        replace(
            by_name[place.name],
            rank=place.rank,
            first_probability=None if criteria[0] in of_format else place.first_probability,
            separated=place.separated,
            criteria=place.values,
        )
        for place in rank(samples, criteria, played)
    )


def _sample(
    name: str,
    criterion: RankBy,
    groups: Sequence[BoardGroup],
    counted: Sequence[MatchRow],
    credit_policy: ForfeitCredit,
) -> list[GroupValue]:
    """Give what a criterion is the mean of, for one entrant."""
    if criterion is RankBy.MATCHES_WON:
        return [
            GroupValue(cluster=row.first_board, value=_share(row, name))
            for row in counted
            if name in row.seats and not row.is_annulled
        ]
    own = [group for group in groups if group.counts_for(name)]
    credit = field_credit([group.value(name) for group in own if group.is_played], credit_policy)
    values = [GroupValue(cluster=group.board, value=group.value(name, credit)) for group in own]
    match criterion:
        case RankBy.ROUND_POINTS | RankBy.BUCHHOLZ | RankBy.LEVELS:
            raise AssertionError(f"{criterion.value} is no mean over boards")
        case RankBy.POINTS:
            return values
        case RankBy.BOARDS_WON:
            return [
                replace(value, value=Fraction(1 + (value.value > 0) - (value.value < 0), 2))
                for value in values
            ]
        case _:
            assert_never(criterion)


def _share(row: MatchRow, name: str) -> Fraction:
    """Give what a match was worth to an entrant: 1, or a half where nobody won it."""
    if row.winner is None:
        return Fraction(1, 2)
    return Fraction(sides_of(row)[name] == row.winner)


def _criteria(event: EventFile, kind: Format, unit: Unit) -> tuple[RankBy, ...]:
    """List the official criterion and what breaks ties, as the format, file or unit says."""
    match kind:
        case Format.SWISS:
            return RankBy.ROUND_POINTS, RankBy.BUCHHOLZ, RankBy.POINTS
        case Format.KNOCKOUT:
            return RankBy.LEVELS, RankBy.POINTS
        case Format.ROUND_ROBIN | Format.GAUNTLET | Format.INDIVIDUAL:
            pass
        case _:
            assert_never(kind)
    return criteria_in_force(event.rank_by, event.tie_breaks, is_to_target=unit is Unit.MATCH)


def _ruled(rows: Iterable[MatchRow], rulings: Rulings) -> RuledMatches:
    """List the matches of a stage whose results are not simply what was played."""

    def place(row: MatchRow) -> tuple[int, ...]:
        return row.round, row.pairing, row.orientation, row.slice

    rows = sorted(rows, key=place)
    ids = tuple(dict.fromkeys(row.match_id for row in rows))
    adjusted = {match for match, _ in rulings.adjusted} - rulings.annulled
    replayed = {match for match, _ in rulings.set_aside}
    return RuledMatches(
        voided=tuple(match for match in ids if match in rulings.annulled),
        replayed=tuple(match for match in ids if match in replayed),
        adjusted=tuple(match for match in ids if match in adjusted),
        awarded=tuple(
            row.match_id
            for row in rows
            if row.counted and row.termination is TerminationKind.FORFEIT_SUSPENDED
        ),
    )


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
