"""Deals on arrays are the deals of the rules, and show a seat no more than it may know."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, product
from random import Random

import numpy as np
import pytest

import arena.rl
from arena.errors import ConfigError, RulesError, RulesetError
from arena.rl import VectorDeals
from arena.rules import scoring
from arena.rules.cards import CARDS, cards_of, set_of
from arena.rules.deal import Deal
from arena.rules.dealing import DealtCards
from arena.rules.options import DrawVisibility
from arena.rules.ruleset import Ruleset
from tests.rl.games import RULESETS, dealt_board, placed, side_by_side

EVERY_RULESET = pytest.mark.parametrize("ruleset", RULESETS, ids=[r.name for r in RULESETS])
BOARDS = range(1, 21)


def margin(ruleset: Ruleset, deal: Deal) -> int:
    """Return side 0's points minus side 1's of a deal that was played out."""
    nothing = (0, 0)
    score = scoring.score_deal(
        ruleset,
        thirds=deal.thirds,
        tricks=deal.tricks_won(),
        declared=nothing,
        penalties=nothing,
    )
    return score.points[0] - score.points[1]


@EVERY_RULESET
@pytest.mark.parametrize("board", BOARDS)
def test_every_card_is_as_in_the_rules(ruleset: Ruleset, board: int) -> None:
    for deals, deal in side_by_side(ruleset, board):
        step = deals.look()
        assert [CARDS[place] for place in np.flatnonzero(step.legal[0])] == [*deal.legal_cards()]
        assert deals.turn[0] == deal.turn
        assert step.done[0] == deal.is_over
        gain = margin(ruleset, deal) if deal.is_over else 0
        assert step.reward.tolist() == [[gain, -gain]]


def test_the_boards_have_sweeps_that_count() -> None:
    bonus = RULESETS[-1]
    assert bonus.cappotto_bonus
    plain = replace(bonus, name="plain", cappotto_bonus=0, cappotto_test=RULESETS[0].cappotto_test)
    last = [[*side_by_side(bonus, board)][-1][1] for board in BOARDS]
    assert any(margin(bonus, deal) != margin(plain, deal) for deal in last)


def worlds(dealt: DealtCards, deal: Deal, me: int) -> Iterator[DealtCards]:
    """Swap two cards of one suit that lie in two places, both hidden from ``me``."""
    is_public = deal.ruleset.draw_visibility is DrawVisibility.PUBLIC
    shown = {*deal.history, *cards_of(deal.hands[me]), *(deal.draws if is_public else ())}
    places = [*dealt.hands, dealt.stock]
    for one, other in combinations(places, 2):
        for a, b in product({*one} - shown, {*other} - shown):
            if a.suit is b.suit:
                swap = {a: b, b: a}
                yield DealtCards(
                    tuple(tuple(swap.get(card, card) for card in hand) for hand in dealt.hands),
                    tuple(swap.get(card, card) for card in dealt.stock),
                )


@EVERY_RULESET
def test_an_observation_does_not_hang_on_hidden_cards(ruleset: Ruleset) -> None:
    chance, twins = Random(7), 0  # noqa: S311 - cards to look at, no secrets
    dealt, leader = dealt_board(ruleset, 5)
    for deals, deal in side_by_side(ruleset, 5):
        for me in range(ruleset.seats):
            others = [*worlds(dealt, deal, me)]
            if not others:
                continue
            twin = placed(ruleset, chance.choice(others), leader)
            for card in deal.history:
                twin.step([card - 1])
            twins += 1
            assert np.array_equal(twin.observe(0, me), deals.observe(0, me))
    assert twins >= ruleset.hand_size


def test_an_observation_hangs_on_the_own_hand() -> None:
    ruleset = RULESETS[0]
    dealt, leader = dealt_board(ruleset, 5)
    turned = DealtCards((*dealt.hands[1:], dealt.hands[0]))
    one, other = placed(ruleset, dealt, leader), placed(ruleset, turned, leader)
    assert not np.array_equal(one.observe(0, 2), other.observe(0, 2))


@EVERY_RULESET
def test_deals_of_their_own_are_whole_and_differ(ruleset: Ruleset) -> None:
    deals = VectorDeals(50, ruleset, seed=3)
    hands = [
        [np.flatnonzero(deals.observe(index, seat)[:40]).tolist() for seat in range(ruleset.seats)]
        for index in range(50)
    ]
    for deal in hands:
        cards = [card for hand in deal for card in hand]
        assert len(set(cards)) == len(cards) == ruleset.seats * ruleset.hand_size
    assert len({str(deal) for deal in hands}) == 50


def test_each_seat_gets_each_card_about_as_often() -> None:
    count = 20_000
    deals = VectorDeals(count, seed=11)
    firsts = deals.look().observation[:, :40].sum(axis=0, dtype=np.int64)
    # A card is in the leader's hand one time in four; eight standard errors around it.
    assert abs(firsts / count - 0.25).max() < 8 * (0.25 * 0.75 / count) ** 0.5


@EVERY_RULESET
def test_a_seed_repeats_deals_and_random_cards(ruleset: Ruleset) -> None:
    one, two, other = (VectorDeals(8, ruleset, seed=seed) for seed in (5, 5, 6))
    differs = False
    for _ in range(90):
        cards = one.random_cards()
        assert np.array_equal(cards, two.random_cards())
        step, again = one.step(cards), two.step(cards)
        assert np.array_equal(step.observation, again.observation)
        assert np.array_equal(step.reward, again.reward)
        differs |= not np.array_equal(
            step.observation, other.step(other.random_cards()).observation
        )
    assert differs
    first = VectorDeals(8, ruleset, seed=5).look()
    assert np.array_equal(one.reset(5).observation, first.observation)


def test_deals_do_not_hang_on_how_many_there_are() -> None:
    few, many = VectorDeals(2, seed=9), VectorDeals(5, seed=9)
    assert np.array_equal(few.look().observation, many.look().observation[:2])


def test_a_deal_that_ends_is_dealt_anew_and_the_next_seat_leads() -> None:
    deals = VectorDeals(4, seed=1)
    assert deals.turn.tolist() == [0, 1, 2, 3]
    for _ in range(39):
        assert not deals.step(deals.random_cards()).done.any()
    step = deals.step(deals.random_cards())
    assert step.done.all()
    assert deals.turn.tolist() == [1, 2, 3, 0]
    assert (step.observation[:, :40].sum(axis=1) == 10).all()
    assert not deals.step(deals.random_cards()).reward.any()


def test_without_redealing_a_deal_stays_over() -> None:
    deals = VectorDeals(2, seed=1, redeal=False)
    for _ in range(20):
        deals.step(deals.random_cards())
    deals.place(1, *dealt_board(deals.ruleset, 1))
    for _ in range(20):
        step = deals.step(deals.random_cards())
    assert step.done.tolist() == [True, False]
    assert not step.legal[0].any()
    step = deals.step([-1, deals.random_cards()[1]])
    assert step.done.tolist() == [True, False]
    assert step.reward.tolist() == [[0, 0], [0, 0]]


def test_the_arrays_of_a_step_stay_as_they_are() -> None:
    deals = VectorDeals(3, seed=2)
    shown = (deals.look().observation, deals.look().legal, deals.turn)
    before = [array.tolist() for array in shown]
    deals.step(deals.random_cards())
    assert [array.tolist() for array in shown] == before


def test_an_illegal_card_is_refused_and_nothing_changes() -> None:
    deals = VectorDeals(3, seed=2)
    before = deals.look()
    cards = deals.random_cards()
    cards[1] = int(np.flatnonzero(~before.legal[1])[0])
    with pytest.raises(RulesError, match=rf"^deal 1, seat 1: {cards[1]} \({CARDS[cards[1]]}\) may"):
        deals.step(cards)
    cards[1] = 40
    with pytest.raises(RulesError, match=r"^deal 1, seat 1: 40 \(no card\) may not be played; all"):
        deals.step(cards)
    for index in range(3):
        assert np.array_equal(deals.observe(index, index), before.observation[index])


@pytest.mark.parametrize("cards", [[1], [[1, 2]], [1.0, 2.0], [True, False]])
def test_cards_of_another_kind_are_refused(cards: object) -> None:
    with pytest.raises(ValueError, match=r"\(2,\) whole numbers were expected"):
        VectorDeals(2).step(cards)  # type: ignore[arg-type]


def test_declarations_are_refused_with_the_cure() -> None:
    with pytest.raises(RulesetError, match=r"pagat-4: .* write pagat-4:declarations=off"):
        VectorDeals(1, "pagat-4")


def test_numbers_out_of_range_are_refused() -> None:
    with pytest.raises(ValueError, match="n = 0"):
        VectorDeals(0)
    with pytest.raises(ValueError, match="seed = -1"):
        VectorDeals(1, seed=-1)
    with pytest.raises(RulesError, match="seat 4: gamelake-4 has seats 0 to 3"):
        VectorDeals(1).observe(0, 4)


def test_a_deal_of_another_ruleset_is_not_placed() -> None:
    dealt, leader = dealt_board(RULESETS[0], 1)
    with pytest.raises(RulesError, match=r"^hands and stock of \[10, 10, 10, 10, 0\] cards"):
        VectorDeals(1, "gamelake-2").place(0, dealt, leader)
    with pytest.raises(RulesError, match=r"^seat 7: "):
        VectorDeals(1).place(0, dealt, 7)


@pytest.mark.parametrize("missing", ["numba", "pettingzoo"])
def test_a_missing_library_is_named_with_the_cure(
    missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.startswith("arena.rl.")]:
        monkeypatch.delitem(sys.modules, name)
        monkeypatch.delattr(name, raising=False)
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ConfigError, match=rf"^arena.rl needs {missing}, .*arena\[rl\]'$"):
        _ = arena.rl.environment
    with pytest.raises(AttributeError, match="nothing_such"):
        _ = arena.rl.nothing_such


def test_a_card_is_its_place_on_the_number_line() -> None:
    deals = VectorDeals(1, redeal=False)
    dealt, leader = dealt_board(deals.ruleset, 1)
    step = deals.place(0, dealt, leader)
    legal = np.flatnonzero(step.legal[0]).tolist()
    assert set_of(CARDS[place] for place in legal) == set_of(dealt.hands[leader])
