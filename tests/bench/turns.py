"""The arena against the turn floor, interleaved in one run. Source: performance.md ("Bars")."""

import json
import statistics
import subprocess
import sys
from collections.abc import Sequence

from tests.bench.report import Bar
from tests.bench.turn_floor import Figures, floor

ROUNDS = 5
SECONDS = 4.0


def product(tables: int, bot: str = "./instant", kind: str = "apart", built: str = "") -> Figures:
    """Measure the arena in a process of its own; ``kind`` "shared": four bots at all tables."""
    words = [kind, bot, str(tables), str(SECONDS), built]
    command = [sys.executable, "-m", "tests.bench.product", *words]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=120)
    return Figures(**json.loads(done.stdout.splitlines()[-1]))


def bench(tables: int, name: str) -> Sequence[Bar]:
    """Measure floor and arena in turn, and compare medians."""
    floors: list[Figures] = []
    arenas: list[Figures] = []
    for _ in range(ROUNDS):
        floors.append(floor(tables, SECONDS))
        arenas.append(product(tables))
        for kind, figures in (("floor", floors[-1]), ("arena", arenas[-1])):
            print(
                f"{kind}  {tables} tables  {figures.plays_per_s:6.0f} plays/s  "
                f"p50 {figures.p50_us:5.0f} us  p99 {figures.p99_us:6.0f} us  "
                f"server CPU {figures.server_cpu_us:4.0f} us a play",
                flush=True,
            )

    def median(rounds: list[Figures], key: str) -> float:
        return statistics.median(float(getattr(figures, key)) for figures in rounds)

    ratio = median(arenas, "plays_per_s") / median(floors, "plays_per_s")
    bars = [Bar(name=name, figure=ratio, goal=0.75, unit="of the turn floor")]
    if tables == 1:
        over = median(arenas, "p50_us") - median(floors, "p50_us")
        p99 = median(arenas, "p99_us") / 1e3
        bars += [
            Bar(name=f"{name}-p50", figure=over, goal=130, unit="us over it", at_least=False),
            Bar(name=f"{name}-p99", figure=p99, goal=1, unit="ms", at_least=False),
        ]
    return bars


def frames() -> Sequence[Bar]:
    """Measure four bot processes that play at many tables each: messages travel in frames."""
    bars = []
    for tables, goal in ((32, 10_000), (128, 20_000)):
        rounds = []
        for _ in range(ROUNDS):
            rounds.append(product(tables, f"./instant:tables={tables}", kind="shared"))
            print(
                f"frames  {tables} tables  {rounds[-1].plays_per_s:6.0f} plays/s  "
                f"server CPU {rounds[-1].server_cpu_us:4.0f} us a play",
                flush=True,
            )
        figure = statistics.median(figures.plays_per_s for figures in rounds)
        bars.append(Bar(name=f"frames-{tables}", figure=figure, goal=goal, unit="plays/s"))
    return bars


def lines() -> Sequence[Bar]:
    """Measure bots that speak lines beside the one on gRPC, one table each, interleaved.

    The goal is to be no slower than gRPC; each figure is the ratio to it.
    """
    bots = {"c": "c/thrifty", "python": "./lines_python", "perl": "perl/low", "grpc": "./instant"}
    rates: dict[str, list[float]] = {name: [] for name in bots}
    for _ in range(ROUNDS):
        for name, bot in bots.items():
            figures = product(1, bot)
            rates[name].append(figures.plays_per_s)
            print(f"{name}  {figures.plays_per_s:6.0f} plays/s  p50 {figures.p50_us:5.0f} us")
    grpc = statistics.median(rates.pop("grpc"))
    return [
        Bar(name=f"lines-{name}", figure=statistics.median(rate) / grpc, goal=1, unit="of gRPC")
        for name, rate in rates.items()
    ]
