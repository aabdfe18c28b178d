"""Suspension: who forfeits too often plays no more.

Owns the count of forfeits in the order of the schedule, and what becomes of the matches that
a suspended entrant would still have played. A pure function of the event and its results:
nobody has to remember a suspension. Must not know tables, files or points. Source: design.md
§5 ("suspend_after"), requirements.md R.

Forfeits are counted over the whole event, when a round is complete and in the order of the
schedule, so that neither the number of tables nor an interruption changes who is suspended.
Tables may be a round ahead by then: what a suspended entrant has played in a later round is
kept on record and scores as if it had not been played.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from arena.record.match_row import MatchRow
from arena.tournament.drawing import StageDrawing, as_pairings, next_round
from arena.tournament.drawn import Drawn, Place
from arena.tournament.event_file import EventFile, Format
from arena.tournament.knockout import least_to_play
from arena.tournament.plan import stage_plans
from arena.tournament.round_results import Forfeit, RoundResults
from arena.tournament.rulings import Rulings, annulled
from arena.tournament.schedule import (
    MatchPlan,
    Pairing,
    Sitting,
    drawn_sittings,
    match_count,
    matches_per_pairing,
    pairings,
    round_count,
    round_size,
    sittings,
)
from arena.tournament.stage_standings import stage_standings
from arena.tournament.unplayed import unplayed

NO_RULINGS: Final = Rulings()


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspension:
    """An entrant that plays no match of a later round than this one."""

    entrant: str
    stage: int
    round: int
    forfeits: int

    @property
    def reason(self) -> str:
        """Say why, for the log and for its author."""
        return (
            f"{self.forfeits} matches forfeited by the end of round {self.round} "
            f"of stage {self.stage}"
        )


class Suspensions:
    """Who is suspended by the results known so far.

    Memory grows with the rounds that have begun and are not complete, not with the event.
    """

    def __init__(self, event: EventFile, rulings: Rulings = NO_RULINGS) -> None:
        """Begin with an event of which nothing has been played."""
        self._event = event
        self._rulings = rulings
        self._names = tuple(entrant.name for entrant in event.entrants)
        self._limits = tuple(stage.suspend_after for stage in event.stages)
        self._plans = stage_plans(event)
        self._per_pairing = tuple(matches_per_pairing(plan) for plan in self._plans)
        self._seeded: dict[int, tuple[int, ...]] = {}
        self._drawn: defaultdict[int, list[tuple[Pairing, ...]]] = defaultdict(list)
        self._drawn_out: set[int] = set()
        # The results that a draw may need: of stages that are drawn, or seed the next one.
        count = len(self._plans)
        self._kept = frozenset(
            plan.stage
            for plan in self._plans
            if plan.format.is_drawn or (plan.stage < count and event.is_seeded(plan.stage + 1))
        )
        self._scored: defaultdict[int, list[MatchRow]] = defaultdict(list)
        self._since: dict[str, Place] = {}
        self._results: defaultdict[Place, RoundResults] = defaultdict(RoundResults)
        self._forfeits: Counter[str] = Counter()
        self._complete: Counter[int] = Counter()
        self._recall()
        self._rounds = self._in_order()
        self._next = next(self._rounds, None)

    def add(self, row: MatchRow) -> None:
        """Take in an attempt; only matches that count matter."""
        if not row.counted:
            return
        result = self._results[row.stage, row.round]
        result.counted[row.pairing] += 1
        if row.stage in self._kept:
            result.rows.append(row)
        is_forgiven = row.match_id in self._rulings.forgiven
        if row.termination.is_forfeit and row.culprit_seat is not None and not is_forgiven:
            forfeit = Forfeit(
                place=(row.pairing, row.orientation, row.slice),
                pairing=row.pairing,
                offender=row.seats[row.culprit_seat],
            )
            result.forfeits.append(forfeit)

    def settle(self) -> tuple[Suspension, ...]:
        """Count the forfeits of every round that is complete by now.

        Returns:
            Who is suspended by them, in the order of the schedule.
        """
        found: list[Suspension] = []
        while self._next is not None:
            place, meetings = self._next
            result = self._results[place]
            open_pairings = [pairing for pairing in meetings if not self.bars(pairing)]
            whole = self._per_pairing[place[0] - 1]
            if any(result.counted[pairing.pairing] < whole for pairing in open_pairings):
                break
            judged = {pairing.pairing for pairing in open_pairings}
            found += self._judge(place, judged, result.forfeits)
            if place[0] in self._kept:
                self._scored[place[0]] += self._as_scored(meetings, judged, result.rows)
            del self._results[place]
            self._complete[place[0]] += 1
            self._next = next(self._rounds, None)
        return tuple(found)

    def bars(self, pairing: Pairing) -> bool:
        """Whether a pairing is not played any more, because one of its entrants is suspended."""
        if not self._since and not self._rulings.disqualified:
            return False
        return any(self.is_barred(self._names[index], pairing) for index in pairing.entrants)

    def is_barred(self, entrant: str, pairing: Pairing) -> bool:
        """Whether an entrant is suspended by the round of a pairing, or disqualified."""
        if entrant in self._rulings.disqualified:
            return True
        since = self._since.get(entrant)
        return since is not None and (pairing.stage, pairing.round) > since

    def unplayed(self, match: MatchPlan, pairing: Pairing) -> MatchRow:
        """Make the row of a match of a pairing that is barred."""
        entrants = (self._names[index] for index in match.seats)
        barred = {name for name in entrants if self.is_barred(name, pairing)}
        return unplayed(self._event, match, barred, self._rulings.disqualified)

    @property
    def is_over(self) -> bool:
        """Whether the last round of the last stage is complete."""
        return self._next is None

    def drawing(self, stage: int) -> StageDrawing:
        """Give what is known of a stage's schedule; stages count from 1."""
        plan = self._plans[stage - 1]
        rounds = tuple(self._drawn[stage])
        field = self._field(stage) or ()
        if field and not plan.format.is_drawn:
            plan = replace(plan, entrants=len(field))
        planned, rounds_planned = match_count(plan), round_count(plan)
        if plan.format.is_drawn:
            drawn = sum(map(len, rounds)) * self._per_pairing[stage - 1]
            if stage in self._drawn_out:
                planned, rounds_planned = drawn, len(rounds)
            elif plan.format is Format.KNOCKOUT:
                pairs = [[pairing.entrants for pairing in meetings] for meetings in rounds]
                rounds_planned, least = least_to_play(len(field) or plan.entrants, pairs)
                planned = least * self._per_pairing[stage - 1]
        return StageDrawing(
            field=field,
            rounds=rounds,
            matches_planned=planned,
            rounds_complete=self._complete[stage],
            rounds_planned=rounds_planned,
        )

    def left_in_round(self, place: Place) -> int:
        """Count the matches of a round, drawn or not, that do not count yet; 0: it is complete."""
        stage, number = place
        if self._next is None or place < self._next[0]:
            return 0
        plan = self._plans[stage - 1]
        if plan.format.is_drawn:
            meetings = len(self._drawn[stage][number - 1])
        else:
            size = len(self._field(stage) or ()) or plan.entrants
            meetings = round_size(replace(plan, entrants=size), number)
        return meetings * self._per_pairing[stage - 1] - self._counted_in(place)

    @property
    def counted_in_open_rounds(self) -> int:
        """Count the matches that count of rounds that are not complete."""
        return sum(map(self._counted_in, self._results))

    def _counted_in(self, place: Place) -> int:
        return self._results[place].counted.total() if place in self._results else 0

    @property
    def matches_planned(self) -> int:
        """Count the matches of all stages, as far as known."""
        return sum(self.drawing(plan.stage).matches_planned for plan in self._plans)

    def sittings_known(self, stage: int, number: int | None = None) -> Iterator[Sitting] | None:
        """Generate the sittings of a stage, as far as they are known.

        Args:
            stage: From 1.
            number: Of a stage that is drawn, the one round to give; None: all rounds.

        Returns:
            None where the field is not known yet.
        """
        field = self._field(stage)
        if field is None:
            return None
        plan = self._plans[stage - 1]
        if not plan.format.is_drawn:
            return sittings(plan, field)
        rounds = self._drawn[stage] if number is None else [self._drawn[stage][number - 1]]
        return (one for meetings in rounds for it in meetings for one in drawn_sittings(plan, it))

    @property
    def drawn(self) -> Drawn:
        """Give all draws so far, as the log has them."""
        return Drawn(
            fields={
                stage: tuple(self._names[index] for index in field)
                for stage, field in self._seeded.items()
            },
            rounds={
                (stage, number): tuple(
                    tuple(self._names[index] for index in one.entrants) for one in meetings
                )
                for stage, rounds in self._drawn.items()
                for number, meetings in enumerate(rounds, start=1)
            },
        )

    def is_drawn_out(self, stage: int) -> bool:
        """Whether no further round of a stage will be drawn."""
        return stage in self._drawn_out

    def _recall(self) -> None:
        """Take the draws that the log holds."""
        index = {name: place for place, name in enumerate(self._names)}
        drawn = self._rulings.drawn
        for stage, names in drawn.fields.items():
            self._seeded[stage] = tuple(index[name] for name in names)
        for (stage, number), pairs in sorted(drawn.rounds.items()):
            indices = [tuple(index[name] for name in pair) for pair in pairs]
            self._drawn[stage].append(as_pairings(self._plans[stage - 1], number, indices))

    def _in_order(self) -> Iterator[tuple[Place, tuple[Pairing, ...]]]:
        """Generate the rounds in the order of play; one is asked for when the last is complete."""
        for plan in self._plans:
            stage = plan.stage
            field = self._field(stage)
            if field is None:
                field = self._seeded[stage] = self._by_rank(stage)
            if not plan.format.is_drawn:
                for number, meetings in groupby(pairings(plan, field), key=lambda one: one.round):
                    yield (stage, number), tuple(meetings)
                continue
            number = 0
            while True:
                if number == len(self._drawn[stage]):
                    known = self.drawing(stage)
                    rows = self._scored[stage]
                    meetings_next = next_round(self._event, plan, known, rows, self._out)
                    if not meetings_next:
                        break
                    self._drawn[stage].append(meetings_next)
                number += 1
                yield (stage, number), self._drawn[stage][number - 1]
            self._drawn_out.add(stage)

    @property
    def _out(self) -> frozenset[str]:
        return self.suspended | self._rulings.disqualified

    def _field(self, stage: int) -> tuple[int, ...] | None:
        """Give the entrants of a stage in seed order; None where they are not known yet."""
        if stage == 1:
            return tuple(range(len(self._names)))
        if self._event.is_seeded(stage):
            return self._seeded.get(stage)
        before = self._field(stage - 1)
        return None if before is None else tuple(sorted(before))

    def _by_rank(self, stage: int) -> tuple[int, ...]:
        """Seed a stage by rank in the one before; who is out does not go on."""
        before = stage_standings(
            self._event,
            stage - 1,
            self._event.stages[stage - 2],
            self._scored[stage - 1],
            drawing=self.drawing(stage - 1),
            suspended=self.suspended,
            rulings=self._rulings,
        )
        index = {name: place for place, name in enumerate(self._names)}
        there = [index[line.name] for line in before.entrants if line.name not in self._out]
        return tuple(there[: self._event.field_size(stage)])

    def _as_scored(
        self, meetings: Sequence[Pairing], judged: Collection[int], rows: Sequence[MatchRow]
    ) -> Iterator[MatchRow]:
        """Give the rows of a round that is complete, with those that nobody played."""
        yield from (row for row in rows if row.pairing in judged)
        barred = {one.pairing for one in meetings} - set(judged)
        if barred:
            stage, number = meetings[0].stage, meetings[0].round
            for sitting in self.sittings_known(stage) or ():
                one = sitting.pairing
                if one.round == number and one.pairing in barred:
                    yield from (self.unplayed(it, one) for it in sitting.matches)

    @property
    def suspended(self) -> frozenset[str]:
        """Everybody who is suspended."""
        return frozenset(self._since)

    def _judge(
        self, place: Place, judged: set[int], forfeits: Sequence[Forfeit]
    ) -> Iterator[Suspension]:
        limit = self._limits[place[0] - 1]
        ordered = sorted(forfeits, key=lambda forfeit: forfeit.place)
        offenders = [forfeit.offender for forfeit in ordered if forfeit.pairing in judged]
        self._forfeits.update(offenders)
        for name in dict.fromkeys(offenders):
            if limit and name not in self._since and self._forfeits[name] >= limit:
                self._since[name] = place
                yield Suspension(
                    entrant=name, stage=place[0], round=place[1], forfeits=self._forfeits[name]
                )


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """The results as they score, and who is suspended."""

    rows: tuple[MatchRow, ...]
    suspended: frozenset[str]
    drawings: tuple[StageDrawing, ...]
    """By stage."""

    @property
    def matches_left(self) -> int:
        """Count the matches that are still to be played, as far as known."""
        planned = sum(drawing.matches_planned for drawing in self.drawings)
        return planned - len({row.match_id for row in self.rows if row.counted})


def with_suspensions(
    event: EventFile, rows: Iterable[MatchRow], rulings: Rulings = NO_RULINGS
) -> Settled:
    """Give the results as they score: what suspended entrants do not play is filled in.

    Args:
        event: The event as frozen.
        rows: Every attempt, in any order.
        rulings: What the organiser has ruled.

    Returns:
        The rows, where instead of counted ones from after a suspension, and for those never
        played, there are rows without a log that end as ``forfeit_suspended`` or ``annulled``.
        A match between two that are suspended is annulled; of one that was played before, the
        row keeps what was played.
    """
    rows = rulings.applied(rows)
    suspensions = Suspensions(event, rulings)
    for row in rows:
        suspensions.add(row)
    suspensions.settle()
    drawings = tuple(suspensions.drawing(stage + 1) for stage in range(len(event.stages)))
    if not suspensions.suspended and not rulings.disqualified:
        return Settled(rows=rows, suspended=frozenset(), drawings=drawings)
    filled = {
        match.id: suspensions.unplayed(match, sitting.pairing)
        for stage in range(1, len(event.stages) + 1)
        for sitting in suspensions.sittings_known(stage) or ()
        if suspensions.bars(sitting.pairing)
        for match in sitting.matches
    }
    for row in rows:
        if row.counted and row.match_id in filled and filled[row.match_id].is_annulled:
            filled[row.match_id] = annulled(row)  # what was played can still be looked at
    played = (row for row in rows if not (row.counted and row.match_id in filled))
    return Settled(
        rows=(*played, *filled.values()), suspended=suspensions.suspended, drawings=drawings
    )
