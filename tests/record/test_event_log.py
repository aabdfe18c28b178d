"""The event's log: every line vouches for those before it, and a crash costs one line."""

import hashlib
from pathlib import Path

import pytest

from arena.errors import HostFault, LogCorrupt
from arena.record.event_log import EventLog, event_log_head, read_event_log
from arena.record.lines import decode_line, encode_line
from tests.record.samples import ticking
from tests.record.test_block_writer import disk_of


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "event.jsonl"


def write_three(path: Path) -> str:
    with EventLog(path, wall_time=ticking()) as log:
        log.append("event_opened", schema=1, host="Zoë's", commitments=["c0" * 32])
        log.append("round_started", stage=1, round=1, durable=False)
        log.append("match_counted", match="s1-r1-p1-o0-m1", attempt=1, digest="d" * 64)
        return log.head


def test_what_was_appended_reads_back(path: Path) -> None:
    write_three(path)
    lines = read_event_log(path)
    assert [line.seq for line in lines] == [1, 2, 3]
    assert [line.kind for line in lines] == ["event_opened", "round_started", "match_counted"]
    assert lines[0].fields == {"schema": 1, "host": "Zoë's", "commitments": ["c0" * 32]}
    assert lines[1].time == "2026-01-01T00:00:02Z"


def test_a_line_is_flat_and_its_chain_comes_last(path: Path) -> None:
    write_three(path)
    for raw in path.read_bytes().splitlines():
        keys = list(decode_line(raw))
        assert keys[:3] == ["seq", "time", "event"]
        assert keys[-1] == "chain"


def test_each_chain_covers_the_chain_and_the_line_before(path: Path) -> None:
    head = write_three(path)
    chain = hashlib.sha256(bytes(32)).digest()
    for raw in path.read_bytes().splitlines(keepends=True):
        assert decode_line(raw)["chain"] == chain.hex()
        chain = hashlib.sha256(chain + raw).digest()
    assert head == chain.hex() == event_log_head(path)


def test_a_reopened_log_goes_on_where_it_ended(path: Path) -> None:
    head = write_three(path)
    with EventLog(path, wall_time=ticking()) as log:
        assert log.head == head
        assert log.seq == 3
        assert log.dropped_bytes == 0
        entry = log.append("event_closed")
        assert (entry.seq, entry.chain) == (4, head)
        assert log.head == event_log_head(path)
    assert read_event_log(path)[-1] == entry


def test_an_empty_log_has_a_head_too(path: Path) -> None:
    with EventLog(path, wall_time=ticking()) as log:
        assert log.head == hashlib.sha256(bytes(32)).hexdigest()
    assert read_event_log(path) == ()


def test_cut_at_any_byte_of_its_last_line_only_that_line_is_lost(path: Path) -> None:
    write_three(path)
    content = path.read_bytes()
    start = content[:-1].rfind(b"\n") + 1
    for size in range(start, len(content)):
        path.write_bytes(content[:size])
        assert len(read_event_log(path)) == 2
        with EventLog(path, wall_time=ticking()) as log:
            assert log.dropped_bytes == size - start
            log.append("event_resumed")
        assert [line.kind for line in read_event_log(path)][2:] == ["event_resumed"]


def test_a_changed_line_is_named_by_the_line_after_it(path: Path) -> None:
    write_three(path)
    path.write_bytes(path.read_bytes().replace(b'"round":1', b'"round":2'))
    with pytest.raises(LogCorrupt, match="seq 3: expected chain"):
        read_event_log(path)
    with pytest.raises(LogCorrupt, match="seq 3: expected chain"):
        EventLog(path, wall_time=ticking())


def test_a_changed_last_line_shows_in_the_head(path: Path) -> None:
    head = write_three(path)
    path.write_bytes(path.read_bytes().replace(b'"attempt":1', b'"attempt":2'))
    assert event_log_head(path) != head


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"rubbish\n", "line 2"),
        (b'{"seq":2}\n', "line 2: seq, time, event or chain is missing"),
        (encode_line({"seq": 3, "time": "", "event": "x", "chain": ""}), "expected seq 2, found 3"),
    ],
)
def test_other_damage_is_named(path: Path, line: bytes, says: str) -> None:
    write_three(path)
    first = path.read_bytes().splitlines(keepends=True)[0]
    path.write_bytes(first + line)
    with pytest.raises(LogCorrupt, match=says):
        read_event_log(path)


def test_a_full_disk_leaves_the_lines_before(path: Path) -> None:
    head = write_three(path)
    content = path.read_bytes()
    with EventLog(path, wall_time=ticking()) as log:
        with disk_of(len(content) + 20), pytest.raises(HostFault, match=r"event\.jsonl"):
            log.append("event_paused", why="disk")
        assert path.read_bytes() == content
        assert log.head == head
        log.append("event_resumed")
    assert read_event_log(path)[-1].kind == "event_resumed"


def test_an_event_cannot_use_the_logs_own_fields(path: Path) -> None:
    with (
        EventLog(path, wall_time=ticking()) as log,
        pytest.raises(AssertionError, match="the log's own"),
    ):
        log.append("ruling", chain="mine")


def test_a_file_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    with pytest.raises(HostFault, match="nowhere"):
        EventLog(tmp_path / "nowhere" / "event.jsonl", wall_time=ticking())
    with pytest.raises(HostFault, match="nowhere"):
        read_event_log(tmp_path / "nowhere")


def test_closing_twice_is_harmless(path: Path) -> None:
    log = EventLog(path, wall_time=ticking())
    log.close()
    log.close()
