"""How fast deals are played on arrays, on one core.

A step = one card in one deal: a random choice among the legal ones, its play, and what the
next seat sees. Source: docs/research.md.
"""

import statistics
import time
from collections.abc import Sequence

from arena.rl import VectorDeals
from tests.bench.report import Bar

ROUNDS = 7
DEALS = 1_024
STEPS = 400


def bench() -> Sequence[Bar]:
    """Measure the median of several rounds."""
    deals = VectorDeals(DEALS)
    deals.step(deals.random_cards())  # compiles
    rates: list[float] = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        for _ in range(STEPS):
            deals.step(deals.random_cards())
        rates.append(DEALS * STEPS / (time.perf_counter() - began))
    figure = statistics.median(rates) / 1e6
    return [Bar(name="vector-deals", figure=figure, goal=1.0, unit="M steps/s")]
