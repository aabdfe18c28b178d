"""Opening: from a mode to a sandbox that was proven here, or a refusal with its cure.

Owns the decision. Must not know how a sandbox is made or tried. Source: design.md §6,
sandbox.md ("Guards").
"""

import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import trio

from arena.bots.sandbox.bubblewrap import Bubblewrap, find_bubblewrap
from arena.bots.sandbox.kit import make_kit
from arena.bots.sandbox.launch import NO_SANDBOX, Sandbox
from arena.bots.sandbox.mode import FORGETTING, Guard, SandboxMode
from arena.bots.sandbox.prove import prove
from arena.bots.sandbox.users import user_ids
from arena.bots.work_folder import open_work_folder
from arena.errors import ConfigError, HostFault

NEEDED: Final = FORGETTING | {Guard.PRIVILEGES}
"""Without these it is no sandbox; the others are named when they are lacking."""
_INSTALL: Final = "install bubblewrap (on Debian: apt install bubblewrap)"
_NAMESPACES: Final = (
    "allow user namespaces: an AppArmor profile for /usr/bin/bwrap with `userns,`, or "
    "sysctl kernel.apparmor_restrict_unprivileged_userns=0; in a container: procMount: Unmasked, "
    "or run the arena outside"
)


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
        sandbox, problem = await _try_bubblewrap(work, hidden)
        if sandbox is None:
            if mode is SandboxMode.REQUIRED:
                raise ConfigError(f"sandbox: required, but {problem}")
            say(f"no sandbox: {problem}")
            yield NO_SANDBOX
            return
        if problem:
            say(problem)
        yield sandbox


async def _try_bubblewrap(work: Path, hidden: tuple[Path, ...]) -> tuple[Bubblewrap | None, str]:
    """Make the sandbox and prove it; give it, or None, and what is wrong."""
    found = await trio.to_thread.run_sync(find_bubblewrap)
    if found is None:
        return None, f"bwrap is not on this machine; {_INSTALL}"
    program, options = found
    try:
        sandbox = Bubblewrap(
            program=program,
            options=options,
            work=work,
            kit=await trio.to_thread.run_sync(make_kit, work / "kit"),
            hidden=tuple(folder.resolve() for folder in hidden),
            users=user_ids() if os.getuid() == 0 else None,
        )
        guards, said = await prove(sandbox, work)
    except HostFault as error:
        return None, str(error)
    if lacking := [guard for guard in Guard if guard in NEEDED and guard not in guards]:
        last = said.splitlines()[-1] if said else "no word"
        return None, (
            f"bwrap does not hold here ({', '.join(lacking)} open; it said: {last}); {_NAMESPACES}"
        )
    sandbox.guards = guards
    is_root = os.getuid() == 0
    weak = [g for g in Guard if g not in guards and (is_root or g is not Guard.USER)]
    if weak:
        return sandbox, f"sandbox: without {', '.join(weak)}: this bwrap or machine lacks it"
    return sandbox, ""
