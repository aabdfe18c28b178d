"""From thirds to points, penalties, sweeps, and the end of a match."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rules.presets import PRESETS, parse_ruleset
from arena.rules.scoring import (
    Phase,
    add_to_totals,
    card_points,
    infraction_cost,
    infraction_ends_deal,
    judge_match,
    score_deal,
    score_revoke,
    side_ahead,
    sweeping_side,
)

GL = PRESETS["gamelake-4"]
CZ = PRESETS["cardgames-zone-4"]
IT = PRESETS["italian-tournament"]
NOTHING = (0, 0)


def test_a_deals_score_is_the_sum_of_its_parts() -> None:
    """Cards, declarations and infractions."""
    score = score_deal(IT, thirds=(18, 17), tricks=(5, 5), declared=(3, 7), penalties=(-2, 0))
    assert score.points == (6 + 3 - 2, 5 + 7)
    assert (score.declared, score.penalties) == ((3, 7), (-2, 0))


@pytest.mark.parametrize(
    ("options", "thirds", "tricks", "points"),
    [
        ("", (35, 0), (10, 0), (11, 0)),
        (":cappotto_bonus=11", (35, 0), (10, 0), (22, 0)),
        (":cappotto_bonus=11", (0, 35), (0, 10), (0, 22)),
        (":cappotto_bonus=11", (33, 2), (9, 1), (11, 0)),
        (":cappotto_bonus=11,cappotto_test=all_points", (33, 2), (9, 1), (22, 0)),
        (":cappotto_bonus=11,cappotto_test=all_points", (32, 3), (9, 1), (10, 1)),
        (":cappotto_bonus=5,cappotto_test=all_points", (35, 0), (9, 1), (16, 0)),
    ],
)
def test_a_sweep_pays_its_bonus(
    options: str, thirds: tuple[int, int], tricks: tuple[int, int], points: tuple[int, int]
) -> None:
    """CZ §7: all tricks; optionally all points; on top of the deal's 11."""
    ruleset = parse_ruleset(f"cardgames-zone-4{options}")
    score = score_deal(ruleset, thirds=thirds, tricks=tricks, declared=NOTHING, penalties=NOTHING)
    assert score.points == points


def test_no_side_sweeps_a_deal_without_tricks() -> None:
    """As at its start."""
    assert sweeping_side(CZ, thirds=NOTHING, tricks=NOTHING) is None


def test_a_revoke_gives_the_other_side_its_points_and_its_declarations() -> None:
    """IT ¶5: 10 points; the offender keeps nothing but what its own infractions cost."""
    score = score_revoke(IT, offender=0, declared=(3, 4), penalties=(-1, -1))
    assert score.points == (-1, 10 + 4 - 1)
    assert (score.declared, score.penalties) == ((0, 4), (-1, 9))


def test_a_revoke_can_cost_the_offender_and_cancel_declarations() -> None:
    """By overriding."""
    ruleset = parse_ruleset(
        "italian-tournament:revoke_points=5,revoke_own_points=-6,revoke_declarations=none"
    )
    score = score_revoke(ruleset, offender=1, declared=(3, 4), penalties=NOTHING)
    assert (score.points, score.declared, score.penalties) == ((5, -6), (0, 0), (5, -6))


def test_an_infraction_costs_points_or_the_deal() -> None:
    """IT ¶5: one point; CZ §7: the deal; GL knows none."""
    assert [infraction_cost(ruleset) for ruleset in (IT, CZ, GL)] == [-1, 0, 0]
    assert [infraction_ends_deal(ruleset) for ruleset in (IT, CZ, GL)] == [False, True, False]


def test_totals_fall_below_zero_unless_the_ruleset_forbids_it() -> None:
    """rules.md §3 row 32."""
    assert add_to_totals(IT, (0, 5), (-1, 3)) == (-1, 8)
    clamped = parse_ruleset("italian-tournament:negative_totals=off")
    assert add_to_totals(clamped, (0, 5), (-1, 3)) == (0, 8)


@settings(deadline=None)
@given(st.tuples(st.integers(-5, 60), st.integers(-5, 60)), st.sampled_from(Phase))
def test_a_match_ends_when_its_rule_says(totals: tuple[int, int], phase: Phase) -> None:
    """GL, CZ: at the target, unless equal. IT: alone at the target, or ahead in an extra deal."""
    ahead = side_ahead(totals)
    for ruleset in (GL, CZ):
        verdict = judge_match(ruleset, totals, Phase.NORMAL)
        is_over = max(totals) >= 21 and ahead is not None
        assert (verdict.over, verdict.winner) == (is_over, ahead if is_over else None)
        assert verdict.phase is Phase.NORMAL
    verdict = judge_match(IT, totals, phase)
    reached = [side for side in (0, 1) if totals[side] >= 31]
    if phase is Phase.EXTRA:
        assert (verdict.over, verdict.winner) == (ahead is not None, ahead)
        assert verdict.phase is Phase.EXTRA
    elif len(reached) == 1:
        assert (verdict.over, verdict.winner) == (True, reached[0])
    else:
        assert not verdict.over
        assert verdict.phase is (Phase.EXTRA if reached else Phase.NORMAL)


def test_the_side_ahead_is_the_one_with_the_highest_total() -> None:
    """Nobody when it is shared."""
    assert [side_ahead(totals) for totals in ((3, 1), (1, 3), (2, 2))] == [0, 1, None]


def test_each_side_drops_its_fraction() -> None:
    """GL "Points": 10⅔ counts as 10."""
    assert card_points((32, 3)) == (10, 1)
