"""What an event's folder says of what was played."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.record.event_log import read_event_log
from arena.record.read import MatchRecord, read_log
from arena.record.rerun import check
from arena.referee.events import Fault, MatchEnded
from arena.referee.faults import FaultKind, Termination


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """One attempt at a match, from its log, which re-runs clean."""

    record: MatchRecord
    ended: MatchEnded
    faults: tuple[Fault, ...]

    @property
    def termination(self) -> Termination:
        """Why it ended."""
        return self.ended.termination

    @property
    def culprit(self) -> str | None:
        """The entrant whose doing it was."""
        seat = self.termination.seat
        return None if seat is None else self.record.header.seats[seat].entrant

    @property
    def kinds(self) -> list[FaultKind]:
        """The kinds of all faults, in order."""
        return [fault.kind for fault in self.faults]


def played_in(folder: Path) -> list[Played]:
    """Read every sealed log of an event's folder, in the order of matches and attempts."""
    return [_played(path) for path in sorted((folder / "logs").glob("*.jsonl.gz"))]


def _played(path: Path) -> Played:
    record = read_log(path)
    assert record.complete
    assert check(record) == ()
    events = [entry.event for entry in record.records()]
    ended = events[-1]
    assert isinstance(ended, MatchEnded)
    faults = tuple(event for event in events if isinstance(event, Fault))
    return Played(record=record, ended=ended, faults=faults)


def event_kinds(folder: Path) -> list[str]:
    """List the kinds of lines in an event's log."""
    return [line.kind for line in read_event_log(folder / "event.jsonl")]


def counted_matches(folder: Path) -> list[str]:
    """List the matches that an event's log counts, one entry each time."""
    lines = read_event_log(folder / "event.jsonl")
    return [str(line.fields["match"]) for line in lines if line.kind == "match_counted"]


def standings_of(folder: Path) -> dict[str, Any]:
    """Read ``standings.json``: the lines of its first stage by entrant."""
    document = json.loads((folder / "standings.json").read_bytes())
    assert (document["schema"], document["kind"]) == (3, "standings")
    stage = document["data"]["stages"][0]
    return {entrant["name"]: entrant for entrant in stage["entrants"]}
