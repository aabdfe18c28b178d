"""Names of matches and of their logs on disk.

Owns the grammar of a match id and where the log of each attempt lies. Must not know what
stands in a log. Source: record.md ("The event folder", "Match log").
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.errors import ConfigError

LOG_SUFFIX: Final = ".jsonl"
PACKED_SUFFIX: Final = ".jsonl.gz"

_MATCH_ID: Final = re.compile(
    r"s([1-9]\d{0,8})-r([1-9]\d{0,8})-p([1-9]\d{0,8})-o(0|[1-9]\d{0,8})-m([1-9]\d{0,8})",
    re.ASCII,
)
_LOG_NAME: Final = re.compile(r"(?P<match>s\d+-r\d+-p\d+-o\d+-m\d+)\.a(?P<attempt>[1-9]\d*)\.jsonl")


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class MatchId:
    """Where a match stands in an event; every number from 1, ``orientation`` from 0.

    ``pairing`` is its place in the round, ``slice`` its place among the matches of one
    pairing and orientation. The order of ids is the order of the schedule.
    """

    stage: int
    round: int
    pairing: int
    orientation: int
    slice: int

    def __str__(self) -> str:
        """The id as text, for instance ``s1-r2-p1-o0-m3``."""
        return f"s{self.stage}-r{self.round}-p{self.pairing}-o{self.orientation}-m{self.slice}"


def parse_match_id(text: str) -> MatchId:
    """Read a match id.

    Raises:
        ConfigError: The text is no match id.
    """
    found = _MATCH_ID.fullmatch(text)
    if found is None:
        raise ConfigError(
            f"{text!r} is no match id: expected s<stage>-r<round>-p<pairing>-o<orientation>"
            "-m<slice>, for instance s1-r1-p1-o0-m1 (numbers from 1, the orientation from 0)"
        )
    stage, round_, pairing, orientation, slice_ = (int(number) for number in found.groups())
    return MatchId(
        stage=stage, round=round_, pairing=pairing, orientation=orientation, slice=slice_
    )


def log_path(folder: Path, match: str, attempt: int) -> Path:
    """Name the log of one attempt at a match while it is being written."""
    return folder / f"{match}.a{attempt}{LOG_SUFFIX}"


def packed_path(path: Path) -> Path:
    """Name the compressed form of a log."""
    return path.with_name(path.name + ".gz")


def find_log(folder: Path, match: str, attempt: int) -> Path | None:
    """Find the log of one attempt, compressed or not; None where there is none."""
    path = log_path(folder, match, attempt)
    packed = packed_path(path)
    if packed.exists():
        return packed
    return path if path.exists() else None


def attempts(folder: Path, match: str) -> tuple[int, ...]:
    """List the attempts at a match that left a log, in ascending order."""
    numbers = set()
    for path in folder.glob(f"{match}.a*{LOG_SUFFIX}*"):
        found = _LOG_NAME.fullmatch(path.name.removesuffix(".gz"))
        if found is not None and found["match"] == match:
            numbers.add(int(found["attempt"]))
    return tuple(sorted(numbers))


def every_attempt(folder: Path) -> frozenset[tuple[str, int]]:
    """List all attempts that left a log, as match and number, in one look at a folder."""
    names = (path.name.removesuffix(".gz") for path in folder.glob(f"*{LOG_SUFFIX}*"))
    found = (_LOG_NAME.fullmatch(name) for name in names)
    return frozenset((one["match"], int(one["attempt"])) for one in found if one is not None)
