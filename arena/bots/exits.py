"""Exit: how a process ended, in words its author can use.

Owns the closed list of ways to end, the report a warden writes about them, and their
explanation. Must not know how processes are started or killed.
"""

import os
import signal
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never


class ExitKind(StrEnum):
    """The ways in which a process can have ended."""

    EXITED = "exited"
    """It ended itself; ``value`` is its exit status."""
    SIGNALLED = "signalled"
    """A signal ended it; ``value`` is the signal's number."""
    REFUSED = "refused"
    """The system would not execute the command; ``value`` is the errno."""
    LOST = "lost"
    """Its keeper ended without a report, so nobody knows; ``value`` is 0."""


_SIGNAL_BASE = 128

_STATUS_HINTS = {
    126: "a shell could not execute the command",
    127: "a shell did not find the command",
}
_SIGNAL_HINTS: dict[int, str] = {
    signal.SIGKILL: "somebody killed it, or the system did for lack of memory",
    signal.SIGXCPU: "it has used up its CPU time",
    signal.SIGXFSZ: "it wrote a larger file than [resources] disk allows",
    signal.SIGSEGV: "it touched memory that is not its own",
    signal.SIGABRT: "it gave up itself: a failed assertion or an uncaught exception",
    signal.SIGILL: "it was built for another processor: build it without -march=native",
    signal.SIGFPE: "an integer was divided by zero",
    signal.SIGBUS: "it touched memory that does not exist",
    signal.SIGPIPE: "it wrote to a pipe that nobody reads",
    signal.SIGSYS: "it made a system call that is not allowed here",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Exit:
    """How and when a process ended, and what it used."""

    kind: ExitKind
    value: int
    command: str
    """The first word of the command."""
    elapsed_ns: int
    """From its launch."""
    is_ours: bool
    """Whether the arena had asked for its end before it ended."""
    cpu_us: int = 0
    """Of all its processes."""
    peak_kib: int = 0
    """Of all its processes together; without a control group, of the one that had most."""
    memory_kills: int = 0
    """Processes that were ended because the bot had more memory than allowed."""
    task_refusals: int = 0
    """Processes or threads that the system refused because the bot had as many as allowed."""

    @property
    def is_success(self) -> bool:
        """Whether the process ended by itself with status 0."""
        return self.kind is ExitKind.EXITED and self.value == 0

    @property
    def text(self) -> str:
        """Say how it ended: "exited with status 3 after 0.21 s", and which bounds it met."""
        met = []
        if self.memory_kills:
            met.append("out of memory: it needed more than [resources] memory allows")
        if self.task_refusals:
            often = "once" if self.task_refusals == 1 else f"{self.task_refusals} times"
            met.append(
                f"it asked {often} for more processes or threads than "
                "[resources] tasks allows, and got EAGAIN"
            )
        return "; ".join([self._ending(), *met])

    def _ending(self) -> str:
        after = f"after {self.elapsed_ns / 1e9:.2f} s"
        match self.kind:
            case ExitKind.EXITED:
                hint = _STATUS_HINTS.get(self.value)
                return f"exited with status {self.value} {after}" + (f" ({hint})" if hint else "")
            case ExitKind.SIGNALLED:
                return self._signal_text(after)
            case ExitKind.REFUSED:
                return f"could not be started: {self.command!r}: {os.strerror(self.value)}"
            case ExitKind.LOST:
                return f"was lost {after}: the process that kept it was killed"
            case _:
                assert_never(self.kind)

    def _signal_text(self, after: str) -> str:
        try:
            name = signal.Signals(self.value).name
        except ValueError:
            name = f"signal {self.value}"
        if self.is_ours and self.value == signal.SIGKILL and not self.memory_kills:
            return f"was ended by the arena {after}"
        hint = "" if self.memory_kills else _SIGNAL_HINTS.get(self.value)
        return f"was ended by {name} {after}" + (f" ({hint})" if hint else "")


def parse_report(
    report: bytes, *, command: str, elapsed_ns: int, is_ours: bool, is_boxed: bool = False
) -> Exit:
    """Read the first line a warden wrote (see :mod:`arena.bots.warden`); anything else is LOST.

    The program around a boxed command tells its end by signal n as the status 128 + n.
    """
    words = report.partition(b"\n")[0].decode("ascii", "replace").split()
    try:
        kind, numbers = ExitKind(words[0]), [int(word) for word in words[1:]]
    except (IndexError, ValueError):
        kind, numbers = ExitKind.LOST, []
    value, cpu_us, peak_kib, memory_kills, task_refusals = (*numbers, 0, 0, 0, 0, 0)[:5]
    if is_boxed and kind is ExitKind.EXITED and value - _SIGNAL_BASE in set(signal.Signals):
        kind, value = ExitKind.SIGNALLED, value - _SIGNAL_BASE
    return Exit(
        kind=kind,
        value=value,
        command=command,
        elapsed_ns=elapsed_ns,
        is_ours=is_ours,
        cpu_us=cpu_us,
        peak_kib=peak_kib,
        memory_kills=memory_kills,
        task_refusals=task_refusals,
    )
