"""The schedule is complete, balanced, lazy and the same every time (requirement I)."""

import tracemalloc
from collections import Counter
from dataclasses import replace
from itertools import combinations, islice, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import HostFault
from arena.record.paths import parse_match_id
from arena.tournament.berger import berger_row, rounds_per_cycle
from arena.tournament.event_file import BoardsShared, Format, Restart
from arena.tournament.schedule import (
    Pairing,
    Sitting,
    StagePlan,
    for_attempt,
    last_board,
    match_count,
    matches_per_sitting,
    orientations,
    pairing_count,
    pairings,
    remaining,
    sittings,
)

FIELDS = range(2, 34)

PLANS = st.builds(
    StagePlan,
    stage=st.integers(1, 3),
    entrants=st.integers(2, 7),
    seats=st.sampled_from([2, 4]),
    per_table=st.just(2),
    cycles=st.integers(1, 3),
    boards=st.integers(1, 7),
    boards_per_match=st.none() | st.integers(1, 9),
    deals_per_match=st.integers(1, 5),
    shared=st.sampled_from(BoardsShared),
    turned=st.booleans(),
    restart=st.sampled_from(Restart),
)


def plan_of(entrants: int, **values: object) -> StagePlan:
    base = StagePlan(
        stage=1,
        entrants=entrants,
        seats=4,
        per_table=2,
        cycles=1,
        boards=4,
        boards_per_match=2,
        deals_per_match=200,
        shared=BoardsShared.ROUND,
        turned=True,
        restart=Restart.PAIRING,
    )
    return replace(base, **values)  # type: ignore[arg-type]


def boards_of(sitting: Sitting, plan: StagePlan) -> list[int]:
    """List the boards a sitting may come to, in order."""
    return [
        match.first_board + offset
        for match in sitting.matches
        for offset in range(match.boards or plan.deals_per_match)
    ]


def test_the_first_rows_of_six_are_those_of_the_berger_table() -> None:
    rows = [[(home + 1, guest + 1) for home, guest in berger_row(6, row)] for row in range(1, 6)]
    assert [set(row) for row in rows] == [
        {(1, 6), (2, 5), (3, 4)},
        {(6, 4), (5, 3), (1, 2)},
        {(2, 6), (3, 1), (4, 5)},
        {(6, 5), (1, 4), (2, 3)},
        {(3, 6), (4, 2), (5, 1)},
    ]


@pytest.mark.parametrize("entrants", FIELDS)
def test_each_pair_meets_once_a_cycle_and_nobody_twice_a_round(entrants: int) -> None:
    plan = plan_of(entrants, cycles=2)
    meetings: Counter[frozenset[int]] = Counter()
    rounds: dict[int, list[int]] = {}
    for pairing in pairings(plan):
        meetings[frozenset(pairing.entrants)] += 1
        rounds.setdefault(pairing.round, []).extend(pairing.entrants)
    assert meetings == {frozenset(pair): 2 for pair in combinations(range(entrants), 2)}
    assert list(rounds) == list(range(1, 2 * rounds_per_cycle(entrants) + 1))
    assert all(len(seated) == len(set(seated)) for seated in rounds.values())
    assert sum(meetings.values()) == pairing_count(plan)


@pytest.mark.parametrize("entrants", FIELDS)
def test_home_seats_and_byes_are_balanced(entrants: int) -> None:
    homes: Counter[int] = Counter()
    byes: Counter[int] = Counter()
    for row in range(1, rounds_per_cycle(entrants) + 1):
        pairs = list(berger_row(entrants, row))
        homes.update(home for home, _ in pairs)
        byes.update(set(range(entrants)) - {place for pair in pairs for place in pair})
    assert all(abs(2 * homes[place] - (entrants - 1)) <= 1 for place in range(entrants))
    assert [byes[place] for place in range(entrants)] == [entrants % 2] * entrants


@pytest.mark.parametrize("entrants", FIELDS)
def test_after_any_round_nobody_is_more_than_one_round_ahead(entrants: int) -> None:
    plan = plan_of(entrants, cycles=3)
    played = [0] * entrants
    current = 1
    for pairing in pairings(plan):
        if pairing.round != current:
            assert max(played) - min(played) <= 1
            current = pairing.round
        for entrant in pairing.entrants:
            played[entrant] += 1
    assert max(played) == min(played)


def test_the_home_seat_is_swapped_in_every_second_cycle() -> None:
    all_pairings = list(pairings(plan_of(4, cycles=2)))
    first, second = all_pairings[:6], all_pairings[6:]
    assert [p.entrants[::-1] for p in first] == [p.entrants for p in second]


@pytest.mark.parametrize("entrants", FIELDS)
def test_all_pairings_of_a_round_play_its_boards_in_both_orientations(entrants: int) -> None:
    plan = plan_of(entrants)
    by_round: dict[int, list[Sitting]] = {}
    for sitting in sittings(plan):
        by_round.setdefault(sitting.pairing.round, []).append(sitting)
    for number, played in by_round.items():
        expected = list(range((number - 1) * 4 + 1, number * 4 + 1))
        assert all(boards_of(sitting, plan) == expected for sitting in played)
        ways = Counter((sitting.pairing.pairing, sitting.orientation) for sitting in played)
        assert set(ways.values()) == {1}
        assert len(ways) == 2 * (entrants // 2)


@given(PLANS)
def test_each_orientation_turns_the_other(plan: StagePlan) -> None:
    for sitting in sittings(plan):
        home, guest = sitting.pairing.entrants
        expected = (home, guest) if sitting.orientation == 0 else (guest, home)
        assert sitting.seats == expected * (plan.seats // 2)
        assert all(match.seats == sitting.seats for match in sitting.matches)


@given(PLANS)
def test_no_set_of_processes_meets_a_board_twice(plan: StagePlan) -> None:
    for sitting in sittings(plan):
        boards = boards_of(sitting, plan)
        assert len(boards) == len(set(boards))


@given(PLANS)
def test_ids_are_unique_and_say_where_the_match_stands(plan: StagePlan) -> None:
    seen = set()
    for sitting in sittings(plan):
        for match in sitting.matches:
            place = parse_match_id(match.id)
            assert (place.stage, place.round, place.pairing) == (
                plan.stage,
                sitting.pairing.round,
                sitting.pairing.pairing,
            )
            assert (place.orientation, place.slice) == (sitting.orientation, match.slice)
            seen.add(match.id)
    assert len(seen) == match_count(plan)


@given(PLANS)
def test_the_same_numbers_give_the_same_schedule(plan: StagePlan) -> None:
    assert list(sittings(plan)) == list(sittings(plan))


@given(PLANS)
def test_no_board_has_a_number_beyond_the_last(plan: StagePlan) -> None:
    highest = max(max(boards_of(sitting, plan)) for sitting in sittings(plan))
    assert highest == last_board(plan)


@given(PLANS.map(lambda plan: replace(plan, turned=False)))
def test_boards_that_are_not_turned_are_played_once(plan: StagePlan) -> None:
    boards = [board for sitting in sittings(plan) for board in boards_of(sitting, plan)]
    assert boards == list(range(1, last_board(plan) + 1))


@given(PLANS.map(lambda plan: replace(plan, turned=False)))
def test_each_attempt_at_a_board_that_is_not_turned_is_on_boards_nobody_has_seen(
    plan: StagePlan,
) -> None:
    seen: set[int] = set()
    for attempt in (1, 2, 3):
        for sitting in sittings(plan):
            for match in sitting.matches:
                again = for_attempt(plan, match, attempt)
                assert replace(again, first_board=match.first_board) == match
                assert (attempt == 1) == (again == match)
                boards = set(boards_of(replace(sitting, matches=(again,)), plan))
                assert not boards & seen
                seen |= boards


@given(PLANS.map(lambda plan: replace(plan, turned=True)), st.integers(1, 9))
def test_a_further_attempt_at_boards_that_are_turned_is_the_same_match(
    plan: StagePlan, attempt: int
) -> None:
    match = next(sittings(plan)).matches[0]
    assert for_attempt(plan, match, attempt) == match


def test_spare_boards_that_no_seed_can_deal_are_refused() -> None:
    plan = plan_of(2, turned=False)
    match = next(sittings(plan)).matches[0]
    with pytest.raises(HostFault, match="s1-r1-p1-o0-m1: no spare boards are left"):
        for_attempt(plan, match, 2**30)


@given(PLANS.map(lambda plan: replace(plan, turned=True)))
def test_boards_are_shared_by_the_round_the_event_or_the_pairing(plan: StagePlan) -> None:
    homes: dict[int, set[tuple[int, ...]]] = {}
    for sitting in sittings(plan):
        key = {
            BoardsShared.ROUND: (sitting.pairing.round,),
            BoardsShared.EVENT: (),
            BoardsShared.PAIRING: (sitting.pairing.round, sitting.pairing.pairing),
        }[plan.shared]
        for board in boards_of(sitting, plan):
            homes.setdefault(board, set()).add(key)
    assert all(len(keys) == 1 for keys in homes.values())
    assert sorted(homes) == list(range(1, last_board(plan) + 1))


@given(PLANS)
def test_matches_cover_the_boards_of_a_pairing_without_gaps(plan: StagePlan) -> None:
    covered: dict[tuple[Pairing, int], list[int]] = {}
    sizes: dict[tuple[Pairing, int], list[int | None]] = {}
    for sitting in sittings(plan):
        key = (sitting.pairing, sitting.orientation)
        covered.setdefault(key, []).extend(boards_of(sitting, plan))
        sizes.setdefault(key, []).extend(match.boards for match in sitting.matches)
    for boards in covered.values():
        assert boards == list(range(boards[0], boards[0] + plan.board_span))
    for matches in sizes.values():
        assert len(matches) == matches_per_sitting(plan)
        if plan.boards_per_match is None:
            assert set(matches) == {None}
        else:
            assert set(matches[:-1]) <= {plan.boards_per_match}
            assert sum(match or 0 for match in matches) == plan.boards


def test_the_last_match_of_a_pairing_may_be_shorter() -> None:
    first = next(sittings(plan_of(2, boards=25, boards_per_match=10)))
    assert [(match.first_board, match.boards) for match in first.matches] == [
        (1, 10),
        (11, 10),
        (21, 5),
    ]


def test_matches_to_a_target_start_as_many_boards_apart_as_one_may_deal() -> None:
    first = next(sittings(plan_of(2, boards=3, boards_per_match=None)))
    assert [(m.first_board, m.boards) for m in first.matches] == [
        (1, None),
        (201, None),
        (401, None),
    ]


def test_fresh_processes_play_each_match_or_each_pairing() -> None:
    by_match = list(sittings(plan_of(3, restart=Restart.MATCH)))
    by_pairing = list(sittings(plan_of(3)))
    assert by_pairing == list(sittings(plan_of(3, restart=Restart.NEVER)))
    assert {len(sitting.matches) for sitting in by_match} == {1}
    assert {len(sitting.matches) for sitting in by_pairing} == {2}
    flat = [[match.id for s in both for match in s.matches] for both in (by_match, by_pairing)]
    assert flat[0] == flat[1]


@pytest.mark.parametrize(
    ("seats", "entrants", "count"), [(2, 2, 2), (4, 2, 2), (3, 3, 6), (4, 4, 4)]
)
def test_orientations_give_everybody_every_seat_equally_often(
    seats: int, entrants: int, count: int
) -> None:
    ways = orientations(seats, entrants)
    assert len(set(ways)) == count
    for seat in range(seats):
        assert set(Counter(way[seat] for way in ways).values()) == {count // entrants}


def test_partners_sit_opposite_and_three_sit_in_every_order() -> None:
    assert orientations(4, 2) == ((0, 1, 0, 1), (1, 0, 1, 0))
    assert set(orientations(3, 3)) == set(permutations(range(3)))


def test_a_table_that_no_ruleset_has_is_a_bug() -> None:
    with pytest.raises(AssertionError):
        orientations(4, 3)
    with pytest.raises(AssertionError):
        next(pairings(plan_of(4, format=Format.SWISS, rounds=2)))


def test_what_counts_already_is_left_out() -> None:
    plan = plan_of(3)
    everything = [match.id for sitting in sittings(plan) for match in sitting.matches]
    counted = {*everything[:3], everything[6]}
    left = list(remaining(sittings(plan), counted))
    assert [match.id for s in left for match in s.matches] == [*everything[3:6], *everything[7:]]
    assert list(remaining(sittings(plan), set(everything))) == []


def test_a_schedule_of_a_hundred_million_matches_costs_no_memory() -> None:
    plan = plan_of(1_000, cycles=100, boards=1)
    assert match_count(plan) == 99_900_000
    tracemalloc.start()
    try:
        first = list(islice(sittings(plan), 3_000))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(first) == 3_000
    assert peak < 8_000_000


@pytest.mark.parametrize("entrants", FIELDS)
@pytest.mark.parametrize("cycles", [1, 2, 3])
def test_in_a_gauntlet_the_first_meets_everybody_else_equally_often(
    entrants: int, cycles: int
) -> None:
    plan = plan_of(entrants, format=Format.GAUNTLET, cycles=cycles)
    met = list(pairings(plan))
    assert len(met) == pairing_count(plan)
    assert [pairing.round for pairing in met] == list(range(1, len(met) + 1))
    assert all(0 in pairing.entrants for pairing in met)
    others = Counter(sum(pairing.entrants) for pairing in met)
    assert others == dict.fromkeys(range(1, entrants), cycles)
    at_home = sum(pairing.entrants[0] == 0 for pairing in met)
    assert abs(2 * at_home - len(met)) <= 1


@pytest.mark.parametrize("entrants", [2, 3, 7])
def test_a_gauntlet_plays_each_round_on_boards_of_its_own_in_every_orientation(
    entrants: int,
) -> None:
    plan = plan_of(entrants, format=Format.GAUNTLET)
    played = Counter(
        (match.round, match.first_board + offset)
        for sitting in sittings(plan)
        for match in sitting.matches
        for offset in range(match.boards or 0)
    )
    assert set(played.values()) == {2}
    assert len({board for _, board in played}) == len(played) == last_board(plan)
    assert sum(len(sitting.matches) for sitting in sittings(plan)) == match_count(plan)
