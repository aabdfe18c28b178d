"""A log reads back whole; cut anywhere it reads back up to the cut; damage is named."""

import gzip
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from arena.errors import ArenaError, ConfigError, HostFault, LogCorrupt
from arena.record.compress import finish_log
from arena.record.header import SCHEMA
from arena.record.lines import decode_line, encode_line
from arena.record.read import BrokenLine, LogOpened, MatchRecord, NoLog, read_log
from arena.record.rerun import check
from arena.record.seal import LogClosed
from arena.referee.events import MatchStarted
from arena.rules.presets import PRESETS
from arena.testing.in_memory import play_in_memory
from arena.testing.memory_bots import plays_at_random
from arena.wire.log_events import UnknownEvent
from tests.record.make_golden import GOLDENS
from tests.record.samples import make_header, write_log

MATCH = play_in_memory(
    [plays_at_random(seat) for seat in range(4)], ruleset=PRESETS["gamelake-4"], boards=1
)
HEADER = make_header()
SHORT = GOLDENS / "gamelake-4.forfeit_crash.jsonl"
TAIL = 2048


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    return write_log(tmp_path, HEADER, MATCH).path


def rewritten(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def test_a_log_reads_back_as_it_was_written(plain: Path) -> None:
    record = read_log(plain)
    assert record.complete
    assert record.cut_bytes == 0
    assert record.header == HEADER
    start_ns = MATCH.records[0].at_ns
    assert [(r.event, r.timing, r.at_ns) for r in record.records()] == [
        (r.event, r.timing, (r.at_ns - start_ns) // 1000 * 1000) for r in MATCH.records
    ]
    assert b"".join(line.raw for line in record.lines) == plain.read_bytes()
    assert isinstance(record.lines[0].event, LogOpened)
    assert isinstance(record.lines[-1].event, LogClosed)


def test_a_compressed_log_reads_back_the_same(tmp_path: Path) -> None:
    digest = write_log(tmp_path, HEADER, MATCH)
    before = read_log(digest.path)
    after = read_log(finish_log(digest).path)
    assert after.lines == before.lines
    assert after.complete
    assert after.sha256 == before.sha256 == digest.sha256


def test_a_log_that_was_compressed_since_its_name_was_learnt_is_read(tmp_path: Path) -> None:
    digest = write_log(tmp_path, HEADER, MATCH)
    finish_log(digest)
    assert not digest.path.exists()
    assert read_log(digest.path).sha256 == digest.sha256


def test_an_archive_is_called_one(tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_bytes(b"{}")
    for kind in ("zip", "tar", "gztar"):
        path = Path(shutil.make_archive(str(tmp_path / f"a-{kind}"), kind, tmp_path, "log.jsonl"))
        with pytest.raises(NoLog, match=f"but a {kind[-3:]} archive; unpack it"):
            read_log(path)


def test_a_head_that_is_wrong_is_told_with_its_file(plain: Path) -> None:
    head = plain.read_bytes().split(b"\n")[0]
    for old, new in ((b'"schema":2', b'"schema":99'), (b'"seats":[', b'"seats":[9,')):
        assert old in head
        plain.write_bytes(head.replace(old, new) + b"\n")
        with pytest.raises(ArenaError, match=re.escape(str(plain))):
            read_log(plain)


def assert_cut(record: MatchRecord, whole: list[bytes], kept: bytes) -> None:
    assert [line.raw for line in record.lines] == whole[: kept.count(b"\n")]
    assert record.cut_bytes == len(kept) - kept.rfind(b"\n") - 1
    assert not record.complete
    (difference,) = check(record)
    assert difference.seq == len(record.lines) + 1
    assert "the end of the file" in difference.found


def test_cut_at_any_byte_of_its_end_only_the_cut_line_is_lost_and_the_reader_says_so(
    tmp_path: Path,
) -> None:
    plain = tmp_path / "short.jsonl"
    content = SHORT.read_bytes()
    whole = content.splitlines(keepends=True)
    for size in range(len(content) - TAIL, len(content)):
        assert_cut(read_log(rewritten(plain, content[:size])), whole, content[:size])


def test_cut_at_any_byte_of_its_end_a_compressed_log_is_read_as_far_as_it_goes(
    tmp_path: Path,
) -> None:
    packed = tmp_path / "short.jsonl.gz"
    whole = SHORT.read_bytes()
    content = gzip.compress(whole, mtime=0)
    lengths = []
    for size in range(2 * len(content) // 3, len(content)):
        record = read_log(rewritten(packed, content[:size]))
        assert not record.complete
        read = b"".join(line.raw for line in record.lines)
        assert whole.startswith(read)
        lengths.append(len(read))
        assert check(record)
    assert lengths == sorted(lengths)
    # The last bytes of the file are a checksum: without them every line is there.
    assert lengths[-1] == len(whole)


def test_cut_within_its_head_nothing_can_be_read(plain: Path) -> None:
    content = plain.read_bytes()
    head = content.index(b"\n")
    for size in (0, 1, head):
        with pytest.raises(LogCorrupt, match="cut within its head"):
            read_log(rewritten(plain, content[:size]))
    assert len(read_log(rewritten(plain, content[: head + 1])).lines) == 1


def test_a_tail_of_zeros_after_a_loss_of_power_counts_as_cut(plain: Path) -> None:
    content = plain.read_bytes()[:-500]
    record = read_log(rewritten(plain, content + bytes(4096)))
    assert not record.complete
    assert len(record.lines) == content.count(b"\n")


def test_unknown_kinds_are_kept_and_skipped(plain: Path) -> None:
    lines = plain.read_bytes().splitlines(keepends=True)
    later = encode_line({"seq": 3, "at_us": 0, "event": "weather", "sky": "blue"})
    record = read_log(rewritten(plain, b"".join([*lines[:2], later])))
    event = record.lines[2].event
    assert isinstance(event, UnknownEvent)
    assert event.kind == "weather"
    assert record.lines[2].raw == later
    assert len(list(record.records())) == 1


def test_fields_of_a_later_version_are_skipped(plain: Path) -> None:
    lines = plain.read_bytes().splitlines(keepends=True)
    at = next(place for place, line in enumerate(lines) if b"match_started" in line)
    lines[at] = encode_line({**decode_line(lines[at]), "weather": "fine"})
    assert read_log(rewritten(plain, b"".join(lines))).lines[at].event == MatchStarted()


@dataclass(frozen=True)
class Damage:
    """Something done to the lines of a log, where it is found, and what is said."""

    do: Callable[[list[bytes]], list[bytes]]
    seq: int | None
    """None = the line after the last."""
    says: str


DAMAGES: Final = {
    "two lines swapped": Damage(lambda x: [*x[:20], x[21], x[20], *x[22:]], 21, "seq 21"),
    "a line lost": Damage(lambda x: [*x[:20], *x[21:]], 21, "seq 21"),
    "a line twice": Damage(lambda x: [*x[:20], x[19], *x[20:]], 21, "seq 21"),
    "rubbish": Damage(lambda x: [*x[:20], b"\xff{}\n", *x[21:]], 21, "one JSON object"),
    "an empty line": Damage(lambda x: [*x[:20], b"\n", *x[20:]], 21, "one JSON object"),
    "no head": Damage(lambda x: x[1:], 1, "log_opened"),
    "a seat too many": Damage(
        lambda x: [line.replace(b'"seat":2', b'"seat":4') for line in x], 4, "from 0 to 3"
    ),
    "a hand too few": Damage(
        lambda x: [line.replace(b'"hands":[[', b'"hands":[["D4"],[', 1) for line in x],
        11,
        "4 hands, found 5",
    ),
    "two heads": Damage(
        lambda x: [x[0], x[0].replace(b":1,", b":2,", 1), *x[2:]], 2, "second log_opened"
    ),
    "a line after the end": Damage(
        lambda x: [*x, x[1].replace(b"2", b"%d" % (len(x) + 1), 1)], None, "nothing after"
    ),
    "half a line after the end": Damage(lambda x: [*x, b'{"seq"'], None, "nothing after"),
    "no time": Damage(lambda x: [x[0], x[1].replace(b"at_us", b"at"), *x[2:]], 2, "at_us"),
    "no such card": Damage(
        lambda x: [line.replace(b'"DA"', b'"D1"') for line in x], 11, "the fields of deal_started"
    ),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_damage_that_is_no_cut_is_refused_with_its_line(plain: Path, name: str) -> None:
    damage = DAMAGES[name]
    lines = plain.read_bytes().splitlines(keepends=True)
    rewritten(plain, b"".join(damage.do(lines)))
    with pytest.raises(BrokenLine, match=damage.says) as caught:
        read_log(plain)
    assert caught.value.seq == (damage.seq or len(lines) + 1)
    assert str(plain) in str(caught.value)


def test_a_seal_without_its_chain_is_refused(plain: Path) -> None:
    content = plain.read_bytes().replace(b'"chain":"', b'"chains":"')
    with pytest.raises(BrokenLine, match="chain"):
        read_log(rewritten(plain, content))


def test_damage_of_compressed_data_is_refused(tmp_path: Path) -> None:
    packed = finish_log(write_log(tmp_path, HEADER, MATCH)).path
    content = packed.read_bytes()
    middle = len(content) // 2
    flipped = content[:middle] + bytes([content[middle] ^ 0xFF]) + content[middle + 1 :]
    with pytest.raises(LogCorrupt):
        read_log(rewritten(packed, flipped))
    with pytest.raises(LogCorrupt, match="4 bytes stand after"):
        read_log(rewritten(packed, content + b"more"))
    with pytest.raises(LogCorrupt, match="damaged"):
        read_log(rewritten(packed, b"not compressed at all"))


def test_a_compressed_log_is_known_by_its_bytes_whatever_its_name(plain: Path) -> None:
    packed = gzip.compress(plain.read_bytes())
    assert read_log(rewritten(plain, packed)).complete


def test_a_later_schema_is_refused_as_wrong_input(plain: Path) -> None:
    content = plain.read_bytes().replace(b'"schema":%d' % SCHEMA, b'"schema":%d' % (SCHEMA + 1))
    with pytest.raises(ConfigError, match=f"schema {SCHEMA + 1}"):
        read_log(rewritten(plain, content))


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(HostFault, match="nowhere"):
        read_log(tmp_path / "nowhere")


def test_a_log_is_no_business_of_other_users(tmp_path: Path) -> None:
    digest = write_log(tmp_path, HEADER, MATCH)
    assert digest.path.stat().st_mode & 0o777 == 0o600
    assert finish_log(digest).path.stat().st_mode & 0o777 == 0o600


def test_a_log_that_unpacks_without_end_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "bomb.jsonl.gz"
    path.write_bytes(gzip.compress(bytes(100_000)))
    monkeypatch.setattr("arena.record.read.MAX_LOG_BYTES", 1000)
    with pytest.raises(LogCorrupt, match=r"bomb\.jsonl\.gz: unpacks to more than 1000 bytes"):
        read_log(path)
