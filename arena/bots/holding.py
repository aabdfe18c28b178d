"""Holding: what keeps bots to their memory, tasks and turns on this machine, in one line.

Owns the words. Must not know how anything is held. Source: docs/resources.md.
"""

from collections.abc import Collection

from arena.bots.cgroups import Guard, open_cgroups
from arena.bots.sandbox.launch import Sandbox

CURE = (
    "systemd-run --user --scope -p Delegate=yes arena …; in a container: a writable /sys/fs/cgroup"
)
"""What gives an ordinary user control groups."""


def holding_line(guards: Collection[Guard], *, counts_tasks: bool, own_turn: bool) -> str:
    """Say what holds bots to their bounds, and what does not.

    Args:
        guards: What control groups hold here.
        counts_tasks: Whether the sandbox lets each bot's processes be counted by themselves.
        own_turn: Whether the event wants bots stopped out of their turn.
    """
    memory = "held" if Guard.MEMORY in guards else "watched"
    tasks = "held" if Guard.TASKS in guards else "limited" if counts_tasks else "NOT bounded"
    parts = [f"memory {memory}", f"tasks {tasks}"]
    if own_turn:
        parts.append(
            "bots stopped out of their turn"
            if Guard.FREEZING in guards
            else "bots NOT stopped out of their turn: they may think while others decide"
        )
    kind = "control groups" if guards else "no control groups"
    return f"resources: {kind}; {', '.join(parts)}"


def resources_line(sandbox: Sandbox, *, own_turn: bool) -> str:
    """Say it of this machine, as it is tried now."""
    with open_cgroups() as cgroups:
        held = cgroups.guards
    return holding_line(held, counts_tasks=sandbox.counts_tasks, own_turn=own_turn)
