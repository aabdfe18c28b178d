"""Forward: TCP on the loopback of a sandbox, a Unix socket to the referee.

A script that runs *inside* a sandbox, for bots whose gRPC library has no Unix sockets. It
listens on a free port of 127.0.0.1 (the sandbox has a network of its own with nothing else
in it), runs the bot with ``ARENA_ADDRESS`` set to that port, carries bytes both ways
unchanged, and ends as the bot ends. Standard library only: it runs under ``python -I -S``.

Command line: ``forward.py SOCKET -- COMMAND…``. Exit status: the bot's, or 128 + its signal.
"""

import contextlib
import os
import selectors
import signal
import socket
import sys

# ruff: noqa: FBT003  # positional in the standard library

MOST_BYTES = 1 << 20
"""Held for a reader that does not read; then its writer waits."""


class Flow:
    """One direction of one connection."""

    def __init__(self, source: socket.socket, goal: socket.socket) -> None:
        self.source = source
        self.goal = goal
        self.held = bytearray()
        self.is_open = True

    def read(self) -> None:
        """Take what has come; an end is passed on once all before it is written."""
        try:
            data = self.source.recv(65536)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        self.held += data
        self.is_open = bool(data)
        self.write()

    def write(self) -> None:
        """Write what the goal takes."""
        try:
            while self.held:
                del self.held[: self.goal.send(self.held)]
        except BlockingIOError:
            return
        except OSError:
            self.held.clear()
            self.is_open = False
        if not self.is_open and not self.held:
            with contextlib.suppress(OSError):
                self.goal.shutdown(socket.SHUT_WR)

    @property
    def is_done(self) -> bool:
        """Whether nothing will flow any more."""
        return not self.is_open and not self.held


class Forwarder:
    """All connections of one bot."""

    def __init__(self, listener: socket.socket, path: str) -> None:
        self._listener = listener
        self._path = path
        self._selector = selectors.DefaultSelector()
        listener.setblocking(False)
        self._selector.register(listener, selectors.EVENT_READ)
        self._flows: list[tuple[Flow, Flow]] = []

    def run(self, wake: socket.socket) -> None:
        """Carry bytes until something comes from ``wake``."""
        self._selector.register(wake, selectors.EVENT_READ)
        while True:
            for key, events in self._selector.select():
                if key.fileobj is wake:
                    return
                if key.fileobj is self._listener:
                    self._accept()
                    continue
                out, back = key.data
                if events & selectors.EVENT_READ and out.is_open:
                    out.read()
                if events & selectors.EVENT_WRITE:
                    back.write()
            self._watch()

    def _accept(self) -> None:
        try:
            near, _ = self._listener.accept()
        except OSError:
            return
        near.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        far = socket.socket(socket.AF_UNIX)
        try:
            far.connect(self._path)
        except OSError:
            near.close()
            far.close()
            return
        near.setblocking(False)
        far.setblocking(False)
        self._flows.append((Flow(near, far), Flow(far, near)))

    def _watch(self) -> None:
        """Ask for what each end waits for, and close what is done on both sides."""
        for pair in list(self._flows):
            if pair[0].is_done and pair[1].is_done:
                self._flows.remove(pair)
                for end in (pair[0].source, pair[1].source):
                    with contextlib.suppress(KeyError):
                        self._selector.unregister(end)
                    end.close()
                continue
            for out, back in (pair, pair[::-1]):
                events = selectors.EVENT_READ * (out.is_open and len(out.held) < MOST_BYTES)
                events |= selectors.EVENT_WRITE * bool(back.held)
                with contextlib.suppress(KeyError):
                    self._selector.unregister(out.source)
                if events:
                    self._selector.register(out.source, events, (out, back))


def main() -> None:
    """Run the command given on the command line behind a forwarder."""
    listener = socket.create_server(("127.0.0.1", 0))
    wake, wake_write = socket.socketpair()
    wake_write.setblocking(False)
    signal.set_wakeup_fd(wake_write.fileno())
    signal.signal(signal.SIGCHLD, lambda _number, _frame: None)  # the byte is the news
    bot = os.fork()
    if bot == 0:
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        os.environ["ARENA_ADDRESS"] = f"127.0.0.1:{listener.getsockname()[1]}"
        command = sys.argv[3:]
        try:
            os.execvpe(command[0], command, os.environ)  # noqa: S606  # no shell: the point
        except OSError as error:
            os.write(2, f"{command[0]}: {error.strerror}\n".encode())
        finally:
            os._exit(127)
    forwarder = Forwarder(listener, sys.argv[1])
    while True:
        forwarder.run(wake)
        wake.recv(512)
        # The bot is the one child; orphans are handed to process 1, not to this one.
        pid, status = os.waitpid(bot, os.WNOHANG)
        if pid:
            code = os.waitstatus_to_exitcode(status)
            os._exit(code if code >= 0 else 128 - code)


if __name__ == "__main__":
    main()
