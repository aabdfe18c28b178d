"""A Swiss draw repeats no pairing, balances byes and home seats, and pairs like with like."""

import random
from collections import Counter
from collections.abc import Sequence

import pytest

from arena.tournament.meeting import Meeting
from arena.tournament.round_counts import most_rounds, rounds_by_default
from arena.tournament.swiss import buchholz, half_points, home_balance, swiss_round

FIELDS = range(2, 34)
Past = list[tuple[Meeting, ...]]


def play(pairs: Sequence[tuple[int, int]], chance: random.Random) -> tuple[Meeting, ...]:
    return tuple(
        Meeting(home=home, guest=guest, lead=(0, chance.randint(-2, 2))) for home, guest in pairs
    )


def stage(entrants: int, rounds: int, seed: int = 0) -> Past:
    """Play a stage by chance that never varies."""
    chance = random.Random(seed)  # noqa: S311  # no secret
    past: Past = []
    for _ in range(rounds):
        past.append(play(swiss_round(range(entrants), past, ()), chance))
    return past


@pytest.mark.parametrize("entrants", FIELDS)
def test_nobody_meets_anybody_twice_in_the_most_rounds_allowed(entrants: int) -> None:
    past = stage(entrants, most_rounds(entrants), seed=entrants)
    met = Counter(frozenset((one.home, one.guest)) for meetings in past for one in meetings)
    assert set(met.values()) == {1}
    for meetings in past:
        seated = [entrant for one in meetings for entrant in (one.home, one.guest)]
        assert len(seated) == len(set(seated)) == entrants - entrants % 2


@pytest.mark.parametrize("entrants", FIELDS)
def test_home_seats_and_byes_are_balanced(entrants: int) -> None:
    past = stage(entrants, most_rounds(entrants), seed=entrants + 100)
    balance = home_balance(past)
    assert all(abs(balance[entrant]) <= 2 for entrant in range(entrants))
    missing = [
        set(range(entrants)) - {it for one in meetings for it in (one.home, one.guest)}
        for meetings in past
    ]
    byes = Counter(entrant for away in missing for entrant in away)
    assert all(count == 1 for count in byes.values())


def test_the_first_round_pairs_the_upper_half_with_the_lower_in_seed_order() -> None:
    pairs = {frozenset(pair) for pair in swiss_round(range(8), (), ())}
    assert pairs == {frozenset((seed, seed + 4)) for seed in range(4)}


def test_winners_meet_winners_in_the_second_round() -> None:
    first = tuple(
        Meeting(home=h, guest=g, lead=(0, 1 if h < g else -1))
        for h, g in swiss_round(range(8), (), ())
    )
    second = swiss_round(range(8), [first], ())
    assert all((home < 4) == (guest < 4) for home, guest in second)


def test_the_bye_goes_to_the_lowest_score_and_is_worth_a_win() -> None:
    first = swiss_round(range(5), (), ())
    (away,) = set(range(5)) - {entrant for pair in first for entrant in pair}
    assert away == 4
    played = tuple(Meeting(home=h, guest=g, lead=(0, 1)) for h, g in first)
    (points,) = half_points(range(5), [played], ())
    assert points[4] == 2
    second = swiss_round(range(5), [played], ())
    (next_away,) = set(range(5)) - {entrant for pair in second for entrant in pair}
    assert points[next_away] == 0


def test_who_is_out_is_not_paired_and_has_no_bye() -> None:
    pairs = swiss_round(range(6), (), {2, 5})
    assert sorted(entrant for pair in pairs for entrant in pair) == [0, 1, 3, 4]
    played = tuple(Meeting(home=h, guest=g, lead=(0, 0)) for h, g in pairs)
    (points,) = half_points(range(6), [played], {2, 5})
    assert points == {0: 1, 1: 1, 2: 0, 3: 1, 4: 1, 5: 0}


def test_what_is_annulled_is_a_half_each_or_a_bye_where_the_opponent_is_out() -> None:
    meetings = [[Meeting(home=0, guest=1, lead=None), Meeting(home=2, guest=3, lead=None)]]
    (points,) = half_points(range(4), meetings, {3})
    assert points == {0: 1, 1: 1, 2: 2, 3: 1}


def test_buchholz_sums_up_the_opponents_points() -> None:
    past = [
        [Meeting(home=0, guest=2, lead=(0, 5)), Meeting(home=1, guest=3, lead=(0, 0))],
        [Meeting(home=0, guest=1, lead=(0, -1)), Meeting(home=2, guest=3, lead=(0, 3))],
    ]
    # Half points: 0 has 2, 1 has 3, 2 has 2, 3 has 1.
    assert buchholz(range(4), past, ()) == {0: 5, 1: 3, 2: 3, 3: 5}


def test_the_same_rounds_always_draw_the_same() -> None:
    assert stage(12, 5, seed=3) == stage(12, 5, seed=3)


def test_rounds_by_default_can_always_be_drawn() -> None:
    assert [rounds_by_default(n) for n in (2, 3, 4, 5, 8, 9, 33)] == [1, 2, 2, 3, 3, 4, 6]
    assert all(rounds_by_default(entrants) <= most_rounds(entrants) for entrants in FIELDS)
