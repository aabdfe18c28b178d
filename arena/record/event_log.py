"""The log of a whole event: ``event.jsonl``, where every line is a seal of those before.

Owns appending, the chain and reading back. Must not know what the kinds mean; standings
are computed elsewhere. Source: record.md ("Event log", "Seals").

Each line carries ``seq`` from 1, the time of day and ``chain``; the chain is that of
match logs with every line a seal: SHA-256(chain of the line before as 32 bytes, zeros
for the first ‖ the line before with its newline). ``head`` is what a next line would
carry: it vouches for every byte of the file.
"""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from arena.errors import HostFault, LogCorrupt
from arena.record.block_writer import LOG_MODE
from arena.record.compress import sync_folder
from arena.record.lines import NoObject, decode_line, encode_line
from arena.record.seal import Chain

_OWN: Final = ("seq", "time", "event", "chain")


@dataclass(frozen=True, slots=True, kw_only=True)
class EventLine:
    """One line of the event's log; ``fields`` are the kind's own."""

    seq: int
    time: str
    kind: str
    fields: dict[str, object]
    chain: str


class EventLog:
    """Append to an event's log; the only writer of the file. Use as a context manager."""

    __slots__ = ("_chain", "_fd", "_seq", "_size", "_wall_time", "dropped_bytes", "path")

    def __init__(self, path: Path, *, wall_time: Callable[[], str]) -> None:
        """Open the log, or create it; a last line that a crash cut short is removed.

        Raises:
            HostFault: The file cannot be opened.
            LogCorrupt: The lines that are there are not what was written.
        """
        self.path = path
        self._wall_time = wall_time
        self._chain = Chain()
        self._seq = 0
        try:
            is_new = not path.exists()
            content = b"" if is_new else path.read_bytes()
            for line, raw in _read(path, content):
                self._seq = line.seq
                self._chain.seal()
                self._chain.update(raw)
            self._size = content.rfind(b"\n") + 1
            self.dropped_bytes = len(content) - self._size
            """Bytes of a cut last line that were removed on opening."""
            self._fd = os.open(
                path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, LOG_MODE
            )
            if self.dropped_bytes:
                os.ftruncate(self._fd, self._size)
            if is_new:
                sync_folder(path.parent)
        except OSError as error:
            raise HostFault(f"cannot open the event's log {path}: {error.strerror}") from error

    def __enter__(self) -> Self:
        """Give the log itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file."""
        self.close()

    @property
    def seq(self) -> int:
        """The number of the last line; 0 for an empty log."""
        return self._seq

    @property
    def head(self) -> str:
        """The head of the chain, as 64 hex digits."""
        return self._chain.head

    def append(self, kind: str, *, durable: bool = True, **fields: object) -> EventLine:
        """Write one line with one system call; ``durable`` waits for the disk (fsync).

        Raises:
            HostFault: The disk does not take it; the file ends with the line before.
        """
        if not fields.keys().isdisjoint(_OWN):
            raise AssertionError(f"these fields are the log's own: {', '.join(_OWN)}")
        entry = EventLine(
            seq=self._seq + 1,
            time=self._wall_time(),
            kind=kind,
            fields=fields,
            chain=self._chain.head,
        )
        raw = encode_line(
            {"seq": entry.seq, "time": entry.time, "event": kind, **fields, "chain": entry.chain}
        )
        try:
            written = 0
            while written < len(raw):
                written += os.write(self._fd, raw[written:])
            if durable:
                os.fsync(self._fd)
        except OSError as error:
            os.ftruncate(self._fd, self._size)
            raise HostFault(
                f"cannot write the event's log {self.path}: {error.strerror}"
            ) from error
        self._size += len(raw)
        self._seq = entry.seq
        self._chain.seal()
        self._chain.update(raw)
        return entry

    def close(self) -> None:
        """Release the file. Idempotent."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


def read_event_log(path: Path) -> tuple[EventLine, ...]:
    """Read an event's log; a last line without its end is left out.

    Raises:
        HostFault: The file cannot be read.
        LogCorrupt: A line is not what was written: number or chain do not fit.
    """
    return tuple(line for line, _ in _read(path, _content(path)))


def event_log_head(path: Path) -> str:
    """Compute the head of the chain of an event's log.

    Raises:
        HostFault: The file cannot be read.
        LogCorrupt: A line is not what was written.
    """
    return _head(path, _content(path))


def snapshot_event_log(path: Path) -> tuple[bytes, str]:
    """Copy the whole lines of a log that may be growing, and give the head of their chain.

    Raises:
        HostFault: The file cannot be read.
        LogCorrupt: A line is not what was written.
    """
    content = _content(path)
    whole = content[: content.rfind(b"\n") + 1]
    return whole, _head(path, whole)


def _head(path: Path, content: bytes) -> str:
    chain = Chain()
    for _, raw in _read(path, content):
        chain.seal()
        chain.update(raw)
    return chain.head


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise HostFault(f"cannot read the event's log {path}: {error.strerror}") from error


def _read(path: Path, content: bytes) -> Iterator[tuple[EventLine, bytes]]:
    chain = Chain()
    for seq, line_bytes in enumerate(content.split(b"\n")[:-1], start=1):
        raw = line_bytes + b"\n"
        line = _parse(path, seq, raw)
        if line.seq != seq:
            raise LogCorrupt(f"{path}, line {seq}: expected seq {seq}, found {line.seq}")
        expected = chain.seal()
        if line.chain != expected:
            raise LogCorrupt(
                f"{path}, seq {seq}: expected chain {expected}, found {line.chain}: "
                "this line or one before it is not as it was written"
            )
        chain.update(raw)
        yield line, raw


def _parse(path: Path, seq: int, raw: bytes) -> EventLine:
    try:
        fields = decode_line(raw)
    except NoObject as error:
        raise LogCorrupt(f"{path}, line {seq}: {error}") from None
    match fields:
        case {"seq": int(number), "time": str(time), "event": str(kind), "chain": str(chain)}:
            own = {key: value for key, value in fields.items() if key not in _OWN}
            return EventLine(seq=number, time=time, kind=kind, fields=own, chain=chain)
        case _:
            raise LogCorrupt(f"{path}, line {seq}: seq, time, event or chain is missing")
