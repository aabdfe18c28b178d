"""BotProcess: a frozen bot, running.

Owns the command and the environment a bot is started with, the rate of starts, and the
words for its end. Must not know sessions, messages or matches; killing and output are
:mod:`arena.bots.kept`'s.

A bot's working folder is its own folder, read-only; ``HOME`` and ``TMPDIR`` are a scratch
folder that the caller makes and takes away (a sandbox has one of its own). For a bot in
Python the word ``python`` (or ``python3``) in its commands is the interpreter the arena runs
on, so that ``arena.sdk`` imports without any PYTHONPATH. The environment is clean: what the
arena itself was started with does not reach a bot, except PATH.
"""

import os
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import trio

from arena.bots.cgroups import BotGroup
from arena.bots.exits import Exit, ExitKind
from arena.bots.frozen import FrozenBot
from arena.bots.kept import KeptProcess, Pipes, start_kept
from arena.bots.manifest import Talk
from arena.bots.options import format_option
from arena.bots.resources import ProcessLimits
from arena.bots.sandbox.launch import NO_SANDBOX, TMP_BYTES, Launch, Sandbox
from arena.errors import BotCrashed

_THREAD_VARIABLES = (
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "RAYON_NUM_THREADS",
)


class StartGate:
    """A bound on how many bots start at once: a start costs a core for a while.

    Hold a slot from before the launch until the bot has joined; its start allowance begins
    at the launch, so the wait for a slot costs it nothing.
    """

    def __init__(self, limit: int | None = None) -> None:
        """Allow ``limit`` starts at once; None: two for each core."""
        self._slots = trio.Semaphore(limit or 2 * usable_cores())

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """Wait for a slot and hold it."""
        async with self._slots:
            yield


@dataclass(frozen=True, slots=True, kw_only=True)
class BotProcess:
    """A running bot. Make one with :func:`start_bot`; its nursery owns it."""

    bot: FrozenBot
    kept: KeptProcess

    @property
    def started_ns(self) -> int:
        """When it was launched, on ``time.perf_counter_ns``."""
        return self.kept.started_ns

    @property
    def exit(self) -> Exit | None:
        """How it ended; None while it lives."""
        return self.kept.exit

    async def wait(self) -> Exit:
        """Wait until nothing of the bot is left. Cancelling the wait harms nothing."""
        return await self.kept.wait()

    def kill(self) -> None:
        """Order the end of the bot and all its descendants, now. Idempotent, never blocks."""
        self.kept.kill()

    async def end(self, grace_ns: int) -> Exit:
        """Wait ``grace_ns`` for the bot to end by itself, then kill all of it.

        Closing its stream first is the session's part.
        """
        return await self.kept.end(grace_ns)

    def stderr_tail(self, lines: int = 20) -> str:
        """Return the last lines it wrote on stderr, control characters escaped."""
        return self.kept.output_tail(lines)

    def take_pipes(self) -> Pipes:
        """Hand over stdin and stdout of a bot that speaks lines, once; the taker closes them."""
        return self.kept.take_pipes()

    def explain(self, when: str = "") -> str:
        """Say how it ended, or that it lives, ``when``, and what its last lines were."""
        ended = "still runs" if self.exit is None else self.exit.text
        tail = self.stderr_tail()
        if self.exit is not None and self.exit.kind is ExitKind.REFUSED:
            said = ""
        elif tail:
            said = "; its last lines:\n" + "\n".join(f"  | {line}" for line in tail.splitlines())
        else:
            said = "; it wrote nothing on stderr"
        return f"bot {self.bot.name} {self.bot.version}: {ended}{when and ', '}{when}{said}"

    def crash(self, when: str) -> BotCrashed:
        """Make the error for an end that came while the bot was needed, ``when``."""
        return BotCrashed(self.explain(when))


def start_bot(
    nursery: trio.Nursery,
    bot: FrozenBot,
    *,
    address: str,
    token: str,
    scratch: Path,
    stderr_path: Path,
    extra_env: Mapping[str, str] | None = None,
    cores: int = 1,
    sandbox: Sandbox = NO_SANDBOX,
    socket: Path | None = None,
    prefix: tuple[str, ...] = (),
    limits: ProcessLimits | None = None,
    group: BotGroup | None = None,
) -> BotProcess:
    """Start a bot; the nursery owns it, and ends it when cancelled.

    Call it from trio's thread, in a slot of a :class:`StartGate`.

    Args:
        nursery: Where its keeper runs.
        bot: What to start.
        address: ``ARENA_ADDRESS``: a gRPC target. Empty for a bot that speaks lines.
        token: ``ARENA_TOKEN``: 32 hex digits. Empty for a bot that speaks lines.
        scratch: An existing folder that it may write to.
        stderr_path: A file for the first and last 64 KiB of its stderr (and of its stdout,
            unless that carries the protocol).
        extra_env: Further variables.
        cores: What the thread variables of numeric libraries are set to.
        sandbox: What surrounds it.
        socket: The Unix socket behind ``address``; a sandbox binds it.
        prefix: Words before its command inside the sandbox, for limits.
        limits: What its processes are held to; None: nothing.
        group: The control group that its warden makes for it and runs it in.

    Raises:
        HostFault: This machine could not start it.
    """
    env = {
        "LANG": "C.UTF-8",
        **dict.fromkeys(_THREAD_VARIABLES, str(cores)),
        **{f"ARENA_OPTION_{key.upper()}": format_option(v) for key, v in bot.options.items()},
        **(extra_env or {}),
    }
    if token:
        env["ARENA_TOKEN"] = token
    launch = Launch(
        manifest=bot.manifest,
        argv=bot.run,
        folder=bot.folder,
        env=env,
        scratch=scratch,
        output=stderr_path,
        has_pipes=bot.manifest.protocol is Talk.LINES,
        address=address,
        socket=socket,
        prefix=prefix,
        disk_bytes=limits.file_bytes if limits and limits.file_bytes else TMP_BYTES,
        is_command=bot.is_command,
    )
    command = replace(
        sandbox.command(launch),
        limits=limits or ProcessLimits(),
        groups=group.folders if group is not None else (),
    )
    return BotProcess(bot=bot, kept=start_kept(nursery, command))


def usable_cores() -> int:
    """Return how many cores this process may use."""
    return len(core_numbers())


def core_numbers() -> frozenset[int]:
    """Return the cores that this process may use, by number."""
    if sys.platform == "linux":
        return frozenset(os.sched_getaffinity(0))
    else:  # noqa: RET505  # mypy knows platforms by branches
        return frozenset(range(os.cpu_count() or 1))
