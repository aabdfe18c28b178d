"""What this machine's kernel offers to keep bots apart, each tried in a process of its own.

Owns the probes of namespaces, bubblewrap, Landlock, control groups and tracing. Must not know
how a sandbox is made (:mod:`arena.bots.sandbox`). Source: sandbox.md.
"""

import os
import platform
import secrets
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from arena.bots.doctor.probe import Probe, fact, verdict
from arena.bots.sandbox.bubblewrap import find_bubblewrap
from arena.bots.sandbox.landlock import LEAST_ABI, landlock_abi

PATIENCE_S: Final = 10
_WANTED_OPTIONS: Final = ("--disable-userns", "--size", "--args", "--seccomp")
_CONTROLLERS: Final = ("cpu", "memory", "pids", "cpuset")
_CGROUPS: Final = Path("/sys/fs/cgroup")

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
    kind, own = _own_groups()
    yield fact("control groups", kind)
    writable = [name for name in _CONTROLLERS if name in own and _can_make_group(own[name])]
    lacking = [name for name in _CONTROLLERS if name not in writable]
    yield verdict(
        "control groups writable",
        f"{', '.join(writable) or 'none'}" + (f"; not {', '.join(lacking)}" if lacking else ""),
        holds=not lacking,
        cure="systemd-run --user --scope -p Delegate=yes arena …; in a container: a writable "
        "/sys/fs/cgroup",
    )


def _own_groups() -> tuple[str, dict[str, Path]]:
    """Give the kind of hierarchy and, by controller, the folder this process is in."""
    try:
        lines = Path("/proc/self/cgroup").read_text("utf-8").splitlines()
    except OSError:
        return "none", {}
    own: dict[str, Path] = {}
    is_v2 = (_CGROUPS / "cgroup.controllers").exists()
    for line in lines:
        number, names, path = line.split(":", 2)
        if number == "0" and is_v2:
            folder = _CGROUPS / path.lstrip("/")
            folder = folder if folder.is_dir() else _CGROUPS
            offered = (folder / "cgroup.controllers").read_text("utf-8").split()
            own |= dict.fromkeys(offered, folder)
        elif names:
            for name in names.split(","):
                folder = _CGROUPS / name / path.lstrip("/")
                own[name] = folder if folder.is_dir() else _CGROUPS / name
    has_v1 = any(line.split(":", 2)[1] not in {"", "name=systemd"} for line in lines)
    kind = "v2" if is_v2 else "v1" if has_v1 else "none mounted"
    return kind, own


def _can_make_group(folder: Path) -> bool:
    group = folder / f"arena-doctor-{secrets.token_hex(4)}"
    try:
        group.mkdir()
        group.rmdir()
    except OSError:
        return False
    return True


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
