"""What a data card says of the rows that were written: counts, and what is wrong with them.

Owns the counting. Must not know files nor words. Source: record.md ("arena export").
"""

from collections import Counter
from dataclasses import dataclass, field

from arena.record.export.tables import TABLES, Row
from arena.record.header import LogHeader


@dataclass(slots=True, kw_only=True)
class Tally:
    """Counts that grow with the rows of a dataset."""

    rows: Counter[tuple[str, str]] = field(default_factory=Counter)
    """By table and part."""
    versions: set[str] = field(default_factory=set)
    rulesets: set[str] = field(default_factory=set)
    entrants: set[str] = field(default_factory=set)
    terminations: Counter[str] = field(default_factory=Counter)
    """Matches by why they ended; "cut" where the log says no end."""
    uncounted: int = 0
    """Attempts that the event's log does not count."""
    unknown: int = 0
    """Attempts of which no event's log says whether they count."""
    guessable: int = 0
    """Matches on a seed that is a text."""
    autoplayed: int = 0
    unanswered: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    """By kind."""

    def log(self, header: LogHeader) -> None:
        """Count a log."""
        self.versions.add(header.arena_version)
        self.rulesets.add(header.ruleset.name)
        self.entrants.update(header.entrants)

    def add(self, table: str, part: str, row: Row) -> None:
        """Count a row."""
        self.rows[table, part] += 1
        match table:
            case "plays":
                self.autoplayed += row[_AUTOPLAYED] is True
            case "decisions":
                self.unanswered += row[_CARD] is None
            case "faults":
                self.faults[str(row[_KIND])] += 1
            case "matches":
                self.terminations[str(row[_TERMINATION] or "cut")] += 1
                self.guessable += row[_GUESSABLE] is True
                self.uncounted += row[_COUNTED] is False
                self.unknown += row[_COUNTED] is None
            case _:
                pass


def _place(table: str, column: str) -> int:
    return [one.name for one in TABLES[table]].index(column)


_AUTOPLAYED = _place("plays", "is_autoplayed")
_CARD = _place("decisions", "card")
_KIND = _place("faults", "kind")
_TERMINATION = _place("matches", "termination")
_GUESSABLE = _place("matches", "is_guessable")
_COUNTED = _place("matches", "is_counted")
