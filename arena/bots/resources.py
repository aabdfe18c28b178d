"""Resources: what one bot's processes may use, and how it reaches them.

Owns the defaults, the core shares of bots that run at once, and the limits that a process
carries through exec. Must not know control groups (:mod:`arena.bots.cgroups`), sandboxes or
matches. Source: resources.md, requirements.md H.

What is told in ``MatchStarted`` is what is applied here:

- ``cores``: an affinity mask, so that a bot that counts cores counts its own; the thread
  variables of numeric libraries follow. 0, or as many as this process has: no mask.
- ``memory_mib``: the bound of the control group; without one RLIMIT_DATA, which each process
  has for itself, and the warden's look at all of them together. Never RLIMIT_AS: a JVM
  reserves far more than it uses.
- ``tasks``: the bound of the control group. RLIMIT_NPROC would count all seats of one user
  together, so it belongs inside a sandbox.
- ``disk_mib``: RLIMIT_FSIZE bounds each file; only a sandbox bounds the folder.
"""

import os
from collections import Counter
from dataclasses import dataclass
from typing import Final

from arena.errors import ConfigError
from arena.wire.terms import Resources

MIB: Final = 1 << 20
DEFAULT_CORES: Final = 1
DEFAULT_MEMORY_MIB: Final = 1_024
DEFAULT_DISK_MIB: Final = 64
LEAST_MEMORY_MIB: Final = 64
"""Less than this starts no interpreter with a gRPC library."""


def default_tasks(cores: int) -> int:
    """Say how many processes and threads a bot may have at once, for its cores."""
    return max(64, 32 + 4 * cores)


def resources_for(
    *,
    cores: int = DEFAULT_CORES,
    memory_mib: int = DEFAULT_MEMORY_MIB,
    tasks: int | None = None,
    disk_mib: int = DEFAULT_DISK_MIB,
) -> Resources:
    """Give what a bot may use; ``tasks`` None follows from the cores.

    Raises:
        ConfigError: A value is too small for any bot.
    """
    if memory_mib < LEAST_MEMORY_MIB:
        raise ConfigError(
            f"resources: memory = {memory_mib} is too small; allowed are whole MiB from "
            f"{LEAST_MEMORY_MIB}"
        )
    return Resources(
        cores=cores,
        memory_mib=memory_mib,
        tasks=default_tasks(cores) if tasks is None else tasks,
        disk_mib=disk_mib,
    )


def machine_memory_mib() -> int | None:
    """Read how much memory this machine has; None where it does not say."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // MIB
    except (OSError, ValueError):
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessLimits:
    """What a command's processes carry through exec; None = not limited.

    ``watched_bytes`` is no system limit: the warden looks at the memory of all processes
    together and kills them above it. It is set where no control group does better.
    """

    cores: frozenset[int] | None = None
    data_bytes: int | None = None
    file_bytes: int | None = None
    watched_bytes: int | None = None


def process_limits(
    resources: Resources, *, cores: frozenset[int] | None, has_memory_group: bool
) -> ProcessLimits:
    """Give the limits for processes of a bot; what a control group holds needs no other."""
    memory = resources.memory_mib * MIB if resources.memory_mib else None
    return ProcessLimits(
        cores=cores,
        data_bytes=None if has_memory_group else memory,
        file_bytes=resources.disk_mib * MIB if resources.disk_mib else None,
        watched_bytes=None if has_memory_group else memory,
    )


class CoreShares:
    """Which cores running bots are bound to: always those with the fewest of them."""

    def __init__(self, usable: frozenset[int]) -> None:
        """Share out the cores that this process may use."""
        self._usable = usable
        self._holders: Counter[int] = Counter()

    def take(self, cores: int, holders: int = 1) -> frozenset[int] | None:
        """Give the same ``cores`` cores to so many holders; None = all, nothing to bind.

        Each holder gives them back with :meth:`give_back`.
        """
        if not 0 < cores < len(self._usable):
            return None
        share = sorted(self._usable, key=lambda core: (self._holders[core], core))[:cores]
        for core in share:
            self._holders[core] += holders
        return frozenset(share)

    def give_back(self, share: frozenset[int] | None) -> None:
        """Take the cores of one holder back."""
        for core in share or ():
            self._holders[core] -= 1
