"""Opening: from an event file to a folder that is ready to play, first time or again.

Owns the order of a start: folder, lock, freeze, comparison with the first start, seeds and
commitments, results and log brought to one state. Must not play anything.
Source: design.md §6 ("Frozen", "The seed"), record.md ("The event folder").
"""

import os
import platform
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path

import arena
from arena.bots.build_store import BuildStore
from arena.bots.cgroups import can_freeze
from arena.bots.frozen import FrozenBot
from arena.bots.process import usable_cores
from arena.bots.resources import machine_memory_mib
from arena.bots.sandbox.launch import Sandbox
from arena.bots.sandbox.mode import SandboxMode
from arena.bots.sandbox.opening import open_sandbox
from arena.errors import ConfigError, HostFault
from arena.record.event_log import EventLog
from arena.record.results import Results
from arena.tournament.accounts import check_results, check_unnoted
from arena.tournament.begun import EVENT_SCHEMA, Begun, entrant_fields, read_begun
from arena.tournament.entered import bots_base, read_event
from arena.tournament.event_file import EventFile
from arena.tournament.folder import EventFolder, EventPlace, create_folder, locked
from arena.tournament.freeze import Freeze, differences, freeze_event, refuse_changes
from arena.tournament.notice import check_notify
from arena.tournament.plan import default_tables
from arena.tournament.preflight import Say, entrants_to_play, freeze_entrants, preflight
from arena.tournament.public_seed import (
    AWAITS_TEXT,
    check_text,
    draw_secrets,
    note_text,
    seeds_of_event,
)
from arena.tournament.published_file import published_text
from arena.tournament.rulings import Rulings
from arena.tournament.run_state import ARENA_VERSION, RunState, wall_time
from arena.tournament.seed_source import SeedSource
from arena.tournament.seeding import Seed, draw_seeds, seeds_begun_with, write_seeds
from arena.tournament.stopping import Stopper


@asynccontextmanager
async def open_event(
    place: EventPlace,
    *,
    stopper: Stopper,
    skip_missing: bool,
    tables: int | None,
    say: Say,
    base: Path | None = None,
    mode: SandboxMode | None = None,
    public_text: str | None = None,
    builds: BuildStore | None = None,
) -> AsyncIterator[RunState | None]:
    """Open an event that is not over for playing; nobody else can while the context is open.

    Args:
        place: The event file and the folder to play in.
        stopper: At its first word the opening is given up: what is yielded is None.
        skip_missing: Leave out entrants whose tools this machine lacks, at the first start.
        tables: Matches at once; None: as the event file or the cores say.
        say: Takes what the organiser must know.
        base: The folder that relative paths of bots start from, at the first start; None:
            where the event file was written.
        mode: What surrounds bots; None: what the event file says.
        public_text: What public chance gave, where the event awaits it: without it, what is
            yielded is None.
        builds: Where builds are taken from, and kept; None: every event builds its own.

    Raises:
        ConfigError: The event file, an entrant or the folder is wrong, or something that
            was frozen has changed.
        LogCorrupt: The results are not those that the event's log counts.
        HostFault: This machine cannot write the folder.
    """
    place = replace(place, content=place.read())
    begun = read_begun(place.folder)
    if begun is not None:
        if begun.is_closed:
            raise AssertionError("an event that is over is not opened again")
        begun.refuse_another(place)
    event = entered = read_event(place, begun, base)
    check_notify(event)
    check_text(event, begun, public_text, place.folder.path)
    if begun is not None:
        base = begun.bots_from
    else:
        base = bots_base(place) if base is None else base
        event = entrants_to_play(entered, base, skip_missing=skip_missing, say=say)
    async with AsyncExitStack() as stack:
        folder = create_folder(place)
        stack.enter_context(locked(folder))
        # What was read before the lock was taken.
        if read_begun(folder) != begun or read_event(place, begun, base) != entered:
            raise ConfigError(
                f"{folder.path}: another process has run this event or its entries meanwhile; "
                "give the command again"
            )
        sandbox = await stack.enter_async_context(
            open_sandbox(mode or event.sandbox, hidden=(folder.path,), say=say)
        )
        if begun is not None:
            begun.refuse_weaker(sandbox.guards, folder.path)
        event = event.under(sandbox.guards if begun is None else begun.guards)
        opened: tuple[Mapping[str, FrozenBot], Freeze] | None = None
        with stopper.until_stopped():
            bots = await freeze_entrants(event, base, folder.bots, sandbox, builds=builds, say=say)
            freeze = _freeze(place, bots)
            if begun is not None:
                refuse_changes(differences(begun.freeze, freeze), folder.path)
            await preflight(event, bots, folder.stderr, sandbox)
            opened = bots, freeze
        if opened is None or stopper.is_stopping:
            yield None
            return
        run = _open_records(
            stack,
            folder,
            event,
            *opened,
            tables=tables,
            begun=begun,
            sandbox=sandbox,
            public_text=public_text,
        )
        if begun is None:
            _note_opening(run, freeze, base)
        elif run.seeds:
            _note_resuming(run, begun, public_text)
        yield run if run.seeds else None


def tables_here(event: EventFile) -> int:
    """Say how many tables this machine lets play at once by default."""
    return default_tables(
        event,
        cores=usable_cores(),
        memory_mib=machine_memory_mib(),
        can_freeze=can_freeze(),
    )


def _open_records(
    stack: AsyncExitStack,
    folder: EventFolder,
    event: EventFile,
    bots: Mapping[str, FrozenBot],
    freeze: Freeze,
    *,
    tables: int | None,
    begun: Begun | None,
    sandbox: Sandbox,
    public_text: str | None,
) -> RunState:
    """Open seeds, results and log; the stack closes them."""
    seeds = _seeds(folder, event, begun, public_text)
    results = Results.open(folder.results, must_exist=begun is not None)
    stack.callback(results.close)
    if begun is not None:
        for match, attempt in sorted(begun.rulings.set_aside):
            results.set_aside(match, attempt)
        rows = results.rows()
        check_results(event, rows, begun.noted, folder.results)
        keys = [seed.key for seed in seeds]
        check_unnoted(rows, begun.noted, folder.logs, folder.results, keys)
    log = stack.enter_context(EventLog(folder.event_log, wall_time=wall_time))
    default = tables_here(event)
    chosen = tables or event.tables or default
    return RunState(
        folder=folder,
        event=event,
        bots=bots,
        seeds=seeds,
        results=results,
        log=log,
        tables=chosen,
        is_oversubscribed=chosen > default,
        fingerprint=freeze.fingerprint,
        is_revealed=begun is not None and begun.is_revealed,
        rulings=Rulings() if begun is None else begun.rulings,
        noted={} if begun is None else begun.noted,
        noted_suspensions=frozenset() if begun is None else begun.suspended,
        sandbox=sandbox,
    )


def _freeze(place: EventPlace, bots: Mapping[str, FrozenBot]) -> Freeze:
    return freeze_event(
        event_file=place.read(),
        entrants={name: bot.hash for name, bot in bots.items()},
        arena_version=ARENA_VERSION,
        package=Path(arena.__file__).parent,
    )


def _seeds(
    folder: EventFolder, event: EventFile, begun: Begun | None, public_text: str | None
) -> tuple[Seed, ...]:
    """Draw the seeds, or read them; none before the public text that makes them."""
    if event.seed_source is SeedSource.SYSTEM:
        if begun is None:
            return _draw(folder, event)
        return seeds_begun_with(folder.seed_key, event, begun.commitments)
    if begun is None:
        return ()
    text = public_text if begun.public_text is None else begun.public_text
    return () if text is None else seeds_of_event(folder, event, begun, text)


def _draw(folder: EventFolder, event: EventFile) -> tuple[Seed, ...]:
    """Draw the seeds; those of a start that was killed before it published anything are void."""
    _forget(folder)
    seeds = draw_seeds(event)
    write_seeds(folder.seed_key, seeds)
    return seeds


def _forget(folder: EventFolder) -> None:
    try:
        folder.seed_key.unlink(missing_ok=True)
    except OSError as error:
        raise HostFault(f"{folder.seed_key}: cannot be replaced: {error.strerror}") from error


def _note_opening(run: RunState, freeze: Freeze, base: Path) -> None:
    """Publish fingerprint and commitments: before any card exists anywhere but in the seed."""
    secrets: dict[str, object] = {}
    if run.event.seed_source is SeedSource.PUBLIC:
        _forget(run.folder)
        secrets["secret_commitments"] = list(draw_secrets(run.folder.seed_key, run.event))
    run.log.append(
        "event_opened",
        schema=EVENT_SCHEMA,
        host=platform.node(),
        name=run.event.name,
        event_file=published_text(run.folder.event_file.read_text("utf-8")),
        entrants=entrant_fields(run.event.entrants),
        bots_from=os.path.relpath(base.resolve(), run.folder.path.resolve()),
        practice=run.event.practice,
        guessable_seed=run.event.is_guessable,
        commitments=[seed.commitment for seed in run.seeds],
        tables=run.tables,
        guards=list(run.sandbox.guards),
        durable=True,
        **secrets,
        **freeze.to_fields(),
    )
    for name, bot in run.bots.items():
        run.log.append(
            "entrant_frozen", entrant=name, bot=bot.name, version=bot.version, hash=bot.hash
        )
    if not run.seeds:
        run.log.append("event_paused", why=AWAITS_TEXT)


def _note_resuming(run: RunState, begun: Begun, public_text: str | None) -> None:
    """Note in the log that the event goes on, and a public text before any card."""
    if begun.awaits_text and public_text is not None:
        note_text(run.log, public_text, run.seeds)
    run.log.append("event_resumed", tables=run.tables, guards=list(run.sandbox.guards))
    _reconcile(run, begun)


def _reconcile(run: RunState, begun: Begun) -> None:
    """Note in the log what the database holds and a kill kept out of the log."""
    for row in run.results.rows():
        if (row.match_id, row.attempt) not in begun.noted:
            run.note(row)
