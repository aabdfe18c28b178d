"""The arena as a process of its own, and what lives under a folder."""

import contextlib
import os
import queue
import re
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO

PATIENCE_S = 60.0
"""How long anything may take on a machine that is busy with other things."""
_RUN = "from arena.cli.main import run; run()"
COMMAND = (sys.executable, "-c", _RUN)
_OWN_TERMINAL = "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
"""So that what is typed at the terminal is a signal to who runs on it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a command ended, and all that it printed."""

    status: int
    out: str
    err: str


class Arena:
    """One ``arena`` command that runs beside the test."""

    def __init__(self, *words: str | Path, cwd: Path, stderr: int = subprocess.PIPE) -> None:
        """Start it; ``stderr`` may be a descriptor that it is to write to instead."""
        self._process = subprocess.Popen(
            [*COMMAND, *map(str, words)],
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=stderr,
            encoding="utf-8",
            start_new_session=True,
        )
        self.pid = self._process.pid
        self._err: list[str] = []
        self._out: list[str] = []
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        takers = ((self._process.stdout, self._take_out), (self._process.stderr, self._take_err))
        self._streams = [stream for stream, _ in takers if stream is not None]
        self._readers = [
            threading.Thread(target=take, args=(stream,)) for stream, take in takers if stream
        ]
        for reader in self._readers:
            reader.start()

    def see(self, pattern: str) -> str:
        """Wait for a line on stderr that holds a pattern, and return it."""
        deadline = time.monotonic() + PATIENCE_S
        while (line := self._lines.get(timeout=deadline - time.monotonic())) is not None:
            if re.search(pattern, line):
                return line
        raise AssertionError(f"ended without {pattern!r} on stderr:\n{''.join(self._err)}")

    def signal(self, number: signal.Signals) -> None:
        """Send a signal."""
        self._process.send_signal(number)

    def until(self, is_so: Callable[[], bool]) -> None:
        """Wait while it lives until something outside it is so."""
        deadline = time.monotonic() + PATIENCE_S
        while not is_so():
            assert time.monotonic() < deadline
            assert self.lives_for(0.01), f"ended too early:\n{''.join(self._err)}"

    def lives_for(self, seconds: float) -> bool:
        """Wait for its end; whether it still lives then."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return True
        return False

    def end(self) -> Ended:
        """Wait for its end."""
        status = self._process.wait(PATIENCE_S)
        for reader in self._readers:
            reader.join(PATIENCE_S)
        return Ended(status=status, out="".join(self._out), err="".join(self._err))

    def close(self) -> None:
        """Kill it, whatever it does."""
        self._process.kill()
        self._process.wait()
        for reader in self._readers:
            reader.join()
        for stream in self._streams:
            stream.close()

    def _take_out(self, stream: IO[str]) -> None:
        self._out += stream

    def _take_err(self, stream: IO[str]) -> None:
        for line in stream:
            self._err.append(line)
            self._lines.put(line)
        self._lines.put(None)


class AtTerminal:
    """One ``arena`` command at a terminal, where the test sits and types."""

    def __init__(self, *words: str, cwd: Path) -> None:
        """Start it; all that it prints is on one screen."""
        self._screen, terminal = os.openpty()
        self._process = subprocess.Popen(
            [sys.executable, "-c", _OWN_TERMINAL + _RUN, *words],
            cwd=cwd,
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            start_new_session=True,
        )
        os.close(terminal)
        self._shown = b""

    def type(self, keys: bytes, *, at: str) -> None:
        """Type something as soon as the screen shows a text, on what is then its last line."""
        while not self._shown.endswith(at.encode()):
            assert self._read(), f"ended without {at!r}:\n{self._shown.decode()}"
        os.write(self._screen, keys)

    def end(self) -> Ended:
        """Wait for its end."""
        while self._read():
            pass
        return Ended(status=self._process.wait(PATIENCE_S), out=self._shown.decode(), err="")

    def close(self) -> None:
        """Kill it, whatever it does."""
        self._process.kill()
        self._process.wait()
        os.close(self._screen)

    def _read(self) -> bool:
        """Take in what more is shown; False at the end."""
        assert select.select([self._screen], [], [], PATIENCE_S)[0], self._shown.decode()
        try:
            more = os.read(self._screen, 4096)
        except OSError:  # how the end of a terminal shows
            return False
        self._shown += more
        return bool(more)


def living_under(folder: Path) -> list[int]:
    """List the processes that work in a folder or below: the bots of an event, their wardens."""
    root = str(folder.resolve())
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            place = str((process / "cwd").readlink())
        except OSError:
            continue  # gone, not ours to see, or a zombie
        if place == root or place.startswith(f"{root}/"):
            found.append(int(process.name))
    return [pid for pid in found if pid != os.getpid()]


def zombies() -> list[int]:
    """List this process's children that have ended and were not waited for."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # gone meanwhile
            state, parent = (process / "stat").read_bytes().rpartition(b") ")[2].split()[:2]
            if state == b"Z" and int(parent) == os.getpid():
                found.append(int(process.name))
    return found


def see_all_gone(folder: Path, seconds: float = 5) -> None:
    """Fail if a process under the folder lives for so long."""
    deadline = time.monotonic() + seconds
    while living := living_under(folder):
        poller = select.poll()
        ends = []
        for pid in living:
            try:
                ends.append(os.pidfd_open(pid))
            except ProcessLookupError:
                continue
            poller.register(ends[-1], select.POLLIN)
        left_ms = 1000 * (deadline - time.monotonic())
        has_ended = not ends or bool(poller.poll(max(0, left_ms)))
        for end in ends:
            os.close(end)
        assert has_ended, f"still alive under {folder}: {living}"
