"""MachineLimits: whether this user may open and start as much as an event keeps at once.

Owns the check for ``restart = "never"``, which keeps the processes of all entrants for a whole
stage; other events start a few tables' worth and no more. Must not start anything.
Source: issue "Tournaments to trust"; requirements.md E.
"""

import resource
from typing import Final

from arena.tournament.event_file import EventFile, Restart
from arena.tournament.plan import stage_plans
from arena.tournament.schedule import orientations

DESCRIPTORS_EACH: Final = 7
"""Of the arena, for one bot process: its pipes, socket, listener and what watches it (6.5
measured with 20 processes)."""
DESCRIPTORS_BESIDES: Final = 64
"""Of the arena, for everything else."""


def kept_processes(event: EventFile) -> int:
    """Count the bot processes that the largest ``restart = "never"`` stage keeps at once."""
    counts = [
        -(-plan.entrants * len(orientations(plan.seats, plan.per_table)) // plan.per_table)
        * plan.seats
        for plan in stage_plans(event)
        if plan.restart is Restart.NEVER
    ]
    return max(counts, default=0)


def limit_problem(event: EventFile) -> str | None:
    """Say which limit of this user the event would meet; None where it has room.

    Processes are held against the limit alone: those that run already are not counted.
    """
    processes = kept_processes(event)
    if not processes:
        return None
    for key, flag, needed in (
        (resource.RLIMIT_NOFILE, "-n", DESCRIPTORS_EACH * processes + DESCRIPTORS_BESIDES),
        (resource.RLIMIT_NPROC, "-u", processes + 1),
    ):
        allowed, _ = resource.getrlimit(key)
        if allowed != resource.RLIM_INFINITY and allowed < needed:
            what = "open files" if flag == "-n" else "processes"
            return (
                f'restart = "never" keeps {processes} bot processes at once, which takes {needed} '
                f"{what}; this user may have {allowed}: raise it (ulimit {flag} {needed}), or use "
                'restart = "pairing"'
            )
    return None
