"""A match's log is numbered, sealed, written out when it must be, and never half a line."""

import os
import random
from dataclasses import replace
from pathlib import Path

import pytest

from arena.errors import HostFault
from arena.record.lines import decode_line
from arena.record.match_log import MatchLog
from arena.record.paths import packed_path
from arena.record.read import read_log
from arena.record.rerun import check
from arena.record.seal import Chain
from arena.referee.events import AnswerTiming, Fault, MatchEnded, SeatJoined
from arena.referee.faults import Culprit, FaultKind, TerminationKind
from arena.referee.messages import Record
from arena.rules.cards import Card
from arena.rules.events import CardPlayed, DealScored, TrickWon
from arena.rules.presets import PRESETS
from arena.rules.question import Answer
from arena.testing.in_memory import play_in_memory
from arena.testing.memory_bots import Policy, Reply, plays_at_random
from tests.record.samples import make_header, ticking, write_all, write_log
from tests.record.test_block_writer import disk_of

MATCH = play_in_memory(
    [plays_at_random(seat) for seat in range(4)], ruleset=PRESETS["gamelake-4"], boards=2
)
HEADER = make_header(boards=2)


def lines_of(path: Path) -> list[dict[str, object]]:
    return [decode_line(line) for line in path.read_bytes().splitlines()]


def open_log(folder: Path) -> MatchLog:
    return MatchLog(folder / "m.a1.jsonl", HEADER, wall_time=ticking())


def test_lines_are_numbered_from_one_without_gaps_and_time_never_runs_back(tmp_path: Path) -> None:
    lines = lines_of(write_log(tmp_path, HEADER, MATCH).path)
    assert [line["seq"] for line in lines] == list(range(1, len(lines) + 1))
    times = [line["at_us"] for line in lines]
    assert times == sorted(times, key=lambda at: int(str(at)))
    assert lines[0]["event"] == "log_opened"
    assert lines[-1]["event"] == "log_closed"


def test_seq_at_us_and_event_stand_first(tmp_path: Path) -> None:
    for line in lines_of(write_log(tmp_path, HEADER, MATCH).path):
        assert list(line)[:3] == ["seq", "at_us", "event"]


def test_at_us_counts_from_the_first_event(tmp_path: Path) -> None:
    log = open_log(tmp_path)
    log.write(Record(event=SeatJoined(seat=0), at_ns=5_000_000_000))
    log.write(Record(event=SeatJoined(seat=1), at_ns=5_000_001_999))
    log.write(Record(event=SeatJoined(seat=2), at_ns=5_000_000_500))
    path = log.close().path
    assert [line["at_us"] for line in lines_of(path)] == [0, 0, 1, 1, 1]


def test_every_scored_deal_is_sealed_by_the_next_line(tmp_path: Path) -> None:
    kinds = [line["event"] for line in lines_of(write_log(tmp_path, HEADER, MATCH).path)]
    scored = [place for place, kind in enumerate(kinds) if kind == "deal_scored"]
    assert [place + 1 for place in scored] == [
        place for place, kind in enumerate(kinds) if kind == "deal_sealed"
    ]
    assert len(scored) == 2


def test_seals_chain_all_bytes_of_the_file(tmp_path: Path) -> None:
    chain = Chain()
    digest = write_log(tmp_path, HEADER, MATCH)
    for raw in digest.path.read_bytes().splitlines(keepends=True):
        fields = decode_line(raw)
        if "chain" in fields:
            assert fields["chain"] == chain.seal()
        chain.update(raw)


def test_wall_clock_stands_in_the_head_and_the_seals_only(tmp_path: Path) -> None:
    for line in lines_of(write_log(tmp_path, HEADER, MATCH).path):
        assert ("time" in line) == (line["event"] in {"log_opened", "deal_sealed", "log_closed"})


def test_it_is_written_out_at_tricks_faults_seals_and_close_with_one_call_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ends: list[object] = []
    write = os.write

    def noted(fd: int, data: bytes) -> int:
        ends.append(decode_line(data.splitlines()[-1])["event"])
        return write(fd, data)

    monkeypatch.setattr(os, "write", noted)
    log = open_log(tmp_path)
    assert ends == ["log_opened"]
    ends.clear()
    must = {TrickWon: "trick_won", MatchEnded: "match_ended", Fault: "fault"}
    expected: list[object] = []
    fault = Record(
        event=Fault(culprit=Culprit.BOT, kind=FaultKind.LATE, seat=1),
        at_ns=MATCH.records[-1].at_ns,
    )
    for record in (*MATCH.records, fault):
        log.write(record)
        if type(record.event) in must:
            expected.append(must[type(record.event)])
        elif isinstance(record.event, DealScored):
            expected += ["deal_scored", "deal_sealed"]
    log.close()
    assert ends == [*expected, "log_closed"]


def test_lines_are_kept_back_no_further_than_a_block(tmp_path: Path) -> None:
    log = open_log(tmp_path)
    size = log.path.stat().st_size
    timing = AnswerTiming(think_us=1, lag_us=0, note="n" * 200)
    record = Record(event=CardPlayed(seat=0, card=Card.D3), at_ns=0, timing=timing)
    for _ in range(1000):
        log.write(record)
    assert log.path.stat().st_size > size
    log.abandon()


def test_finishing_leaves_the_compressed_log_only_with_the_same_digest(tmp_path: Path) -> None:
    log = open_log(tmp_path)
    write_all(log, MATCH)
    plain = log.close()
    content = plain.path.read_bytes()
    packed = log.finish()
    assert packed.path == log.path == packed_path(plain.path)
    assert (packed.sha256, packed.size) == (plain.sha256, plain.size) == (
        read_log(packed.path).sha256,
        len(content),
    )  # fmt: skip
    assert [file.name for file in tmp_path.iterdir()] == [packed.path.name]
    assert b"".join(line.raw for line in read_log(packed.path).lines) == content


def test_an_unwritable_folder_is_named_before_the_first_card(tmp_path: Path) -> None:
    with pytest.raises(HostFault, match=r"nowhere/m\.a1\.jsonl"):
        MatchLog(tmp_path / "nowhere" / "m.a1.jsonl", HEADER, wall_time=ticking())


def test_a_disk_that_fills_stops_the_log_with_whole_lines(tmp_path: Path) -> None:
    log = open_log(tmp_path)
    path = log.path
    with disk_of(10_000), pytest.raises(HostFault, match=r"m\.a1\.jsonl"):
        write_all(log, MATCH)
    assert log.abandon() is None
    record_read = read_log(path)
    assert record_read.cut_bytes == 0
    assert not record_read.complete
    assert [difference.found for difference in check(record_read)] == ["the end of the file"]


def test_an_abandoned_log_is_sealed_as_aborted(tmp_path: Path) -> None:
    log = open_log(tmp_path)
    for record in MATCH.records[:150]:
        log.write(record)
    digest = log.abandon("interrupted")
    assert digest is not None
    record_read = read_log(digest.path)
    assert record_read.complete
    assert check(record_read) == ()
    end = record_read.lines[-2].event
    assert isinstance(end, MatchEnded)
    assert end.termination.kind is TerminationKind.ABORTED
    assert end.termination.detail == "interrupted"
    assert log.abandon() == digest


def test_abandoning_after_the_end_of_the_match_only_closes(tmp_path: Path) -> None:
    log = open_log(tmp_path)
    write_all(log, MATCH)
    digest = log.abandon()
    assert digest is not None
    kinds = [line["event"] for line in lines_of(digest.path)]
    assert kinds.count("match_ended") == 1
    assert kinds[-1] == "log_closed"


def test_a_log_is_closed_once_and_before_it_is_finished(tmp_path: Path) -> None:
    log = open_log(tmp_path)
    with pytest.raises(AssertionError, match="before"):
        log.finish()
    log.close()
    with pytest.raises(AssertionError, match="once"):
        log.close()


def test_text_that_is_no_unicode_is_logged_escaped(tmp_path: Path) -> None:
    log = open_log(tmp_path)
    detail = b"caf\xe9".decode("utf-8", "surrogateescape")
    log.write(
        Record(
            event=Fault(culprit=Culprit.BOT, kind=FaultKind.CRASHED, seat=0, detail=detail),
            at_ns=0,
        )
    )
    assert lines_of(log.close().path)[1]["detail"] == "caf\\udce9"


def test_a_log_costs_at_most_60_bytes_a_play_with_every_decision_and_time(tmp_path: Path) -> None:
    def plausible(seat: int) -> Policy:
        chance = random.Random(seat)  # noqa: S311  # a game, not a secret
        return lambda ask: Reply(
            answer=Answer(card=chance.choice(ask.question.legal)),
            think_ns=int(chance.lognormvariate(13.5, 1)),
            lag_ns=int(chance.expovariate(1 / 40_000)),
            value_thirds=chance.randint(-33, 33),
        )

    boards = 10
    match = play_in_memory(
        [plausible(seat) for seat in range(4)],
        ruleset=PRESETS["italian-tournament"],
        boards=boards,
    )
    log = MatchLog(
        tmp_path / "m.a1.jsonl",
        replace(make_header(PRESETS["italian-tournament"]), boards=boards),
        wall_time=ticking(),
    )
    write_all(log, match)
    log.close()
    assert log.finish().path.stat().st_size <= 60 * 40 * boards
