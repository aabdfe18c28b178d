"""What a referee sent to seats is in its log, so that one that told too much is found by it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import pytest

from arena.record.lines import decode_line, encode_line
from arena.record.match_log import MatchLog
from arena.record.read import MatchRecord, read_log
from arena.record.rerun import check
from arena.record.sent import SentDigests
from arena.record.verify.sent import audit_sent
from arena.referee import asking, outbox
from arena.referee.messages import Record
from arena.rules.presets import PRESETS
from arena.wire import to_bot
from tests.leaks import test_leaky_builds as leaky
from tests.record.make_golden import CLOCK, GOLDENS, OLD_GOLDENS, Golden, play
from tests.record.samples import make_header, ticking, write_outputs
from tests.record.test_tampering import resealed


@dataclass(frozen=True, slots=True, kw_only=True)
class Build:
    """A build that tells too much, and a match in which it does."""

    where: object
    what: str
    leak: Callable[..., object]
    ruleset: str = "gamelake-4"
    case: str = "completed"


FIVE: Final = {
    "the partner's length in a suit": Build(
        where=asking, what="observe", leak=leaky.shows_a_length
    ),
    "a drawn card": Build(
        where=outbox, what="visible_to", leak=leaky.shows_draws, ruleset="gamelake-2"
    ),
    "the order of the stock": Build(
        where=asking, what="observe", leak=leaky.shows_the_stock, ruleset="gamelake-2"
    ),
    "a refused claim": Build(
        where=outbox,
        what="visible_to",
        leak=leaky.shows_refused_claims,
        ruleset="italian-tournament",
        case="false_claim",
    ),
    "the board's number, as news": Build(
        where=outbox, what="visible_to", leak=leaky.numbers_deals_as_boards, ruleset="pagat-4"
    ),
    "the board's number, as a deal's": Build(
        where=asking, what="observe", leak=leaky.numbers_the_deal_as_board
    ),
}
"""Issue 3's five leaks; the last in both places where it can be made."""


def golden(build: Build) -> Golden:
    return Golden(ruleset=PRESETS[build.ruleset], case=build.case)


def logged(folder: Path, played: Golden, *, first_board: int = 1) -> Path:
    """Play a golden match, its boards numbered from another one, and log it."""
    match, boards = play(played, first_board=first_board)
    header = make_header(played.ruleset, boards=boards, clock=CLOCK)
    sent = SentDigests(played.ruleset.seats)
    path = folder / "log.jsonl"
    log = MatchLog(path, replace(header, first_board=first_board), wall_time=ticking(), sent=sent)
    write_outputs(log, sent, match.outputs)
    log.close()
    return path


@pytest.mark.parametrize("build", FIVE.values(), ids=FIVE)
def test_each_leaky_build_is_caught_from_its_log(build: Build, tmp_path: Path) -> None:
    first_board = 1 + 8 * PRESETS[build.ruleset].seats
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build.where, build.what, build.leak)
        path = logged(tmp_path, golden(build), first_board=first_board)
    record = read_log(path)
    assert check(record) == ()  # to the rules it is a match like any other
    first = audit_sent(record).first
    assert first is not None
    assert first.file == str(path)
    assert record.lines[first.seq - 1].raw.startswith(b'{"seq":%d,' % first.seq)
    assert first.expected.startswith("seat ")
    assert f"up to the end of board {first_board}:" in first.expected


def test_an_honest_build_sends_what_follows_from_its_log(tmp_path: Path) -> None:
    path = logged(tmp_path, Golden(ruleset=PRESETS["pagat-2"], case="completed"), first_board=7)
    audit = audit_sent(read_log(path))
    assert audit.first is None
    assert audit.missing == ""
    assert audit.messages > 80


@pytest.mark.parametrize("seat", range(4))
def test_the_seat_is_named_that_was_sent_something_else(seat: int, tmp_path: Path) -> None:
    played, boards = play(Golden(ruleset=PRESETS["gamelake-4"], case="completed"))
    sent = SentDigests(4)
    header = make_header(PRESETS["gamelake-4"], boards=boards, clock=CLOCK)
    log = MatchLog(tmp_path / "log.jsonl", header, wall_time=ticking(), sent=sent)
    write_outputs(log, sent, played.outputs)
    sent.add(seat, to_bot.update(1, ()))  # one empty message too many
    log.close()
    first = audit_sent(read_log(log.path)).first
    assert first is not None
    assert first.expected.startswith(f"seat {seat} sent what it may see up to the end of the match")


def test_numbers_of_the_session_do_not_count() -> None:
    one, other = SentDigests(1), SentDigests(1)
    for digests, table, sequence in ((one, 1, 1), (other, 9, 700)):
        message = to_bot.update(table, ())
        message.sequence = sequence
        before = message.SerializeToString()
        digests.add(0, message)
        assert message.SerializeToString() == before
    assert one.read() == other.read() != SentDigests(1).read()


def test_messages_that_are_not_of_the_game_do_not_count() -> None:
    digests = SentDigests(1)
    digests.add(0, to_bot.welcome(capacity=1, server_version="0"))
    assert digests.read() == SentDigests(1).read()


def test_a_log_without_digests_says_that_views_are_not_recorded(tmp_path: Path) -> None:
    played, boards = play(Golden(ruleset=PRESETS["gamelake-2"], case="completed"))
    header = make_header(PRESETS["gamelake-2"], boards=boards, clock=CLOCK)
    log = MatchLog(tmp_path / "log.jsonl", header, wall_time=ticking())
    for record in played.records:
        log.write(record)
    log.close()
    audit = audit_sent(read_log(log.path))
    assert (audit.messages, audit.first, audit.missing) == (0, None, "views not recorded")


def without_views(lines: list[dict[str, object]], since: int) -> list[dict[str, object]]:
    """Take the digests out of every seal from one on."""
    seals = [place for place, line in enumerate(lines) if "chain" in line][since:]
    return [
        {key: value for key, value in line.items() if place not in seals or key != "views"}
        for place, line in enumerate(lines)
    ]


@pytest.mark.parametrize("since", [1, -1])
def test_digests_that_stop_before_the_match_does_are_wrong(since: int, tmp_path: Path) -> None:
    source = (GOLDENS / "gamelake-4.completed.jsonl").read_bytes()
    lines = without_views([decode_line(line) for line in source.splitlines()], since)
    path = tmp_path / "log.jsonl"
    path.write_bytes(resealed(lines))
    first = audit_sent(read_log(path)).first
    assert first is not None
    assert (first.seq, first.found) == (
        [n for n, line in enumerate(lines, start=1) if "chain" in line][since],
        "0 views",
    )


def test_a_whole_log_without_any_is_known_as_bare(tmp_path: Path) -> None:
    source = (GOLDENS / "gamelake-4.completed.jsonl").read_bytes()
    path = tmp_path / "log.jsonl"
    path.write_bytes(resealed(without_views([decode_line(one) for one in source.splitlines()], 0)))
    assert audit_sent(read_log(path)).is_bare
    assert not audit_sent(read_log(GOLDENS / "gamelake-4.completed.jsonl")).is_bare
    assert not audit_sent(read_log(OLD_GOLDENS / "gamelake-4.completed.jsonl")).is_bare


def broken_off(folder: Path) -> MatchRecord:
    """Log a match whose arena broke down in its second board."""
    played, boards = play(Golden(ruleset=PRESETS["gamelake-4"], case="completed"))
    header = make_header(PRESETS["gamelake-4"], boards=boards, clock=CLOCK)
    sent = SentDigests(4)
    log = MatchLog(folder / "log.jsonl", header, wall_time=ticking(), sent=sent)
    outputs = played.outputs[:-30]
    assert sum(isinstance(output, Record) for output in outputs) > 100
    write_outputs(log, sent, outputs)
    log.abandon("the arena could not go on")
    return read_log(log.path)


def test_of_a_match_that_broke_off_what_was_sent_up_to_its_last_seal_is_known(
    tmp_path: Path,
) -> None:
    record = broken_off(tmp_path)
    assert record.complete
    audit = audit_sent(record)
    assert audit.first is None
    assert audit.messages == 40  # the questions of the first board
    assert audit.missing.startswith("views not recorded after seq ")


@pytest.mark.parametrize("kept", [0, 3])
def test_digests_of_other_seats_than_there_are_are_wrong(kept: int, tmp_path: Path) -> None:
    lines = [
        decode_line(line)
        for line in (GOLDENS / "gamelake-4.completed.jsonl").read_bytes().splitlines()
    ]
    place = next(at for at, line in enumerate(lines) if line["event"] == "deal_sealed")
    views = lines[place]["views"]
    assert isinstance(views, list)
    lines[place]["views"] = views[:kept]
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"".join(map(encode_line, lines)))
    first = audit_sent(read_log(path)).first
    assert first is not None
    assert (first.seq, first.found) == (place + 1, f"{kept} views")
