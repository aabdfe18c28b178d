"""What is suspected of slow answers, and that nothing is where nothing was measured."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from arena.record.processor_time import SeatTime, seat_times
from arena.record.read import MatchRecord, read_log
from arena.referee.events import AnswerTiming
from arena.rules.events import CardPlayed
from arena.testing.in_memory import play_in_memory
from arena.testing.memory_bots import plays_at_random
from tests.record.samples import GAMELAKE, make_header, write_log

LIMIT_US = 1_000_000


def timed(folder: Path, times: Mapping[int, tuple[int, int | None]]) -> MatchRecord:
    """Log a match; give its seats' cards these times, of thinking and on a processor (µs)."""
    bots = [plays_at_random(seat) for seat in range(4)]
    match = play_in_memory(bots, ruleset=GAMELAKE, boards=1)
    record = read_log(write_log(folder, make_header(), match).path)
    lines = [
        replace(line, timing=AnswerTiming(think_us=pair[0], lag_us=0, cpu_us=pair[1]))
        if isinstance(line.event, CardPlayed) and (pair := times.get(line.event.seat))
        else replace(line, timing=None)
        for line in record.lines
    ]
    return replace(record, lines=tuple(lines))


def test_slow_answers_without_processor_time_and_helped_ones_are_told_seat_by_seat(
    tmp_path: Path,
) -> None:
    record = timed(
        tmp_path,
        {
            0: (LIMIT_US * 6 // 10, LIMIT_US * 6 // 1_000),
            1: (LIMIT_US * 6 // 10, LIMIT_US * 5 // 10),
            2: (2_000, 7_000),
            3: (LIMIT_US * 4 // 10, 0),
        },
    )
    idle, fair, helped, quick = seat_times(record)
    assert (idle.cards, idle.slow, idle.waited, idle.helped) == (10, 10, 10, 0)
    (hint,) = idle.hints()
    assert hint == (
        "seat 0: 10 of 10 slow answers had less than 10 % of their time on a processor: the bot "
        "waited for something, or this machine was too busy for it"
    )
    assert (fair.slow, fair.waited, [*fair.hints()]) == (10, 0, [])
    (hint,) = helped.hints()
    assert hint.startswith("seat 2: 10 of 10 answers took more processor time than time")
    assert (quick.slow, [*quick.hints()]) == (0, [])
    assert (quick.think_us, quick.cpu_us) == (4 * LIMIT_US, 0)


def test_a_seat_whose_processor_time_was_not_measured_is_left_out(tmp_path: Path) -> None:
    record = timed(tmp_path, {0: (LIMIT_US, None), 1: (5, 5)})
    assert seat_times(record) == (
        SeatTime(seat=1, cards=10, think_us=50, cpu_us=50, slow=0, waited=0, helped=0),
    )
