"""Opening: from a mode to a sandbox that was proven here, or a refusal with its cure.

Owns the decision. Must not know how a sandbox is made or tried. Source: design.md §6,
sandbox.md ("Guards").
"""

import os
import shutil
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Final, assert_never

import trio

from arena.bots.sandbox.bubblewrap import Bubblewrap, find_bubblewrap
from arena.bots.sandbox.kit import Kit, make_kit
from arena.bots.sandbox.landlock import LEAST_ABI, Landlock, closed_above, landlock_abi
from arena.bots.sandbox.launch import NO_SANDBOX, Sandbox
from arena.bots.sandbox.mode import FORGETTING, WEAKER, Guard, SandboxMode
from arena.bots.sandbox.prove import BOXED, WALLED, prove
from arena.bots.sandbox.users import user_ids
from arena.bots.work_folder import open_work_folder
from arena.errors import ConfigError, HostFault

NEEDED: Final = FORGETTING | {Guard.PRIVILEGES}
"""What ``required`` requires, and without which bubblewrap is no sandbox."""
NEEDED_OF_LANDLOCK: Final = frozenset(
    {
        Guard.FILE_CONTENTS,
        Guard.OWN_PORT,
        Guard.SIGNALS,
        Guard.IPC,
        Guard.SYSTEM_CALLS,
        Guard.PRIVILEGES,
    }
)
"""All that it can give, but for a user of its own; with less it is no sandbox."""
_INSTALL: Final = "install bubblewrap (on Debian: apt install bubblewrap)"
_NAMESPACES: Final = (
    "allow user namespaces: an AppArmor profile for /usr/bin/bwrap with `userns,`, or "
    "sysctl kernel.apparmor_restrict_unprivileged_userns=0; in a container: procMount: Unmasked, "
    "or run the arena outside"
)
_Tried = tuple[Sandbox | None, str]
"""A sandbox or none, and what is wrong."""


@asynccontextmanager
async def open_sandbox(
    mode: SandboxMode, *, hidden: tuple[Path, ...], say: Callable[[str], None]
) -> AsyncIterator[Sandbox]:
    """Open what surrounds the bots of a run.

    Args:
        mode: What the organiser asks for.
        hidden: Folders that no bot may see into: the event's.
        say: Takes a line where less holds than was hoped for.

    Raises:
        ConfigError: It is required and does not hold.
    """
    if mode is SandboxMode.NONE:
        yield NO_SANDBOX
        return
    with open_work_folder() as work:
        yield await _choose(mode, work, tuple(folder.resolve() for folder in hidden), say)


async def _choose(
    mode: SandboxMode, work: Path, hidden: tuple[Path, ...], say: Callable[[str], None]
) -> Sandbox:
    """Try what the mode allows, the strongest first."""
    match mode:
        case SandboxMode.NONE:
            return NO_SANDBOX
        case SandboxMode.LANDLOCK:
            sandbox, problem = await _try_landlock(work, hidden)
            if sandbox is None:
                raise ConfigError(f"sandbox: landlock, but {problem}")
        case SandboxMode.REQUIRED:
            sandbox, problem = await _try_bubblewrap(work, hidden)
            if sandbox is None:
                raise ConfigError(f"sandbox: required, but {problem}")
        case SandboxMode.AUTO:
            sandbox, problem = await _try_bubblewrap(work, hidden)
            if sandbox is None:
                say(f"no bubblewrap: {problem}")
                sandbox, problem = await _try_landlock(work, hidden)
            if sandbox is None:
                say(f"no sandbox: {problem}")
                return NO_SANDBOX
        case _:
            assert_never(mode)
    if problem:
        say(problem)
    return sandbox


async def _try_bubblewrap(work: Path, hidden: tuple[Path, ...]) -> _Tried:
    """Make the sandbox and prove it."""
    found = await trio.to_thread.run_sync(find_bubblewrap)
    if found is None:
        return None, f"bwrap is not on this machine; {_INSTALL}"
    program, options = found
    inside = work / "boxed"
    kit = await _make_kit(inside)
    try:
        sandbox = Bubblewrap(
            program=program,
            options=options,
            work=inside,
            kit=kit,
            hidden=hidden,
            users=user_ids() if os.getuid() == 0 else None,
        )
        guards, said = await prove(sandbox, inside, BOXED)
    except HostFault as error:
        return None, str(error)
    if lack := _lack(NEEDED, guards, said):
        return None, f"bwrap does not hold here ({lack}); {_NAMESPACES}"
    sandbox.guards = guards
    is_root = os.getuid() == 0
    wanted = [g for g in Guard if g not in WEAKER and (is_root or g is not Guard.USER)]
    weak = [g for g in wanted if g not in guards]
    if weak:
        return sandbox, f"sandbox: without {', '.join(weak)}: this bwrap or machine lacks it"
    return sandbox, ""


async def _try_landlock(work: Path, hidden: tuple[Path, ...]) -> _Tried:
    """Make the sandbox and prove it."""
    abi = landlock_abi()
    if abi < LEAST_ABI:
        has = f"Landlock ABI {abi}" if abi else "no Landlock"
        return None, f"this kernel has {has}; ABI {LEAST_ABI} (Linux 6.12) is the least"
    inside = work / "walled"
    kit = await _make_kit(inside, is_bound=False)
    try:
        shown = [bind.source for bind in kit.binds if not bind.source.is_relative_to(inside)]
        # The event's folder too: there lie the frozen copies.
        needed = (Path(kit.base), *shown, *hidden)
        is_open = all(closed_above(path) is None for path in needed)
        sandbox = Landlock(
            work=inside,
            kit=kit,
            hidden=hidden,
            users=user_ids() if os.getuid() == 0 and is_open else None,
        )
        guards, said = await prove(sandbox, inside, WALLED)
    except HostFault as error:
        return None, str(error)
    if lack := _lack(NEEDED_OF_LANDLOCK, guards, said):
        return None, f"Landlock does not hold here ({lack}); {_INSTALL}"
    sandbox.guards = guards
    return sandbox, (
        "sandbox: Landlock, which is less than bubblewrap: bots can remember, scratch files are "
        "not bounded together, and sizes, times and process numbers of others show"
    )


async def _make_kit(inside: Path, *, is_bound: bool = True) -> Kit:
    """Make a sandbox's folder with what bots in Python see in it.

    Raises:
        HostFault: The disk refuses it. No weaker sandbox is tried for that: only what this
            machine's kernel cannot do is a reason for less.
    """
    try:
        return await trio.to_thread.run_sync(partial(make_kit, inside / "kit", is_bound=is_bound))
    except shutil.Error as error:  # of many files at once, each with its own reason
        why = str(error.args[0][0][2]).partition(": '")[0]
        raise HostFault(_unmade(inside, why)) from error
    except OSError as error:
        raise HostFault(_unmade(inside, error.strerror or str(error))) from error


def _unmade(inside: Path, why: str) -> str:
    return f"{inside}: what bots see cannot be written there: {why}; make room, or set TMPDIR"


def _lack(needed: Collection[Guard], guards: Collection[str], said: str) -> str:
    """Name what does not hold, and what the probe said last; nothing if all does."""
    open_ = [guard for guard in Guard if guard in needed and guard not in guards]
    last = said.splitlines()[-1] if said else "no word"
    return f"{', '.join(open_)} open; it said: {last}" if open_ else ""
