"""Matches to log: headers and clocks that are the same every time."""

from collections.abc import Callable, Iterable
from pathlib import Path

from arena.record.compress import LogDigest
from arena.record.header import LogHeader, SeatHeader
from arena.record.match_log import MatchLog
from arena.record.paths import log_path
from arena.record.sent import SentDigests
from arena.referee.clock import Clock
from arena.referee.conduct import Conduct
from arena.referee.messages import Ask, Close, Output, Record, Tell
from arena.rules.presets import PRESETS
from arena.rules.ruleset import Ruleset
from arena.testing.in_memory import MemoryMatch
from arena.wire import to_bot

GAMELAKE = PRESETS["gamelake-4"]
NAMES = ("greedy", "random")


def ticking() -> Callable[[], str]:
    """Make a time of day that goes on by a second with every look at it."""
    looks = 0

    def wall_time() -> str:
        nonlocal looks
        looks += 1
        return f"2026-01-01T{looks // 3600:02}:{looks // 60 % 60:02}:{looks % 60:02}Z"

    return wall_time


def seat_headers(ruleset: Ruleset, names: tuple[str, ...] = NAMES) -> tuple[SeatHeader, ...]:
    """Seat one entrant on each side."""
    return tuple(
        SeatHeader(
            entrant=names[ruleset.side_of(seat)],
            bot=f"{names[ruleset.side_of(seat)]}-bot",
            version="1.0",
            content_hash=f"{ruleset.side_of(seat):064x}",
            language="python",
            options={"depth": str(ruleset.side_of(seat))},
        )
        for seat in range(ruleset.seats)
    )


def make_header(
    ruleset: Ruleset = GAMELAKE,
    *,
    boards: int | None = 1,
    match: str = "s1-r1-p1-o0-m1",
    attempt: int = 1,
    names: tuple[str, ...] = NAMES,
    clock: Clock | None = None,
) -> LogHeader:
    """Make the header of a match as an event would."""
    return LogHeader(
        arena_version="0.1.0",
        match=match,
        attempt=attempt,
        ruleset=ruleset,
        first_board=1,
        boards=boards,
        clock=clock or Clock(),
        conduct=Conduct(),
        commitment="c0" * 32,
        guessable_seed=True,
        conditions={"thinking": "own_turn", "trust_memory": True, "tables": 8},
        resources={"cores": 1, "memory_mib": 1024},
        guards=("landlock",),
        seats=seat_headers(ruleset, names),
    )


def write_all(log: MatchLog, match: MemoryMatch) -> None:
    """Write everything that was recorded of a match."""
    for record in match.records:
        log.write(record)


def write_outputs(log: MatchLog, sent: SentDigests, outputs: Iterable[Output]) -> None:
    """Write everything that was recorded of a match, and note all that its seats were sent."""
    for output in outputs:
        match output:
            case Record():
                log.write(output)
            case Ask():
                sent.add(output.seat, to_bot.decision(1, output.number, output))
            case Tell():
                sent.add(output.seat, to_bot.update(1, output.news))
            case Close():
                for seat in range(log.header.ruleset.seats):
                    sent.add(seat, to_bot.match_ended(1, output))
            case _:
                pass


def write_log(folder: Path, header: LogHeader, match: MemoryMatch) -> LogDigest:
    """Log a match that was played in memory; the file is plain."""
    path = log_path(folder, header.match, header.attempt)
    log = MatchLog(path, header, wall_time=ticking())
    write_all(log, match)
    return log.close()
