"""Rulesets that arrays can play, and deals played beside the rules."""

from collections.abc import Iterator
from random import Random

from arena.rl import VectorDeals
from arena.rules.deal import Deal
from arena.rules.dealing import DealtCards, deal_board, leader_of_board, seed_from_text
from arena.rules.presets import PRESETS, parse_ruleset
from arena.rules.ruleset import Ruleset

RULESETS = tuple(
    parse_ruleset(text)
    for text in (
        *(f"{name}:declarations=off" for name in PRESETS if PRESETS[name].declarations),
        *(name for name in PRESETS if not PRESETS[name].declarations),
        "gamelake-2:follow_suit=always",
        "gamelake-2:hand_size=3,stock=34,draw_visibility=public",
        "gamelake-4:cappotto_bonus=11,last_trick_thirds=9",
        "gamelake-2:cappotto_bonus=5,cappotto_test=all_points,hand_size=1,stock=38",
    )
)
SEED = seed_from_text("arrays")


def dealt_board(ruleset: Ruleset, board: int) -> tuple[DealtCards, int]:
    """Return a board's cards and its leader."""
    return deal_board(ruleset, SEED, board), leader_of_board(ruleset, board)


def placed(ruleset: Ruleset, dealt: DealtCards, leader: int) -> VectorDeals:
    """Return arrays with the one deal."""
    deals = VectorDeals(1, ruleset, redeal=False)
    deals.place(0, dealt, leader)
    return deals


def side_by_side(ruleset: Ruleset, board: int) -> Iterator[tuple[VectorDeals, Deal]]:
    """Play a board with chance's cards on arrays and by the rules; stop before each card."""
    chance = Random(board)  # noqa: S311 - cards to look at, no secrets
    dealt, leader = dealt_board(ruleset, board)
    deals, deal = placed(ruleset, dealt, leader), Deal(ruleset, dealt, leader)
    while not deal.is_over:
        yield deals, deal
        card = chance.choice(deal.legal_cards())
        deal.play(card)
        deals.step([card - 1])
    yield deals, deal
