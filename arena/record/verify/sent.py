"""Whether each seat was sent exactly what it may see.

Owns the second making of every message that a log's seats were sent, and its comparison with
the digests that the arena logged as it sent them. A build that told a seat more, or less, is
found by that, whatever it told. Must not know what a seat may see, which is
:mod:`arena.rules.observation`'s, nor what a digest covers, which is :mod:`arena.record.sent`'s.
Source: record.md ("--audit-views").
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from arena.record.read import LogLine, MatchRecord
from arena.record.rerun import Difference
from arena.record.retelling import Put, retold
from arena.record.seal import DealSealed, LogClosed
from arena.record.sent import VIEWS_SINCE, SentDigests
from arena.referee.ending import as_told
from arena.referee.events import MatchEnded
from arena.referee.faults import TerminationKind
from arena.referee.messages import Close, Tell
from arena.rules.events import DealStarted
from arena.v1 import play_pb2
from arena.wire import to_bot

_LAST: Final = 2
"""Lines at the end of a whole log: ``match_ended`` and ``log_closed``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SentAudit:
    """What was compared, and the first seat that was sent something else."""

    messages: int
    """Messages that a digest covered."""
    first: Difference | None
    missing: str = ""
    """Why some or all of what was sent is not known; "" = all of it is."""
    is_bare: bool = False
    """Whether a whole log has no digest although the arena writes them in its schema."""


def audit_sent(record: MatchRecord) -> SentAudit:
    """Make every message of a log anew and compare the digests at each seal.

    Raises:
        LogCorrupt: The log's answers cannot be given in its deals: verify it first.
    """
    seals = [line for line in record.lines if isinstance(line.event, DealSealed | LogClosed)]
    if not any(_views(seal) for seal in seals):
        is_bare = (
            record.complete and record.header.schema >= VIEWS_SINCE and not _is_aborted(record)
        )
        return SentAudit(messages=0, first=None, missing="views not recorded", is_bare=is_bare)
    if record.header.schema < VIEWS_SINCE:
        missing = f"views of schema {record.header.schema} cannot be made by this arena"
        return SentAudit(messages=0, first=None, missing=missing)
    digests = SentDigests(record.header.ruleset.seats)
    told = list(retold(record))
    done = compared = 0
    for seal, until in _until(told, seals):
        is_last = isinstance(seal.event, LogClosed)
        if is_last and not _views(seal) and _is_aborted(record):
            break  # the arena broke off before the match had ended
        made = told[done:] if is_last else told[done:until]
        for one in made:
            digests.add(one.ask.seat if isinstance(one, Put) else one.seat, _message(one))
        if is_last:
            _add_farewells(digests, record)
        done += len(made)
        first = _difference(record, seal, digests.read())
        if first is not None:
            return SentAudit(messages=compared, first=first)
        compared = done
    return SentAudit(messages=compared, first=None, missing=_missing(record, compared, len(told)))


def _views(seal: LogLine) -> tuple[str, ...]:
    return seal.event.views if isinstance(seal.event, DealSealed | LogClosed) else ()


def _is_aborted(record: MatchRecord) -> bool:
    """Whether the arena broke off: what had been sent last, nobody can say then."""
    return any(
        isinstance(line.event, MatchEnded)
        and line.event.termination.kind is TerminationKind.ABORTED
        for line in record.lines[-_LAST:]
    )


def _until(told: Sequence[Put | Tell], seals: Sequence[LogLine]) -> Iterator[tuple[LogLine, int]]:
    """Say of each seal how many messages had been made when it was written.

    A deal is sealed before its end is told, so those up to the last question before the seal.
    """
    asked = [place for place, one in enumerate(told) if isinstance(one, Put)]
    seqs = [one.line.seq for one in told if isinstance(one, Put)]
    for seal in seals:
        questions = bisect_left(seqs, seal.seq)
        yield seal, asked[questions - 1] + 1 if questions else 0


def _message(one: Put | Tell) -> play_pb2.RefereeMessage:
    """Make a message anew; numbers of the session do not count."""
    if isinstance(one, Put):
        return to_bot.decision(1, 1, one.ask)
    return to_bot.update(1, one.news)


def _add_farewells(digests: SentDigests, record: MatchRecord) -> None:
    """Add what ends a match, which is said to every seat."""
    for line in reversed(record.lines):
        end = line.event
        if isinstance(end, MatchEnded):
            close = Close(
                termination=as_told(end.termination), totals=end.totals, winner=end.winner
            )
            for seat in range(record.header.ruleset.seats):
                digests.add(seat, to_bot.match_ended(1, close))
            return


def _difference(record: MatchRecord, seal: LogLine, expected: tuple[str, ...]) -> Difference | None:
    found = _views(seal)
    if expected == found:
        return None
    seat = next(
        (
            seat
            for seat, (one, other) in enumerate(zip(expected, found, strict=False))
            if one != other
        ),
        0,
    )
    return Difference(
        file=str(record.path),
        seq=seal.seq,
        expected=f"seat {seat} sent what it may see up to {_where(record, seal)}: "
        f"views[{seat}] {expected[seat]}",
        found=found[seat] if seat < len(found) == len(expected) else f"{len(found)} views",
    )


def _where(record: MatchRecord, seal: LogLine) -> str:
    """Name the board that a seal closes."""
    boards = [
        line.event.board for line in record.lines[: seal.seq] if isinstance(line.event, DealStarted)
    ]
    if isinstance(seal.event, LogClosed) or not boards:
        return "the end of the match"
    return f"the end of board {boards[-1]}"


def _missing(record: MatchRecord, compared: int, made: int) -> str:
    """Say of how much nobody knows what was sent."""
    if record.complete and compared == made:
        return ""
    last = max(line.seq for line in record.lines if _views(line))
    return f"views not recorded after seq {last}"
