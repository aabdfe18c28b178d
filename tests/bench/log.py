"""What a play costs in the log, on disk after close, with every decision and time in it.

A match of 100 boards in memory; every think time and lag is replaced by an irregular one
that real bots could have had, because equal times would compress to nothing.
Source: performance.md ("Bars"), record.md ("Match log").
"""

import random
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from arena.record.header import LogHeader, SeatHeader
from arena.record.match_log import MatchLog
from arena.record.sent import SentDigests
from arena.referee.clock import Clock
from arena.referee.conduct import Conduct
from arena.referee.fairness import commitment
from arena.referee.messages import Ask, Close, Output, Record, Tell
from arena.rules.dealing import seed_from_text
from arena.rules.events import CardPlayed
from arena.rules.presets import parse_ruleset
from arena.rules.question import Answer
from arena.testing.in_memory import play_in_memory
from arena.v1 import play_pb2
from arena.wire import to_bot
from tests.bench.report import Bar

BOARDS = 100
SEED = "bench"
RULES = parse_ruleset("italian-tournament:declarations=off")


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A log that was written, and what that took."""

    path: Path
    size: int
    """Bytes on disk."""
    plays: int
    events: int
    took_s: float


def write_log(path: Path, *, match: str = "s1-r1-p1-o0-m1", boards: int = BOARDS) -> Written:
    """Play a match in memory and log it, with digests of what its seats were sent."""
    chance = random.Random(match)

    def plays_at_random(ask: Ask) -> Answer:
        return Answer(card=chance.choice(ask.question.legal))

    played = play_in_memory([plays_at_random] * 4, ruleset=RULES, boards=boards, seed_text=SEED)
    items = list(_with_times(played.outputs, chance))
    seats = tuple(
        SeatHeader(entrant=f"entrant {seat % 2}", bot="bot", version="1", content_hash="0" * 64)
        for seat in range(4)
    )
    header = LogHeader(
        arena_version="bench",
        match=match,
        ruleset=RULES,
        first_board=1,
        boards=boards,
        clock=Clock(),
        conduct=Conduct(),
        commitment=commitment(seed_from_text(SEED)).hex(),
        seats=seats,
    )
    sent = SentDigests(4)
    log = MatchLog(path, header, wall_time=lambda: "2026-01-01T00:00:00Z", sent=sent)
    began = time.perf_counter()
    for item in items:
        if isinstance(item, Record):
            log.write(item)
        else:
            sent.add(*item)
    took_s = time.perf_counter() - began
    log.close()
    kept = log.finish().path
    events = [item.event for item in items if isinstance(item, Record)]
    return Written(
        path=kept,
        size=kept.stat().st_size,
        plays=sum(isinstance(event, CardPlayed) for event in events),
        events=len(events),
        took_s=took_s,
    )


def bench() -> Sequence[Bar]:
    """Write one log, close it, and divide."""
    with tempfile.TemporaryDirectory() as folder:
        written = write_log(Path(folder, "log.jsonl"))
    print(f"log: {written.took_s / written.events * 1e6:.2f} us an event, {written.events} events")
    figure = written.size / written.plays
    return [Bar(name="log", figure=figure, goal=60, unit="bytes a play", at_least=False)]


def _with_times(
    outputs: Sequence[Output], chance: random.Random
) -> Iterator[Record | tuple[int, play_pb2.RefereeMessage]]:
    """Give the records, with other times, and the messages to seats, as these are made."""
    now = 0
    for output in outputs:
        match output:
            case Record():
                now += chance.randrange(50_000, 250_000)
                timing = output.timing
                if timing is not None:
                    think = int(chance.lognormvariate(6, 0.5))
                    timing = replace(timing, think_us=think, lag_us=chance.randrange(10, 120))
                    now += think * 1000
                yield replace(output, at_ns=now, timing=timing)
            case Ask():
                yield output.seat, to_bot.decision(1, output.number, output)
            case Tell():
                yield output.seat, to_bot.update(1, output.news)
            case Close():
                for seat in range(RULES.seats):
                    yield seat, to_bot.match_ended(1, output)
            case _:
                pass
