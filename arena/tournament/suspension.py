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
from dataclasses import dataclass
from itertools import groupby
from typing import Final, assert_never

from arena.record.match_row import MatchRow
from arena.referee.faults import Culprit, TerminationKind
from arena.tournament.event_file import EventFile, SuspendedMatches
from arena.tournament.plan import event_sittings, stage_plans
from arena.tournament.rulings import Rulings
from arena.tournament.schedule import MatchPlan, Pairing, matches_per_pairing, pairings

NO_RULINGS: Final = Rulings()
Place = tuple[int, int]
"""Stage and round, both from 1: rounds in the order of play."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Forfeit:
    """A forfeited match: its place in the round and who forfeited it."""

    place: tuple[int, int, int]
    pairing: int
    offender: str


class _Round:
    """What counts of one round: matches by pairing, and forfeits."""

    __slots__ = ("counted", "forfeits")

    def __init__(self) -> None:
        self.counted: Counter[int] = Counter()
        self.forfeits: list[_Forfeit] = []


class Suspensions:
    """Who is suspended by the results known so far.

    Memory grows with the rounds that have begun and are not complete, not with the event.
    """

    def __init__(self, event: EventFile, rulings: Rulings = NO_RULINGS) -> None:
        """Begin with an event of which nothing has been played."""
        self._rulings = rulings
        self._names = tuple(entrant.name for entrant in event.entrants)
        self._limits = tuple(stage.suspend_after for stage in event.stages)
        self._per_pairing = tuple(matches_per_pairing(plan) for plan in stage_plans(event))
        self._results: defaultdict[Place, _Round] = defaultdict(_Round)
        self._rounds = _rounds(event)
        self._next = next(self._rounds, None)
        self._forfeits: Counter[str] = Counter()
        self._since: dict[str, Place] = {}

    def add(self, row: MatchRow) -> None:
        """Take in an attempt; only matches that count matter."""
        if not row.counted:
            return
        result = self._results[row.stage, row.round]
        result.counted[row.pairing] += 1
        is_forgiven = row.match_id in self._rulings.forgiven
        if row.termination.is_forfeit and row.culprit_seat is not None and not is_forgiven:
            forfeit = _Forfeit(
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
            del self._results[place]
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

    def disqualifies(self, entrants: Collection[str]) -> bool:
        """Whether one of these is disqualified: their match counts for nobody."""
        return not self._rulings.disqualified.isdisjoint(entrants)

    @property
    def suspended(self) -> frozenset[str]:
        """Everybody who is suspended."""
        return frozenset(self._since)

    def _judge(
        self, place: Place, judged: set[int], forfeits: Sequence[_Forfeit]
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
        A match between two that are suspended is annulled.
    """
    rows = rulings.applied(rows)
    suspensions = Suspensions(event, rulings)
    for row in rows:
        suspensions.add(row)
    suspensions.settle()
    if not suspensions.suspended and not rulings.disqualified:
        return Settled(rows=rows, suspended=frozenset())
    filled = {
        match.id: _settled(event, match, suspensions, sitting.pairing)
        for sitting in event_sittings(event)
        if suspensions.bars(sitting.pairing)
        for match in sitting.matches
    }
    played = (row for row in rows if not (row.counted and row.match_id in filled))
    return Settled(rows=(*played, *filled.values()), suspended=suspensions.suspended)


def _settled(
    event: EventFile, match: MatchPlan, suspensions: Suspensions, pairing: Pairing
) -> MatchRow:
    """Make the row of a match that a suspended entrant does not play."""
    stage = event.stages[match.stage - 1]
    ruleset = stage.ruleset
    seats = tuple(event.entrants[index].name for index in match.seats)
    barred = [seat for seat, name in enumerate(seats) if suspensions.is_barred(name, pairing)]
    offender: int | None = None
    match stage.suspended:
        case SuspendedMatches.FORFEIT:
            is_out = suspensions.disqualifies(seats)
            if len({seats[seat] for seat in barred}) == 1 and not is_out:
                offender = barred[0]
        case SuspendedMatches.ANNUL:
            pass
        case _:
            assert_never(stage.suspended)
    side = None if offender is None else ruleset.side_of(offender)
    others = [other for other in range(ruleset.side_count) if other != side]
    return MatchRow(
        match_id=match.id,
        attempt=0,
        stage=match.stage,
        round=match.round,
        pairing=match.pairing,
        orientation=match.orientation,
        slice=match.slice,
        entrants=tuple(seats[ruleset.seats_of(s)[0]] for s in range(ruleset.side_count)),
        seats=seats,
        first_board=match.first_board,
        boards_planned=match.boards,
        termination=(
            TerminationKind.ANNULLED if side is None else TerminationKind.FORFEIT_SUSPENDED
        ),
        culprit=Culprit.NOBODY if side is None else Culprit.BOT,
        culprit_seat=offender,
        culprit_side=side,
        totals=(0,) * ruleset.side_count,
        winner=others[0] if side is not None and len(others) == 1 else None,
        boards=(),
        faults=(),
        digest="",
        duration_us=0,
        counted=True,
    )


def _rounds(event: EventFile) -> Iterator[tuple[Place, tuple[Pairing, ...]]]:
    """Generate the rounds of an event in the order of play, each with its pairings."""
    for plan in stage_plans(event):
        for number, meetings in groupby(pairings(plan), key=lambda pairing: pairing.round):
            yield (plan.stage, number), tuple(meetings)
