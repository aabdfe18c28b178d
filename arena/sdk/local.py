"""The stream to a referee on this machine: a Unix socket, read and written as it comes.

Owns the socket, the moments at which frames were read, and for a bot of several tables the
thread that reads on while the author's code computes. Must not know what the frames mean.
"""

import contextlib
import queue
import socket
import threading
from collections.abc import Iterator, Sequence
from time import monotonic_ns
from typing import Final

from google.protobuf.message import DecodeError

from arena.sdk.http2 import BrokenStream, Call
from arena.sdk.lost import CLOSE_SECONDS, METHOD, WELCOME_SECONDS, SessionLost, told_end
from arena.sdk.session import Arrived, Session
from arena.v1 import play_pb2

SCHEME: Final = "unix:"
"""How addresses begin that are reached this way."""

_READ: Final = 65_536
_MOST_WAITING: Final = 1024
"""Frames that are read ahead: one for each table that a bot may have, and more."""


def converse_locally(address: str, session: Session, *, is_busy: bool = False) -> None:
    """Open the stream, keep the session going, and return after Goodbye.

    Args:
        address: ``unix:`` and the path of the referee's socket.
        session: What answers the frames.
        is_busy: As for :func:`arena.sdk.connection.converse`.

    Raises:
        SessionLost: the stream was refused, broke, or ended without Goodbye.
        BotFailure: the author's code failed.
    """
    stream = _Stream(address)
    with contextlib.closing(stream):
        try:
            stream.connect()
            stream.write(session.join())
            for frame in stream.read():
                _answer(stream, session, [frame])
        except TimeoutError:
            raise SessionLost(f"{address}: no Welcome within {WELCOME_SECONDS} s") from None
        stream.wait_for_ever()
        (_talk_and_read if is_busy else _talk)(stream, session)
        if session.goodbye is None:
            raise stream.lost()


class _Stream:
    """The call on its socket. One thread reads; several may write."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._socket = socket.socket(socket.AF_UNIX)
        self._call = Call(METHOD)
        self._writing = threading.Lock()

    def connect(self) -> None:
        """Connect and open the call; everything from here until Welcome takes its time."""
        self._socket.settimeout(WELCOME_SECONDS)
        path = self._address.removeprefix(SCHEME)
        try:
            self._socket.connect(path.removeprefix("//"))
        except TimeoutError:
            raise
        except OSError as error:
            words = f"cannot connect: {error.strerror or error}"
            raise SessionLost(told_end(self._address, "UNAVAILABLE", words)) from None
        self._flush()

    def wait_for_ever(self) -> None:
        """Wait for the referee from now on as long as it takes: it ends its bots."""
        self._socket.settimeout(None)

    def write(self, frame: play_pb2.PlayRequest) -> None:
        """Send a frame; into a stream that is over it goes nowhere, as reading will tell."""
        with self._writing:
            self._call.send(frame.SerializeToString())
            self._flush()

    def read(self) -> Sequence[Arrived]:
        """Wait for bytes; give the frames that they complete, stamped. None of them: it is over."""
        while not self._call.ended:
            try:
                data = self._socket.recv(_READ)
            except TimeoutError:
                raise
            except OSError:
                data = b""
            now_ns = monotonic_ns()
            with self._writing:
                if not data:
                    self._call.lose()
                    break
                try:
                    messages = self._call.receive(data)
                    frames = [
                        Arrived(play_pb2.PlayResponse.FromString(message), now_ns)
                        for message in messages
                    ]
                except (BrokenStream, DecodeError) as error:
                    raise SessionLost(f"{self._address}: the referee sent {error}") from None
                self._flush()
            if frames:
                return frames
        return ()

    def lost(self) -> SessionLost:
        """Say how the stream ended."""
        ended = self._call.ended
        if ended is None:
            raise AssertionError("the stream is not over")
        return SessionLost(told_end(self._address, ended.code, ended.details))

    def close_half(self) -> None:
        """Say that the bot has said all."""
        with self._writing:
            self._call.close_half()
            self._flush()

    def wait_for_end(self) -> None:
        """Give the referee a moment to end the stream its way; what it still says is dropped."""
        self._socket.settimeout(CLOSE_SECONDS)
        with contextlib.suppress(TimeoutError):
            while self.read():
                pass

    def close(self) -> None:
        """Close the socket; who reads from it in another thread hears the end."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def _flush(self) -> None:
        out = self._call.take()
        if out:
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                self._socket.sendall(out)


def _answer(stream: _Stream, session: Session, frames: Sequence[Arrived]) -> None:
    for reply in session.receive(frames):
        stream.write(reply)


def _talk(stream: _Stream, session: Session) -> None:
    """Take in what has come, and answer it before reading on."""
    while session.goodbye is None and (frames := stream.read()):
        _answer(stream, session, frames)
    if session.goodbye is not None:
        stream.close_half()
        stream.wait_for_end()


def _talk_and_read(stream: _Stream, session: Session) -> None:
    """Take in all frames that have come, while a thread reads the next ones."""
    inbox: queue.Queue[Sequence[Arrived] | SessionLost] = queue.Queue(_MOST_WAITING)

    def read() -> None:
        last: Sequence[Arrived] | SessionLost = ()
        try:
            while frames := stream.read():
                inbox.put(frames)
        except SessionLost as error:
            last = error
        finally:
            inbox.put(last)

    # A daemon: the author's code may end the process while the referee is silent.
    reading = threading.Thread(target=read, name="arena.sdk reads", daemon=True)
    reading.start()
    for frames in _all_that_came(inbox):
        _answer(stream, session, frames)
        if session.goodbye is not None:
            stream.close_half()
            reading.join(CLOSE_SECONDS)
            return


def _all_that_came(
    inbox: "queue.Queue[Sequence[Arrived] | SessionLost]",
) -> Iterator[Sequence[Arrived]]:
    """Wait for frames and give all that are there, until the end."""
    while True:
        frames: list[Arrived] = []
        more = inbox.get()
        while not isinstance(more, SessionLost) and more:
            frames += more
            if inbox.empty():
                break
            more = inbox.get_nowait()
        if frames:
            yield frames
        if isinstance(more, SessionLost):
            raise more
        if not more:
            return
