"""A knockout finds one winner, keeps good seeds apart, and parts what ended even."""

import random

import pytest

from arena.tournament.knockout import Bracket, bracket, seed_order
from arena.tournament.meeting import Meeting
from arena.tournament.round_counts import MOST_FURTHER, bracket_levels

FIELDS = range(2, 34)
Past = list[tuple[Meeting, ...]]


def better_seeds_win(state: Bracket) -> tuple[Meeting, ...]:
    return tuple(
        Meeting(home=home, guest=guest, lead=(0, 1 if home < guest else -1))
        for home, guest in state.next_round
    )


@pytest.mark.parametrize("entrants", FIELDS)
def test_all_but_one_lose_once_whatever_happens(entrants: int) -> None:
    chance = random.Random(entrants)  # noqa: S311  # no secret
    past: Past = []
    while (state := bracket(range(entrants), past, ())).next_round:
        seated = [entrant for pair in state.next_round for entrant in pair]
        assert len(seated) == len(set(seated))
        past.append(
            tuple(
                Meeting(home=home, guest=guest, lead=(0, chance.randint(-1, 1)))
                for home, guest in state.next_round
            )
        )
        assert len(past) <= bracket_levels(entrants) * (1 + MOST_FURTHER)
    assert max(state.levels.values()) == bracket_levels(entrants)
    assert list(state.levels.values()).count(bracket_levels(entrants)) == 1
    pairs = {frozenset((one.home, one.guest)) for meetings in past for one in meetings}
    assert len(pairs) == entrants - 1


@pytest.mark.parametrize("entrants", FIELDS)
def test_where_better_seeds_win_the_first_two_meet_in_the_final(entrants: int) -> None:
    past: Past = []
    while (state := bracket(range(entrants), past, ())).next_round:
        past.append(better_seeds_win(state))
    assert len(past) == bracket_levels(entrants)
    assert [{one.home, one.guest} for one in past[-1]] == [{0, 1}]


def test_byes_go_to_the_best_seeds() -> None:
    first = bracket(range(6), (), ()).next_round
    assert {frozenset(pair) for pair in first} == {frozenset((3, 4)), frozenset((2, 5))}


def test_a_bracket_of_eight_is_seeded_as_usual() -> None:
    assert seed_order(8) == [0, 7, 3, 4, 1, 6, 2, 5]


def test_only_even_pairings_meet_again_with_seats_swapped_until_the_better_seed_goes_on() -> None:
    past: Past = [
        (
            Meeting(home=0, guest=3, lead=(0, 4)),
            Meeting(home=1, guest=2, lead=(0, 0)),
        )
    ]
    for further in range(MOST_FURTHER):
        state = bracket(range(4), past, ())
        assert state.next_round == ((2, 1) if further % 2 == 0 else (1, 2),)
        home, guest = state.next_round[0]
        past.append((Meeting(home=home, guest=guest, lead=(0, 0)),))
    assert bracket(range(4), past, ()).next_round == ((0, 1),)


def test_who_is_out_loses_to_whomever_it_meets() -> None:
    assert bracket(range(4), (), {0}).next_round == ((1, 2),)
    past: Past = [(Meeting(home=1, guest=2, lead=(0, 9)),)]
    assert bracket(range(4), past, {0}).next_round == ((1, 3),)
    annulled: Past = [
        (Meeting(home=0, guest=3, lead=None), Meeting(home=1, guest=2, lead=(0, 1))),
    ]
    assert bracket(range(4), annulled, {0}).next_round == ((1, 3),)


def final_of_four(first: int = 4) -> Past:
    """Give a knockout of four that 0 won against 2; ``first``: by what it led in its first one."""
    return [
        (Meeting(home=0, guest=3, lead=(0, first)), Meeting(home=1, guest=2, lead=(0, -4))),
        (Meeting(home=0, guest=2, lead=(0, 0)),),
        (Meeting(home=2, guest=0, lead=(0, -1)),),
    ]


@pytest.mark.parametrize("first", [4, 0, -4])
def test_who_was_drawn_for_the_final_has_reached_it_whatever_was_ruled_on_its_way(
    first: int,
) -> None:
    past = final_of_four(first)
    over = bracket(range(4), past, ())
    assert over == bracket(range(4), final_of_four(), ())
    assert (over.next_round, over.levels) == ((), {0: 2, 1: 0, 2: 1, 3: 0})
    drawn = [[(one.home, one.guest) for one in meetings] for meetings in past]
    begun = bracket(range(4), past[:1], (), ahead=drawn[1:2])
    assert begun == bracket(range(4), final_of_four()[:1], ())
    assert begun.levels == {0: 1, 1: 0, 2: 1, 3: 0}


def test_where_the_winner_is_disqualified_the_other_finalist_has_won() -> None:
    first = final_of_four()[0]
    past: Past = [
        (Meeting(home=0, guest=3, lead=None), first[1]),
        (Meeting(home=0, guest=2, lead=None),),
        (Meeting(home=2, guest=0, lead=None),),
    ]
    over = bracket(range(4), past, {0}, is_drawn_out=True)
    assert (over.next_round, over.levels) == ((), {0: 1, 1: 0, 2: 2, 3: 0})


def test_a_final_made_even_when_no_round_can_be_drawn_goes_to_the_better_seed() -> None:
    past = [*final_of_four()[:2], (Meeting(home=2, guest=0, lead=None),)]
    assert bracket(range(4), past, ()).next_round == ((0, 2),)
    over = bracket(range(4), past, (), is_drawn_out=True)
    assert (over.next_round, over.levels) == ((), {0: 2, 1: 0, 2: 1, 3: 0})


def test_two_that_are_out_play_nothing() -> None:
    assert bracket(range(2), (), {0, 1}).next_round == ()
