"""What a play costs in the log, on disk after close, with every decision and time in it.

A match of 100 boards in memory; every think time and lag is replaced by an irregular one
that real bots could have had, because equal times would compress to nothing.
Source: performance.md ("Bars"), record.md ("Match log").
"""

import random
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from arena.record.header import LogHeader, SeatHeader
from arena.record.match_log import MatchLog
from arena.referee.clock import Clock
from arena.referee.conduct import Conduct
from arena.referee.messages import Ask, Record
from arena.rules.events import CardPlayed
from arena.rules.presets import parse_ruleset
from arena.rules.question import Answer
from arena.testing.in_memory import play_in_memory
from tests.bench.report import Bar

BOARDS = 100
RULES = parse_ruleset("italian-tournament:declarations=off")


def bench() -> Sequence[Bar]:
    """Write one log, close it, and divide."""
    chance = random.Random(1)

    def plays_at_random(ask: Ask) -> Answer:
        return Answer(card=chance.choice(ask.question.legal))

    match = play_in_memory([plays_at_random] * 4, ruleset=RULES, boards=BOARDS)
    records = with_times(match.records, chance)
    header = bench_header("s1-r1-p1-o0-m1", BOARDS)
    with tempfile.TemporaryDirectory() as folder:
        log = MatchLog(Path(folder, "log.jsonl"), header, wall_time=lambda: "2026-01-01T00:00:00Z")
        began = time.perf_counter()
        for record in records:
            log.write(record)
        took = time.perf_counter() - began
        log.close()
        size = log.finish().path.stat().st_size
    plays = sum(isinstance(record.event, CardPlayed) for record in records)
    print(f"log: {took / len(records) * 1e6:.2f} us an event, {len(records)} events")
    return [
        Bar(name="log", figure=size / plays, goal=60, unit="bytes a play", at_least=False),
    ]


def bench_header(match: str, boards: int) -> LogHeader:
    """Give the header of a match between two entrants."""
    return LogHeader(
        arena_version="bench",
        match=match,
        ruleset=RULES,
        first_board=1,
        boards=boards,
        clock=Clock(),
        conduct=Conduct(),
        commitment="0" * 64,
        seats=tuple(
            SeatHeader(entrant=f"entrant {seat % 2}", bot="bot", version="1", content_hash="0" * 64)
            for seat in range(4)
        ),
    )


def with_times(records: Sequence[Record], chance: random.Random) -> list[Record]:
    """Replace every time by an irregular one that real bots could have had."""
    now = 0
    changed = []
    for record in records:
        now += chance.randrange(50_000, 250_000)
        timing = record.timing
        if timing is not None:
            think = int(chance.lognormvariate(6, 0.5))
            timing = replace(timing, think_us=think, lag_us=chance.randrange(10, 120))
            now += think * 1000
        changed.append(replace(record, at_ns=now, timing=timing))
    return changed
