"""How fast a log is verified, beside the rules engine in the same run.

The log of :mod:`tests.bench.log`, of one match of 100 boards: reading, the walk, clocks and
faults, seals, every deal from the seed. In CPU time of the process, so that other work of the
machine counts as little as it can. Source: issue 6 ("How well").
"""

import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from arena.record.read import read_log
from arena.record.verify.deals import DealProof
from arena.record.verify.log import verify_log
from arena.record.verify.sent import audit_sent
from arena.rules.deal import Deal
from arena.rules.dealing import deal_board, seed_from_text
from tests.bench.log import BOARDS, RULES, SEED, write_log
from tests.bench.report import Bar

ROUNDS = 9


def bench() -> Sequence[Bar]:
    """Measure medians of several rounds, verifying and playing in turn."""
    seed = seed_from_text(SEED)
    dealt = [deal_board(RULES, seed, board) for board in range(1, BOARDS + 1)]
    plays = BOARDS * 40

    def engine() -> None:
        for cards in dealt:
            deal = Deal(RULES, cards, 0)
            while not deal.is_over:
                deal.play(deal.legal_cards()[0])

    with tempfile.TemporaryDirectory() as folder:
        path = write_log(Path(folder, "log.jsonl")).path

        def verify() -> None:
            verdict = verify_log(path, (seed,))
            if verdict.first is not None or verdict.deals is not DealProof.PROVEN:
                raise AssertionError(verdict)

        verified: list[float] = []
        played: list[float] = []
        for _ in range(ROUNDS):
            verified.append(plays / _seconds(verify))
            played.append(plays / _seconds(engine))
        record = read_log(path)
        audited = plays / _seconds(lambda: audit_sent(record))
    figure, floor = statistics.median(verified), statistics.median(played)
    print(f"verify: {figure / floor:.3f} of the rules engine ({floor / 1e6:.2f} M plays/s)")
    print(f"verify: what seats were sent, made anew: {audited / 1e3:.0f} k plays/s")
    return [Bar(name="verify", figure=figure / 1e3, goal=50, unit="k plays/s")]


def _seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began
