"""In an individual stage every bot plays with and against every other equally often."""

from collections import Counter
from itertools import combinations

import pytest

from arena.tournament.rotation import rotation_round, rounds_of_rotation, tables_of_rotation

FIELDS = range(4, 34)


@pytest.mark.parametrize("entrants", FIELDS)
def test_all_are_partners_equally_often_and_opponents_twice_as_often(entrants: int) -> None:
    partners: Counter[frozenset[int]] = Counter()
    opponents: Counter[frozenset[int]] = Counter()
    tables = 0
    for number in range(1, rounds_of_rotation(entrants) + 1):
        seated: list[int] = []
        for north, east, south, west in rotation_round(entrants, number):
            seated += [north, east, south, west]
            tables += 1
            partners.update([frozenset((north, south)), frozenset((east, west))])
            opponents.update(frozenset((a, b)) for a in (north, south) for b in (east, west))
        assert len(seated) == len(set(seated))
        assert set(seated) <= set(range(entrants))
    pairs = [frozenset(pair) for pair in combinations(range(entrants), 2)]
    often = partners[pairs[0]]
    assert often > 0
    assert partners == dict.fromkeys(pairs, often)
    assert opponents == dict.fromkeys(pairs, 2 * often)
    assert tables == tables_of_rotation(entrants)


@pytest.mark.parametrize("entrants", FIELDS)
def test_byes_are_few_and_shared_out(entrants: int) -> None:
    played: Counter[int] = Counter()
    for number in range(1, rounds_of_rotation(entrants) + 1):
        tables = list(rotation_round(entrants, number))
        assert entrants - 4 * len(tables) < 4
        played.update(place for table in tables for place in table)
    assert len(set(played.values())) == 1


def test_four_play_in_all_three_partnerships() -> None:
    assert rounds_of_rotation(4) == 3
    together = [
        {frozenset(table[::2]), frozenset(table[1::2])}
        for number in (1, 2, 3)
        for table in rotation_round(4, number)
    ]
    assert sorted(map(sorted, (map(sorted, pairs) for pairs in together))) == [
        [[0, 1], [2, 3]],
        [[0, 2], [1, 3]],
        [[0, 3], [1, 2]],
    ]
