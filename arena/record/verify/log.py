"""One log, verified: read, walked, reckoned, dealt anew.

Owns the order of the proofs and the verdict. Must not know events' folders nor how a verdict
is printed. Source: record.md ("arena verify").
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path

from arena.errors import LogCorrupt
from arena.record.read import BrokenLine, MatchRecord, NoLog, read_log
from arena.record.rerun import Difference, check
from arena.record.verify.conduct import check_conduct
from arena.record.verify.deals import DealProof, check_deals, seed_of
from arena.rules.events import CardPlayed


@dataclass(frozen=True, slots=True, kw_only=True)
class LogVerdict:
    """What was found of one log."""

    path: Path
    record: MatchRecord | None
    """None where it cannot be read."""
    plays: int
    deals: DealProof
    first: Difference | None
    """The first divergence, by line; None = a good log."""
    is_log: bool = True
    """Whether the file is a match log, be it a damaged one."""
    kept: str = ""
    """Of a log that was cut: up to where it is good."""


def verify_log(path: Path, seeds: Collection[bytes] = ()) -> LogVerdict:
    """Verify one log against the rules, the conduct, its seals and the seed if it is known.

    Args:
        path: The log, compressed or not.
        seeds: Revealed seeds; the one that the log commits to is used.

    Raises:
        HostFault: The file cannot be read.
        ConfigError: It is of a later arena's schema.
    """
    try:
        record = read_log(path)
    except BrokenLine as broken:
        first = Difference(
            file=str(path), seq=broken.seq, expected=broken.expected, found=broken.found
        )
        return _unread(path, first)
    except LogCorrupt as corrupt:
        verdict = _unread(path, _whole_file(path, corrupt))
        return replace(verdict, is_log=not isinstance(corrupt, NoLog))
    return judge(record, seeds)


def judge(record: MatchRecord, seeds: Collection[bytes] = ()) -> LogVerdict:
    """Verify a log that was read already."""
    found = [*check(record)[:1], *check_conduct(record)]
    seed = seed_of(record, seeds)
    if seed is not None:
        wrong = list(check_deals(record, seed))
        found += wrong
        proof = DealProof.WRONG if wrong else DealProof.PROVEN
    else:
        proof = DealProof.NOT_YET if record.header.commitment else DealProof.NO_SEED
    return LogVerdict(
        path=record.path,
        record=record,
        plays=sum(isinstance(line.event, CardPlayed) for line in record.lines),
        deals=proof,
        first=min(found, key=lambda difference: difference.seq, default=None),
        kept="" if record.complete else _kept(record),
    )


def _kept(record: MatchRecord) -> str:
    """Say what a log still holds that was cut."""
    last = record.lines[-1]
    cut = f"; {record.cut_bytes} bytes of a cut line are lost" if record.cut_bytes else ""
    return f"good up to seq {last.seq}{cut}"


def _unread(path: Path, first: Difference) -> LogVerdict:
    return LogVerdict(path=path, record=None, plays=0, deals=DealProof.NOT_YET, first=first)


def _whole_file(path: Path, corrupt: LogCorrupt) -> Difference:
    """Say what is wrong with a file of which no line can be named."""
    words = str(corrupt).removeprefix(f"{path}: ")
    return Difference(file=str(path), seq=1, expected="a match log", found=words)
