"""Read a match log back, whole, cut or compressed.

Owns what counts as a cut (a log that ends early, at whatever byte: everything before is
good) and what as corruption (anything else that no arena writes). Must not judge whether
the events obey the rules: that is :mod:`arena.record.rerun`.
Source: record.md ("A log cut at any byte …", "Unknown kinds are kept and skipped").
"""

import hashlib
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

from arena.counted import counted
from arena.errors import ConfigError, HostFault, LogCorrupt
from arena.record.header import LOG_OPENED, LogHeader, header_from_fields
from arena.record.lines import NoObject, decode_line
from arena.record.paths import packed_path
from arena.record.quick_read import read_quickly
from arena.record.seal import DealSealed, LogClosed, Seal
from arena.referee.events import AnswerTiming, LogEvent
from arena.referee.messages import Record
from arena.rules.events import DealStarted
from arena.rules.values import value
from arena.wire.log_events import UnknownEvent, decode_event

_PACKED: Final = ".gz"
_GZIP_MAGIC: Final = b"\x1f\x8b"
_ZIP_MAGIC: Final = b"PK\x03\x04"
_TAR_MAGIC, _TAR_AT = b"ustar", 257
_GZIP_WINDOW: Final = zlib.MAX_WBITS | 16
_HEAD: Final = b'"event":"log_opened"'
_HEAD_BYTES: Final = 1 << 10
"""Where that stands in a log that the arena wrote, also compressed."""
MAX_LOG_BYTES: Final = 256 << 20
"""The longest log that is unpacked: far above any match's, far below what a machine holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogOpened:
    """The first line, beside the header it holds: the time of day of the opening."""

    time: str


S = TypeVar("S", DealSealed, LogClosed)

LineEvent = LogOpened | LogEvent | Seal | UnknownEvent
"""Everything a line can hold; a kind unknown here is kept as it stands."""


@value
class LogLine:
    """One line: its number from 1, its time, what happened, and its bytes with the newline."""

    seq: int
    at_us: int
    event: LineEvent
    timing: AnswerTiming | None
    raw: bytes
    is_plain: bool = False
    """Whether the bytes are known to be those that the arena writes for these values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchRecord:
    """A match log that was read; ``lines[n]`` has ``seq`` n + 1, the header's line included."""

    path: Path
    header: LogHeader
    lines: tuple[LogLine, ...]
    cut_bytes: int
    """Bytes of a last line that has no end, left out; 0 where the last line is whole."""
    complete: bool
    """Whether the closing line is there and nothing after it is missing."""

    @property
    def sha256(self) -> str:
        """SHA-256 of the lines: what ``match_counted`` holds for a complete log."""
        digest = hashlib.sha256()
        for line in self.lines:
            digest.update(line.raw)
        return digest.hexdigest()

    def records(self) -> Iterator[Record]:
        """Give the match's events as they were recorded, times counted from its start."""
        for line in self.lines:
            event = line.event
            if not isinstance(event, LogOpened | DealSealed | LogClosed | UnknownEvent):
                yield Record(event=event, at_ns=line.at_us * 1000, timing=line.timing)


class NoLog(LogCorrupt, ConfigError):
    """A file is no match log at all: nothing in it says that it is, or it holds no whole line."""


class BrokenLine(LogCorrupt):
    """A line cannot be what the arena wrote."""

    def __init__(self, path: Path, seq: int, *, expected: str, found: str) -> None:
        super().__init__(f"{path}, seq {seq}: expected {expected}, found {found}")
        self.path = path
        self.seq = seq
        self.expected = expected
        self.found = found


def read_log(path: Path) -> MatchRecord:
    """Read a log, compressed or not; one that ends early is read up to its last whole line.

    Raises:
        HostFault: The file cannot be read.
        ConfigError: A later arena wrote it, with a schema unknown here.
        NoLog: It is something else, or was cut within its first line, so that nothing is
            known of it.
        LogCorrupt: It is damaged in a way that cutting does not explain (a BrokenLine says
            where).
    """
    content = _content(path)
    is_whole = True
    if content.startswith(_GZIP_MAGIC) or path.suffix == _PACKED:
        content, is_whole = _unpack(path, content)
    if (archive := _archive(content)) is not None:
        raise NoLog(
            f"{path}: no match log but a {archive} archive; unpack it and give what is in it"
        )
    *raw_lines, rest = content.split(b"\n")
    if not raw_lines:
        raise NoLog(
            f"{path}: no match log: {counted(len(rest), 'byte')} and not one whole line; if it was "
            "one, it was cut within its head"
        )
    header = read_header(path, raw_lines[0])
    seats = len(header.seats)
    lines = tuple([read_line(path, seq, raw, seats) for seq, raw in enumerate(raw_lines, start=1)])
    for line in lines[:-1]:
        if isinstance(line.event, LogClosed):
            raise BrokenLine(
                path, line.seq + 1, expected="nothing after log_closed", found="more lines"
            )
    is_closed = isinstance(lines[-1].event, LogClosed)
    if is_closed and rest:
        raise BrokenLine(
            path, len(lines) + 1, expected="nothing after log_closed", found=_shown(rest)
        )
    return MatchRecord(
        path=path,
        header=header,
        lines=lines,
        cut_bytes=len(rest),
        complete=is_closed and is_whole,
    )


def _content(path: Path) -> bytes:
    """Read a file that may be a log, and may be compressed and so renamed just now."""
    try:
        if path.exists() and not path.is_file():  # to open a pipe waits for ever
            raise NoLog(f"{path}: no match log: not a regular file")
        with path.open("rb") as file:
            content = file.read(MAX_LOG_BYTES + 1)
    except FileNotFoundError:
        if path.suffix != _PACKED and packed_path(path).exists():
            return _content(packed_path(path))
        raise HostFault(f"cannot read the log {path}: there is none") from None
    except OSError as error:
        raise HostFault(f"cannot read the log {path}: {error.strerror}") from error
    if len(content) > MAX_LOG_BYTES:
        raise NoLog(f"{path}: no match log: more than {MAX_LOG_BYTES} bytes, the longest log")
    return content


def read_header(path: Path, raw: bytes) -> LogHeader:
    """Read the first line of a log, by which it is known, without its newline.

    Raises:
        ConfigError: A later arena wrote it, with a schema unknown here; or it is no log.
        LogCorrupt: It is a line of a log, but not the head.
    """
    try:
        fields = decode_line(raw)
    except NoObject:
        fields = {}
    if fields.get("event") == LOG_OPENED:
        try:
            return header_from_fields(fields)
        except (ConfigError, LogCorrupt) as error:
            raise type(error)(f"{path}: {error}") from None
    if {"seq", "at_us", "event"} <= fields.keys():  # a line of a log, but of its middle
        raise BrokenLine(path, 1, expected=LOG_OPENED, found=_shown(raw))
    raise NoLog(
        f"{path}: no match log: expected {LOG_OPENED} at its head, found {_shown(raw[:80])}"
    )


def _unpack(path: Path, content: bytes) -> tuple[bytes, bool]:
    """Unpack gzip as far as it goes; whether its end was reached."""
    unpacker = zlib.decompressobj(_GZIP_WINDOW)
    try:
        lines = unpacker.decompress(content, MAX_LOG_BYTES)
    except zlib.error as error:
        kind = LogCorrupt if _begins_as_log(content) else NoLog
        raise kind(f"{path}: the compressed data is damaged: {error}") from None
    if unpacker.unconsumed_tail and not unpacker.eof:
        raise NoLog(f"{path}: unpacks to more than {MAX_LOG_BYTES} bytes, the longest log")
    if unpacker.unused_data:
        raise LogCorrupt(
            f"{path}: {len(unpacker.unused_data)} bytes stand after the compressed data"
        )
    return lines, unpacker.eof


def _archive(content: bytes) -> str | None:
    """Name the kind of archive that bytes are; None where they are none."""
    if content.startswith(_ZIP_MAGIC):
        return "zip"
    return "tar" if content[_TAR_AT:].startswith(_TAR_MAGIC) else None


def _begins_as_log(content: bytes) -> bool:
    """Whether compressed data that is damaged further on begins as a log does."""
    unpacker = zlib.decompressobj(_GZIP_WINDOW)
    head = b""
    try:
        for at in range(min(len(content), _HEAD_BYTES)):
            head += unpacker.decompress(content[at : at + 1])
    except zlib.error:
        pass
    return _HEAD in head[:_HEAD_BYTES]


def _fields(path: Path, seq: int, raw: bytes) -> dict[str, object]:
    try:
        return decode_line(raw)
    except NoObject as error:
        raise BrokenLine(
            path, seq, expected="one JSON object", found=f"{_shown(raw)} ({error})"
        ) from None


def read_line(path: Path, seq: int, raw: bytes, seats: int) -> LogLine:
    """Read one whole line of a log, the first one too, without its newline.

    Raises:
        LogCorrupt: It is not what the arena wrote (a BrokenLine says where).
    """
    quick = read_quickly(raw, seq, seats)
    if quick is not None:
        at_us, event, timing = quick
        return LogLine(
            seq=seq, at_us=at_us, event=event, timing=timing, raw=raw + b"\n", is_plain=True
        )
    return _any_line(path, seq, raw, seats)


def _any_line(path: Path, seq: int, raw: bytes, seats: int) -> LogLine:
    fields = _fields(path, seq, raw)
    number, at_us, kind = fields.get("seq"), fields.get("at_us"), fields.get("event")
    if type(number) is not int or type(at_us) is not int or not isinstance(kind, str):
        raise BrokenLine(path, seq, expected="seq, at_us and event", found=_shown(raw))
    if number != seq:
        raise BrokenLine(path, seq, expected=f"seq {seq}", found=f"seq {number}")
    seat = fields.get("seat")
    if isinstance(seat, int) and not 0 <= seat < seats:
        raise BrokenLine(path, seq, expected=f"a seat from 0 to {seats - 1}", found=str(seat))
    event, timing = _event(path, seq, raw, fields)
    if isinstance(event, DealStarted) and len(event.hands) != seats:
        raise BrokenLine(path, seq, expected=f"{seats} hands", found=str(len(event.hands)))
    return LogLine(seq=seq, at_us=at_us, event=event, timing=timing, raw=raw + b"\n")


def _event(
    path: Path, seq: int, raw: bytes, fields: dict[str, object]
) -> tuple[LineEvent, AnswerTiming | None]:
    match fields["event"]:
        case "log_opened":
            if seq > 1:
                raise BrokenLine(path, seq, expected="one head", found="a second log_opened")
            return LogOpened(time=_text(path, seq, fields, "time")), None
        case "deal_sealed":
            return _seal(DealSealed, path, seq, fields), None
        case "log_closed":
            return _seal(LogClosed, path, seq, fields), None
        case kind:
            try:
                decoded = decode_event(fields)
            except LogCorrupt as error:
                raise BrokenLine(
                    path, seq, expected=f"the fields of {kind}", found=f"{_shown(raw)} ({error})"
                ) from None
            return (decoded, None) if isinstance(decoded, UnknownEvent) else decoded


def _seal(kind: type[S], path: Path, seq: int, fields: dict[str, object]) -> S:
    views = fields.get("views", [])
    if not isinstance(views, list) or not all(isinstance(one, str) for one in views):
        raise BrokenLine(path, seq, expected="a list of texts as views", found=repr(views)[:200])
    return kind(
        time=_text(path, seq, fields, "time"),
        chain=_text(path, seq, fields, "chain"),
        views=tuple(views),
    )


def _text(path: Path, seq: int, fields: dict[str, object], name: str) -> str:
    value = fields.get(name)
    if not isinstance(value, str):
        raise BrokenLine(path, seq, expected=f"a text as {name}", found=repr(value))
    return value


def _shown(raw: bytes) -> str:
    """Show bytes of a file in a message: escaped, and not more than a line's worth."""
    text = raw[:200].decode("utf-8", "backslashreplace")
    return repr(text) + (" …" if len(raw) > 200 else "")  # noqa: PLR2004
