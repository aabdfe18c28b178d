"""Opening: from an event file to a folder that is ready to play, first time or again.

Owns the order of a start: folder, lock, freeze, comparison with the first start, seeds and
commitments, results and log brought to one state. Must not play anything.
Source: design.md §6 ("Frozen", "The seed"), record.md ("The event folder").
"""

import os
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path

import arena
from arena.bots.frozen import FrozenBot
from arena.bots.process import usable_cores
from arena.errors import ConfigError, LogCorrupt
from arena.record.event_log import EventLine, EventLog, read_event_log
from arena.record.results import Results
from arena.tournament.event_file import EventFile
from arena.tournament.event_reading import load_event
from arena.tournament.folder import EventPlace, create_folder, locked
from arena.tournament.freeze import Freeze, differences, freeze_event, refuse_changes
from arena.tournament.plan import default_tables
from arena.tournament.preflight import freeze_entrants, preflight, skipped_entrants
from arena.tournament.run_state import ARENA_VERSION, RunState, wall_time
from arena.tournament.seeding import draw_seeds, read_seeds, write_seeds

Say = Callable[[str], None]
"""Takes a line for the organiser."""


@asynccontextmanager
async def open_event(
    place: EventPlace,
    *,
    skip_missing: bool,
    tables: int | None,
    say: Say,
    base: Path | None = None,
) -> AsyncIterator[RunState]:
    """Open an event for playing; nobody else can while the context is open.

    Args:
        place: The event file and the folder to play in.
        skip_missing: Leave out entrants whose tools this machine lacks, at the first start.
        tables: Matches at once; None: as the event file or the cores say.
        say: Takes what the organiser must know.
        base: The folder that relative paths of bots start from, at the first start; None:
            the event file's.

    Raises:
        ConfigError: The event file, an entrant or the folder is wrong, or something that
            was frozen has changed.
        HostFault: This machine cannot write the folder.
    """
    event = load_event(place.file)
    begun = _begun(place)
    if begun is not None:
        base = place.folder.path / str(begun.fields["bots_from"])
    elif base is None:
        base = place.file.parent
    event = _with_entrants(event, base, begun, skip_missing=skip_missing, say=say)
    with ExitStack() as stack:
        folder = create_folder(place)
        stack.enter_context(locked(folder))
        bots = await freeze_entrants(event.entrants, base, folder.bots)
        freeze = _freeze(place, bots)
        if begun is not None:
            refuse_changes(differences(Freeze.from_fields(begun.fields), freeze), folder.path)
        await preflight(bots, event.stages[0].clock.start_ms, folder.stderr)
        if folder.seed_key.exists():
            seeds = read_seeds(folder.seed_key, event)
        else:
            seeds = draw_seeds(event)
            write_seeds(folder.seed_key, seeds)
        results = Results.open(folder.results)
        stack.callback(results.close)
        log = stack.enter_context(EventLog(folder.event_log, wall_time=wall_time))
        default = default_tables(usable_cores())
        chosen = tables or event.tables or default
        run = RunState(
            folder=folder,
            event=event,
            bots=bots,
            seeds=seeds,
            results=results,
            log=log,
            tables=chosen,
            is_oversubscribed=chosen > default,
        )
        if begun is None:
            _note_opening(run, freeze, base)
        elif not is_closed(run):
            log.append("event_resumed", tables=chosen)
            _reconcile(run)
        yield run


def _begun(place: EventPlace) -> EventLine | None:
    """Read how the event began, if it did."""
    if not place.folder.has_begun:
        return None
    lines = read_event_log(place.folder.event_log)
    if not lines:
        return None  # killed before the first line was whole
    if lines[0].kind != "event_opened":
        raise LogCorrupt(f"{place.folder.event_log}: its first line is not event_opened")
    return lines[0]


def _with_entrants(
    event: EventFile, base: Path, begun: EventLine | None, *, skip_missing: bool, say: Say
) -> EventFile:
    """Leave out entrants whose tools are missing; later starts leave out the same ones."""
    if begun is not None:
        return event.only(Freeze.from_fields(begun.fields).entrants)
    skipped = skipped_entrants(event.entrants, base)
    for name, reason in skipped.items():
        if not skip_missing:
            raise ConfigError(
                f"entrant {name!r}: {reason}; install them, take the entrant out, or run with "
                "--skip-missing to play without it"
            )
        say(f"skipped: entrant {name!r}: {reason}")
    return event.only([entrant.name for entrant in event.entrants if entrant.name not in skipped])


def _freeze(place: EventPlace, bots: Mapping[str, FrozenBot]) -> Freeze:
    return freeze_event(
        event_file=place.file.read_bytes(),
        entrants={name: bot.hash for name, bot in bots.items()},
        arena_version=ARENA_VERSION,
        package=Path(arena.__file__).parent,
    )


def _note_opening(run: RunState, freeze: Freeze, base: Path) -> None:
    """Publish fingerprint and commitments: before any card exists anywhere but in the seed."""
    text = run.folder.event_file.read_text("utf-8")
    if run.event.seed is not None:
        text = text.replace(run.event.seed, "(secret)")
    run.log.append(
        "event_opened",
        name=run.event.name,
        event_file=text,
        bots_from=os.path.relpath(base, run.folder.path),
        practice=run.event.practice,
        guessable_seed=run.event.is_guessable,
        commitments=[seed.commitment for seed in run.seeds],
        tables=run.tables,
        durable=True,
        **freeze.to_fields(),
    )
    for name, bot in run.bots.items():
        run.log.append(
            "entrant_frozen", entrant=name, bot=bot.name, version=bot.version, hash=bot.hash
        )


def _reconcile(run: RunState) -> None:
    """Note in the log what the database holds and a kill kept out of the log."""
    noted = {
        (line.fields.get("match"), line.fields.get("attempt"))
        for line in read_event_log(run.folder.event_log)
        if line.kind in ("match_counted", "match_voided")
    }
    for row in run.results.rows():
        if (row.match_id, row.attempt) not in noted:
            run.note(row)


def is_closed(run: RunState) -> bool:
    """Tell whether everything was played and the seeds are out."""
    return any(line.kind == "event_closed" for line in read_event_log(run.folder.event_log))
