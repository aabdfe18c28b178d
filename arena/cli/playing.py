"""Playing an event from the command line: signals, progress, and what it came to.

Owns what ``arena run`` and ``arena match`` share. Must not know how an event is played.
"""

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import trio
import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.progress import Progress as Bar

from arena.cli.main import DONE, INTERRUPTED
from arena.cli.output import Format
from arena.cli.standings import print_standings
from arena.errors import ArenaError
from arena.tournament.folder import EventPlace
from arena.tournament.opening import open_event
from arena.tournament.plan import event_totals
from arena.tournament.run_state import RunState
from arena.tournament.runner import Progress, Stopper, run_event

Report = Callable[[Progress], None]


def play(
    place: EventPlace,
    *,
    skip_missing: bool = False,
    tables: int | None = None,
    base: Path | None = None,
    fmt: Format = Format.TABLE,
) -> int:
    """Play an event to its end or until it is stopped, then print how it stands.

    Returns:
        The exit status.
    """
    try:
        return trio.run(_play, place, skip_missing, tables, base, fmt)
    except* ArenaError as group:
        raise _first(group) from None


async def _play(
    place: EventPlace, skip_missing: bool, tables: int | None, base: Path | None, fmt: Format
) -> int:
    stopper = Stopper()
    done = False
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_take_signals, stopper)
        async with open_event(
            place, skip_missing=skip_missing, tables=tables, say=_say, base=base
        ) as run:
            _introduce(run)
            with _progress(run) as report:
                done = await run_event(run, stopper=stopper, report=report)
            print_standings(place.folder, fmt)
        nursery.cancel_scope.cancel()
    if not done:
        _say(f"stopped; go on with: arena run {place.folder.path}")
    return DONE if done else INTERRUPTED


async def _take_signals(stopper: Stopper) -> None:
    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async for _ in signals:
            if not stopper.is_stopping:
                _say("stopping: running matches finish; once more to end them now")
            stopper.stop()


def _introduce(run: RunState) -> None:
    totals = event_totals(run.event)
    names = ", ".join(entrant.name for entrant in run.event.entrants)
    boards = f", {totals.boards} boards" if totals.boards else ""
    _say(f"{run.event.name}: {names}")
    _say(f"{totals.matches} matches{boards}; {run.tables} at once; in {run.folder.path}")
    for number, seed in enumerate(run.seeds, start=1):
        _say(f"stage {number}: seed commitment {seed.commitment}")
    _say("sandbox: none on this arena version; bots run with this user's rights")
    if run.is_oversubscribed:
        _say("more tables than this machine's cores allow: think times suffer; logs say so")


@contextmanager
def _progress(run: RunState) -> Iterator[Report]:
    """Show a bar on a terminal, lines elsewhere (at most about fifty)."""
    planned = event_totals(run.event).matches
    already = len(run.results.counted_ids())
    console = Console(stderr=True)
    if not console.is_terminal:
        step = max(1, planned // 50)

        def line(progress: Progress) -> None:
            if progress.counted % step == 0 or progress.counted == progress.planned:
                _say(f"{progress.counted}/{progress.planned} {_outcome(progress)}")

        yield line
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Bar(*columns, console=console, transient=True) as bar:
        task = bar.add_task("matches", total=planned, completed=already)

        def advance(progress: Progress) -> None:
            bar.update(task, completed=progress.counted)

        yield advance


def _outcome(progress: Progress) -> str:
    row = progress.row
    score = "-".join(str(total) for total in row.totals)
    return f"{row.match_id} {' v '.join(row.entrants)} {score} {row.termination.value}"


def _say(text: str) -> None:
    typer.echo(text, err=True)
    sys.stderr.flush()


def _first(group: BaseExceptionGroup[ArenaError]) -> ArenaError:
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    assert isinstance(error, ArenaError), "except* has chosen these"  # noqa: S101
    return error
