"""Warden: the small process that keeps one bot and outlives the arena by an instant.

Owns the start of one command, its output up to a bound, the reaping of all that descends
from it, and their end. It is run as a script by :mod:`arena.bots.kept` under
``python -I -S``, so it imports the standard library and its other half,
:mod:`arena.bots.warden_limits`, only; it must not know what a bot, a match or a manifest is.

Why a process per bot, instead of none or one for all:

- When the arena is killed with -9 nobody but another process can end its bots. The arena
  holds one end of a socket; the kernel closes it whatever the arena dies of, and that end
  of file is the one and only order to kill: the orderly end uses the same path.
- A bot's grandchild that calls ``setsid`` and outlives its parent is handed to the nearest
  *subreaper*: with a warden of its own, everything handed to a warden belongs to its bot,
  whatever the bot did to its environment, group or session.
- Only direct, unreaped children are ever signalled: no process id can have been given to
  somebody else meanwhile. Killing a child hands its children up, until nothing is left.
- A bot's flood of output costs this process, never the thread that judges clocks.

It is started by ``subprocess.Popen`` called in trio's own thread, and starts the bot from
its own only thread: a parent-death signal fires when the *thread* that spawned ends.

Command line: ``warden.py CONTROL_FD OUTPUT_FD KEEP_BYTES PIPES ENTRY_FD LIMIT… -- COMMAND…``.
PIPES is -1 where stdout goes to the output, 0 where stdin and stdout are the command's pipes,
and N where it finds these pipes under N and N + 1 (:attr:`arena.bots.kept.Command.pipes_at`).
ENTRY_FD is -1, or holds fields that end in zero bytes: a user id, then paths. The command's
process then sees these paths as ``/tmp/0``, ``/tmp/1`` … in mounts of its own, and only then
becomes that user: what lies under a folder that the user may not enter can be bound into its
sandbox all the same. A limit is ``cores=N,N…`` (affinity), ``data=BYTES`` and ``file=BYTES``
(RLIMIT_DATA and RLIMIT_FSIZE), ``watch=BYTES`` (of memory of all descendants: above it they
are killed) or ``group=FOLDER``: a control group to make, enter and remove; each
``write=FILE=TEXT`` after it is written there first. One line is written to the control
socket: ``exited CODE`` or ``signalled SIGNAL``, then ``CPU_US PEAK_KIB MEMORY_KILLS
TASK_REFUSALS``; or ``refused ERRNO`` (the command could not be executed, or not within its
limits).
"""

# ruff: noqa: PTH102, PTH112
# pathlib would lengthen the start of this script by a third.

import collections
import contextlib
import ctypes
import fcntl
import math
import os
import resource
import select
import signal
import sys
import time
from collections.abc import Callable
from typing import NoReturn

# Isolated (-I) there is no path to this package; behind all others it shadows nothing.
sys.path.append(__file__.rpartition("/arena/")[0])
from arena.bots.warden_limits import Limits, children, memory_of

READ_BYTES = 65536
EAGER_BYTES = 1 << 30
"""So much output is taken as fast as it comes; then 64 KiB every quarter of a second."""
PAUSE_S = 0.25
"""Between two writes of the output file, and between two reads of a flood."""
BOT_FILES = 4096
"""Descriptors that each process of a bot may have; the arena's own limit is far higher."""
SWEEP_S = 4.0
"""How long the killing of descendants is tried: 5 s is what the arena promises."""

FIRST_FREE = 10
"""Descriptors from here on are in nobody's way."""

LOOK_S = 0.5
"""Between two looks at the memory of all descendants, where no control group bounds it."""

CLONE_NEWNS = 0x20000
MS_BIND, MS_REC, MS_PRIVATE = 1 << 12, 1 << 14, 1 << 18
PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
ENDING_SIGNALS = frozenset({signal.SIGTERM, signal.SIGINT, signal.SIGHUP})


class Output:
    """The first and last ``keep`` bytes of what a bot writes, kept in a file."""

    def __init__(self, file: int, keep: int) -> None:
        self._file = file
        self._keep = keep
        self._head = bytearray()
        self._head_written = 0
        self._tail: collections.deque[bytes] = collections.deque()
        self._tail_size = 0
        self._is_dirty = False
        self._next_write = 0.0
        self.total = 0

    def take(self, data: bytes) -> None:
        """Add what was read; the oldest bytes between head and tail are dropped."""
        self.total += len(data)
        self._is_dirty = True
        room = self._keep - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        if data:
            self._tail.append(data)
            self._tail_size += len(data)
            while self._tail_size - len(self._tail[0]) >= self._keep:
                self._tail_size -= len(self._tail.popleft())

    @property
    def due(self) -> float:
        """When the file wants to be written (monotonic seconds); infinity if it is up to date."""
        return self._next_write if self._is_dirty else math.inf

    def write(self, now: float) -> None:
        """Write the file if it is due."""
        if not self._is_dirty or now < self._next_write:
            return
        self._is_dirty = False
        self._next_write = now + PAUSE_S
        tail = b"".join(self._tail)[-self._keep :]
        left_out = self.total - len(self._head) - len(tail)
        if left_out:
            tail = b"\n[... %d bytes left out ...]\n" % left_out + tail
        # A full disk is no reason to stop keeping the bot: what cannot be written is lost.
        with contextlib.suppress(OSError):
            os.pwrite(self._file, self._head[self._head_written :], self._head_written)
            self._head_written = len(self._head)
            os.pwrite(self._file, tail, len(self._head))
            os.ftruncate(self._file, len(self._head) + len(tail))


def enter(entry: int) -> None:
    """Bind the paths of an entry where anybody may look, and become its user. Linux, as root."""
    fields = os.pread(entry, 1 << 20, 0).split(b"\0")[:-1]
    os.close(entry)  # the command must not read it
    user, sources = int(fields[0]), fields[1:]
    libc = ctypes.CDLL(None, use_errno=True)

    def call(done: int, what: bytes) -> None:
        if done != 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), what)

    call(libc.unshare(CLONE_NEWNS), b"unshare")
    call(libc.mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None), b"/")
    # Opened before /tmp is covered: some lie in it.
    opened = [os.open(source, os.O_PATH) for source in sources]
    call(libc.mount(b"tmpfs", b"/tmp", b"tmpfs", 0, b"mode=0755,size=1m"), b"/tmp")
    for number, (source, descriptor) in enumerate(zip(sources, opened, strict=True)):
        place = b"/tmp/%d" % number  # in mounts that nobody else sees
        inside = b"/proc/self/fd/%d" % descriptor
        if os.path.isdir(inside):
            os.mkdir(place)
        else:
            os.close(os.open(place, os.O_CREAT | os.O_WRONLY))
        call(libc.mount(inside, place, None, MS_BIND | MS_REC, None), source)
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def put_pipes(place: int) -> None:
    """Hand stdin and stdout on as ``place`` and ``place + 1``, and keep neither."""
    for end in (0, 1):
        os.dup2(end, place + end)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)


def run_command(
    command: list[str], limits: Limits, output: int, control: int, entry: int, *, pipes: int
) -> NoReturn:
    """Become the command: the child's side of the fork. Never returns."""
    try:
        os.setsid()
        limits.enter()  # first: as the user who made the control groups
        if sys.platform == "linux":
            keeper = os.getppid()
            if entry >= 0:
                enter(entry)
            # If this warden is killed, at least its direct child goes with it. (A change of
            # the user would undo it.)
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
            if os.getppid() != keeper:
                os._exit(127)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        files = BOT_FILES if most == resource.RLIM_INFINITY else min(BOT_FILES, most)
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
        # Python ignores these two, and what is ignored stays ignored across exec.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        if pipes > 0:
            output, control = (
                fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, FIRST_FREE) for end in (output, control)
            )
            put_pipes(pipes)
        os.dup2(output, 2)
        if pipes != 0:
            os.dup2(output, 1)
        os.execvpe(command[0], command, os.environ)  # noqa: S606  # no shell: that is the point
    except OSError as error:
        os.write(output, f"{error}\n".encode("utf-8", "surrogateescape"))
        os.write(control, b"refused %d\n" % (error.errno or 0))
    finally:
        os._exit(127)


class Warden:
    """One command from its start until nothing of it is left."""

    def __init__(
        self,
        control: int,
        output: Output,
        limits: Limits,
        command: list[str],
        entry: int,
        *,
        pipes: int,
    ) -> None:
        if sys.platform == "linux":
            ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        self._control = control
        self._output = output
        self._wake, wake_write = os.pipe()
        for end in (self._wake, wake_write):
            os.set_blocking(end, False)
        signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
        for number in (signal.SIGCHLD, *ENDING_SIGNALS):
            signal.signal(number, lambda _number, _frame: None)  # the byte in the pipe is the news
        self._pipe, pipe_write = os.pipe()
        os.set_blocking(self._pipe, False)
        os.set_inheritable(control, False)  # noqa: FBT003  # positional in the standard library
        self._report: bytes | None = None
        self._limits = limits
        self._next_look = time.monotonic() + LOOK_S if limits.watch else math.inf
        self._memory_kills = 0
        limits.make_groups()
        self._bot = os.fork()
        if self._bot == 0:
            run_command(command, limits, pipe_write, control, entry, pipes=pipes)
        os.close(pipe_write)
        # The bot's pipes must end when the bot ends: keep no end of them here.
        null = os.open(os.devnull, os.O_RDWR)
        for end in (0, 1, 2):
            os.dup2(null, end)

    def keep(self) -> None:
        """Keep the command until it ends or the control socket does."""
        poller = select.poll()
        for end in (self._control, self._wake, self._pipe):
            poller.register(end, select.POLLIN)
        paused_until: float | None = None
        while self._report is None and not self._holds_too_much():
            now = time.monotonic()
            if paused_until is not None and now >= paused_until:
                poller.register(self._pipe, select.POLLIN)
                paused_until = None
            self._output.write(now)
            for end, _ in poller.poll(self._wait_ms(now, paused_until)):
                if end == self._control:
                    return  # the arena's end is closed: by its will or by its death
                if end == self._wake:
                    if not ENDING_SIGNALS.isdisjoint(os.read(self._wake, 512)):
                        return
                    self._reap()
                elif self._read_output() == b"":
                    poller.unregister(self._pipe)  # nobody can write any more
                elif self._output.total > EAGER_BYTES:
                    poller.unregister(self._pipe)
                    paused_until = now + PAUSE_S

    def _wait_ms(self, now: float, paused_until: float | None) -> int | None:
        """Say how long there is nothing to do; None: until something comes."""
        until = min(paused_until or math.inf, self._output.due, self._next_look)
        return None if until == math.inf else int(1000 * (until - now)) + 1

    def sweep(self) -> None:
        """Kill whatever descends from the command, until nothing does or time is over."""
        deadline = time.monotonic() + SWEEP_S
        self._limits.thaw()
        poller = select.poll()
        poller.register(self._wake, select.POLLIN)
        if self._report is None:
            # Not reaped, so both numbers are still the bot's; its group goes in one stroke.
            self._kill(os.killpg, self._bot)
            self._kill(os.kill, self._bot)
        elif sys.platform != "linux":
            self._kill(os.killpg, self._bot)  # orphans are not handed to us: the group is all
        while self._reap() and time.monotonic() < deadline:
            for pid in children():
                self._kill(os.kill, pid)
            self._limits.thaw()  # the arena may have frozen it meanwhile
            if self._reap():
                poller.poll(20)
                with contextlib.suppress(BlockingIOError):
                    os.read(self._wake, 512)

    def close(self) -> None:
        """Keep what output is left, and report."""
        for _ in range(64):  # a pipe holds 1 MiB at most; a survivor may still be writing
            if not self._read_output():
                break
        self._output.write(math.inf)
        report = b"lost\n" if self._report is None else self._report + self._account()
        self._limits.remove_groups()
        with contextlib.suppress(OSError):  # the arena may be gone
            os.write(self._control, report)

    def _account(self) -> bytes:
        """Say what all processes together used, and which bounds they met.

        Without a control group the peak is that of the process that had most.
        """
        count = self._limits.count
        # Whoever was reaped, by whom: a sandbox hands on the times of all that was in it.
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu_us, peak_kib = int((usage.ru_utime + usage.ru_stime) * 1_000_000), usage.ru_maxrss
        group_us = count("cpu.stat", "usage_usec")
        if group_us is None and (group_ns := count("cpuacct.usage")) is not None:
            group_us = group_ns // 1_000
        peak = count("memory.peak") or count("memory.max_usage_in_bytes")
        kills = count("memory.events", "oom_kill") or count("memory.oom_control", "oom_kill") or 0
        return b" %d %d %d %d\n" % (
            cpu_us if group_us is None else group_us,
            peak_kib if peak is None else peak // 1024,
            self._memory_kills + kills,
            count("pids.events", "max") or 0,
        )

    def _holds_too_much(self) -> bool:
        """Look, where it is time to, whether the descendants have more memory than they may."""
        now = time.monotonic()
        if now < self._next_look:
            return False
        self._next_look = now + LOOK_S
        most = self._limits.watch
        holds = memory_of(self._bot, exact=False) > most and memory_of(self._bot, exact=True) > most
        self._memory_kills += holds
        return holds

    def _read_output(self) -> bytes | None:
        """Read once: None if there is nothing now, nothing (b"") at the end."""
        try:
            data = os.read(self._pipe, READ_BYTES)
        except BlockingIOError:
            return None
        self._output.take(data)
        return data

    def _kill(self, kill: Callable[[int, int], None], number: int) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            kill(number, signal.SIGKILL)

    def _reap(self) -> bool:
        """Reap all that has ended; tell whether any child is left."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return False
            if pid == 0:
                return True
            if pid == self._bot:
                self._note(status)

    def _note(self, status: int) -> None:
        code = os.waitstatus_to_exitcode(status)
        word = b"exited" if code >= 0 else b"signalled"
        self._report = b"%s %d" % (word, abs(code))


def main() -> None:
    """Keep the command given on the command line."""
    control, file, keep, pipes, entry = (int(word) for word in sys.argv[1:6])
    os.set_inheritable(file, False)  # noqa: FBT003  # positional in the standard library
    end = sys.argv.index("--", 6)
    limits, command = Limits(sys.argv[6:end]), sys.argv[end + 1 :]
    try:
        warden = Warden(control, Output(file, keep), limits, command, entry, pipes=pipes)
    except OSError as error:  # no process or descriptor left on this machine
        limits.remove_groups()
        os.write(control, b"refused %d\n" % (error.errno or 0))
        return
    warden.keep()
    warden.sweep()
    warden.close()
    os._exit(0)  # nothing is left to tidy up, and somebody waits


if __name__ == "__main__":
    main()
