"""A log read while it is written: line by line, to its end.

Owns the reading of what is whole so far, how long it is waited for, and what counts as the
end. Must not know how one waits: that is handed in. Source: record.md ("``--follow``").
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from arena.errors import HostFault, LogCorrupt
from arena.record.header import LogHeader
from arena.record.paths import packed_path
from arena.record.read import LogLine, read_header, read_line, read_log
from arena.record.seal import LogClosed

Wait = Callable[[float], bool]
"""Waits for so many seconds until something may have been written; False: nothing was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Followed:
    """A log that grows: its head, and its lines as they come."""

    header: LogHeader
    lines: Iterator[LogLine]
    """Ends with ``log_closed``.

    Raises:
        LogCorrupt: A line is not what the arena wrote, or nothing came for too long.
    """


def follow_log(path: Path, wait: Wait, patience_s: float) -> Followed:
    """Follow a log from its first line; one that is finished is read as it lies.

    Args:
        path: A log, which may be compressed and taken away once it is finished.
        wait: How to wait for more of it.
        patience_s: Seconds that each next line is waited for.

    Raises:
        ConfigError: A later arena wrote it.
        HostFault: It cannot be read.
        LogCorrupt: It is no log, or its first line did not come.
    """
    file = _open(path)
    if file is None:
        record = read_log(packed_path(path) if path.suffix != ".gz" else path)
        return Followed(header=record.header, lines=iter(record.lines))
    raw_lines = _raw_lines(path, file, wait, patience_s)
    first = next(raw_lines)
    header = read_header(path, first)
    return Followed(header=header, lines=_lines(path, first, raw_lines, len(header.seats)))


def _open(path: Path) -> BinaryIO | None:
    """Open a log that is still plain; None where it is finished and compressed."""
    if path.suffix == ".gz":
        return None
    try:
        return path.open("rb")
    except FileNotFoundError:
        if packed_path(path).exists():
            return None
        raise HostFault(f"cannot read the log {path}: there is none") from None
    except OSError as error:
        raise HostFault(f"cannot read the log {path}: {error.strerror}") from error


def _lines(path: Path, first: bytes, raw_lines: Iterator[bytes], seats: int) -> Iterator[LogLine]:
    yield read_line(path, 1, first, seats)
    for seq, raw in enumerate(raw_lines, start=2):
        line = read_line(path, seq, raw, seats)
        yield line
        if isinstance(line.event, LogClosed):
            return


def _raw_lines(path: Path, file: BinaryIO, wait: Wait, patience_s: float) -> Iterator[bytes]:
    """Give each line once it is whole; the file stays open, also where its name is gone."""
    rest = b""
    deadline = time.monotonic() + patience_s
    with file:
        while True:
            *whole, rest = (rest + file.read()).split(b"\n")
            yield from whole
            now = time.monotonic()
            if whole:
                deadline = now + patience_s
            # Other logs change in the same folder: that something did is not enough.
            elif now >= deadline or not wait(deadline - now):
                raise LogCorrupt(
                    f"{path}: nothing more was written for {patience_s:g} s, and the match has no "
                    "end here; it may have been broken off"
                )
