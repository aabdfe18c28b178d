"""No deal brings a side more than it is worth, whatever is played, declared or broken."""

import random
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.rules.dealing import deal_board, seed_from_text
from arena.rules.events import DealScored
from arena.rules.match import Match
from arena.rules.presets import PRESETS, parse_ruleset
from arena.rules.question import Answer
from arena.rules.worth import may_be_negative, most_margin, most_points


@pytest.mark.parametrize(
    ("ruleset", "points"),
    [
        ("gamelake-2", 11),
        ("gamelake-4", 11),
        ("italian-tournament:declarations=off", 11),
        # Four napoletane at 3 and three fours at 4 on top.
        ("italian-tournament", 11 + 4 * 3 + 3 * 4),
        ("gamelake-4:cappotto_bonus=11", 22),
    ],
)
def test_a_deal_is_worth_its_cards_its_sweep_and_all_combinations(
    ruleset: str, points: int
) -> None:
    assert most_points(parse_ruleset(ruleset)) == points


def test_points_below_nought_are_those_of_rulesets_that_charge_infractions() -> None:
    assert not may_be_negative(PRESETS["gamelake-4"])
    assert may_be_negative(PRESETS["italian-tournament"])


@given(st.sampled_from([*sorted(PRESETS), "gamelake-2:cappotto_bonus=11"]), st.integers(0, 2**32))
def test_no_deal_that_is_played_out_is_worth_more(name: str, luck: int) -> None:
    ruleset = parse_ruleset(name)
    cards = partial(deal_board, ruleset, seed_from_text(str(luck)))
    match = Match(ruleset, cards=cards, first_board=1, boards=1)
    chance = random.Random(luck)  # noqa: S311  # no secret
    scored: list[DealScored] = []
    while (question := match.question) is not None:
        answer = Answer(card=chance.choice(question.legal), declarations=question.declarable)
        scored += [one for one in match.apply(answer) if isinstance(one, DealScored)]
    (deal,) = scored
    assert 0 <= min(deal.points) <= max(deal.points) <= most_points(ruleset)
    assert max(deal.points) - min(deal.points) <= most_margin(ruleset)


@pytest.mark.parametrize(
    ("ruleset", "points"),
    [
        ("italian-tournament:declarations=off", 11),
        ("gamelake-4", 11),
        ("cardgames-zone-4", 35),
        ("cardgames-zone-4:revoke_own_points=-4", 39),
    ],
)
def test_nobody_is_ahead_by_more_than_a_deal_is_worth_and_a_revoke_costs(
    ruleset: str, points: int
) -> None:
    assert most_margin(parse_ruleset(ruleset)) == points
