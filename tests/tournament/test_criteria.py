"""What may be chosen to rank a stage: a choice that ranks nothing is refused, and says why."""

import pytest

from arena.errors import ConfigError
from arena.tournament.criteria import RankBy, check_criteria, criteria_in_force
from arena.tournament.event_reading import parse_event

TWO = '[[entrant]]\nname = "a"\nbot = "low"\n[[entrant]]\nname = "b"\nbot = "low"\n'
BOARDS = "[[stage]]\nboards = 10\n"
TARGET = '[[stage]]\nboards_per_match = "target"\nboards = 4\n'
SWISS = '[[stage]]\nformat = "swiss"\n'


def read(top: str, stages: str) -> None:
    parse_event(f'name = "cup"\n{top}\n{TWO}{stages}'.encode(), source="x")


@pytest.mark.parametrize(
    ("top", "stages", "words"),
    [
        ('tie_breaks = ["points_per_board"]', BOARDS, "'points_per_board' breaks no tie"),
        ('tie_breaks = ["matches_won"]', TARGET, "'matches_won' breaks no tie"),
        ('tie_breaks = ["boards_won"]', SWISS, "nothing is ranked by it, since Swiss"),
        ('rank_by = "boards_won"', SWISS, "nothing is ranked by it, since Swiss"),
        ('rank_by = "levels"', BOARDS, "allowed are points_per_board, boards_won, matches_won"),
    ],
)
def test_a_criterion_that_ranks_nothing_is_refused(top: str, stages: str, words: str) -> None:
    with pytest.raises(ConfigError) as refusal:
        read(top, stages)
    assert words in str(refusal.value)


@pytest.mark.parametrize(
    ("top", "stages"),
    [
        ('rank_by = "boards_won"\ntie_breaks = ["points_per_board"]', BOARDS),
        ('tie_breaks = ["points_per_board"]', TARGET),
        ('tie_breaks = ["points_per_board"]', BOARDS + TARGET),  # it breaks ties of the second
        ('tie_breaks = ["boards_won"]', BOARDS + SWISS),
    ],
)
def test_one_that_ranks_somewhere_is_taken(top: str, stages: str) -> None:
    read(top, stages)


def test_those_of_formats_are_not_offered() -> None:
    with pytest.raises(ConfigError) as refusal:
        read('rank_by = "foo"', BOARDS)
    offered = '"foo" is not allowed; allowed: "points_per_board", "boards_won", "matches_won"'
    assert str(refusal.value).endswith(offered)


def test_what_is_in_force_is_what_was_chosen_then_what_is_usual() -> None:
    assert criteria_in_force(None, None, is_to_target=False) == (RankBy.POINTS,)
    usual = criteria_in_force(None, None, is_to_target=True)
    assert usual == (RankBy.MATCHES_WON, RankBy.POINTS)
    chosen = criteria_in_force(RankBy.BOARDS_WON, (RankBy.POINTS,), is_to_target=True)
    assert chosen == (RankBy.BOARDS_WON, RankBy.POINTS)
    check_criteria(None, None, are_to_target=[])
