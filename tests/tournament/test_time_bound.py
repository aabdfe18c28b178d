"""A round is begun only if it can be complete in time; the first one always is."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.tournament.drawn import Place
from arena.tournament.time_bound import SLACK_PERCENT, Room, TimeBound

SECOND = 1_000_000_000


class Rounds:
    """Rounds of four matches each, and what is left of them."""

    def __init__(self, allowed_s: int) -> None:
        self.left: Counter[Place] = Counter({(1, number): 4 for number in range(1, 9)})
        self.bound = TimeBound(allowed_s * SECOND, self.left.__getitem__)

    def room(self, number: int, elapsed_s: int) -> Room:
        """Ask for the room for a round."""
        return self.bound.room_for((1, number), elapsed_s * SECOND)

    def play(self, number: int, matches: int = 4) -> None:
        """Let matches of a round count."""
        for _ in range(matches):
            self.left[1, number] -= 1
            self.bound.count()


def test_the_first_round_of_a_run_is_begun_however_little_time_there_is() -> None:
    rounds = Rounds(allowed_s=1)
    assert rounds.room(3, 0) is Room.BEGIN
    assert rounds.room(3, 100) is Room.BEGIN  # the rest of a round that has begun


def test_before_anything_counts_the_next_round_waits() -> None:
    rounds = Rounds(allowed_s=1_000_000)
    rounds.room(1, 0)
    assert rounds.room(2, 1) is Room.WAIT
    rounds.play(1, 1)
    assert rounds.room(2, 10) is Room.BEGIN


def test_a_round_that_does_not_fit_waits_for_those_in_play_and_is_then_cut() -> None:
    rounds = Rounds(allowed_s=100)
    rounds.room(1, 0)
    rounds.play(1, 3)
    assert rounds.room(2, 60) is Room.WAIT
    rounds.play(1, 1)
    assert rounds.room(2, 60) is Room.CUT


def test_what_is_in_play_takes_its_time_too() -> None:
    rounds = Rounds(allowed_s=100)
    rounds.room(1, 0)
    rounds.play(1)  # ten seconds a match
    assert rounds.room(2, 40) is Room.BEGIN
    assert rounds.room(3, 40) is Room.WAIT  # 40 + 8 * 10 * 1.25 s is too long


@pytest.mark.parametrize(("allowed_s", "room"), [(90, Room.BEGIN), (89, Room.CUT)])
def test_a_quarter_more_than_so_far_is_allowed_for(allowed_s: int, room: Room) -> None:
    assert SLACK_PERCENT == 25
    rounds = Rounds(allowed_s=allowed_s)
    rounds.room(1, 0)
    rounds.play(1)
    assert rounds.room(2, 40) is room


@given(st.integers(1, 10_000), st.integers(1, 60))
def test_rounds_of_even_pace_are_complete_in_time_but_for_the_first(
    allowed_s: int, per_match_s: int
) -> None:
    rounds = Rounds(allowed_s=allowed_s)
    elapsed = complete = 0
    for number in range(1, 9):
        if rounds.room(number, elapsed) is not Room.BEGIN:
            break
        rounds.play(number)
        elapsed += 4 * per_match_s
        complete += 1
    assert complete == 1 or elapsed <= allowed_s
    assert complete == 8 or elapsed + 5 * per_match_s > allowed_s
