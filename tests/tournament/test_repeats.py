"""A match played again card by card counts once; one that differs counts as always."""

import random
from dataclasses import replace

from arena.record.match_row import MatchRow
from arena.tournament.event_file import BoardsShared
from arena.tournament.repeats import repeats
from arena.tournament.schedule import MatchPlan
from arena.tournament.standings import standings
from tests.tournament.results import all_rows, event_of

TWICE = event_of("a", "b", cycles=2, boards_shared=BoardsShared.EVENT)
"""Two cycles on the same boards: the second seats the pair the other way round first."""


def played() -> list[MatchRow]:
    """Play as bots that never vary: seats and board decide every card."""

    def points(match: MatchPlan, board: int) -> tuple[int, int]:
        own = random.Random(f"{match.seats} {board}").randint(0, 11)  # noqa: S311  # no secret
        return own, 11 - own

    return [replace(row, plays=f"{row.seats} {row.first_board}") for row in all_rows(TWICE, points)]


def test_the_second_cycle_of_bots_that_never_vary_counts_once() -> None:
    rows = played()
    assert repeats(rows) == {row.match_id for row in rows if row.round == 2}
    once, both = ([row for row in rows if row.round == 1], rows)
    (of_both,) = standings(TWICE, both).stages
    (of_once,) = standings(TWICE, once).stages
    assert [e.repeats for e in of_both.entrants] == [4, 4]
    assert [replace(e, repeats=0) for e in of_both.entrants] == list(of_once.entrants)
    assert of_both.matches_counted == 8


def test_one_card_that_differs_makes_it_no_repeat_nor_its_other_orientation() -> None:
    rows = played()
    changed = next(row for row in rows if row.round == 2)
    rows[rows.index(changed)] = replace(changed, plays="another card")
    left = repeats(rows)
    assert changed.match_id not in left
    assert len(left) == 2


def test_results_that_do_not_say_what_was_played_are_never_repeats() -> None:
    assert repeats(replace(row, plays="") for row in played()) == frozenset()


def test_the_order_of_results_does_not_choose_which_one_counts() -> None:
    assert repeats(reversed(played())) == repeats(played())
