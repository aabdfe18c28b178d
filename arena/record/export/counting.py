"""Which attempts count, as an event's log has it in the end.

Owns folding counts, rulings and suspensions into that one answer, for tables of logs. Must not
know points: what a match scores is the standings' to say. Source: record.md ("Event log"),
design.md §5 ("Rulings").
"""

from collections.abc import Iterable

from arena.record.event_log import EventLine
from arena.record.header import LogHeader
from arena.record.paths import parse_match_id


class Counting:
    """What the lines of an event's log come to; a later line has the last word."""

    def __init__(self, lines: Iterable[EventLine]) -> None:
        """Read the log once."""
        self._counted: dict[tuple[object, object], bool] = {}
        self._disqualified: set[object] = set()
        self._suspended: dict[object, tuple[object, object]] = {}
        """The stage and round by whose end an entrant was suspended."""
        for line in lines:
            self._take(line)

    def counts(self, header: LogHeader) -> bool:
        """Whether the attempt that a log is of counts for anybody.

        It does not where its match was voided, is to be played again or was broken off, where an
        entrant at its table is disqualified, and where one was suspended before its round.
        """
        if not self._counted.get((header.match, header.attempt), False):
            return False
        entrants = {seat.entrant for seat in header.seats}
        if entrants & self._disqualified:
            return False
        match = parse_match_id(header.match)
        since = [self._suspended[name] for name in entrants & self._suspended.keys()]
        return all((match.stage, match.round) <= place for place in since)

    def _take(self, line: EventLine) -> None:
        fields = line.fields
        match line.kind, fields.get("act"):
            case (("match_counted" | "match_voided"), _):
                own = (fields.get("match"), fields.get("attempt"))
                self._counted[own] = line.kind == "match_counted"
            case "ruling", ("void" | "replay"):
                self._counted[fields.get("on"), fields.get("attempt")] = False
            case "ruling", "disqualify":
                self._disqualified.add(fields.get("on"))
            case "ruling", "reinstate":
                self._disqualified.discard(fields.get("on"))
                self._suspended.pop(fields.get("on"), None)
            case "entrant_suspended", _:
                place = (fields.get("stage"), fields.get("round"))
                self._suspended[fields.get("entrant")] = place
            case _:
                pass
