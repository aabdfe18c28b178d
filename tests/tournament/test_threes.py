"""The scheduler takes tables of three and four as it takes those of two (requirement I)."""

from collections import Counter
from itertools import combinations

import pytest

from arena.tournament.event_file import BoardsShared, Format, Restart
from arena.tournament.schedule import (
    StagePlan,
    last_board,
    match_count,
    orientations,
    pairing_count,
    pairings,
    round_count,
    round_size,
    sittings,
)
from arena.tournament.threes import rounds_of_threes, tables_of_threes, threes_round

FIELDS = range(3, 34)


def plan_of(entrants: int, per_table: int, cycles: int = 1, *, turned: bool = True) -> StagePlan:
    """Plan a round robin of tables at which each sits alone."""
    return StagePlan(
        stage=1,
        entrants=entrants,
        seats=per_table,
        per_table=per_table,
        cycles=cycles,
        boards=3,
        boards_per_match=2,
        deals_per_match=200,
        shared=BoardsShared.ROUND,
        turned=turned,
        restart=Restart.PAIRING,
        format=Format.ROUND_ROBIN,
    )


@pytest.mark.parametrize("entrants", FIELDS)
def test_all_meet_equally_often_at_tables_of_three_and_nobody_stands_twice_in_a_round(
    entrants: int,
) -> None:
    met: Counter[tuple[int, ...]] = Counter()
    tables: Counter[int] = Counter()
    for number in range(1, rounds_of_threes(entrants) + 1):
        seated: list[int] = []
        for table in threes_round(entrants, number):
            assert len(set(table)) == 3
            met.update(combinations(sorted(table), 2))
            seated += table
        assert len(seated) == len(set(seated))
        tables.update(seated)
    often = 3 if entrants % 2 else entrants - 2
    assert met == dict.fromkeys(combinations(range(entrants), 2), often)
    assert len(set(tables.values())) == 1, "byes are balanced over a cycle"
    assert sum(tables.values()) == 3 * tables_of_threes(entrants)


@pytest.mark.parametrize(
    ("entrants", "per_table"),
    [(n, k) for n in (3, 4, 5, 6, 9, 10, 13) for k in (2, 3, 4) if n >= k],
)
def test_all_meet_equally_often_at_tables_of_any_size(entrants: int, per_table: int) -> None:
    plan = plan_of(entrants, per_table, cycles=2)
    met: Counter[frozenset[int]] = Counter()
    rounds: dict[int, list[int]] = {}
    for pairing in pairings(plan):
        met.update(map(frozenset, combinations(pairing.entrants, 2)))
        rounds.setdefault(pairing.round, []).extend(pairing.entrants)
    assert set(met) == {frozenset(pair) for pair in combinations(range(entrants), 2)}
    assert len(set(met.values())) == 1
    assert all(len(seated) == len(set(seated)) for seated in rounds.values())
    assert list(rounds) == list(range(1, round_count(plan) + 1))
    assert {number: len(seated) // per_table for number, seated in rounds.items()} == {
        number: round_size(plan, number) for number in rounds
    }
    assert sum(map(len, rounds.values())) == per_table * pairing_count(plan)


@pytest.mark.parametrize(
    ("entrants", "per_table"), [(n, k) for n in range(3, 8) for k in (3, 4) if n >= k]
)
@pytest.mark.parametrize("turned", [True, False])
def test_each_board_of_a_table_is_played_in_every_orientation_or_by_nobody_else(
    entrants: int, per_table: int, *, turned: bool
) -> None:
    plan = plan_of(entrants, per_table, turned=turned)
    ways = len(orientations(per_table, per_table))
    played: Counter[tuple[int, int, int]] = Counter()
    boards: Counter[int] = Counter()
    seats: dict[tuple[int, int], set[tuple[int, ...]]] = {}
    matches = 0
    for sitting in sittings(plan):
        assert sorted(sitting.seats) == sorted(sitting.pairing.entrants)
        place = (sitting.pairing.round, sitting.pairing.pairing)
        seats.setdefault(place, set()).add(sitting.seats)
        for match in sitting.matches:
            matches += 1
            for board in range(match.first_board, match.first_board + (match.boards or 0)):
                played[*place, board] += 1
                boards[board] += 1
    assert matches == match_count(plan)
    assert {len(sat) for sat in seats.values()} == {ways}
    assert max(boards) == last_board(plan)
    assert set(played.values()) == {ways if turned else 1}
    assert turned or set(boards.values()) == {1}
