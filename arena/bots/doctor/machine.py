"""What this machine has: cores, clocks, memory, limits, sockets, toolchains.

Owns the probes of plain facts, and which of them are too small for an event.
"""

import os
import platform
import resource
import shutil
import socket
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from arena.bots.build_store import FOLDER, BuildStore
from arena.bots.cache_folder import NoCache, open_cache
from arena.bots.doctor.probe import Probe, fact, verdict
from arena.bots.process import usable_cores
from arena.bots.work_folder import work_parent
from arena.errors import ConfigError

GIB: Final = 1 << 30
_LEAST_MEMORY: Final = 2 * GIB
_LEAST_DISK: Final = GIB
_LEAST_DESCRIPTORS: Final = 4_096
"""A bot takes about six."""
_LEAST_PROCESSES: Final = 1_024
_COARSE_NS: Final = 1_000_000
_TOOLCHAINS: Final = (
    "python3", "bash", "perl", "gcc", "g++", "go", "cargo", "java", "node", "npm", "ruby",
    "dotnet", "jq", "make",
)  # fmt: skip


def machine_probes() -> Iterator[Probe]:
    """Look at one thing after another; all of it takes a tenth of a second."""
    yield fact(
        "system", f"{platform.system()} {platform.release()}, Python {sys.version.split()[0]}"
    )
    yield _cores()
    yield from _clocks()
    yield from _space()
    yield _builds()
    yield from _limits()
    yield from _sockets()
    found = [tool for tool in _TOOLCHAINS if shutil.which(tool)]
    lacking = [tool for tool in _TOOLCHAINS if tool not in found]
    yield fact("toolchains", f"{', '.join(found)}; not found: {', '.join(lacking) or 'none'}")


def _cores() -> Probe:
    usable, there = usable_cores(), os.cpu_count() or 1
    rest = "" if usable == there else f" of {there}: this process is bound to them"
    return fact("cores", f"{usable}{rest}")


def _clocks() -> Iterator[Probe]:
    source = Path("/sys/devices/system/clocksource/clocksource0/current_clocksource")
    try:
        name = source.read_text("utf-8").strip()
    except OSError:
        name = "unknown"
    slow = {"acpi_pm", "hpet", "jiffies", "refined-jiffies"}
    yield verdict(
        "clock source",
        name,
        holds=name not in slow,
        cure="boot with clocksource=tsc, if it is stable",
    )
    step_ns = _least_step_ns()
    yield verdict("clock resolution", f"{step_ns} ns between readings", holds=step_ns < _COARSE_NS)
    late_ns = sorted(_oversleep_ns() for _ in range(20))[10]
    yield verdict(
        "timer",
        f"wakes {late_ns // 1000} µs late (median of 20)",
        holds=late_ns < 5 * _COARSE_NS,
        cure="another machine, or fewer programs on this one: margins of 10 ms need it",
    )


def _least_step_ns() -> int:
    before = time.perf_counter_ns()
    while (after := time.perf_counter_ns()) == before:
        pass
    return after - before


def _oversleep_ns() -> int:
    asked_ns = 1_000_000
    before = time.perf_counter_ns()
    time.sleep(asked_ns / 1e9)
    return time.perf_counter_ns() - before - asked_ns


def _space() -> Iterator[Probe]:
    memory = available_memory()
    if memory is not None:
        yield verdict(
            "memory",
            f"{memory / GIB:.1f} GiB available",
            holds=memory >= _LEAST_MEMORY,
            cure="a bot may have 1 GiB by default: fewer tables, or less in [resources]",
        )
    for name, folder in (("disk here", Path()), ("disk for work", Path(tempfile.gettempdir()))):
        free = shutil.disk_usage(folder).free
        why = _why_unwritable(folder)
        yield verdict(
            name,
            f"{free / GIB:.1f} GiB free in {folder.resolve()}{why and f'; not writable: {why}'}",
            holds=free >= _LEAST_DISK and not why,
            cure="play from another folder, or set TMPDIR" if why else "free some, or set TMPDIR",
        )


def _why_unwritable(folder: Path) -> str:
    """Make a file there; say what is in the way, nothing if it works."""
    try:
        with tempfile.TemporaryFile(dir=folder):
            return ""
    except OSError as error:
        return error.strerror or str(error)


def available_memory() -> int | None:
    """Return the bytes of memory that programs can still have; None if it cannot be known."""
    try:
        lines = Path("/proc/meminfo").read_text("utf-8").splitlines()
    except OSError:
        return None
    sizes = dict(line.split(":", 1) for line in lines if ":" in line)
    return int(sizes["MemAvailable"].split()[0]) * 1024 if "MemAvailable" in sizes else None


def _builds() -> Probe:
    """Tell where built bots are kept for the next command, and how much that takes."""
    try:
        store = BuildStore(folder=open_cache(FOLDER))
    except NoCache as error:
        return fact("builds kept", f"none: {error}")
    held = store.holdings()
    return fact(
        "builds kept",
        f"{held.entries} of at most {store.most_entries}, {held.size >> 20} of "
        f"{store.most_bytes >> 20} MiB, in {store.folder}",
    )


def _limits() -> Iterator[Probe]:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    is_many = hard == resource.RLIM_INFINITY or hard >= _LEAST_DESCRIPTORS
    yield verdict(
        "descriptors",
        "not limited" if hard == resource.RLIM_INFINITY else f"at most {hard}",
        holds=is_many,
        cure="ulimit -Hn 65536, or LimitNOFILE=65536 of the service",
    )
    _, tasks = resource.getrlimit(resource.RLIMIT_NPROC)
    try:
        pids = int(Path("/proc/sys/kernel/pid_max").read_text("utf-8"))
    except (OSError, ValueError):
        pids = 0
    limited = [limit for limit in (tasks, pids) if limit > 0]
    least = min(limited, default=0)
    yield verdict(
        "processes",
        f"at most {least}" if least else "not limited",
        holds=not least or least >= _LEAST_PROCESSES,
        cure="ulimit -Hu 65536",
    )


def _sockets() -> Iterator[Probe]:
    for what, family, address in (
        ("IPv4 loopback", socket.AF_INET, "127.0.0.1"),
        ("IPv6 loopback", socket.AF_INET6, "::1"),
    ):
        try:
            with socket.socket(family) as here:
                here.bind((address, 0))
                here.listen()
                with socket.create_connection(here.getsockname()[:2], timeout=2):
                    pass
        except OSError as error:
            cure = "only bots without Unix sockets need it" if what.startswith("IPv4") else ""
            yield verdict(what, f"{error.strerror or error}", holds=False, cure=cure)
        else:
            yield verdict(what, f"connected to {address}", holds=True)
    try:
        found, cure = f"sockets lie in {work_parent()}", ""
    except ConfigError as error:
        found, cure = str(error), "set TMPDIR to a folder with a shorter name"
    yield verdict("Unix socket path", found, holds=not cure, cure=cure)
