"""What each seat was sent, as one digest a seat that runs along with its match.

Owns which messages count and the bytes that stand for one. Must not know how a message comes
about, nor where the digests are kept. Source: record.md ("--audit-views").

A digest is SHA-256, cut to 16 bytes, over every Decision, Update and MatchEnded of the match that
was made for a seat, in order, each as: its field's number in RefereeMessage (1 byte) ‖ its
length (4 bytes, big-endian) ‖ its bytes in protobuf, fields in the order of their numbers. What
belongs to the session and not to the match is taken out first: sequence, table and decision_id.
It is the same for a bot that speaks lines: these are made from the same messages.

Not in it are MatchStarted (its match id is random), Rejected (the log keeps no refused message)
and a Decision that is sent once more to a bot that is back.
"""

import hashlib
from typing import Final

from arena.v1 import play_pb2

VIEWS_SINCE: Final = 2
"""The log's schema since which messages are as they are made today. Raise it, together with
that schema, whenever a seat is sent other bytes for the same game."""

_DIGITS: Final = 32
"""Hexadecimal digits of a digest in the log."""


class SentDigests:
    """The running digests of one match, by seat."""

    __slots__ = ("_digests",)

    def __init__(self, seats: int) -> None:
        self._digests = [hashlib.sha256() for _ in range(seats)]

    def add(self, seat: int, message: play_pb2.RefereeMessage) -> None:
        """Take in a message that was made for a seat; one that does not count changes nothing."""
        # By hand and not by name: this comes with every play.
        if message.HasField("decision"):
            decision = message.decision
            table, decision_id = decision.table, decision.decision_id
            decision.table = decision.decision_id = 0
            data = decision.SerializeToString()
            decision.table, decision.decision_id = table, decision_id
            kind = b"\x04"
        elif message.HasField("update"):
            update = message.update
            table, update.table = update.table, 0
            data = update.SerializeToString()
            update.table = table
            kind = b"\x05"
        elif message.HasField("match_ended"):
            ended = message.match_ended
            table, ended.table = ended.table, 0
            data = ended.SerializeToString()
            ended.table = table
            kind = b"\x07"
        else:
            return
        self._digests[seat].update(kind + len(data).to_bytes(4, "big") + data)

    def read(self) -> tuple[str, ...]:
        """Give the digests up to now, by seat, as 32 hexadecimal digits each."""
        return tuple([digest.hexdigest()[:_DIGITS] for digest in self._digests])
