"""Drawn: what the event's log says of draws: fields of stages and pairings of rounds.

Owns the form of these lines. A draw follows from results and rulings, and once it is in the log
it stands: a ruling on an earlier match changes no pairing that was drawn. Must not know how a
draw is made. Source: issue "Tournaments to trust" (Formats, Stages); record.md ("Event log").
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from arena.errors import LogCorrupt
from arena.record.event_log import EventLine

Place = tuple[int, int]
"""Stage and round, both from 1: rounds in the order of play."""
Names = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """Entrants by stage in seed order, and by place the pairings of a round, home first."""

    fields: Mapping[int, Names] = field(default_factory=dict)
    rounds: Mapping[Place, tuple[Names, ...]] = field(default_factory=dict)
    is_over: bool = False
    """Whether all was played and the seeds are public: nothing more is drawn."""

    def is_last(self, stage: int) -> bool:
        """Whether a stage has all its rounds: the event is over, or a later stage is drawn."""
        later = (*self.fields, *(one for one, _ in self.rounds))
        return self.is_over or any(one > stage for one in later)


def read_drawn(lines: Iterable[EventLine], path: Path) -> Drawn:
    """Read the draws of an event's log.

    Raises:
        LogCorrupt: A line is none that an arena writes.
    """
    fields: dict[int, Names] = {}
    rounds: dict[Place, tuple[Names, ...]] = {}
    for line in lines:
        match line.kind, line.fields:
            case "stage_seeded", {"stage": int(stage), "entrants": list(names)}:
                fields[stage] = tuple(map(str, names))
            case "round_drawn", {"stage": int(stage), "round": int(number), "pairings": list(them)}:
                rounds[stage, number] = tuple(
                    tuple(map(str, pair["entrants"])) for pair in them if isinstance(pair, dict)
                )
            case "stage_seeded" | "round_drawn", found:
                raise LogCorrupt(
                    f"{path}, seq {line.seq}: {line.kind}: expected stage with entrants, or "
                    f"stage, round and pairings, found {found!r:.200}"
                )
            case _:
                pass
    return Drawn(fields=fields, rounds=rounds)
