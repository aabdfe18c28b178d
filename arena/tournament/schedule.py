"""The schedule of a stage: who meets whom, in which seats, on which boards, in which order.

Owns pairings, orientations, board numbers and the ids of matches, as a pure function of a
few numbers. Nothing is stored: the schedule is generated, so its length costs no memory,
and the same numbers always give the same schedule, so an event can be resumed from the
ids that count. Must not know files, bots or results. Source: design.md §2, §6;
requirements.md I.

Order of play: cycle by cycle, round by round, pairing by pairing, and all orientations of
a pairing one after another, so that after any prefix of rounds nobody has played more
than one round more than anybody else and nearly every board begun has been turned.

A match to a target (``boards_per_match`` None) takes as many boards as its ruleset allows
deals, whether it plays them or not: the k-th deal of every match that starts at board b is
board b + k - 1, and no two matches of one set of processes overlap.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Final, assert_never

from arena.errors import HostFault
from arena.record.paths import MatchId
from arena.tournament.berger import berger_row, rounds_per_cycle
from arena.tournament.event_file import BoardsShared, Format, Restart
from arena.tournament.rotation import PER_TABLE as FOUR
from arena.tournament.rotation import rotation_round, rounds_of_rotation, tables_of_rotation
from arena.tournament.round_counts import bracket_levels
from arena.tournament.threes import PER_TABLE as THREE
from arena.tournament.threes import rounds_of_threes, tables_of_threes, threes_round

LARGEST_BOARD: Final = 2**32 - 1
"""A board's number is hashed as 32 bits (design.md §6)."""
MOST_SCHEDULED: Final = 2**26
"""Boards that a stage may schedule: spares for 63 further attempts at all of them are left."""

_PARTNERSHIPS: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class StagePlan:
    """The numbers that a stage's schedule follows from.

    ``boards_per_match`` None = matches to a target: then ``boards`` counts matches, each of
    at most ``deals_per_match`` deals. ``per_table`` entrants share ``seats`` seats.
    ``turned``: whether orientations of a pairing play the same boards; where they do not,
    no board is ever played twice and ``shared`` says nothing.
    """

    stage: int
    entrants: int
    seats: int
    per_table: int
    cycles: int
    boards: int
    boards_per_match: int | None
    deals_per_match: int
    shared: BoardsShared
    turned: bool
    restart: Restart
    format: Format = Format.ROUND_ROBIN
    rounds: int = 0
    """Of a format that is drawn round by round, the most that it may come to."""

    @property
    def board_span(self) -> int:
        """Boards that one pairing takes in one orientation."""
        return self.boards if self.boards_per_match else self.boards * self.deals_per_match


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """Entrants that meet, by index; the first has the home seat in orientation 0."""

    stage: int
    round: int
    pairing: int
    entrants: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchPlan:
    """One match: ``seats`` holds an entrant's index per seat, ``boards`` None = to a target."""

    stage: int
    round: int
    pairing: int
    orientation: int
    slice: int
    seats: tuple[int, ...]
    first_board: int
    boards: int | None

    @property
    def id(self) -> str:
        """The match's id, the same in every attempt (record.md, "Match log")."""
        return str(
            MatchId(
                stage=self.stage,
                round=self.round,
                pairing=self.pairing,
                orientation=self.orientation,
                slice=self.slice,
            )
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitting:
    """Matches that one set of processes plays: of one pairing in one orientation."""

    pairing: Pairing
    orientation: int
    seats: tuple[int, ...]
    matches: tuple[MatchPlan, ...]


def orientations(seats: int, entrants: int) -> tuple[tuple[int, ...], ...]:
    """List the ways to seat a table so that the luck of a deal cancels (design.md §6).

    Partnerships and two seats are swapped; three alone sit in all six ways; four alone
    rotate, which gives each every hand once.

    Returns:
        Per orientation, the place in the pairing (from 0) of each seat's entrant.

    Raises:
        AssertionError: No ruleset has such a table.
    """
    match seats, entrants:
        case (4, 2) | (2, 2):
            home = tuple(seat % _PARTNERSHIPS for seat in range(seats))
            return home, tuple(1 - place for place in home)
        case 3, 3:
            return tuple(permutations(range(3)))
        case 4, 4:
            return tuple(tuple((seat + turn) % 4 for seat in range(4)) for turn in range(4))
        case _:
            raise AssertionError(f"no way to seat {entrants} entrants on {seats} seats")


def pairings(plan: StagePlan, field: Sequence[int] | None = None) -> Iterator[Pairing]:
    """Generate all pairings of a stage that needs no draw in the order of play.

    Each round of a round robin of two is a row of the Berger table, so that everyone has the
    home seat as often as the visitors' seat, give or take one; at tables of three and four all
    meet equally often too (:mod:`arena.tournament.threes`, :mod:`arena.tournament.rotation`). In
    a gauntlet the first entrant
    meets every other one, one a round, at home in every second one. Every second cycle
    swaps the seats. In an individual stage partners rotate (:mod:`arena.tournament.rotation`).

    Args:
        plan: The stage; its format is not drawn round by round.
        field: The entrants' indices in seed order; None: all, in the order of entry.
    """
    if field is not None:
        plan = replace(plan, entrants=len(field))
    seeds = range(plan.entrants) if field is None else field
    per_cycle = _rounds_per_cycle(plan)
    for cycle in range(plan.cycles):
        for row in range(1, per_cycle + 1):
            for place, them in enumerate(_row(plan, row), start=1):
                met = tuple(seeds[one] for one in them)
                yield Pairing(
                    stage=plan.stage,
                    round=cycle * per_cycle + row,
                    pairing=place,
                    entrants=met if cycle % 2 == 0 else met[::-1],
                )


def _rounds_per_cycle(plan: StagePlan) -> int:
    match plan.format:
        case Format.ROUND_ROBIN if plan.per_table == THREE:
            return rounds_of_threes(plan.entrants)
        case Format.ROUND_ROBIN if plan.per_table == FOUR:
            return rounds_of_rotation(plan.entrants)
        case Format.ROUND_ROBIN:
            return rounds_per_cycle(plan.entrants)
        case Format.GAUNTLET:
            return plan.entrants - 1
        case Format.INDIVIDUAL:
            return rounds_of_rotation(plan.entrants)
        case Format.SWISS | Format.KNOCKOUT:
            return plan.rounds
        case _:
            assert_never(plan.format)


def _row(plan: StagePlan, row: int) -> Iterator[tuple[int, ...]]:
    """Give one round of a cycle, counted from 1: the places at each table, home first."""
    match plan.format:
        case Format.ROUND_ROBIN if plan.per_table == THREE:
            yield from threes_round(plan.entrants, row)
        case Format.ROUND_ROBIN if plan.per_table == FOUR:
            yield from rotation_round(plan.entrants, row)
        case Format.ROUND_ROBIN:
            yield from berger_row(plan.entrants, row)
        case Format.GAUNTLET:
            yield (0, row) if row % 2 else (row, 0)
        case Format.INDIVIDUAL:
            yield from rotation_round(plan.entrants, row)
        case Format.SWISS | Format.KNOCKOUT:
            raise AssertionError(f"the rounds of a {plan.format} follow from results")
        case _:
            assert_never(plan.format)


def sittings(plan: StagePlan, field: Sequence[int] | None = None) -> Iterator[Sitting]:
    """Generate all matches of a stage in the order of play, as sets of processes play them.

    Arguments as :func:`pairings` has them.
    """
    for index, pairing in enumerate(pairings(plan, field)):
        yield from _sittings_of(plan, pairing, index)


def drawn_sittings(plan: StagePlan, pairing: Pairing) -> Iterator[Sitting]:
    """Generate the matches of a pairing of a round that was drawn.

    Its boards follow from its place alone: each round has room for the most pairings.
    """
    most = plan.entrants // plan.per_table
    yield from _sittings_of(plan, pairing, (pairing.round - 1) * most + pairing.pairing - 1)


def _sittings_of(plan: StagePlan, pairing: Pairing, index: int) -> Iterator[Sitting]:
    """Seat a pairing in all orientations; ``index`` counts pairings of the stage from 0."""
    ways = orientations(plan.seats, plan.per_table)
    for orientation, way in enumerate(ways):
        seats = tuple(pairing.entrants[place] for place in way)
        first = _first_board(plan, pairing, index, orientation, len(ways))
        matches = _matches(plan, pairing, orientation, seats, first)
        sets = [(one,) for one in matches] if plan.restart is Restart.MATCH else [matches]
        for played_by_one_set in sets:
            yield Sitting(
                pairing=pairing,
                orientation=orientation,
                seats=seats,
                matches=played_by_one_set,
            )


def _matches(
    plan: StagePlan, pairing: Pairing, orientation: int, seats: tuple[int, ...], first: int
) -> tuple[MatchPlan, ...]:
    """Cut the boards of one pairing and orientation into matches."""
    step = plan.boards_per_match or plan.deals_per_match
    offsets = range(0, plan.board_span, step)
    return tuple(
        MatchPlan(
            stage=plan.stage,
            round=pairing.round,
            pairing=pairing.pairing,
            orientation=orientation,
            slice=number,
            seats=seats,
            first_board=first + offset,
            boards=min(step, plan.boards - offset) if plan.boards_per_match else None,
        )
        for number, offset in enumerate(offsets, start=1)
    )


def _first_board(plan: StagePlan, pairing: Pairing, index: int, orientation: int, ways: int) -> int:
    """Number the first board of a pairing in an orientation (design.md §6, "Boards")."""
    if not plan.turned:
        return (index * ways + orientation) * plan.board_span + 1
    match plan.shared:
        case BoardsShared.ROUND:
            return (pairing.round - 1) * plan.board_span + 1
        case BoardsShared.EVENT:
            return 1
        case BoardsShared.PAIRING:
            return index * plan.board_span + 1
        case _:
            assert_never(plan.shared)


def pairing_count(plan: StagePlan) -> int:
    """Count the pairings of a stage; those of a knockout without further boards."""
    match plan.format:
        case Format.ROUND_ROBIN:
            return plan.cycles * _tables_of_round_robin(plan)
        case Format.GAUNTLET:
            return plan.cycles * (plan.entrants - 1)
        case Format.SWISS:
            return plan.rounds * (plan.entrants // 2)
        case Format.KNOCKOUT:
            return plan.entrants - 1
        case Format.INDIVIDUAL:
            return plan.cycles * tables_of_rotation(plan.entrants)
        case _:
            assert_never(plan.format)


def _tables_of_round_robin(plan: StagePlan) -> int:
    if plan.per_table == THREE:
        return tables_of_threes(plan.entrants)
    if plan.per_table == FOUR:
        return tables_of_rotation(plan.entrants)
    return plan.entrants * (plan.entrants - 1) // 2


def round_count(plan: StagePlan) -> int:
    """Count the rounds of a stage; those of a knockout without further boards."""
    match plan.format:
        case Format.ROUND_ROBIN | Format.GAUNTLET | Format.INDIVIDUAL:
            return plan.cycles * _rounds_per_cycle(plan)
        case Format.SWISS:
            return plan.rounds
        case Format.KNOCKOUT:
            return bracket_levels(plan.entrants)
        case _:
            assert_never(plan.format)


def round_size(plan: StagePlan, number: int) -> int:
    """Count the pairings of one round, from 1, of a stage that needs no draw."""
    return sum(1 for _ in _row(plan, (number - 1) % _rounds_per_cycle(plan) + 1))


def matches_per_sitting(plan: StagePlan) -> int:
    """Count the matches of one pairing in one orientation."""
    return -(-plan.boards // plan.boards_per_match) if plan.boards_per_match else plan.boards


def matches_per_pairing(plan: StagePlan) -> int:
    """Count the matches of one pairing in all its orientations."""
    return len(orientations(plan.seats, plan.per_table)) * matches_per_sitting(plan)


def match_count(plan: StagePlan) -> int:
    """Count the matches of a stage."""
    return pairing_count(plan) * matches_per_pairing(plan)


def last_board(plan: StagePlan) -> int:
    """Give the highest board number that the schedule names; spare boards follow it."""
    ways = len(orientations(plan.seats, plan.per_table))
    if plan.format.is_drawn:
        most = plan.rounds * (plan.entrants // plan.per_table)
    else:
        most = pairing_count(plan)
    if not plan.turned:
        return most * ways * plan.board_span
    match plan.shared:
        case BoardsShared.ROUND:
            return plan.cycles * _rounds_per_cycle(plan) * plan.board_span
        case BoardsShared.EVENT:
            return plan.board_span
        case BoardsShared.PAIRING:
            return most * plan.board_span
        case _:
            assert_never(plan.shared)


def for_attempt(plan: StagePlan, match: MatchPlan, attempt: int) -> MatchPlan:
    """Give the match as a further attempt plays it, after a void or broken-off one.

    Where boards are turned it is the same match: fresh processes play it. Where they are
    not, bots may remember the boards, so attempt a takes the spare boards that lie
    (a - 1) · :func:`last_board` further on: beyond the last scheduled one, never those of
    another match or attempt, and the same however the event was interrupted.

    Args:
        plan: The stage.
        match: The match as scheduled.
        attempt: From 1.

    Raises:
        HostFault: The boards that a seed can deal are used up.
    """
    if plan.turned:
        return match
    first = match.first_board + (attempt - 1) * last_board(plan)
    if first + plan.board_span > LARGEST_BOARD:
        raise HostFault(f"match {match.id}: no spare boards are left for attempt {attempt}")
    return replace(match, first_board=first)


def remaining(schedule: Iterator[Sitting], counted: Collection[str]) -> Iterator[Sitting]:
    """Leave out the matches that count already, and the sittings that hold no others."""
    for sitting in schedule:
        left = tuple(match for match in sitting.matches if match.id not in counted)
        if left:
            yield replace(sitting, matches=left)
