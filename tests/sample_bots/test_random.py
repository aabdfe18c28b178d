"""Random plays any legal card, and the same one again in the same match."""

from collections import Counter

from arena.rules.presets import parse_ruleset
from tests.sample_bots.bots import load
from tests.sample_bots.tables import play_board
from tests.sdk.positions import match_of, view_of


def test_every_legal_card_has_its_chance() -> None:
    bot = load("random").Random()
    match = match_of()
    drawn = Counter(bot.play(view_of(match, bot_seed=seed)) for seed in range(400))
    assert drawn.keys() == set(match.deal.legal_cards())
    assert min(drawn.values()) > 15


def test_a_match_is_played_the_same_way_again() -> None:
    ruleset = parse_ruleset("gamelake-2")
    totals = [
        [play_board(ruleset, board, [load("random").Random()] * 2) for board in range(1, 6)]
        for _ in range(2)
    ]
    assert totals[0] == totals[1]
