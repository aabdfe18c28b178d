"""Ending: what a run leaves behind when it is over or paused.

Owns ``standings.json`` and the last lines of the event's log. Must not know tables or
bots. Source: record.md ("Event log"), design.md §6 ("Commitment").
"""

import contextlib
import os
from collections.abc import Sequence
from pathlib import Path

from arena.errors import HostFault
from arena.record.event_log import EventLog
from arena.tournament.run_state import RunState
from arena.tournament.seeding import Seed
from arena.tournament.standings import standings
from arena.tournament.standings_data import standings_json


def close_event(run: RunState) -> None:
    """Write the standings, reveal the seeds and close the event's log, once all matches count.

    In this order: beside seeds that are revealed no standings are older than the results.

    Raises:
        HostFault: The disk does not take it; the same again goes on where this ended.
    """
    write_standings(run)
    close_log(run.log, run.seeds, is_revealed=run.is_revealed)


def close_log(log: EventLog, seeds: Sequence[Seed], *, is_revealed: bool) -> None:
    """Reveal the seeds, unless an earlier end has, and close an event's log.

    Raises:
        HostFault: The disk does not take it.
    """
    if not is_revealed:
        secrets = [seed.secret.hex() for seed in seeds if seed.secret is not None]
        made_of: dict[str, object] = {"secrets": secrets} if secrets else {}
        keys = [seed.key.hex() for seed in seeds]
        log.append("seed_revealed", durable=False, seeds=keys, **made_of)
    log.append("event_closed")


def pause_event(run: RunState, *, why: str, **more: object) -> None:
    """Leave provisional standings and the reason behind, as far as the disk takes them.

    ``more`` are further fields of the line ``event_paused``.
    Where it does not, what matters is already told: the first fault, or that it was stopped.
    """
    with contextlib.suppress(HostFault):
        write_standings(run)
    with contextlib.suppress(HostFault):
        run.log.append("event_paused", durable=True, why=why, **more)


def write_standings(run: RunState) -> None:
    """Write ``standings.json``: whole or not at all.

    Raises:
        HostFault: The disk does not take it.
    """
    document = standings_json(
        standings(run.event, run.results.rows(), run.rulings),
        commitments=[seed.commitment for seed in run.seeds],
        fingerprint=run.fingerprint,
    )
    put_standings(run.folder.standings, document)


def put_standings(path: Path, document: bytes) -> None:
    """Write ``standings.json``: whole or not at all.

    Raises:
        HostFault: The disk does not take it.
    """
    draft = path.with_name(f".{path.name}")
    try:
        with draft.open("wb") as file:
            file.write(document)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
        raise HostFault(f"{path}: cannot be written: {error.strerror}") from error
