"""Progress: how far an event is, for whoever waits for it.

Owns the bar on a terminal, the lines elsewhere, and those for machines. Must not know how an
event is played.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from time import monotonic

import msgspec
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.progress import Progress as Bar

from arena.cli.output import SCHEMA, ProgressForm, say
from arena.counted import counted
from arena.tournament.compared import Comparison, Outcome
from arena.tournament.comparing import taken_up
from arena.tournament.plan import event_totals
from arena.tournament.rating.sequential import SequentialTest
from arena.tournament.run_state import RunState
from arena.tournament.runner import Progress

Report = Callable[[Progress], None]

MOST_LINES = 50
"""About so many lines tell of a whole event where there is no terminal."""
_REFRESH_HZ = 2
"""The bar is drawn by a thread of its own, beside the one that judges clocks."""


@contextmanager
def show_progress(run: RunState, form: ProgressForm = ProgressForm.AUTO) -> Iterator[Report]:
    """Show how far an event is on stderr; give what takes the news."""
    planned = event_totals(run.event).matches
    already = len(run.results.counted_ids())
    if form is ProgressForm.JSON:
        yield _json_lines(already)
        return
    if already:
        most = "at most " if run.event.compare is not None else ""
        say(f"already counted: {already} of {most}{counted(planned, 'match')}")
    if run.event.compare is not None:
        yield _comparison_lines(run, run.event.compare)
        return
    console = Console(stderr=True)
    if form is ProgressForm.LINES or not console.is_terminal:
        yield _lines(planned, already)
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Bar(*columns, console=console, transient=True, refresh_per_second=_REFRESH_HZ) as bar:
        task = bar.add_task("matches", total=planned, completed=already)

        def advance(progress: Progress) -> None:
            bar.update(task, completed=progress.counted, total=progress.planned)

        yield advance


def _lines(planned: int, already: int) -> Report:
    step = max(1, planned // MOST_LINES)
    began = monotonic()

    def line(progress: Progress) -> None:
        if progress.counted % step and progress.counted < progress.planned:
            return
        left_s = _left_s(progress, already, monotonic() - began)
        eta = f", {timedelta(seconds=left_s)} left" if left_s else ""
        say(f"{progress.counted}/{progress.planned}{eta}: {_outcome(progress)}")

    return line


def _json_lines(already: int) -> Report:
    """Tell of each match that counts in the envelope of all JSON output, one a line."""
    began = monotonic()

    def line(progress: Progress) -> None:
        row = progress.row
        data = {
            "counted": progress.counted,
            "planned": progress.planned,
            "left_s": _left_s(progress, already, monotonic() - began),
            "match": row.match_id,
            "attempt": row.attempt,
            "entrants": row.entrants,
            "points": row.totals,
            "ended": row.termination.value,
        }
        envelope = {"schema": SCHEMA, "kind": "progress", "data": data}
        say(msgspec.json.encode(envelope).decode())

    return line


def _left_s(progress: Progress, already: int, elapsed_s: float) -> int:
    """Reckon the seconds left from the pace of this run; further boards of a knockout add to it."""
    per_match = elapsed_s / max(1, progress.counted - already)
    return round(per_match * (progress.planned - progress.counted))


def _comparison_lines(run: RunState, test: SequentialTest) -> Report:
    """Tell after each block of boards how a comparison stands and what remains."""
    comparer = taken_up(run.event, test, run.results.rows(), run.rulings)

    def line(progress: Progress) -> None:
        if comparer.add(progress.row):
            say(how_it_stands(comparer.result()))

    return line


def how_it_stands(found: Comparison) -> str:
    """Say on one line how a comparison stands and what remains, as far as that can be told."""
    standing = found.standing
    points = "" if found.points is None else f"{float(found.points):+.2f} points/board, "
    bounds = f"{standing.bounds.lower:.2f} to {standing.bounds.upper:.2f}"
    left = ""
    if found.outcome is Outcome.OPEN:
        most = found.most_boards - standing.groups
        left = f"; at most {counted(most, 'board')} left"
        if standing.expected_left is not None:
            left += f", about {min(standing.expected_left, most)} if it goes on like this"
    return (
        f"{counted(standing.groups, 'board')}: {points}log-likelihood ratio {standing.llr:+.2f} "
        f"(decided outside {bounds}){left}"
    )


def _outcome(progress: Progress) -> str:
    row = progress.row
    score = "-".join(str(total) for total in row.totals)
    return f"{row.match_id} {' v '.join(row.entrants)} {score} {row.termination.value}"
