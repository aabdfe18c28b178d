"""The golden transcripts are messages of the protocol, byte for byte, and keep its rules."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from arena.referee.fairness import bot_seed, commitment
from arena.rules.dealing import deal_board, seed_from_text
from arena.rules.presets import parse_ruleset
from arena.v1 import play_pb2
from arena.wire.codec import LinesCodec, ProtoCodec
from arena.wire.from_bot import Unreadable
from arena.wire.json_dialect import (
    from_object,
    line_to_message,
    line_to_referee_message,
    message_to_line,
)
from arena.wire.rulesets import decode_ruleset
from arena.wire.seat_events import decode_seat_event
from arena.wire.status import CODE_OF_REASON

FOLDER: Final = Path(__file__).parents[1] / "data" / "walks"
WALKS: Final = sorted(FOLDER.glob("*.jsonl"))
NEEDED: Final = {
    "01-normal",
    "02-late",
    "03-illegal-reject",
    "03-card-not-held",
    "04-illegal-revoke",
    "05-declarations",
    "05-bad-declaration",
    "06-specify",
    "07-signals",
    "07-bad-signal",
    "08-two-seat-draw",
    "09-reconnect",
    "10-several-tables",
    "10-next-match",
    "10-event-paused",
    "10-shutdown",
    "10-version-mismatch",
    "10-wrong-token",
    "10-not-joined",
    "10-flood",
    "10-undecodable-bytes",
}

Line = dict[str, Any]

each_walk = pytest.mark.parametrize("path", WALKS, ids=[path.stem for path in WALKS])


def read(path: Path) -> list[Line]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def from_referee(lines: list[Line]) -> Iterator[tuple[int, play_pb2.RefereeMessage]]:
    for line in lines:
        if line["from"] == "referee" and "message" in line:
            message = from_object(play_pb2.RefereeMessage(), line["message"], [])
            yield line["seat"], message


def events(lines: list[Line]) -> Iterator[tuple[int, str, Mapping[str, Any]]]:
    """List the news as they were told: to whom, which kind, which fields."""
    for line in lines:
        message = line.get("message", {})
        for member in ("decision", "update"):
            for event in message.get(member, {}).get("news", []):
                ((kind, fields),) = event.items()
                yield line["seat"], kind, fields


def test_every_walk_that_the_present_messages_allow_is_there() -> None:
    assert {path.stem for path in WALKS} == NEEDED


@each_walk
def test_every_line_is_a_message_and_comes_back_byte_for_byte(path: Path) -> None:
    for raw in path.read_bytes().splitlines():
        line = json.loads(raw)
        if "message" in line:
            to_message = line_to_message if line["from"] == "bot" else line_to_referee_message
            data = msgspec.json.encode(line["message"])
            message = to_message(data)
            again = type(message).FromString(message.SerializeToString())
            assert message_to_line(again) == data + b"\n"
        assert msgspec.json.encode(line) == raw


@each_walk
def test_no_line_holds_a_key_that_the_protocol_does_not_know(path: Path) -> None:
    skipped: list[str] = []
    for line in read(path):
        if "message" in line:
            bot = line["from"] == "bot"
            empty = play_pb2.BotMessage() if bot else play_pb2.RefereeMessage()
            from_object(empty, line["message"], skipped)
    assert not skipped


@each_walk
def test_sequence_and_decision_id_count_per_session_without_a_gap(path: Path) -> None:
    sequences: dict[int, list[int]] = {}
    decisions: dict[int, list[int]] = {}
    for seat, message in from_referee(read(path)):
        sequences.setdefault(seat, []).append(message.sequence)
        if message.WhichOneof("message") == "decision":
            decisions.setdefault(seat, []).append(message.decision.decision_id)
    for numbers in [*sequences.values(), *decisions.values()]:
        is_resumed = path.stem == "09-reconnect"  # what is sent again keeps its numbers
        counted = list(dict.fromkeys(numbers)) if is_resumed else numbers
        assert counted == list(range(1, len(counted) + 1))


def test_a_bot_that_is_back_gets_the_same_question_or_the_match_anew() -> None:
    """Continued: every message after the last that it had. Snapshot: what it must know."""
    heard = [
        message for seat, message in from_referee(read(FOLDER / "09-reconnect.jsonl")) if not seat
    ]
    kinds = ["welcome", "match_started", "decision", "welcome", "decision", "welcome"]
    assert [message.WhichOneof("message") for message in heard] == [*kinds, "match_started"]
    assert heard[4] == heard[2]
    assert [heard[at].welcome.resumed for at in (0, 3, 5)] == [
        play_pb2.RESUMED_NEW, play_pb2.RESUMED_CONTINUED, play_pb2.RESUMED_SNAPSHOT,
    ]  # fmt: skip
    assert heard[6].match_started == heard[1].match_started


@each_walk
def test_matches_are_announced_as_the_setup_says(path: Path) -> None:
    setup, *lines = read(path)
    seed = seed_from_text(setup["seed"])
    ids = {match["told_as"]: match["id"] for match in setup["matches"]}
    for seat, message in from_referee(lines):
        if message.WhichOneof("message") == "match_started":
            started = message.match_started
            assert decode_ruleset(started.ruleset) == parse_ruleset(setup["ruleset"])
            assert started.seat == seat
            assert started.seed_commitment == commitment(seed)
            assert started.bot_seed == bot_seed(seed, ids[started.match_id], seat)
            assert started.clock.limit_ms == setup["clock"]["limit_ms"]


@each_walk
def test_hands_are_those_of_the_seed(path: Path) -> None:
    setup, *lines = read(path)
    ruleset = parse_ruleset(setup["ruleset"])
    seed = seed_from_text(setup["seed"])
    boards = {
        match["first_board"] + ordinal
        for match in setup["matches"]
        for ordinal in range(setup["boards"])
    }
    dealt = [deal_board(ruleset, seed, board).hands for board in boards]
    for seat, kind, fields in events(lines):
        if kind == "deal_started":
            hand = tuple(fields["hand"])
            assert hand in [tuple(map(str, hands[seat])) for hands in dealt]


@each_walk
def test_no_seat_is_told_a_card_that_it_may_not_know(path: Path) -> None:
    _, *lines = read(path)
    on_tables: dict[tuple[int, int], set[str]] = {}
    shown: set[str] = set()
    for line in lines:
        told = line.get("message", {})
        decision = told.get("decision", {})
        if line["from"] != "referee" or not (decision or "update" in told):
            continue
        table = (decision or told["update"])["table"]
        known = on_tables.setdefault((line["seat"], table), set())
        for event in (decision or told["update"])["news"]:
            ((kind, fields),) = event.items()
            if kind == "deal_started":
                known.clear()
                known.update(fields["hand"])
            elif kind in ("card_played", "card_drawn") and fields["card"]:
                assert kind == "card_played" or fields["seat"] == line["seat"]
                known.add(fields["card"])
            elif kind == "declaration_made":
                shown.update(*decision["observation"]["known_cards"])
        if decision:
            seen = decision["observation"]
            assert {*seen["hand"], *seen["trick"], *seen["history"]} <= known
            assert set().union(*seen["known_cards"]) <= shown
            assert set(decision["card"]["legal"]) <= set(seen["hand"])


@each_walk
def test_an_answer_is_read_alike_from_frames_and_lines(path: Path) -> None:
    for line in read(path):
        if line["from"] == "bot" and "message" in line:
            message = from_object(play_pb2.BotMessage(), line["message"], [])
            frame = play_pb2.PlayRequest(messages=[message]).SerializeToString()
            (by_frame,) = ProtoCodec().decode(frame)
            (by_line,) = LinesCodec().decode(message_to_line(message))
            assert type(by_frame) is type(by_line)
            assert not isinstance(by_frame, Unreadable)


@each_walk
def test_raw_bytes_are_undecodable_in_either_form(path: Path) -> None:
    for line in read(path):
        if "raw" in line:
            for codec in (ProtoCodec(), LinesCodec()):
                (said,) = codec.decode(line["raw"].encode())
                assert isinstance(said, Unreadable)
                assert said.reason.value == "malformed"


@each_walk
def test_a_stream_ends_with_the_code_of_its_reason(path: Path) -> None:
    codes = {reason.value: code for reason, code in CODE_OF_REASON.items()}
    for line in read(path):
        if "status" in line:
            status = line["status"]
            assert status["code"] == ("OK" if status["reason"] is None else codes[status["reason"]])


@each_walk
def test_all_news_are_kinds_of_this_version(path: Path) -> None:
    for _, message in from_referee(read(path)):
        for news in (message.decision.news, message.update.news):
            assert all(decode_seat_event(event) is not None for event in news)


# --- the point of each walk, against the protocol's description -----------------------


def told(name: str) -> list[tuple[int, str, Mapping[str, Any]]]:
    return list(events(read(FOLDER / f"{name}.jsonl")))


def rejections(name: str) -> list[tuple[int, Mapping[str, Any]]]:
    return [
        (line["seat"], line["message"]["rejected"])
        for line in read(FOLDER / f"{name}.jsonl")
        if "rejected" in line.get("message", {})
    ]


def test_normal_goes_from_join_to_goodbye_for_every_seat() -> None:
    kinds: dict[int, list[str | None]] = {}
    for seat, message in from_referee(read(FOLDER / "01-normal.jsonl")):
        kinds.setdefault(seat, []).append(message.WhichOneof("message"))
    for of_seat in kinds.values():
        assert of_seat == [
            "welcome",
            "match_started",
            *["decision"] * 10,
            "update",
            "match_ended",
            "goodbye",
        ]


def test_late_is_told_to_the_seat_alone_and_the_ruling_to_all() -> None:
    late = {seat for seat, kind, _ in told("02-late") if kind == "late"}
    ruled = {
        seat
        for seat, kind, fields in told("02-late")
        if kind == "card_played" and fields["autoplayed"]
    }
    assert (late, ruled) == ({0}, {0, 1, 2, 3})
    ((seat, rejected),) = rejections("02-late")
    assert (seat, rejected["reason"], rejected["decision_id"]) == (0, "stale", 1)


def test_three_illegal_cards_are_refused_with_what_was_allowed_then_the_referee_plays() -> None:
    refused = rejections("03-illegal-reject")
    assert [(seat, one["reason"]) for seat, one in refused] == [(1, "illegal_card")] * 3
    assert {tuple(one["allowed"]) for _, one in refused} == {("S5", "S6", "S7", "SA")}
    assert [
        (fields["card"], fields["autoplayed"])
        for seat, kind, fields in told("03-illegal-reject")
        if (seat, kind) == (2, "card_played")
    ] == [("SJ", False), ("S5", True)]


def test_a_card_not_held_is_refused_also_where_a_revoke_is_possible() -> None:
    ((_, rejected),) = rejections("03-card-not-held")
    assert rejected["reason"] == "card_not_held"


def test_a_revoke_is_told_to_all_seats_at_once_with_the_score() -> None:
    for seat in range(4):
        kinds = [kind for to, kind, _ in told("04-illegal-revoke") if to == seat]
        end = kinds.index("revoke")
        assert kinds[end - 1 : end + 2] == ["card_played", "revoke", "deal_scored"]
    assert not rejections("04-illegal-revoke")


def test_a_false_claim_is_told_to_its_seat_and_only_its_infraction_to_others() -> None:
    walk = told("05-declarations")
    assert {seat for seat, kind, _ in walk if kind == "declaration_refused"} == {1}
    assert {seat for seat, kind, _ in walk if kind == "infraction"} == {1, 2, 3}
    assert {seat for seat, kind, _ in walk if kind == "declaration_made"} == {1, 2, 3}
    for seat in (2, 3):
        of_others = [fields for to, _, fields in walk if to == seat]
        assert "cups" not in json.dumps(of_others)


def test_note_and_value_of_an_answer_reach_no_seat() -> None:
    lines = read(FOLDER / "05-declarations.jsonl")
    to_seats = json.dumps([line for line in lines if line["from"] == "referee"])
    assert "the whole napoletana" not in to_seats
    assert "value_thirds" not in to_seats


def test_a_claim_is_specified_at_once_as_if_an_opponent_had_asked() -> None:
    made = [fields for _, kind, fields in told("06-specify") if kind == "declaration_made"]
    assert made
    assert all(fields["specified_by"] == "request" for fields in made)
    assert all(fields["claim"]["suit"] == "swords" for fields in made)


def test_an_allowed_word_is_heard_and_a_forbidden_one_is_an_infraction_without_the_word() -> None:
    walk = told("07-signals")
    words = {fields["signal"] for _, kind, fields in walk if kind == "card_played"}
    assert words == {"busso", None}
    assert any(kind == "infraction" and fields["kind"] == "signal" for _, kind, fields in walk)
    to_seats = [fields for _, _, fields in walk]
    assert "striscio" not in json.dumps(to_seats)


@pytest.mark.parametrize(
    ("walk", "reason"),
    [("05-bad-declaration", "bad_declaration"), ("07-bad-signal", "bad_signal")],
)
def test_what_the_ruleset_does_not_know_at_all_is_refused(walk: str, reason: str) -> None:
    ((_, rejected),) = rejections(walk)
    assert rejected["reason"] == reason


def test_a_seat_sees_its_own_draw_and_only_that_another_drew() -> None:
    draws = [
        (seat == fields["seat"], fields["card"] is not None)
        for seat, kind, fields in told("08-two-seat-draw")
        if kind == "card_drawn"
    ]
    assert draws
    assert all(is_own == is_shown for is_own, is_shown in draws)


def test_the_other_seats_of_a_flooded_table_are_told_how_it_ended() -> None:
    ends = {
        seat: fields["termination"]["kind"]
        for seat, kind, fields in told("10-flood")
        if kind == "match_ended"
    }
    assert ends == dict.fromkeys((0, 2, 3), "forfeit_flood")
