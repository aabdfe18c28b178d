"""An event's folder as it is opened to be verified.

Owns reading the event's log, its file and what follows from both alone: the schedule as far as it
is known, the seeds once they are out. Must not judge what it reads. Source: record.md
("arena verify").
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from arena.errors import ConfigError, LogCorrupt
from arena.record.event_log import EventLine, read_event_log
from arena.record.match_row import MatchRow, row_from_records
from arena.record.read import MatchRecord
from arena.record.rerun import Difference
from arena.tournament.accounts import Noted
from arena.tournament.begun import Begun, begun_by
from arena.tournament.entered import read_event
from arena.tournament.event_file import EventFile
from arena.tournament.folder import EventFolder, EventPlace
from arena.tournament.plan import stage_plan
from arena.tournament.schedule import MatchPlan, StagePlan
from arena.tournament.suspension import Suspensions
from arena.tournament.verify_heads import Heads
from arena.tournament.verify_seeds import revealed

Finding = Difference | LogCorrupt
"""Something wrong, as one sentence by ``str``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """An event as its folder has it."""

    folder: EventFolder
    begun: Begun
    event: EventFile
    lines: tuple[EventLine, ...]
    seeds: tuple[bytes, ...]
    """Empty before they are revealed."""
    schedule: Mapping[str, tuple[StagePlan, MatchPlan]]
    heads: Heads
    rows: dict[Path, MatchRow] = field(default_factory=dict)
    """What each log comes to, worked out once."""

    @property
    def log(self) -> Path:
        """The event's own log."""
        return self.folder.event_log

    def row(self, record: MatchRecord, noted: Noted) -> MatchRow:
        """Work out what a log comes to, as the event's log counts it."""
        if record.path not in self.rows:
            row = row_from_records(record.header, record.records(), digest=noted.digest)
            (self.rows[record.path],) = self.begun.rulings.set_aside_in((row,))
        return self.rows[record.path]


def open_event(folder: EventFolder) -> Opened:
    """Open an event's folder.

    Raises:
        ConfigError: Nothing was played here, or a later arena wrote it.
        HostFault: A file cannot be read.
        LogCorrupt: The event's log or file is damaged, so that nothing can be held against it.
    """
    # Read once: an event that is being played goes on meanwhile.
    lines = read_event_log(folder.event_log) if folder.has_begun else ()
    begun = begun_by(lines, folder)
    if begun is None:
        raise ConfigError(f"{folder.path}: no event was run here; start one with arena run")
    place = EventPlace(file=folder.event_file, folder=folder)
    try:
        begun.refuse_another(place)
    except ConfigError as error:
        raise LogCorrupt(str(error)) from None
    event = read_event(place, begun).under(begun.guards)
    # Fields and rounds that were drawn are taken from the log; others need no results.
    known = Suspensions(event, begun.rulings)
    schedule = {
        match.id: (plan, match)
        for plan in (stage_plan(event, stage + 1) for stage in range(len(event.stages)))
        for sitting in known.sittings_known(plan.stage) or ()
        for match in sitting.matches
    }
    return Opened(
        folder=folder,
        begun=begun,
        event=event,
        lines=lines,
        seeds=revealed(lines, folder.event_log),
        schedule=schedule,
        heads=Heads(event, begun, lines, schedule),
    )


def difference(path: Path, seq: int, expected: str, found: str) -> Difference:
    """Say what a line of a log should have said."""
    return Difference(file=str(path), seq=seq, expected=expected, found=found)
