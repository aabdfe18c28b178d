"""Outgoing: what waits to be sent to one bot.

Owns the ``sequence`` of messages, how they batch into frames, and what is kept of them for
a bot that may come back. Must not know links: whoever writes takes a frame and sends it.
Source: protocol.md ("Play", "What happens when" 9, "Rules of the wire" 4).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from arena.server.kept_messages import KeptMessages
from arena.v1 import play_pb2
from arena.wire.codec import Codec
from arena.wire.terms import FRAME_BYTES, FRAME_MESSAGES

MAX_QUEUED: Final = 1_024
"""Messages that may wait for a bot that does not read; one more ends the session."""

OnWritten = Callable[[int], None]
"""Called with the moment (ns) when the write of a message's frame started."""


@dataclass(frozen=True, slots=True)
class Frame:
    """Some messages as the bytes of one write."""

    data: bytes
    batch: list[tuple[play_pb2.RefereeMessage, OnWritten | None]]

    def note_written(self, at_ns: int) -> None:
        """Tell whoever waits for it that the write has started."""
        for _, on_written in self.batch:
            if on_written is not None:
                on_written(at_ns)  # which may lead back to the session


class Outgoing:
    """The queue of one session.

    Args:
        codec: How messages are bytes.
        keeps: Whether messages are kept for a bot that comes back.
    """

    __slots__ = ("_codec", "_kept", "_sequence", "_waiting")

    def __init__(self, codec: Codec, *, keeps: bool) -> None:
        self._codec = codec
        self._sequence = 0
        self._waiting: list[tuple[play_pb2.RefereeMessage, OnWritten | None]] = []
        self._kept = KeptMessages() if keeps else None

    def __bool__(self) -> bool:
        """Whether anything waits."""
        return bool(self._waiting)

    @property
    def keeps(self) -> bool:
        """Whether messages are kept."""
        return self._kept is not None

    @property
    def is_full(self) -> bool:
        """Whether no more may wait."""
        return len(self._waiting) >= MAX_QUEUED

    def append(self, message: play_pb2.RefereeMessage, on_written: OnWritten | None) -> None:
        """Number a message and let it wait."""
        self._sequence += 1
        message.sequence = self._sequence
        self._waiting.append((message, on_written))
        if self._kept is not None:
            self._kept.append(message)

    def take_frame(self) -> Frame:
        """Take as much of what waits as one frame may hold."""
        messages = [message for message, _ in self._waiting[:FRAME_MESSAGES]]
        data = self._codec.encode(messages)
        # Hardly ever: only announcements of many matches at once are so long.
        while len(data) > FRAME_BYTES and len(messages) > 1:
            del messages[len(messages) // 2 :]
            data = self._codec.encode(messages)
        batch = self._waiting[: len(messages)]
        del self._waiting[: len(messages)]
        return Frame(data, batch)

    def put_back(self, frame: Frame) -> None:
        """Let a frame wait again that could not be sent."""
        self._waiting[:0] = frame.batch

    def clear(self) -> None:
        """Drop what waits."""
        self._waiting.clear()

    def forget_waiting(self, at_ns: int) -> None:
        """Count as written what waits: it is kept, and clocks run on without a stream."""
        while self._waiting:
            _, on_written = self._waiting.pop(0)
            if on_written is not None:
                on_written(at_ns)

    def missed(self, resume_after: int | None) -> list[play_pb2.RefereeMessage] | None:
        """Give what came after a message that the bot has; None: more than is kept."""
        return None if self._kept is None else self._kept.after(resume_after)

    def repeat(
        self, welcome: play_pb2.RefereeMessage, missed: list[play_pb2.RefereeMessage]
    ) -> None:
        """Let wait again what a bot that is back has missed, with the numbers that it had."""
        self._waiting = [(message, None) for message in (welcome, *missed)]

    def decision(self, decision_id: int) -> play_pb2.Decision | None:
        """Find a decision among what waits."""
        for message, _ in self._waiting:
            if message.HasField("decision") and message.decision.decision_id == decision_id:
                return message.decision
        return None
