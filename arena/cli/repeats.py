"""``arena match --repeat``: whether the same cards are played again alike, and if not, by whom.

Owns the comparison and its words. Must not play. Source: commands.md.
"""

import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from arena.cli.author import counted_rows
from arena.cli.decisions import Decided, decisions
from arena.cli.output import Format, emit, print_envelope, say
from arena.counted import counted
from arena.record.match_row import MatchRow
from arena.record.paths import find_log
from arena.record.read import read_log
from arena.tournament.folder import EventFolder


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A match that was not played alike: whose card was the first to differ, and where."""

    match_id: str
    folders: tuple[EventFolder, EventFolder]
    entrant: str
    """Empty where the logs do not show it."""
    decisions: tuple[Decided, Decided] | None

    def data(self) -> dict[str, object]:
        """Give it as plain values."""
        told: dict[str, object] = {"match": self.match_id, "entrant": self.entrant or None}
        if self.decisions is not None:
            first, second = self.decisions
            told |= {"deal": first.deal, "trick": first.trick, "seat": first.seat}
            told |= {"cards": [first.card.name, second.card.name]}
        return told


def tell_repeats(folders: Sequence[EventFolder], entrants: Sequence[str], fmt: Format) -> None:
    """Say whether matches that were played several times were played alike.

    Args:
        folders: One for each time, at least two.
        entrants: Their names, the author's first.
        fmt: As a table or JSON on stdout; what else is printed there has no place for it.
    """
    differ = find_differences(folders)
    matches = len(counted_rows(folders[0]))
    if fmt is Format.JSON:
        data = {
            "deterministic": not differ,
            "matches": matches,
            "times": len(folders),
            "folders": [str(folder.path) for folder in folders],
            "differences": [difference.data() for difference in differ],
        }
        print_envelope("repeats", data)
        return
    text = repeats_text(differ, matches=matches, times=len(folders), entrants=entrants)
    (emit if fmt is Format.TABLE else say)(text)


def find_differences(folders: Sequence[EventFolder]) -> list[Difference]:
    """Compare matches that were played several times from the same seed, in their order."""
    (base, first), *others = ((folder, {row.match_id: row for row in counted_rows(folder)})
                              for folder in folders)  # fmt: skip
    found = []
    for match_id, row in first.items():
        for folder, rows in others:
            if match_id not in rows or rows[match_id].plays != row.plays:
                found.append(_difference(match_id, (base, row), (folder, rows.get(match_id))))
                break
    return found


def repeats_text(
    differ: Sequence[Difference], *, matches: int, times: int, entrants: Sequence[str]
) -> str:
    """Say whether the same matches were played card for card alike, and if not, by whose doing.

    Only the first card that differs in a match shows who is not deterministic: others may have
    answered to it.
    """
    if not differ:
        return f"deterministic: {counted(matches, 'match')}, {times} times card for card alike"
    by = Counter(one.entrant for one in differ if one.entrant)
    whose = ", ".join(f"{name} in {number}" for name, number in by.items())
    first = differ[0]
    where = ""
    if first.decisions is not None:
        one, other = first.decisions
        cards = f"{_told(one)}, then {_told(other)}"
        where = f", deal {one.deal}, trick {one.trick}, seat {one.seat}: {cards}"
    base, again = (shlex.quote(str(folder.path)) for folder in first.folders)
    lines = [
        f"not deterministic: matches that differ: {len(differ)} of {matches}"
        + (f"; first to play otherwise: {whose}" if whose else ""),
        f"the first is {first.match_id}{where}",
        f"look: arena replay {base} {first.match_id}, and the same of {again}",
    ]
    if entrants[0] in by or not by:
        lines.append("cure: take chance from view.random or bot_seed, nothing from the clock")
    else:
        lines.append(f"nothing shows that {entrants[0]} is not deterministic")
    return "\n".join(lines)


def _difference(
    match_id: str,
    one: tuple[EventFolder, MatchRow],
    other: tuple[EventFolder, MatchRow | None],
) -> Difference:
    (base, row), (folder, again) = one, other
    first = None if again is None else _first_otherwise(base, row, folder, again)
    return Difference(
        match_id=match_id,
        folders=(base, folder),
        entrant="" if first is None else row.seats[first[0].seat],
        decisions=first,
    )


def _first_otherwise(
    base: EventFolder, row: MatchRow, folder: EventFolder, again: MatchRow
) -> tuple[Decided, Decided] | None:
    """Find the first decision that was answered otherwise; None if the logs show none."""
    logs = [
        find_log(base.logs, row.match_id, row.attempt),
        find_log(folder.logs, again.match_id, again.attempt),
    ]
    records = [read_log(path) for path in logs if path is not None]
    if len(records) != len(logs):
        return None
    seats = range(len(row.seats))
    pairs = zip(*(decisions(record, seats) for record in records), strict=False)
    return next(((a, b) for a, b in pairs if _answer(a) != _answer(b)), None)


def _answer(decided: Decided) -> tuple[object, ...]:
    signal = None if decided.timing is None else decided.timing.signal
    return decided.seat, decided.card, decided.is_autoplayed, signal


def _told(decided: Decided) -> str:
    return f"{decided.card.name}{' (the referee, for it)' if decided.is_autoplayed else ''}"
