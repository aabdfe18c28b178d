"""Counts of play sequences, against an independent brute force and against kept numbers."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from arena.rules.deal import Deal
from arena.rules.dealing import DealtCards, deal_board, seed_from_text
from arena.rules.notation import format_deal, parse_cards, parse_deal
from arena.rules.perft import perft
from arena.rules.presets import PRESETS
from arena.rules.ruleset import Ruleset
from tests.rules import brute_force
from tests.rules.positions import random_ending, seeded

KEPT: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent.parent / "data" / "perft.json").read_text()
)["positions"]


def naive(dealt: DealtCards, leader: int, preset: str) -> brute_force.Table:
    return brute_force.Table(
        preset=preset,
        hands=tuple(tuple(map(str, hand)) for hand in dealt.hands),
        stock=tuple(map(str, dealt.stock)),
        leader=leader,
    )


@pytest.mark.parametrize("preset", PRESETS)
def test_openings_count_as_brute_force_counts(preset: str) -> None:
    """From whole deals, for every number of plays up to two tricks and one of the rest."""
    ruleset = PRESETS[preset]
    plays = 5 if ruleset.seats == 4 else 4
    for board in (1, 2):
        dealt = deal_board(ruleset, seed_from_text("perft"), board)
        leader = board % ruleset.seats
        table = naive(dealt, leader, preset)
        for depth in range(plays + 1):
            assert perft(Deal(ruleset, dealt, leader), depth) == brute_force.count(table, depth)


@pytest.mark.parametrize("preset", PRESETS)
def test_endings_count_and_score_as_brute_force_does(preset: str) -> None:
    """Every way to play an ending to its end gives the same thirds, stock and draws included."""
    ruleset = PRESETS[preset]
    chance = seeded(preset)
    for _ in range(6):
        dealt = random_ending(ruleset, chance, size=3, stock=2 if ruleset.stock else 0)
        leader = chance.randrange(ruleset.seats)
        expected = Counter(brute_force.endings(naive(dealt, leader, preset)))
        deal = Deal(ruleset, dealt, leader)
        assert Counter(endings(deal)) == expected
        assert perft(deal, 40) == expected.total()


def endings(deal: Deal) -> list[tuple[int, ...]]:
    if deal.is_over:
        return [tuple(deal.thirds)]
    found = []
    for card in deal.legal_cards():
        ahead = deal.copy()
        ahead.play(card)
        found += endings(ahead)
    return found


@pytest.mark.parametrize("position", KEPT, ids=lambda position: position["name"])
def test_kept_counts_still_hold(position: dict[str, Any]) -> None:
    """The numbers in ``tests/data/perft.json`` were made by the brute force."""
    ruleset = PRESETS[position["preset"]]
    dealt = parse_deal(position["deal"], ruleset)
    deal = Deal(ruleset, dealt, position["leader"])
    for card in parse_cards(position["played"]):
        deal.play(card)
    for depth, expected in enumerate(position["counts"]):
        assert perft(deal, depth) == expected


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_has_kept_counts(preset: str) -> None:
    """An opening and a middle game at least."""
    assert sum(position["preset"] == preset for position in KEPT) >= 2


def test_perft_leaves_the_position_as_it_is() -> None:
    """It looks ahead on copies."""
    ruleset: Ruleset = PRESETS["gamelake-2"]
    dealt = deal_board(ruleset, seed_from_text("perft"), 1)
    deal = Deal(ruleset, dealt, 0)
    perft(deal, 3)
    assert (deal.history, deal.draws, deal.turn) == ([], [], 0)
    assert format_deal(DealtCards(dealt.hands, deal.stock)) == format_deal(dealt)
