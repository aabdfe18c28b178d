"""The log of one match while it is being played.

Owns the order and numbering of lines, the moments at which they are written out, and the
seals. Must not know what events mean beyond that, nor wait for a disk: whatever may take
more than a moment is in :mod:`arena.record.compress`.
Source: record.md ("Match log", "Seals").
"""

import hashlib
from collections.abc import Callable, MutableMapping
from pathlib import Path
from typing import Any, Final

from structlog import BoundLoggerBase

from arena.errors import HostFault
from arena.record.block_writer import BlockWriter
from arena.record.compress import LogDigest, finish_log
from arena.record.header import LOG_OPENED, LogHeader, header_fields
from arena.record.lines import encode_line
from arena.record.seal import DEAL_SEALED, LOG_CLOSED, Chain, seal_fields
from arena.record.sent import SentDigests
from arena.referee.events import Fault, MatchEnded
from arena.referee.faults import Culprit, Termination, TerminationKind
from arena.referee.messages import Record
from arena.rules.events import DealScored, TrickWon
from arena.wire.log_events import encode_event
from arena.wire.quick import log_line

_WRITE_OUT: Final = frozenset({TrickWon, Fault, MatchEnded})
"""After these events nothing is kept back."""


_Item = dict[str, object] | tuple[int, Record]


class _Numbering:
    """The one processor of the log: number a line and encode it.

    An event is the line's fields, or a moment and a record of what comes with every play.
    """

    __slots__ = ("last",)

    def __init__(self) -> None:
        self.last = 0

    def __call__(
        self, _logger: BlockWriter, _method: str, fields: MutableMapping[str, Any]
    ) -> bytes:
        seq = self.last = self.last + 1
        item: _Item = fields["event"]
        if isinstance(item, dict):
            return encode_line({"seq": seq, "at_us": 0, "event": "", **item})
        at_us, record = item
        line = log_line(seq, at_us, record.event, record.timing)
        if line is None:
            plain = encode_event(record.event, record.timing)
            line = encode_line({"seq": seq, "at_us": at_us, **plain})
        return line


class _Lines(BoundLoggerBase):
    """A structlog logger whose every call appends one line to a block writer."""

    def add(self, item: "_Item") -> None:
        """Log one event."""
        self._proxy_to_logger("append", item)  # type: ignore[arg-type]  # any value, in fact


class MatchLog:
    """Write one match's log; lines are numbered from 1 without gaps, as they stand.

    ``wall_time`` gives the time of day as text for the header and the seals; ``at_us``
    counts from the first event recorded. ``sent`` runs along and holds what the seats were
    sent before each event that is written; None = that is not recorded. Not to be shared
    between threads.
    """

    __slots__ = (
        "_at_us",
        "_chain",
        "_digest",
        "_file",
        "_has_ended",
        "_lines",
        "_sent",
        "_sha256",
        "_start_ns",
        "_totals",
        "_wall_time",
        "header",
    )

    def __init__(
        self,
        path: Path,
        header: LogHeader,
        *,
        wall_time: Callable[[], str],
        sent: SentDigests | None = None,
    ) -> None:
        """Create the file and write its head.

        Raises:
            HostFault: The file exists, or the disk does not take it.
        """
        self.header = header
        self._wall_time = wall_time
        self._sent = sent
        self._start_ns: int | None = None
        self._at_us = 0
        self._chain = Chain()
        self._sha256 = hashlib.sha256()
        self._totals = (0,) * header.ruleset.side_count
        self._has_ended = False
        self._digest: LogDigest | None = None
        self._file = BlockWriter(path)
        self._lines = _Lines(self._file, [_Numbering()], {})
        self._add(LOG_OPENED, {"time": wall_time(), **header_fields(header)})
        self._flush()

    @property
    def path(self) -> Path:
        """Where the log is, in its present form."""
        return self._file.path if self._digest is None else self._digest.path

    def write(self, record: Record) -> None:
        """Append one event of the match; a scored deal is sealed at once.

        Raises:
            HostFault: The disk does not take it; what the file holds is whole.
        """
        event = record.event
        if self._start_ns is None:
            self._start_ns = record.at_ns
        # Two readings of one clock may reach the table crosswise; in the log time never runs back.
        self._at_us = max(self._at_us, (record.at_ns - self._start_ns) // 1000)
        self._lines.add((self._at_us, record))
        kind = type(event)
        if kind in _WRITE_OUT or self._file.is_full:
            self._flush()
            self._has_ended = self._has_ended or kind is MatchEnded
        elif isinstance(event, DealScored):
            self._totals = event.totals
            self._seal(DEAL_SEALED)

    def close(self) -> LogDigest:
        """Write the closing seal and release the file; call ``finish`` next, in a thread.

        Raises:
            HostFault: The disk does not take it.
        """
        if self._digest is not None:
            raise AssertionError("a log is closed once")
        try:
            self._seal(LOG_CLOSED)
        finally:
            self._file.close()
        self._digest = LogDigest(
            path=self._file.path, sha256=self._sha256.hexdigest(), size=self._file.size
        )
        return self._digest

    def finish(self) -> LogDigest:
        """Make the closed log durable and compress it; may take long, safe in a worker thread.

        Raises:
            HostFault: The disk does not take it; the uncompressed log is intact.
        """
        if self._digest is None:
            raise AssertionError("a log is closed before it is finished")
        self._digest = finish_log(self._digest)
        return self._digest

    def abandon(
        self, detail: str = "", *, totals: tuple[int, ...] | None = None
    ) -> LogDigest | None:
        """Seal the log of a match that is not played on, as aborted if it says no end yet.

        ``totals`` are the match's; by default those after the last deal that was scored.
        None where the disk does not take even that; the log is then readable as one that
        was cut. Harmless after ``close``.
        """
        if self._digest is not None:
            return self._digest
        try:
            if not self._has_ended:
                end = MatchEnded(
                    termination=Termination(
                        kind=TerminationKind.ABORTED, culprit=Culprit.HOST, detail=detail
                    ),
                    totals=self._totals if totals is None else totals,
                    winner=None,
                )
                self._lines.add({**encode_event(end, None), "at_us": self._at_us})
                self._sent = None  # what had been sent when all broke off, nobody can say
            return self.close()
        except HostFault:
            return None
        finally:
            self._file.close()

    def _add(self, kind: str, fields: dict[str, object]) -> None:
        self._lines.add({"at_us": self._at_us, "event": kind, **fields})

    def _seal(self, kind: str) -> None:
        self._flush()
        views = () if self._sent is None else self._sent.read()
        self._add(kind, seal_fields(self._wall_time(), self._chain.seal(), views))
        self._flush()

    def _flush(self) -> None:
        block = self._file.flush()
        self._chain.update(block)
        self._sha256.update(block)
