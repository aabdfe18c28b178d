"""Play a log through the rules again and say where it differs: an independent walk.

Owns the comparison of every line with what the rules bring about. It shares the rules
with the referee but not the referee, so that a referee's mistake is found too. Must not
know seeds, schedules or files. Source: record.md ("What is done with it"), requirements.md
J and N.

From the log are taken: deals, answers (card, word, claims as made), what happened to the
seats, and all times. Everything else is worked out: which seat is asked and what is legal,
claims judged, tricks, draws, penalties, scores, totals, the winner, the seals. Each line
is then written anew and must equal the logged one byte for byte.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from arena.counted import counted
from arena.record.read import LogLine, MatchRecord
from arena.record.walk import Divergence, OutOfLog, Walk, line_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Where a log is not what the rules bring about; ``seq`` is the line's number."""

    file: str
    seq: int
    expected: str
    found: str

    def __str__(self) -> str:
        """The difference as one sentence."""
        return f"{self.file}, seq {self.seq}: expected {self.expected}, found {self.found}"


def check(record: MatchRecord) -> tuple[Difference, ...]:
    """List everything that is wrong with a log: differences first, then a missing end."""
    found = tuple(rerun(record))
    if record.complete or found:
        return found
    cut = f", after {counted(record.cut_bytes, 'byte')} of a cut line" if record.cut_bytes else ""
    return (
        Difference(
            file=str(record.path),
            seq=len(record.lines) + 1,
            expected="the log to go on to log_closed",
            found=f"the end of the file{cut}",
        ),
    )


def rerun(record: MatchRecord) -> Iterator[Difference]:
    """Walk a log and give its differences in order.

    A difference in the game ends the walk, since nothing after it can be judged; seals and
    lines that only differ in form do not. A log that was cut is walked to its last line.
    """
    walk = Walk(record)
    for line in record.lines:
        try:
            expected = walk.expected(line)
        except OutOfLog:
            return
        except Divergence as divergence:
            yield _difference(record, divergence.line, divergence.expected)
            return
        if expected != line.raw:
            yield _difference(record, line, line_text(expected))
            if walk.is_astray:
                return


def expected_lines(record: MatchRecord) -> Iterator[bytes]:
    """Write every line anew as the rules bring it about, with the times of the log.

    Stops where a game cannot go on as logged.
    """
    walk = Walk(record)
    for line in record.lines:
        try:
            yield walk.expected(line)
        except (OutOfLog, Divergence):
            return


def _difference(record: MatchRecord, line: LogLine, expected: str) -> Difference:
    return Difference(
        file=str(record.path), seq=line.seq, expected=expected, found=line_text(line.raw)
    )
