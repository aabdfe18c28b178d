"""Drawing: the field of a stage, its rounds, and the draw of the next one from results.

Owns the step from rows to a format's own numbers (:mod:`arena.tournament.swiss`,
:mod:`arena.tournament.knockout`) and back to pairings. Pure; must not know suspensions, files or
tables. Source: issue "Tournaments to trust" (Formats, Stages).
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import assert_never

from arena.record.match_row import MatchRow
from arena.tournament.criteria import RankBy
from arena.tournament.drawn import Drawn
from arena.tournament.event_file import EventFile, Format
from arena.tournament.knockout import Bracket, bracket
from arena.tournament.meeting import Meeting, meetings_of
from arena.tournament.schedule import Pairing, StagePlan, matches_per_pairing
from arena.tournament.statistics import GroupValue
from arena.tournament.swiss import WIN, buchholz, half_points, swiss_round


@dataclass(frozen=True, slots=True, kw_only=True)
class StageDrawing:
    """What is known of a stage's schedule.

    Attributes:
        field: Its entrants' indices in seed order; empty where it is not known yet.
        rounds: The rounds drawn so far; none where the format needs no draw.
        matches_planned: As far as known: where rounds are to be drawn yet, more than are drawn.
        rounds_complete: Rounds of which every match is settled, from the first on.
        rounds_planned: As far as known; of a knockout at least its levels.
        is_drawn_out: Whether no further round will be drawn, whatever is ruled.
    """

    field: tuple[int, ...]
    rounds: tuple[tuple[Pairing, ...], ...]
    matches_planned: int
    rounds_complete: int
    rounds_planned: int
    is_drawn_out: bool


def next_round(
    event: EventFile,
    plan: StagePlan,
    drawing: StageDrawing,
    rows: Iterable[MatchRow],
    out: frozenset[str],
) -> tuple[Pairing, ...]:
    """Draw the round after those that are complete.

    Args:
        event: The event as frozen.
        plan: The stage, whose format is drawn round by round.
        drawing: Its field and rounds, which are all complete.
        rows: Their results as they score.
        out: Who is suspended or disqualified.

    Returns:
        The pairings; none: the stage is over.
    """
    past = complete_rounds(event, plan, drawing, rows)
    barred = _indices(event, out)
    match plan.format:
        case Format.SWISS:
            is_over = len(past) >= plan.rounds
            pairs = () if is_over else swiss_round(drawing.field, past, barred)
        case Format.KNOCKOUT:
            pairs = _bracket(drawing, past, barred).next_round
        case Format.ROUND_ROBIN | Format.GAUNTLET | Format.INDIVIDUAL:
            raise AssertionError(f"a {plan.format} is not drawn")
        case _:
            assert_never(plan.format)
    return as_pairings(plan.stage, len(drawing.rounds) + 1, pairs)


def as_pairings(stage: int, number: int, pairs: Iterable[tuple[int, ...]]) -> tuple[Pairing, ...]:
    """Number the pairings of a round that was drawn."""
    return tuple(
        Pairing(stage=stage, round=number, pairing=place, entrants=pair)
        for place, pair in enumerate(pairs, start=1)
    )


def named_draws(
    names: Sequence[str],
    fields: Mapping[int, Sequence[int]],
    rounds: Mapping[int, Sequence[Sequence[Pairing]]],
) -> Drawn:
    """Give fields and rounds, by stage, as the event's log has them."""
    return Drawn(
        fields={
            stage: tuple(names[index] for index in entrants) for stage, entrants in fields.items()
        },
        rounds={
            (stage, number): tuple(
                tuple(names[index] for index in one.entrants) for one in meetings
            )
            for stage, drawn in rounds.items()
            for number, meetings in enumerate(drawn, start=1)
        },
    )


def indexed_draws(
    names: Sequence[str], drawn: Drawn
) -> tuple[dict[int, tuple[int, ...]], defaultdict[int, list[tuple[Pairing, ...]]]]:
    """Give the fields and rounds that a log holds, by stage, with entrants by index."""
    index = {name: place for place, name in enumerate(names)}
    rounds: defaultdict[int, list[tuple[Pairing, ...]]] = defaultdict(list)
    for (stage, number), pairs in sorted(drawn.rounds.items()):
        indices = [tuple(index[name] for name in pair) for pair in pairs]
        rounds[stage].append(as_pairings(stage, number, indices))
    fields = {
        stage: tuple(index[name] for name in entrants) for stage, entrants in drawn.fields.items()
    }
    return fields, rounds


def complete_rounds(
    event: EventFile, plan: StagePlan, drawing: StageDrawing, rows: Iterable[MatchRow]
) -> tuple[tuple[Meeting, ...], ...]:
    """Give the meetings of the rounds that are complete, up to the first that is not."""
    names = [entrant.name for entrant in event.entrants]
    by_round: dict[int, list[MatchRow]] = {}
    for row in rows:
        if row.counted:
            by_round.setdefault(row.round, []).append(row)
    whole = matches_per_pairing(plan)
    found: list[tuple[Meeting, ...]] = []
    for number, pairings in enumerate(drawing.rounds, start=1):
        of_round = by_round.get(number, [])
        counts = Counter(row.pairing for row in of_round)
        if any(counts[pairing.pairing] < whole for pairing in pairings):
            break
        pairs = [(pairing.entrants[0], pairing.entrants[1]) for pairing in pairings]
        ruleset = event.stages[plan.stage - 1].ruleset
        found.append(meetings_of(pairs, names, of_round, ruleset=ruleset))
    return tuple(found)


def format_samples(
    event: EventFile,
    plan: StagePlan,
    drawing: StageDrawing,
    rows: Iterable[MatchRow],
    out: frozenset[str],
) -> Mapping[RankBy, Mapping[str, Sequence[GroupValue]]]:
    """Give what a format ranks by of its own, from the rounds that are complete.

    Returns:
        By criterion and entrant, what it is the mean of; empty for formats without a criterion.
    """
    if not plan.format.is_drawn:
        return {}
    past = complete_rounds(event, plan, drawing, rows)
    barred = _indices(event, out)
    names = {index: event.entrants[index].name for index in drawing.field}
    if not past:
        criteria = [one for one in RankBy if one.is_of_format]
        return {criterion: {name: [] for name in names.values()} for criterion in criteria}
    if plan.format is Format.KNOCKOUT:
        levels = _bracket(drawing, past, barred).levels
        return {RankBy.LEVELS: {name: _one(levels[index]) for index, name in names.items()}}
    worth = half_points(drawing.field, past, barred)
    sums = buchholz(drawing.field, past, barred)
    return {
        RankBy.ROUND_POINTS: {
            name: _one(Fraction(sum(points[index] for points in worth), WIN))
            for index, name in names.items()
        },
        RankBy.BUCHHOLZ: {name: _one(Fraction(sums[index], WIN)) for index, name in names.items()},
    }


def _bracket(
    drawing: StageDrawing, past: Sequence[Sequence[Meeting]], out: Collection[int]
) -> Bracket:
    """Work out a knockout's bracket, with the rounds that are drawn and not complete."""
    return bracket(
        drawing.field,
        past,
        out,
        ahead=[[one.entrants for one in pairings] for pairings in drawing.rounds[len(past) :]],
        is_drawn_out=drawing.is_drawn_out,
    )


def _one(value: int | Fraction) -> list[GroupValue]:
    return [GroupValue(cluster=0, value=Fraction(value))]


def _indices(event: EventFile, names: frozenset[str]) -> frozenset[int]:
    return frozenset(i for i, entrant in enumerate(event.entrants) if entrant.name in names)
