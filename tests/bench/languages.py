"""What a play costs with the sample bot of each language, beside the one on the Python SDK.

All are measured in turn within one run, at one table, without a sandbox. Source: issue "A kit
for bot authors" ("How well"). There is no goal: it is for authors to choose by.
"""

import statistics
import tempfile
from collections.abc import Sequence
from pathlib import Path

import trio

from arena.bots.argument import parse_bot
from arena.bots.build import build_bot
from arena.bots.frozen import freeze
from tests.bench.report import Bar
from tests.bench.turn_floor import Figures
from tests.bench.turns import product
from tests.sample_bots.toolchains import why_not

SDK = "python/greedy"
BOTS = {
    SDK: "python",
    "python/bare": "python",
    "typescript/greedy-ts": "typescript",
    "go/greedy-go": "go",
    "rust/greedy-rust": "rust",
    "java/greedy-java": "java",
    "cpp/greedy-cpp": "cpp",
    "perl/greedy-perl": "perl",
    "bash/greedy-bash": "bash",
    "c/greedy-c": "c",
    "perl/low": "perl",
    "bash/last": "bash",
    "c/thrifty": "c",
}
ROUNDS = 3


def bench() -> Sequence[Bar]:
    """Print plays a second and the median round of a play for each, and the ratio to the SDK."""
    with tempfile.TemporaryDirectory(prefix="bench-languages-") as built:
        here = []
        for bot, language in BOTS.items():
            if reason := why_not(language):
                print(f"{bot}  left out: {reason}", flush=True)
                continue
            trio.run(_build, bot, Path(built))
            here.append(bot)
        rounds: dict[str, list[Figures]] = {bot: [] for bot in here}
        for _ in range(ROUNDS):
            for bot in here:
                rounds[bot].append(product(1, bot, built=built))
    sdk = statistics.median(figures.p50_us for figures in rounds[SDK])
    for bot, measured in rounds.items():
        p50 = statistics.median(figures.p50_us for figures in measured)
        rate = statistics.median(figures.plays_per_s for figures in measured)
        cpu = statistics.median(figures.server_cpu_us for figures in measured)
        print(
            f"{bot:20}  {rate:6.0f} plays/s  p50 {p50:6.0f} us  {p50 / sdk:5.2f} of {SDK}  "
            f"server CPU {cpu:4.0f} us a play",
            flush=True,
        )
    return ()


async def _build(bot: str, store: Path) -> None:
    await build_bot(freeze(parse_bot(bot, store), store), store)
