"""Playing an event from the command line: signals, what is said, and what it came to.

Owns what ``arena run`` and ``arena match`` share. Must not know how an event is played.
"""

import contextlib
import resource
import shlex
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import trio

from arena.bots.build_store import BuildStore
from arena.bots.holding import resources_line
from arena.bots.sandbox.mode import SandboxMode, guards_line
from arena.cli.finishing import finish_words
from arena.cli.main import DONE, INTERRUPTED
from arena.cli.output import Format, ProgressForm, say
from arena.cli.plan import MEASURED
from arena.cli.progress import show_progress
from arena.cli.standings import print_standings
from arena.cli.trace import Trace
from arena.cli.trio_run import first_fault, run_trio
from arena.counted import counted
from arena.errors import ArenaError, HostFault
from arena.server.public_listener import ListenPlan
from arena.tournament.begun import Begun, read_begun
from arena.tournament.estimate import estimate
from arena.tournament.event_file import Thinking
from arena.tournament.folder import EventFolder, EventPlace
from arena.tournament.opening import open_event
from arena.tournament.plan import event_totals
from arena.tournament.remote_room import RemotePlan
from arena.tournament.ruling_act import mend
from arena.tournament.run_state import RunState
from arena.tournament.runner import run_event
from arena.tournament.stopping import Stopper

MOST_DESCRIPTORS = 65_536
"""What is asked for: enough for a thousand tables."""


def play(
    place: EventPlace,
    *,
    skip_missing: bool = False,
    tables: int | None = None,
    base: Path | None = None,
    fmt: Format = Format.TABLE,
    show: Callable[[EventFolder, Format], None] = print_standings,
    sandbox: SandboxMode | None = None,
    listen: ListenPlan | None = None,
    wait_s: float | None = None,
    shows_tokens: bool = False,
    trace: Trace | None = None,
    public_text: str | None = None,
    progress: ProgressForm = ProgressForm.AUTO,
    builds: BuildStore | None = None,
    is_kept: bool = True,
) -> int:
    """Play an event to its end or until it is stopped, then ``show`` how it stands.

    What ``builds`` keeps is not built: that is for an author's own matches, not for an event.
    Where the folder is not kept (``is_kept``), nothing is said of going on there.

    Returns:
        The exit status.

    Raises:
        ArenaError: The event cannot be played, or not to its end.
    """
    begun = read_begun(place.folder)
    if begun is not None and (begun.is_closed or begun.rulings.is_published):
        begun.refuse_another(place)
        _mend(place.folder)
        say("this event is over; its standings:")
        show(place.folder, fmt)
        return DONE
    if begun is not None and begun.awaits_text and public_text is None:
        begun.refuse_another(place)
        _say_awaited(place, begun)
        return INTERRUPTED
    _allow_many_descriptors()
    try:
        remote = RemotePlan(
            listen=listen or ListenPlan(), wait_s=wait_s, say=say, shows_tokens=shows_tokens
        )
        done = run_trio(
            partial(
                _play,
                place,
                skip_missing=skip_missing,
                tables=tables,
                base=base,
                remote=remote,
                sandbox=sandbox,
                trace=trace,
                public_text=public_text,
                progress=progress,
                builds=builds,
            )
        )
    except (ArenaError, OSError, ExceptionGroup) as error:
        first = first_fault(error)
        if first is None:
            raise
        if isinstance(first, HostFault) and place.folder.has_begun:
            raise HostFault(f"{first}; when that is mended, {_how_to_go_on(place)}") from None
        raise first from None
    begun = read_begun(place.folder)
    if begun is not None and begun.awaits_text:
        _say_awaited(place, begun)
        return INTERRUPTED
    if begun is not None:
        show(place.folder, fmt)
    if done:
        return DONE
    if is_kept:
        _say_stopped(place)
    return INTERRUPTED


async def _play(
    place: EventPlace,
    *,
    skip_missing: bool,
    tables: int | None,
    base: Path | None,
    sandbox: SandboxMode | None,
    remote: RemotePlan,
    trace: Trace | None,
    public_text: str | None,
    progress: ProgressForm,
    builds: BuildStore | None,
) -> bool:
    """Play an event on; whether all of it is played."""
    stopper = Stopper()
    done = False
    with trio.open_signal_receiver(*_stop_signals()) as signals:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_take_signals, signals, stopper)
            async with open_event(
                place,
                stopper=stopper,
                skip_missing=skip_missing,
                tables=tables,
                say=say,
                base=base,
                mode=sandbox,
                public_text=public_text,
                builds=builds,
            ) as run:
                if run is not None:
                    _introduce(run)
                    form = progress if trace is None else ProgressForm.LINES
                    with show_progress(run, form) as report:
                        async with _traced(run, trace, stopper) as traced:
                            done = await run_event(
                                traced, stopper=stopper, report=report, remote=remote
                            )
                    if stopper.cut_reason is not None:
                        say(stopper.cut_reason)
            nursery.cancel_scope.cancel()
    return done


@asynccontextmanager
async def _traced(run: RunState, trace: Trace | None, stopper: Stopper) -> AsyncIterator[RunState]:
    """Let a trace be printed while the run plays, and to its end unless that is not awaited."""
    if trace is None:
        yield run
        return

    async def print_all() -> None:
        with stopper.until_ended():
            await trace.print_all()

    async with trio.open_nursery() as printing:
        printing.start_soon(print_all)
        try:
            yield replace(run, observer=trace.take)
        finally:
            trace.end()


def _allow_many_descriptors() -> None:
    """Raise the soft limit: a bot takes about six descriptors, and 1024 is a usual limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MOST_DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(ValueError, OSError):  # some systems allow less than they say
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _stop_signals() -> tuple[signal.Signals, ...]:
    """List what stops a run; under nohup the end of the terminal does not."""
    is_nohup = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    return signal.SIGINT, signal.SIGTERM, *(() if is_nohup else (signal.SIGHUP,))


async def _take_signals(signals: AsyncIterator[int], stopper: Stopper) -> None:
    async for _ in signals:
        if not stopper.is_stopping:
            say("stopping: running matches finish; once more to end them now")
        stopper.stop()


def _introduce(run: RunState) -> None:
    totals = event_totals(run.event)
    names = ", ".join(entrant.name for entrant in run.event.entrants)
    boards = f", {counted(totals.boards, 'board')}" if totals.boards else ""
    most = "" if run.event.compare is None else "at most "
    matches = counted(totals.matches, "match")
    say(f"{run.event.name}: {names}")
    say(f"{most}{matches}{boards}; {run.tables} at once; in {run.folder.path}")
    for number, seed in enumerate(run.seeds, start=1):
        say(f"stage {number}: seed commitment {seed.commitment}")
    if run.event.finish_by is not None:
        is_fresh = not run.results.counted_ids()
        found = estimate(run.event, tables=run.tables, measures=MEASURED) if is_fresh else ()
        say(finish_words(run.event.finish_by, found))
    say(guards_line(run.sandbox.guards))
    own_turn = any(s.thinking is Thinking.OWN_TURN and s.capacity == 1 for s in run.event.stages)
    say(resources_line(run.sandbox, own_turn=own_turn))
    if run.is_oversubscribed:
        say("more tables than this machine's cores allow: think times suffer; logs say so")


def _mend(folder: EventFolder) -> None:
    """Carry a ruling out that a kill cut short."""
    if mend(folder):
        say(f"{folder.path}: a kill came into the last ruling; it is carried out now")


def _say_awaited(place: EventPlace, begun: Begun) -> None:
    """Tell what to publish, and what is awaited."""
    say(f"no cards yet: {place.folder.path} awaits its public text; publish now:")
    say(f"  fingerprint {begun.freeze.fingerprint}")
    for number, commitment in enumerate(begun.secret_commitments, start=1):
        say(f"  stage {number}: secret commitment {commitment}")
    say("and which public chance will give the text (a lottery of a day to come, say); then:")
    say(f"  arena run {shlex.quote(str(place.folder.path))} --public-text TEXT")


def _say_stopped(place: EventPlace) -> None:
    """Tell a run's end before its time, and what goes on."""
    if place.folder.has_begun:
        say(f"stopped; {_how_to_go_on(place)}")
    else:
        say("stopped before anything was played; the same command starts it")


def _how_to_go_on(place: EventPlace) -> str:
    return f"go on with: arena run {shlex.quote(str(place.folder.path))}"
