"""Status: how far an event is and what keeps it, as a value.

Owns what is worth knowing between two runs, from the event's folder alone. Must not write.
Source: commands.md (``arena status``).
"""

from dataclasses import dataclass
from enum import StrEnum

from arena.record.event_log import read_event_log
from arena.tournament.compared import Comparison
from arena.tournament.comparing import comparison
from arena.tournament.folder import EventFolder, holder
from arena.tournament.forfeited import forfeited
from arena.tournament.known import read_known
from arena.tournament.rulings import Ruling, read_rulings
from arena.tournament.suspension import with_suspensions
from arena.tournament.void_watch import is_spoiled


class EventState(StrEnum):
    """Where an event stands."""

    RUNNING = "running"
    PAUSED = "paused"
    OVER = "over"
    PUBLISHED = "published"


@dataclass(frozen=True, slots=True, kw_only=True)
class EventStatus:
    """How far an event is; ``why`` says what paused it, ``process`` who runs it."""

    event: str
    state: EventState
    process: str | None
    why: str
    awaits_text: bool
    """Whether it goes on only with the text of public chance."""
    is_cut: bool
    """Whether ``finish_by`` cut its last run, so that it may be ended by publishing it."""
    is_practice: bool
    """Whether its standings need no publishing."""
    matches_settled: int
    matches_planned: int
    rounds_complete: int
    rounds_planned: int
    compared: Comparison | None
    """What a comparison came to; once it is decided, what is left is not needed."""
    forfeits: int
    voids: int
    suspended: tuple[str, ...]
    disqualified: tuple[str, ...]
    rulings: tuple[Ruling, ...]
    notify_failures: tuple[str, ...]
    """Of what the event's ``notify`` command failed to tell, and why."""


def event_status(folder: EventFolder) -> EventStatus:
    """Read how far an event is.

    Raises:
        ConfigError: Nothing has been played there, or its event file was changed.
        LogCorrupt: The results are not those that the event's log counts.
        HostFault: Something cannot be read.
    """
    known = read_known(folder)
    process = holder(folder)
    lines = read_event_log(folder.event_log)
    settled = with_suspensions(known.event, known.rows, known.begun.rulings)
    pauses = [str(line.fields.get("why", "")) for line in lines if line.kind == "event_paused"]
    if process is not None:
        state = EventState.RUNNING
    elif known.begun.rulings.is_published:
        state = EventState.PUBLISHED
    elif known.begun.is_closed:
        state = EventState.OVER
    else:
        state = EventState.PAUSED
    is_paused = state is EventState.PAUSED
    was_killed = is_paused and lines[-1].kind not in ("event_paused", "ruling")
    why = "its run ended without a word" if was_killed else "".join(pauses[-1:])
    counted = {row.match_id: row for row in settled.rows if row.counted}
    return EventStatus(
        event=known.event.name,
        state=state,
        process=process,
        why=why if is_paused else "",
        awaits_text=known.begun.awaits_text,
        is_cut=is_paused and known.begun.is_cut,
        is_practice=known.event.practice,
        matches_settled=len(counted),
        matches_planned=sum(drawing.matches_planned for drawing in settled.drawings),
        rounds_complete=sum(drawing.rounds_complete for drawing in settled.drawings),
        rounds_planned=sum(drawing.rounds_planned for drawing in settled.drawings),
        compared=comparison(known.event, known.rows, known.begun.rulings),
        forfeits=len(forfeited(settled.rows)),
        voids=sum(is_spoiled(row.termination) for row in known.rows),
        suspended=tuple(sorted(settled.suspended)),
        disqualified=tuple(sorted(known.begun.rulings.disqualified)),
        rulings=read_rulings(lines, folder.event_log),
        notify_failures=tuple(
            f"{line.fields.get('occasion')}: {line.fields.get('why')}"
            for line in lines
            if line.kind == "notify_failed"
        ),
    )
