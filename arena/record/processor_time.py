"""Processor time: what a match log lets one suspect of slow answers.

Owns the comparison of the time that cards took with the processor time that their bots had.
It blames nobody: a bot that sleeps, reads a disk or waits for a device looks like one that was
kept from running, so nothing is ever decided by it (docs/resources.md, "Evidence"). Source:
sandbox.md ("Time").
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from arena.counted import counted
from arena.record.read import MatchRecord
from arena.rules.events import CardPlayed

SLOW_PERCENT: Final = 50
"""Of the time limit: from here on an answer was slow."""
IDLE_PERCENT: Final = 10
"""Of the time it took: with less in processor time, a slow answer was waited for."""
HELPED_PERCENT: Final = 150
"""Of the time it took: with more in processor time, helpers worked beside the bot."""

_COARSE_US: Final = 1_000
"""Below this the two clocks are too coarse to be compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatTime:
    """The cards of one seat whose processor time was measured; times in µs."""

    seat: int
    cards: int
    think_us: int
    cpu_us: int
    slow: int
    """Cards that took half of the limit or more."""
    waited: int
    """Of these, those with hardly any processor time."""
    helped: int
    """Cards with much more processor time than they took."""

    def hints(self) -> Iterator[str]:
        """Say in plain words what may be worth a look."""
        if self.waited:
            yield (
                f"seat {self.seat}: {self.waited} of {counted(self.slow, 'slow answer')} had less "
                f"than {IDLE_PERCENT} % of their time on a processor: the bot waited for "
                "something, or this machine was too busy for it"
            )
        if self.helped:
            yield (
                f"seat {self.seat}: {self.helped} of {counted(self.cards, 'answer')} took more "
                "processor time than time: more than one core worked for them"
            )


def seat_times(record: MatchRecord) -> tuple[SeatTime, ...]:
    """Compare the times seat by seat; a seat without any measured card is left out."""
    limit_us = record.header.clock.limit_ms * 1_000
    found: dict[int, list[tuple[int, int]]] = {}
    for line in record.lines:
        if isinstance(line.event, CardPlayed) and line.timing is not None:
            timing = line.timing
            if timing.cpu_us is not None:
                pair = (timing.think_us, timing.cpu_us)
                found.setdefault(line.event.seat, []).append(pair)
    return tuple(_sum(seat, pairs, limit_us) for seat, pairs in sorted(found.items()))


def _sum(seat: int, pairs: list[tuple[int, int]], limit_us: int) -> SeatTime:
    slow = [pair for pair in pairs if 100 * pair[0] >= SLOW_PERCENT * limit_us]
    return SeatTime(
        seat=seat,
        cards=len(pairs),
        think_us=sum(think for think, _ in pairs),
        cpu_us=sum(cpu for _, cpu in pairs),
        slow=len(slow),
        waited=sum(100 * cpu < IDLE_PERCENT * think for think, cpu in slow),
        helped=sum(
            think >= _COARSE_US and 100 * cpu > HELPED_PERCENT * think for think, cpu in pairs
        ),
    )
