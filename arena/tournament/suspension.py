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
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from arena.record.match_row import MatchRow
from arena.tournament.drawing import StageDrawing, indexed_draws, named_draws, next_round
from arena.tournament.drawn import Drawn, Place
from arena.tournament.event_file import EventFile, Format
from arena.tournament.forfeit_count import ForfeitCount, Suspension, not_lifted
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


class Suspensions:
    """Who is suspended by the results known so far.

    Memory grows with the rounds that have begun and are not complete, not with the event.
    """

    def __init__(
        self,
        event: EventFile,
        rulings: Rulings = NO_RULINGS,
        standing: Mapping[str, Place] | None = None,
    ) -> None:
        """Begin with an event of which nothing has been played.

        Args:
            event: The event as frozen.
            rulings: What the organiser has ruled.
            standing: The suspensions that stand, from the end of which round on, where no
                later ruling may change who has played; None: forfeits are counted.
        """
        self._event = event
        self._rulings = rulings
        self._names = tuple(entrant.name for entrant in event.entrants)
        self._plans = stage_plans(event)
        self._per_pairing = tuple(matches_per_pairing(plan) for plan in self._plans)
        self._seeded, self._drawn = indexed_draws(self._names, rulings.drawn)
        self._drawn_out: set[int] = set()
        # The results that a draw may need: of stages that are drawn, or seed the next one.
        count = len(self._plans)
        self._kept = frozenset(
            plan.stage
            for plan in self._plans
            if plan.format.is_drawn or (plan.stage < count and event.is_seeded(plan.stage + 1))
        )
        self._scored: defaultdict[int, list[MatchRow]] = defaultdict(list)
        limits = tuple(stage.suspend_after for stage in event.stages)
        self._count = ForfeitCount(limits, standing)
        self._results: defaultdict[Place, RoundResults] = defaultdict(RoundResults)
        self._complete: Counter[int] = Counter()
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
            ordered = sorted(result.forfeits, key=lambda forfeit: forfeit.place)
            offenders = [one.offender for one in ordered if one.pairing in judged]
            found += self._count.judge(place, offenders)
            if place[0] in self._kept:
                self._scored[place[0]] += self._as_scored(meetings, judged, result.rows)
            del self._results[place]
            self._complete[place[0]] += 1
            self._next = next(self._rounds, None)
        return tuple(found)

    def bars(self, pairing: Pairing) -> bool:
        """Whether a pairing is not played any more, because one of its entrants is suspended."""
        if not self._count.since and not self._rulings.disqualified:
            return False
        return any(self.is_barred(self._names[index], pairing) for index in pairing.entrants)

    def is_barred(self, entrant: str, pairing: Pairing) -> bool:
        """Whether an entrant is suspended by the round of a pairing, or disqualified."""
        if entrant in self._rulings.disqualified:
            return True
        since = self._count.since.get(entrant)
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
            is_drawn_out=stage in self._drawn_out,
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
        return named_draws(self._names, self._seeded, self._drawn)

    def is_drawn_out(self, stage: int) -> bool:
        """Whether no further round of a stage will be drawn."""
        return stage in self._drawn_out

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
                    if self._rulings.drawn.is_last(stage):
                        break
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
    def since(self) -> Mapping[str, Place]:
        """By entrant that is suspended, the last round that it may have played in."""
        return self._count.since

    @property
    def suspended(self) -> frozenset[str]:
        """Everybody who is suspended."""
        return frozenset(self._count.since)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """The results as they score, and who is suspended."""

    rows: tuple[MatchRow, ...]
    suspended: frozenset[str]
    drawings: tuple[StageDrawing, ...]
    """By stage."""
    is_over: bool
    """Whether nothing is left to play."""

    @property
    def matches_left(self) -> int:
        """Count the matches that are still to be played, as far as known."""
        planned = sum(drawing.matches_planned for drawing in self.drawings)
        return planned - len({row.match_id for row in self.rows if row.counted})


def _settled(
    event: EventFile,
    rows: Iterable[MatchRow],
    rulings: Rulings,
    standing: Mapping[str, Place] | None = None,
) -> Suspensions:
    suspensions = Suspensions(event, rulings, standing)
    for row in rows:
        suspensions.add(row)
    suspensions.settle()
    return suspensions


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
    every = tuple(rows)
    rows = rulings.applied(every)
    standing = None
    if (at_end := rulings.at_end) is not None:
        scored = at_end.applied(every)
        since = _settled(event, scored, at_end).since
        standing = not_lifted(since, scored, rulings.forgiven)
    suspensions = _settled(event, rows, rulings, standing)
    drawings = tuple(suspensions.drawing(stage + 1) for stage in range(len(event.stages)))
    if not suspensions.suspended and not rulings.disqualified:
        return Settled(
            rows=rows, suspended=frozenset(), drawings=drawings, is_over=suspensions.is_over
        )
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
        rows=(*played, *filled.values()),
        suspended=suspensions.suspended,
        drawings=drawings,
        is_over=suspensions.is_over,
    )
