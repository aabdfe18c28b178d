"""A view says what its seat may know, and what it says is so."""

from dataclasses import replace
from itertools import islice
from random import Random
from types import SimpleNamespace

import pytest

from arena.rules.cards import CARDS, SUIT_CARDS, Card, Suit, cards_of
from arena.rules.observation import observe
from arena.rules.presets import PRESETS, parse_ruleset
from arena.rules.question import Answer
from arena.rules.ruleset import Ruleset
from arena.sdk import MatchInfo, View, decoded, view
from arena.wire.rulesets import encode_ruleset
from tests.sdk.positions import (
    asked,
    before_the_last_card,
    match_of,
    played_at_random,
    started,
    view_of,
)

EVERY_RULESET = pytest.mark.parametrize("ruleset", PRESETS.values(), ids=PRESETS.keys())


@EVERY_RULESET
def test_a_view_agrees_with_the_match_at_every_card(ruleset: Ruleset) -> None:
    for match in played_at_random(ruleset):
        seat, deal = match.deal.turn, match.deal
        seen = view_of(match)
        question = match.question
        assert question is not None
        assert (seen.seat, seen.seats, seen.side) == (seat, ruleset.seats, ruleset.side_of(seat))
        assert seen.legal == question.legal
        assert seen.declarable == question.declarable
        assert seen.signals_allowed == question.signals_allowed
        assert seen.hand == cards_of(deal.hands[seat])
        assert seen.trick == deal.trick
        assert seen.leader == deal.leader
        assert list(seen.played) == deal.history
        assert seen.thirds == tuple(deal.thirds)
        assert seen.stock_size == len(deal.stock)
        assert seen.totals == (0, 0)
        observed = observe(match, seat)
        assert seen.declarations == observed.declarations
        assert seen.signals == observed.signals
        assert seen.known_cards == observed.known_cards
        assert seen.deal == observed.deal


@EVERY_RULESET
def test_hand_played_and_unseen_are_the_deck(ruleset: Ruleset) -> None:
    for match in played_at_random(ruleset, board=2):
        seen = view_of(match)
        assert sorted(seen.hand + seen.played + seen.unseen) == list(CARDS)


@EVERY_RULESET
def test_tricks_have_the_winners_of_the_match(ruleset: Ruleset) -> None:
    last = before_the_last_card(ruleset, board=3)
    tricks = view_of(last).tricks
    assert len(tricks) == ruleset.tricks - 1
    assert [trick.leader for trick in tricks] == last.deal.trick_leaders
    assert [trick.winner for trick in tricks[:-1]] == last.deal.trick_leaders[1:]
    assert tricks[-1].winner == last.deal.leader
    for trick in tricks:
        followed = [card for card in trick.cards if card.suit is trick.cards[0].suit]
        assert trick.card_of(trick.winner) == max(followed)


@EVERY_RULESET
def test_a_void_that_is_shown_is_a_void(ruleset: Ruleset) -> None:
    shown = 0
    for board in range(1, 6):
        for match in played_at_random(ruleset, board=board):
            for seat, suits in enumerate(view_of(match).voids):
                shown += len(suits)
                assert not any(match.deal.hands[seat] & SUIT_CARDS[suit] for suit in suits)
    assert shown


@EVERY_RULESET
def test_a_discard_where_suit_must_be_followed_shows_a_void(ruleset: Ruleset) -> None:
    last = before_the_last_card(ruleset, board=4)
    seen = view_of(last)
    for trick in seen.tricks[ruleset.stock // ruleset.seats :]:
        for seat in range(ruleset.seats):
            led = trick.cards[0].suit
            assert trick.card_of(seat).suit is led or led in seen.voids[seat]


@EVERY_RULESET
def test_the_ruleset_comes_back_whole(ruleset: Ruleset) -> None:
    assert view_of(match_of(ruleset)).ruleset == ruleset


def test_a_ruleset_with_options_changed_comes_back_whole() -> None:
    ruleset = replace(PRESETS["cardgames-zone-4"], deal_packets=(3, 3, 4), max_deals=3)
    assert decoded.read_ruleset(encode_ruleset(ruleset)) == ruleset


def test_an_option_of_a_newer_arena_is_named() -> None:
    message = encode_ruleset(PRESETS["gamelake-4"])
    message.goal = 99  # type: ignore[assignment]
    with pytest.raises(ValueError, match=r"goal: 99 is a value of a newer arena"):
        decoded.read_ruleset(message)


def test_the_best_card_of_the_trick_is_the_highest_of_the_suit_led() -> None:
    for match in played_at_random(PRESETS["gamelake-4"], board=5):
        seen = view_of(match)
        if not seen.trick:
            assert (seen.led, seen.best_card, seen.best_seat) == (None, None, None)
            continue
        assert seen.led is seen.trick[0].suit
        best = max(card for card in seen.trick if card.suit is seen.led)
        assert seen.best_card is best
        assert seen.best_seat == (seen.leader + seen.trick.index(best)) % 4
        assert seen.is_last_to_play is (len(seen.trick) == 3)


def test_the_partner_sits_opposite_where_there_is_one() -> None:
    assert view_of(match_of(parse_ruleset("gamelake-4"), board=2)).partner == 3
    assert view_of(match_of(parse_ruleset("gamelake-2"))).partner is None


def test_the_last_trick_needs_an_empty_stock() -> None:
    for match in played_at_random(parse_ruleset("gamelake-2")):
        is_last = len(match.deal.trick_leaders) == 19
        assert view_of(match).is_last_trick is is_last


def test_cards_drawn_in_public_are_known() -> None:
    ruleset = PRESETS["pagat-2"]
    fourth_trick = next(islice(played_at_random(ruleset), 6, None))
    other = 1 - fourth_trick.deal.turn
    known = view_of(fourth_trick).known_cards[other]
    assert known
    assert set(known) <= set(cards_of(fourth_trick.deal.hands[other]))


def test_chance_is_the_same_whenever_the_decision_is_put_again() -> None:
    match = match_of()
    info = MatchInfo(started().match_started)
    again = MatchInfo(started(table=5).match_started)
    first = View(info, asked(match).decision, 0).random.random()
    assert View(again, asked(match, table=5, decision_id=77).decision, 1).random.random() == first


def test_chance_differs_between_decisions_and_seeds() -> None:
    matches = islice(played_at_random(parse_ruleset("gamelake-4")), 8)
    drawn = {view_of(match, bot_seed=seed).random.random() for match in matches for seed in (1, 2)}
    assert len(drawn) == 16


def test_chance_goes_on_within_a_decision() -> None:
    seen = view_of(match_of())
    assert seen.random is seen.random
    assert isinstance(seen.random, Random)


def test_time_runs_from_the_arrival_and_never_below_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = SimpleNamespace(ns=5_000_000_000)
    monkeypatch.setattr(view, "monotonic_ns", lambda: now.ns)
    message = asked(match_of(), limit_ms=1_000, bank_ms=500).decision
    seen = View(MatchInfo(started().match_started), message, now.ns)
    assert (seen.time_left(), seen.time_left(bank=True)) == (1.0, 1.5)
    now.ns += 1_250_000_000
    assert (seen.time_left(), seen.time_left(bank=True)) == (0.0, 0.25)


def test_nothing_is_worked_out_before_it_is_asked() -> None:
    seen = view_of(match_of())
    assert set(vars(seen)) == {"match", "message", "_observation", "_arrived_ns"}


def test_a_view_prints_as_one_line() -> None:
    match = match_of()
    match.apply(Answer(card=match.deal.legal_cards()[0]))
    text = str(view_of(match))
    assert text.startswith("deal 1, trick 1, seat 1: hand ")
    assert f"on the table {match.deal.history[0]}; legal " in text


def test_cards_are_those_of_the_rules() -> None:
    seen = view_of(match_of())
    assert all(type(card) is Card for card in seen.hand)
    assert {card.suit for card in CARDS} == set(Suit)
