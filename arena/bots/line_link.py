"""LineLink: a bot's stdin and stdout as the Link of its session.

Owns the two pipes of a bot that speaks lines: what is whole lines among the bytes that
come, the one write in flight, and the moment when a line arrived. Must not know messages,
manifests or processes. Source: protocol.md ("Bots that speak lines"), design.md §4 (4).
"""

import contextlib
import os
from collections.abc import Callable

import trio

from arena.bots.kept import Pipes
from arena.referee.messages import Arrival
from arena.server.arrivals import current_arrivals
from arena.server.link import LinkClosed, LinkError, Received, deliver_each
from arena.wire.terms import FRAME_MESSAGES, LINE_BYTES

READ_BYTES = 65_536
"""What one read takes at most: as much as a pipe holds."""


class LineLink:
    """One bot's pipes. Whoever makes it closes it, at the latest after its nursery has ended.

    What is received is one line, or several where several were there at once; what is sent
    is lines whole. Bytes are read only when ``recv`` asks for them: what the bot writes
    meanwhile waits in its pipe, and no more than a line and a read is held here. A line
    that is too long comes cut to a length that is still too long, and its rest is dropped.

    Args:
        nursery: Owns the end of a write that the pipe did not take at once.
        pipes: Non-blocking descriptors; they are the link's from now on.
    """

    __slots__ = (
        "_arrival",
        "_arrivals",
        "_is_closed",
        "_is_deaf",
        "_is_over",
        "_is_skipping",
        "_is_writing",
        "_nursery",
        "_partial",
        "_stdin",
        "_stdout",
        "_whole",
        "on_idle",
    )

    def __init__(self, nursery: trio.Nursery, pipes: Pipes) -> None:
        self.on_idle: Callable[[], None] | None = None
        self._nursery = nursery
        self._stdin = pipes.to_stdin
        self._stdout = pipes.from_stdout
        self._arrivals = current_arrivals()
        self._arrival = Arrival(earliest_ns=0, latest_ns=0)
        self._whole = b""
        self._partial = bytearray()
        self._is_skipping = False
        self._is_writing = False
        self._is_deaf = False
        self._is_over = False
        self._is_closed = False

    @property
    def is_busy(self) -> bool:
        """Whether a write is in flight: the pipe is full."""
        return self._is_writing

    @property
    def is_open(self) -> bool:
        """Whether the link can still be written to."""
        return not (self._is_closed or self._is_deaf)

    @property
    def unfinished(self) -> bytes:
        """What has come since the last end of a line."""
        return bytes(self._partial)

    def send(self, data: bytes) -> None:
        """Write lines, at once if the pipe takes them; the link must not be busy.

        What a bot that has closed its stdin is sent is lost. It is ``recv`` that says so,
        when what the bot wrote before is read: the end of its process may explain it.

        Raises:
            LinkClosed: The link was closed here.
        """
        if self._is_closed:
            raise LinkClosed
        if self._is_writing:
            raise AssertionError("a line written while another is in flight would cut it in two")
        written = self._write(data)
        if written < len(data):
            self._is_writing = True
            self._nursery.start_soon(self._write_rest, memoryview(data)[written:])

    def when_idle(self, callback: Callable[[], None]) -> None:
        """Run a callback at once."""
        callback()

    async def recv(self) -> Received:
        """Wait for the next lines; what was written before the end is delivered first.

        Raises:
            LinkClosed: The bot has closed its stdout or its stdin, or the link was closed
                here, and nothing is left to read.
        """
        if self._whole:
            await trio.lowlevel.checkpoint()  # a flood must not keep the loop to itself
        while not self._whole:
            if self._is_over:
                raise LinkClosed
            if not self._is_deaf:
                # Not read before it is waited for: only the end of a wait tells when it came.
                with contextlib.suppress(trio.ClosedResourceError):  # the flags say whose doing
                    await trio.lowlevel.wait_readable(self._stdout)
            if not self._is_closed:
                self._read()
        return Received(self._take(), self._arrival)

    async def deliver(self, receive: Callable[[Received], None]) -> None:
        """Call ``receive`` with what comes, at once, until the pipes are over."""
        await deliver_each(self.recv, receive)

    def close(self, error: LinkError | None = None) -> None:  # noqa: ARG002  # the Link's
        """Close both pipes; pipes carry no status, so that an error ends them alike. Idempotent.

        A write in flight still goes out before stdin ends, if the bot reads it. What was
        read and not yet received is dropped.
        """
        if not self._is_closed:
            self._is_closed = self._is_over = True
            self._whole = b""
            _close(self._stdout)
            if not self._is_writing:
                _close(self._stdin)

    # --- in -------------------------------------------------------------------------------

    def _read(self) -> None:
        """Read what is there; nothing whole may be left from before."""
        try:
            data = os.read(self._stdout, READ_BYTES)
        except BlockingIOError:
            self._is_over = self._is_deaf
            return
        self._arrival = self._arrivals.arrival()
        if not data:
            self._is_over = True
            # The last line may lack its end.
            self._whole, self._partial = bytes(self._partial), bytearray()
            return
        # A bot that does not listen is heard out, but not for ever: a pipe holds one read.
        self._is_over = self._is_deaf
        if self._is_skipping:
            _, end, data = data.partition(b"\n")
            self._is_skipping = not end
        lines, end, rest = data.rpartition(b"\n")
        if end:
            self._whole = bytes(self._partial) + lines + end if self._partial else lines + end
            self._partial = bytearray(rest)
        else:
            self._partial += rest
        if len(self._partial) > LINE_BYTES:
            self._whole += self._partial[:LINE_BYTES] + b"\n"
            self._partial = bytearray()
            self._is_skipping = True

    def _take(self) -> bytes:
        """Take what is one frame: not more lines than a frame has messages."""
        data = self._whole
        if data.count(b"\n") <= FRAME_MESSAGES:
            self._whole = b""
            return data
        self._whole = data.split(b"\n", FRAME_MESSAGES)[-1]
        return data[: -len(self._whole)]

    # --- out ------------------------------------------------------------------------------

    def _write(self, data: bytes | memoryview) -> int:
        """Write what the pipe takes, and say how much; a closed pipe takes all."""
        try:
            return os.write(self._stdin, data)
        except BlockingIOError:
            return 0
        except BrokenPipeError:
            self._is_deaf = True
            if not self._is_closed:
                trio.lowlevel.notify_closing(self._stdout)  # wakes recv
            return len(data)

    async def _write_rest(self, rest: memoryview) -> None:
        try:
            while rest:
                await trio.lowlevel.wait_writable(self._stdin)
                rest = rest[self._write(rest) :]
        finally:
            self._is_writing = False
            if self._is_closed:
                _close(self._stdin)
        if self.on_idle is not None and not self._is_closed:
            self.on_idle()


def _close(end: int) -> None:
    trio.lowlevel.notify_closing(end)
    os.close(end)
