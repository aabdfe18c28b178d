"""How fast the rules engine plays through its public, validating API.

A play = ``legal_cards``, a random choice among them, ``play``. Printed beside it: ``play``
alone, as in a replay. Source: performance.md ("Bars").
"""

import random
import statistics
import time
from collections.abc import Sequence

from arena.rules.cards import Card
from arena.rules.deal import Deal
from arena.rules.dealing import deal_board, seed_from_text
from arena.rules.presets import PRESETS
from tests.bench.report import Bar

ROUNDS = 7
DEALS = 1_500


def bench() -> Sequence[Bar]:
    """Measure the median of several rounds."""
    rules = PRESETS["gamelake-4"]
    seed = seed_from_text("bench")
    dealt = [deal_board(rules, seed, board) for board in range(1, DEALS + 1)]
    pick = random.Random(1).random
    rates: list[float] = []
    replays: list[float] = []
    for _ in range(ROUNDS):
        deals = [Deal(rules, cards, 0) for cards in dealt]
        lines: list[list[Card]] = []
        began = time.perf_counter()
        for deal in deals:
            line: list[Card] = []
            while not deal.is_over:
                legal = deal.legal_cards()
                card = legal[int(pick() * len(legal))]
                deal.play(card)
                line.append(card)
            lines.append(line)
        rates.append(DEALS * 40 / (time.perf_counter() - began))
        deals = [Deal(rules, cards, 0) for cards in dealt]
        began = time.perf_counter()
        for deal, line in zip(deals, lines, strict=True):
            for card in line:
                deal.play(card)
        replays.append(DEALS * 40 / (time.perf_counter() - began))
    print(f"rules: replaying {statistics.median(replays) / 1e6:.2f} M plays/s")
    figure = statistics.median(rates) / 1e6
    return [Bar(name="rules", figure=figure, goal=0.9, unit="M plays/s")]
