"""A comparison ends at the same block whatever order results come in, and says why."""

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest

from arena.errors import ConfigError
from arena.record.match_row import MatchRow
from arena.tournament.compared import Comparison, Outcome
from arena.tournament.comparing import Comparer, comparison
from arena.tournament.event_file import EventFile
from arena.tournament.event_reading import parse_event
from arena.tournament.event_text import event_text
from arena.tournament.rating.sequential import EloTest, PointsTest, SequentialTest
from arena.tournament.rating.sprt import EloModel
from arena.tournament.rulings import Act, Ruling, Rulings, fold
from arena.tournament.schedule import MatchPlan
from arena.tournament.suspension import NO_RULINGS
from tests.tournament.results import all_rows, event_of, forfeited

TEST = PointsTest()


def event(blocks: int = 40, test: SequentialTest = TEST) -> EventFile:
    made = event_of("a", "b", cycles=blocks, boards=10, boards_per_match=10)
    return replace(made, compare=test)


def leading(by: float, seed: int = 1) -> list[MatchRow]:
    """Play everything out; a scores so many points per board more than b, with luck around."""

    def points(match: MatchPlan, board: int) -> tuple[int, int]:
        chance = random.Random(f"{seed} {match.id} {board}")  # noqa: S311  # no secret
        own = round(5.5 + by / 2 + chance.gauss(0, 1.5))
        return (own, 11 - own) if match.seats[0] == 0 else (11 - own, own)

    return list(all_rows(event(), points))


def compared(
    rows: Sequence[MatchRow], rulings: Rulings = NO_RULINGS, of: EventFile | None = None
) -> Comparison:
    found = comparison(of or event(), rows, rulings)
    assert found is not None
    return found


def ruled(act: Act, on: str, **more: object) -> Ruling:
    return Ruling(act=act, on=on, by="me", reason="x", **more)  # type: ignore[arg-type]


def test_the_better_one_is_accepted_and_the_worse_one_rejected() -> None:
    assert compared(leading(1.5)).outcome is Outcome.ACCEPTED
    assert compared(leading(-1.5)).outcome is Outcome.REJECTED


def test_the_order_in_which_results_come_changes_nothing() -> None:
    rows = leading(0.6)
    expected = compared(rows)
    assert expected.outcome is Outcome.ACCEPTED
    for seed in range(5):
        shuffled = random.Random(seed).sample(rows, len(rows))  # noqa: S311  # no secret
        assert compared(shuffled) == expected


def test_what_is_played_after_the_verdict_changes_nothing() -> None:
    rows = leading(1.5)
    verdict = compared(rows)
    needed = verdict.standing.groups
    assert 20 <= needed < 400
    assert compared([row for row in rows if row.round <= needed // 10]) == verdict


def test_a_block_counts_when_both_orientations_do() -> None:
    rows = leading(0.5)
    comparer = Comparer(event(), TEST)
    assert not comparer.add(rows[0])
    assert comparer.result().standing.groups == 0
    assert comparer.add(rows[1])
    assert not comparer.add(rows[1])
    assert comparer.result().standing.groups == 10


def test_later_blocks_wait_for_earlier_ones() -> None:
    rows = leading(0.5)
    comparer = Comparer(event(), TEST)
    for row in rows[2:6]:
        assert not comparer.add(row)
    assert not comparer.add(rows[0])
    assert comparer.add(rows[1])
    assert comparer.result().standing.groups == 30


def test_with_all_boards_played_and_nothing_decided_it_is_undecided() -> None:
    short = event(blocks=1)
    rows = [row for row in leading(0.25) if row.round == 1]
    found = compared(rows, of=short)
    assert (found.outcome, found.most_boards) == (Outcome.UNDECIDED, 10)


def test_a_bot_that_forfeits_again_and_again_ends_it() -> None:
    rows = [forfeited(row, row.seats.index("b"), 3) for row in leading(0.0)[:8]]
    found = compared(rows)
    assert found.outcome is Outcome.FORFEITED
    assert found.forfeits == (0, 4)
    # Boards left by a forfeit say nothing about play: 3 of each block were played both ways.
    assert found.standing.groups == 6


def test_a_void_match_takes_its_boards_out_of_the_test() -> None:
    needed = compared(leading(1.5)).standing.groups
    rows = [row for row in leading(1.5) if row.round <= needed // 10]
    assert compared(rows).outcome is Outcome.ACCEPTED
    found = compared(rows, fold([ruled(Act.VOID, rows[0].match_id)]))
    assert (found.outcome, found.standing.groups) == (Outcome.OPEN, needed - 10)


def test_adjusted_points_are_what_is_tested() -> None:
    rows = leading(1.5)
    assert compared(rows).outcome is Outcome.ACCEPTED
    acts = [
        ruled(Act.ADJUST, row.match_id, board=board.board, points=board.points[::-1])
        for row in rows
        for board in row.boards
    ]
    assert compared(rows, fold(acts)).outcome is Outcome.REJECTED


def test_a_match_to_be_played_again_keeps_its_block_open() -> None:
    rows = leading(1.5)[:4]
    rulings = fold([ruled(Act.REPLAY, rows[-1].match_id, attempt=1)])
    found = compared(rows, rulings)
    assert (found.outcome, found.standing.groups) == (Outcome.OPEN, 10)
    assert compared([*rows, replace(rows[-1], attempt=2)], rulings) == compared(rows)


def test_with_a_bot_out_of_the_event_no_board_counts() -> None:
    found = compared(leading(1.5), fold([ruled(Act.DISQUALIFY, "b")]))
    assert (found.outcome, found.standing.groups) == (Outcome.DISQUALIFIED, 0)
    assert found.is_decided
    back = fold([ruled(Act.DISQUALIFY, "b"), ruled(Act.REINSTATE, "b")])
    assert compared(leading(1.5), back) == compared(leading(1.5))


def test_matches_that_a_suspended_bot_does_not_play_are_its_forfeits() -> None:
    strict = event()
    strict = replace(strict, stages=(replace(strict.stages[0], suspend_after=1),))
    rows = leading(0.0)[:2]
    rows[0] = forfeited(rows[0], rows[0].seats.index("b"), 3)
    assert compared(rows, of=strict).outcome is Outcome.FORFEITED


def test_an_event_without_a_test_compares_nothing() -> None:
    assert comparison(replace(event(), compare=None), leading(0.5)) is None


@pytest.mark.parametrize(
    "test", [TEST, PointsTest(points0=-1, alpha=0.01), EloTest(model=EloModel.NORMALISED)]
)
def test_a_comparison_reads_back_as_it_was_written(test: SequentialTest) -> None:
    written = event(test=test)
    assert parse_event(event_text(written).encode(), source="x").compare == test


@pytest.mark.parametrize(
    ("compare", "words"),
    [
        (
            'test = "points"\nlow = 1\nhigh = 1',
            "[compare] low and high: found 1 and 1; allowed: low below high",
        ),
        ('test = "points"\nlow = 0\nhigh = 12', "both from -11 to 11"),
        ('test = "elo"\nlow = 0\nhigh = 5\nalpha = 0.5', "alpha: found 0.5"),
        ('test = "points"\nlow = 0\nhigh = 1\nmodel = "logistic"', "model: goes with"),
    ],
)
def test_a_test_that_is_none_is_refused(compare: str, words: str) -> None:
    text = event_text(replace(event(), compare=None)).replace(
        "[clock]", f"[compare]\n{compare}\n[clock]"
    )
    with pytest.raises(ConfigError, match="compare") as refusal:
        parse_event(text.encode(), source="x")
    assert words in str(refusal.value)


def test_boards_that_are_not_turned_cannot_be_compared() -> None:
    made = event()
    stage = replace(made.stages[0], trust_memory=False)
    with pytest.raises(ConfigError, match="needs turned boards"):
        replace(made, stages=(stage,))


def test_three_entrants_are_too_many() -> None:
    with pytest.raises(ConfigError, match="3 entrants"):
        replace(event_of("a", "b", "c"), compare=TEST)
