"""KeptProcess: one command, its output and all its descendants, from start to end.

Owns the arena's side of a warden (:mod:`arena.bots.warden`, which says why there is one):
starting it, waiting for it, ordering the end, reading what the command wrote. Must not
know bots, manifests or matches.

A process belongs to the nursery it was started in: a nursery that is cancelled ends its
processes before it closes. Nothing here is ever left to the garbage collector.
"""

import contextlib
import os
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import trio

from arena.bots.cgroups import GroupFolder
from arena.bots.exits import Exit, parse_report
from arena.bots.resources import ProcessLimits
from arena.errors import HostFault

_WARDEN = Path(__file__).with_name("warden.py")
_SWEEP_PATIENCE_S = 4.5
"""A warden needs 4 s at the very most to kill and report; then it is killed itself."""
_LAST_PATIENCE_S = 1.0
_TAIL_BYTES = 16_384
_TAIL_WIDTH = 400
_OUTPUT_MODE = 0o600
"""What a bot writes is no business of other users before its organiser shows it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """What to run, where, with which environment, and where its output is kept."""

    argv: tuple[str, ...]
    folder: Path
    """The working folder."""
    env: Mapping[str, str]
    """The whole environment: nothing else is inherited."""
    output: Path
    """A file for what it writes to stderr (and stdout, unless ``has_pipes``)."""
    has_pipes: bool = False
    """Whether stdin and stdout are pipes to the arena; else stdin is empty."""
    pipes_at: int = 0
    """Where the command finds its ends of the pipes: this number and the next. Not 0 where a
    program around it would hold stdin and stdout open when the command itself has closed them."""
    keep_bytes: int = 65_536
    """So many first bytes and so many last bytes of the output are kept."""
    inherited: tuple[int, ...] = ()
    """Descriptors that the command gets under the same numbers; closed here once it has them."""
    entry: bytes = b""
    """How the command's process becomes another user first (see the warden); as root only."""
    is_boxed: bool = False
    """Whether another program stands around it, which tells its signals as 128 + number."""
    limits: ProcessLimits = field(default_factory=ProcessLimits)
    """What its processes carry through exec."""
    groups: tuple[GroupFolder, ...] = ()
    """Control groups to make for it, to run it in, and to remove."""

    def limit_words(self) -> list[str]:
        """Spell the limits out for a warden."""
        limits = self.limits
        words = []
        if limits.cores is not None:
            words.append(f"cores={','.join(map(str, sorted(limits.cores)))}")
        for name, value in (
            ("data", limits.data_bytes),
            ("file", limits.file_bytes),
            ("watch", limits.watched_bytes),
        ):
            if value is not None:
                words.append(f"{name}={value}")
        for group in self.groups:
            words.append(f"group={group.path}")
            words += [f"write={file}={text}" for file, text in group.settings.items()]
        return words


@dataclass(frozen=True, slots=True, kw_only=True)
class Pipes:
    """The arena's ends of a command's stdin and stdout: non-blocking descriptors."""

    to_stdin: int
    from_stdout: int


class KeptProcess:
    """A command under its warden. Make one with :func:`start_kept`."""

    def __init__(
        self,
        command: Command,
        popen: subprocess.Popen[bytes],
        control: socket.socket,
        pipes: Pipes | None,
        started_ns: int,
    ) -> None:
        self.command = command
        self.started_ns = started_ns
        """When it was launched, on ``time.perf_counter_ns``."""
        self.exit: Exit | None = None
        """How it ended; None while it lives."""
        self._popen = popen
        self._control = control
        self._pipes = pipes
        self._has_ended = trio.Event()
        self._was_told = False
        self._patience = trio.CancelScope()

    @property
    def pid(self) -> int:
        """The warden's process id: all processes of the command descend from it."""
        return self._popen.pid

    async def wait(self) -> Exit:
        """Wait until nothing of the process is left. Cancelling the wait harms nothing."""
        await self._has_ended.wait()
        if self.exit is None:
            raise AssertionError("the event is set after the exit")
        return self.exit

    def kill(self) -> None:
        """Order the end of the process and all its descendants, now. Idempotent, never blocks."""
        if self.exit is None and not self._was_told:
            self._was_told = True
            self._patience.deadline = trio.current_time() + _SWEEP_PATIENCE_S
            self._control.shutdown(socket.SHUT_WR)

    async def end(self, grace_ns: int) -> Exit:
        """Wait ``grace_ns`` for the process to end by itself, then kill; return how it ended.

        There is no SIGTERM between: as process 1 of a sandbox a bot ignores it, and the
        polite word is the end of its stream or pipe, which the session gives before.
        """
        with trio.move_on_after(grace_ns / 1e9):
            return await self.wait()
        self.kill()
        return await self.wait()

    def output_tail(self, lines: int = 20) -> str:
        """Return the last lines of its output, newest last, control characters escaped.

        While the process lives the text may lag by a quarter of a second.
        """
        try:
            with self.command.output.open("rb") as file:
                size = file.seek(0, os.SEEK_END)
                file.seek(max(0, size - _TAIL_BYTES))
                text = file.read().decode("utf-8", "replace")
        except OSError:
            return ""
        shown = [line for line in text.splitlines() if line.strip()][-lines:]
        return "\n".join(_escape(line) for line in shown)

    def take_pipes(self) -> Pipes:
        """Hand over the pipes, once; the taker closes them (they outlive the process)."""
        if self._pipes is None:
            raise AssertionError("the command has no pipes, or they were taken before")
        pipes, self._pipes = self._pipes, None
        return pipes

    async def tend(self) -> None:
        """Own the process: wait for its end, or bring it about when cancelled."""
        over = _Over(self._popen)
        try:
            with self._patience:
                await over.wait()
        finally:
            if self._popen.poll() is None:
                with trio.CancelScope(shield=True):
                    await self._insist(over)
            over.close()
            self._collect()

    async def _insist(self, over: "_Over") -> None:
        """End what was not ended by its own will or by the warden within its time."""
        if not self._was_told:
            self.kill()
            with trio.move_on_after(_SWEEP_PATIENCE_S):
                await over.wait()
        if self._popen.poll() is None:
            self._popen.kill()  # the warden itself hangs; its bot gets a parent-death signal
            with trio.move_on_after(_LAST_PATIENCE_S):
                await over.wait()
            self._popen.poll()

    def _collect(self) -> None:
        self._control.setblocking(False)  # noqa: FBT003  # positional in the standard library
        try:
            report = self._control.recv(512)
        except OSError:
            report = b""
        self._control.close()
        if self._pipes is not None:
            os.close(self._pipes.to_stdin)
            os.close(self._pipes.from_stdout)
            self._pipes = None
        self.exit = parse_report(
            report,
            command=self.command.argv[0],
            elapsed_ns=time.perf_counter_ns() - self.started_ns,
            is_ours=self._was_told,
            is_boxed=self.command.is_boxed,
        )
        self._has_ended.set()


class _Over:
    """The wait for a child's end: a pidfd where there is one, a thread elsewhere."""

    def __init__(self, popen: subprocess.Popen[bytes]) -> None:
        self._popen = popen
        self._pidfd = os.pidfd_open(popen.pid) if sys.platform == "linux" else -1

    async def wait(self) -> None:
        if sys.platform == "linux":
            await trio.lowlevel.wait_readable(self._pidfd)
        else:
            await trio.to_thread.run_sync(self._popen.wait, abandon_on_cancel=True)

    def close(self) -> None:
        if sys.platform == "linux":
            os.close(self._pidfd)


def start_kept(nursery: trio.Nursery, command: Command) -> KeptProcess:
    """Start a command under a warden of its own; the nursery owns both.

    Call it from trio's thread (about 1 ms). Returns before the command itself runs: a
    command that cannot be executed shows as an Exit of kind REFUSED.

    Raises:
        HostFault: This machine has no process, descriptor or output file left to give, or
            the working folder is missing.
    """
    started_ns = time.perf_counter_ns()
    try:
        popen, control, pipes = _launch(command)
    except OSError as error:
        what = f" ({error.filename})" if error.filename else ""
        raise HostFault(
            f"{command.argv[0]!r} could not be started: {error.strerror}{what}"
        ) from error
    process = KeptProcess(command, popen, control, pipes, started_ns)
    nursery.start_soon(process.tend, name=f"process {popen.pid}: {command.argv[0]}")
    return process


def _launch(
    command: Command,
) -> tuple[subprocess.Popen[bytes], socket.socket, Pipes | None]:
    with contextlib.ExitStack() as on_error, contextlib.ExitStack() as always:
        for descriptor in command.inherited:
            always.callback(os.close, descriptor)
        ours, theirs = socket.socketpair()
        on_error.callback(ours.close)
        always.callback(theirs.close)
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
        output = os.open(command.output, flags, _OUTPUT_MODE)
        always.callback(os.close, output)
        pipes, stdin, stdout = None, subprocess.DEVNULL, subprocess.DEVNULL
        if command.has_pipes:
            stdin, to_stdin = os.pipe()
            always.callback(os.close, stdin)
            on_error.callback(os.close, to_stdin)
            from_stdout, stdout = os.pipe()
            always.callback(os.close, stdout)
            on_error.callback(os.close, from_stdout)
            for end in (to_stdin, from_stdout):
                os.set_blocking(end, False)
            pipes = Pipes(to_stdin=to_stdin, from_stdout=from_stdout)
        entry = -1
        if command.entry:
            entry = os.memfd_create("entry")
            always.callback(os.close, entry)
            os.pwrite(entry, command.entry, 0)
        fds = (theirs.fileno(), output)
        pipes_at = command.pipes_at if command.has_pipes else -1
        numbers = (*fds, command.keep_bytes, pipes_at, entry)
        popen = subprocess.Popen(
            [
                sys.executable,
                "-I",
                "-S",
                _WARDEN,
                *map(str, numbers),
                *command.limit_words(),
                "--",
                *command.argv,
            ],
            stdin=stdin,
            stdout=stdout,
            stderr=subprocess.DEVNULL,
            cwd=command.folder,
            env=command.env,
            pass_fds=(*fds, *command.inherited, *((entry,) if command.entry else ())),
            start_new_session=True,
        )
        on_error.pop_all()
        return popen, ours, pipes


def _escape(line: str) -> str:
    """Make a bot's text harmless for a terminal, and short."""
    if len(line) > _TAIL_WIDTH:
        line = line[:_TAIL_WIDTH] + " [...]"
    return "".join(
        char if char.isprintable() or char == "\t" else char.encode("unicode_escape").decode()
        for char in line
    )
