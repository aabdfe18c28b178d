"""Tally: what one session came to, for the event's log.

Owns the counts of a session, over all of its streams. Must not know what was said.
Source: record.md (``session_closed``).
"""


class Tally:
    """The counts of one session.

    Attributes:
        ready_ns: When the bot was first ready for a match; None: never.
        bytes_in: Bytes received from the bot; ``bytes_out`` sent to it.
        answers: Answers received from it, to decisions that it was asked.
        streams: Streams that it has had: one, and one more each time it came back.
        refused: Why the latest message was refused that it sent while it played nowhere, "" for
            none: no match's log holds that.
    """

    __slots__ = ("answers", "bytes_in", "bytes_out", "ready_ns", "refused", "streams")

    def __init__(self) -> None:
        self.ready_ns: int | None = None
        self.bytes_in = 0
        self.bytes_out = 0
        self.answers = 0
        self.streams = 1
        self.refused = ""

    def note_ready(self, at_ns: int) -> None:
        """Keep the first moment at which the bot was ready."""
        if self.ready_ns is None:
            self.ready_ns = at_ns
