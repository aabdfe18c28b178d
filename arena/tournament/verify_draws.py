"""Whether draws and suspensions in an event's log follow from the results that stood before them.

Owns the second making of what a run drew as it played: the field of a stage, the pairings of a
round, who is suspended. Must not know how a draw is made nor when forfeits are too many: that is
:mod:`arena.tournament.suspension`'s. Source: record.md ("Event log"), formats.md.

A draw stands whatever is ruled later, so it is made anew from the lines before it alone: the
matches that counted then, as they scored by the rulings of then.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from arena.record.event_log import EventLine
from arena.record.match_row import MatchRow
from arena.record.rerun import Difference
from arena.tournament.accounts import noted_attempts
from arena.tournament.drawn import Drawn, read_drawn
from arena.tournament.event_file import EventFile
from arena.tournament.rulings import fold, read_rulings
from arena.tournament.suspension import Suspensions

_DRAWS: Final = frozenset({"stage_seeded", "round_drawn"})
_SUSPENDED: Final = "entrant_suspended"


def draws_wrong(
    event: EventFile, lines: Sequence[EventLine], rows: Iterable[MatchRow], path: Path
) -> Iterator[Difference]:
    """Make every draw and suspension anew and give the first line that says otherwise.

    Args:
        event: The event as frozen.
        lines: The event's log.
        rows: Every attempt in the results, which agree with the log.
        path: The log, for messages.
    """
    known = {(row.match_id, row.attempt): row for row in rows}
    for place, line in enumerate(lines):
        if line.kind not in _DRAWS and line.kind != _SUSPENDED:
            continue
        before = lines[:place]
        settled = _settled(event, before, known, path)
        wrong = (
            _suspension_wrong(settled, line)
            if line.kind == _SUSPENDED
            else _draw_wrong(settled.drawn, line, path)
        )
        if wrong is not None:
            expected, found = wrong
            yield Difference(file=str(path), seq=line.seq, expected=expected, found=found)
            return


def _settled(
    event: EventFile,
    before: Sequence[EventLine],
    known: dict[tuple[str, int], MatchRow],
    path: Path,
) -> Suspensions:
    """Give what followed from an event's log when it ended with these lines."""
    rulings = replace(fold(read_rulings(before, path)), drawn=read_drawn(before, path))
    counted = [
        replace(known[attempt], counted=True)
        for attempt, noted in noted_attempts(before, path).items()
        if noted.counted and attempt in known
    ]
    settled = Suspensions(event, rulings)
    for row in rulings.applied(counted):
        settled.add(row)
    settled.settle()
    return settled


def _draw_wrong(due: Drawn, line: EventLine, path: Path) -> tuple[str, str] | None:
    """Compare one draw with what was due; nothing is due while a round is open."""
    said = read_drawn([line], path)
    for what, drawn, found in (
        *((f"entrants of stage {stage}", due.fields.get(stage), names)
          for stage, names in said.fields.items()),
        *((f"pairings of round {number} of stage {stage}", due.rounds.get((stage, number)), pairs)
          for (stage, number), pairs in said.rounds.items()),
    ):  # fmt: skip
        if drawn is None:
            return f"no {what} before the results that they follow from", line.kind
        if drawn != found:
            return f"{what} {_shown(drawn)}, as they follow from the results", _shown(found)
    return None


def _suspension_wrong(settled: Suspensions, line: EventLine) -> tuple[str, str] | None:
    name = line.fields.get("entrant")
    if name in settled.suspended:
        return None
    return f"nobody suspended by the results but {sorted(settled.suspended)}", repr(name)[:100]


def _shown(names: object) -> str:
    text = str(names)
    return text if len(text) <= 200 else f"{text[:200]} …"  # noqa: PLR2004
