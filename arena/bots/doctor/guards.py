"""What this machine's kernel offers to keep bots apart, each tried in a process of its own.

Owns the probes of namespaces, bubblewrap, Landlock, control groups and tracing. Must not know
how a sandbox is made (:mod:`arena.bots.sandbox`). Source: sandbox.md.
"""

import os
import platform
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from arena.bots.cgroups import Guard, open_cgroups
from arena.bots.doctor.probe import Probe, fact, verdict
from arena.bots.holding import CURE
from arena.bots.sandbox.bubblewrap import find_bubblewrap
from arena.bots.sandbox.landlock import LEAST_ABI, landlock_abi

PATIENCE_S: Final = 10
_WANTED_OPTIONS: Final = ("--disable-userns", "--size", "--args", "--seccomp")
_WITHOUT: Final[Mapping[Guard, str]] = MappingProxyType(
    {
        Guard.MEMORY: "a bot's memory is watched, and each process bounded",
        Guard.TASKS: "only a sandbox bounds a bot's processes",
        Guard.FREEZING: "bots can think while others decide",
        Guard.CPU: "logs have no CPU time",
    }
)
"""What it means that a control group does not hold something."""

_UNSHARE: Final = """
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
sys.exit(0 if libc.unshare(0x10000000 | 0x20000) == 0 else ctypes.get_errno())
"""
NAMESPACES_CURE: Final = (
    "an AppArmor profile for /usr/bin/bwrap with `userns,`, or sysctl "
    "kernel.apparmor_restrict_unprivileged_userns=0 kernel.unprivileged_userns_clone=1; "
    "in a container: procMount: Unmasked, or run the arena outside"
)


def guard_probes() -> Iterator[Probe]:
    """Try one thing after another; each takes milliseconds, and at most ten seconds."""
    yield _user_namespaces()
    yield from _bubblewrap()
    yield _landlock()
    yield from _control_groups()
    yield from _tracing()


def _run(*argv: str) -> subprocess.CompletedProcess[str] | str:
    """Run a program; or what kept it from running."""
    try:
        return subprocess.run(
            argv, capture_output=True, text=True, check=False, timeout=PATIENCE_S, errors="replace"
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)


def _user_namespaces() -> Probe:
    done = _run(sys.executable, "-I", "-S", "-c", _UNSHARE)
    if isinstance(done, str):
        return verdict("user namespaces", done, holds=False, cure=NAMESPACES_CURE)
    works = done.returncode == 0
    found = "made one, with mounts of its own" if works else os.strerror(done.returncode)
    return verdict("user namespaces", found, holds=works, cure=NAMESPACES_CURE)


def _bubblewrap() -> Iterator[Probe]:
    found = find_bubblewrap()
    if found is None:
        cure = "apt install bubblewrap"
        yield verdict("bubblewrap", "no bwrap in PATH", holds=False, cure=cure)
        return
    program, options = found
    version = _run(program, "--version")
    named = version if isinstance(version, str) else version.stdout.strip()
    yield verdict("bubblewrap", f"{program}, {named}", holds=True)
    lacking = [option for option in _WANTED_OPTIONS if option not in options]
    yield verdict(
        "bubblewrap options",
        f"lacks {', '.join(lacking)}" if lacking else f"has {', '.join(_WANTED_OPTIONS)}",
        holds=not lacking,
        cure="bubblewrap 0.8 or later has them all",
    )
    done = _run(
        program, "--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev",
        "--", "true",
    )  # fmt: skip
    works = not isinstance(done, str) and done.returncode == 0
    said = done if isinstance(done, str) else done.stderr.strip().splitlines()[-1:]
    yield verdict(
        "bubblewrap works",
        "ran a program with namespaces and a /proc of its own" if works else f"it said: {said}",
        holds=works,
        cure=NAMESPACES_CURE,
    )


def _landlock() -> Probe:
    if platform.system() != "Linux":
        return verdict("Landlock", "only Linux has it", holds=False)
    abi = landlock_abi()
    if abi == 0:
        found = "this kernel does not have it, or was started without"
        cure = "a kernel with CONFIG_SECURITY_LANDLOCK, started with lsm=landlock,…"
        return verdict("Landlock", found, holds=False, cure=cure)
    return verdict(
        "Landlock",
        f"ABI {abi}",
        holds=abi >= LEAST_ABI,
        cure=f"ABI {LEAST_ABI} (Linux 6.12) also covers abstract sockets and signals",
    )


def _control_groups() -> Iterator[Probe]:
    yield fact("control groups", _mounted_groups())
    with open_cgroups() as cgroups:
        held = cgroups.guards
    lacking = [guard for guard in Guard if guard not in held]
    costs = "; ".join(f"not {guard}: {_WITHOUT[guard]}" for guard in lacking)
    yield verdict(
        "control groups of a run",
        "; ".join(filter(None, (", ".join(guard for guard in Guard if guard in held), costs))),
        holds=not lacking,
        cure=CURE,
    )


def _mounted_groups() -> str:
    """Say which versions are mounted."""
    try:
        lines = Path("/proc/self/mountinfo").read_text("utf-8").splitlines()
    except OSError:
        return "none"
    kinds = {line.partition(" - ")[2].split(" ")[0] for line in lines}
    found = [number for number, kind in (("1", "cgroup"), ("2", "cgroup2")) if kind in kinds]
    return f"version {' and '.join(found)}" if found else "none mounted"


def _tracing() -> Iterator[Probe]:
    scope = _read("/proc/sys/kernel/yama/ptrace_scope")
    found = {
        "": "no Yama: any process traces others of its user",
        "0": "0: any process traces others of its user",
        "1": "1: only its own children",
        "2": "2: only administrators",
        "3": "3: nobody",
    }.get(scope, scope)
    yield verdict(
        "ptrace scope",
        found,
        holds=scope in {"1", "2", "3"},
        cure="sysctl kernel.yama.ptrace_scope=1 (inside the sandbox tracing is refused anyway)",
    )
    pattern = _read("/proc/sys/kernel/core_pattern")
    # Cores are switched off for bots; a pattern that is no pipe is only disk otherwise.
    yield fact("core pattern", f"{pattern or 'unknown'}; bots write no core")


def _read(path: str) -> str:
    try:
        return Path(path).read_text("utf-8").strip()
    except OSError:
        return ""
