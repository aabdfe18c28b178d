"""The seals of a log: a hash chain over its bytes.

Owns the chain's arithmetic and the two seal events of a match log. Must not know files
or what the sealed lines mean. Source: record.md ("Seals").

A seal carries SHA-256(previous seal's chain as 32 bytes, zeros for the first ‖ every byte
from the previous seal's line, that line included, up to but not including this one).
So each seal line is covered by the next; the last one is covered by the file's digest.
"""

import hashlib
from dataclasses import dataclass
from typing import Final

CHAIN_BYTES: Final = 32
DEAL_SEALED: Final = "deal_sealed"
LOG_CLOSED: Final = "log_closed"


class Chain:
    """The running hash of one log: update it with every byte, in order, seals included."""

    __slots__ = ("_hash",)

    def __init__(self) -> None:
        self._hash = hashlib.sha256(bytes(CHAIN_BYTES))

    def update(self, data: bytes) -> None:
        """Add bytes of the log."""
        self._hash.update(data)

    @property
    def head(self) -> str:
        """What a seal written now would carry, as 64 hex digits."""
        return self._hash.hexdigest()

    def seal(self) -> str:
        """End this link and begin the next; the seal's own line goes to ``update`` next."""
        digest = self._hash.digest()
        self._hash = hashlib.sha256(digest)
        return digest.hex()


@dataclass(frozen=True, slots=True, kw_only=True)
class DealSealed:
    """A deal was scored and everything up to here is under ``chain`` (64 hex digits).

    ``views``, by seat: a digest of all that it was sent before this line was written
    (:mod:`arena.record.sent`); none where that was not recorded.
    """

    time: str
    chain: str
    views: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LogClosed:
    """The last line of a complete log; fields as in DealSealed."""

    time: str
    chain: str
    views: tuple[str, ...] = ()


def seal_fields(time: str, chain: str, views: tuple[str, ...]) -> dict[str, object]:
    """Write the fields that both seals have; views that were not recorded are left out."""
    fields: dict[str, object] = {"time": time, "chain": chain}
    if views:
        fields["views"] = views
    return fields


Seal = DealSealed | LogClosed
