"""Frames and lines carry the same conversation."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.referee.faults import Reason
from arena.rules.cards import Card
from arena.rules.events import CardPlayed
from arena.rules.question import Answer
from arena.v1 import play_pb2
from arena.wire import to_bot
from arena.wire.codec import Codec, LinesCodec, ProtoCodec
from arena.wire.from_bot import AnswerSaid, BotSaid, LeaveSaid, ReadySaid, Unreadable
from arena.wire.json_dialect import line_to_referee_message, message_to_line
from arena.wire.terms import GoodbyeReason
from tests.wire import strategies as values
from tests.wire.test_from_bot import answer_message, frame

LINES: Codec = LinesCodec()
PROTO: Codec = ProtoCodec()


def without_size(said: Sequence[BotSaid]) -> list[BotSaid]:
    """Sizes differ between the codecs, and are theirs to tell."""
    plain: list[BotSaid] = []
    for one in said:
        match one:
            case AnswerSaid():
                plain.append(
                    AnswerSaid(
                        decision_id=one.decision_id,
                        answer=one.answer,
                        value_thirds=one.value_thirds,
                        note=one.note,
                        size=0,
                    )
                )
            case Unreadable():
                plain.append(
                    Unreadable(reason=one.reason, message="", decision_id=one.decision_id, size=0)
                )
            case _:
                plain.append(one)
    return plain


@given(values.answers, values.counts, st.none() | values.points, st.text("aé", max_size=120))
def test_an_answer_says_the_same_in_either_form(
    answer: Answer, decision_id: int, value: int | None, note: str
) -> None:
    message = answer_message(decision_id, answer, value_thirds=value, note=note)
    by_lines = LINES.decode(message_to_line(message))
    assert without_size(by_lines) == without_size(PROTO.decode(frame(message)))


MESSAGES = [
    play_pb2.BotMessage(),
    play_pb2.BotMessage(ready=play_pb2.Ready(table=2)),
    play_pb2.BotMessage(leave=play_pb2.Leave()),
    play_pb2.BotMessage(leave=play_pb2.Leave(table=1, reason="x" * 201)),
    play_pb2.BotMessage(join=play_pb2.Join(protocol_version=1, token="77", resume_after=4)),  # noqa: S106
    play_pb2.BotMessage(answer=play_pb2.Answer(decision_id=5)),
]


@pytest.mark.parametrize("message", MESSAGES, ids=range(len(MESSAGES)))
def test_other_messages_say_the_same_in_either_form(message: play_pb2.BotMessage) -> None:
    by_lines = LINES.decode(message_to_line(message))
    assert without_size(by_lines) == without_size(PROTO.decode(frame(message)))


def test_a_frame_to_a_bot_holds_its_messages_in_order_in_either_form() -> None:
    messages = [
        to_bot.update(1, (CardPlayed(seat=0, card=Card.D3),)),
        to_bot.goodbye(GoodbyeReason.FINISHED, 100),
    ]
    for number, message in enumerate(messages, start=1):
        message.sequence = number
    response = play_pb2.PlayResponse.FromString(PROTO.encode(messages))
    lines = LINES.encode(messages).splitlines()
    assert list(response.messages) == messages
    assert list(map(line_to_referee_message, lines)) == messages


def test_several_lines_are_several_messages_and_the_last_may_lack_its_end() -> None:
    data = b'{"ready":{"table":1}}\r\n\n  \n{"leave":{}}'
    assert LINES.decode(data) == (ReadySaid(table=1), LeaveSaid(table=None, reason=""))


def test_empty_lines_say_nothing() -> None:
    assert LINES.decode(b"\n\r\n") == ()


def test_a_bad_line_leaves_the_others_alone() -> None:
    said = LINES.decode(b'oops\n{"ready":{"table":1}}\n')
    assert isinstance(said[0], Unreadable)
    assert said[1:] == (ReadySaid(table=1),)


def test_a_bad_answer_keeps_the_decision_it_names() -> None:
    (said,) = LINES.decode(b'{"answer":{"decision_id":3,"card":"D9"}}')
    assert isinstance(said, Unreadable)
    assert (said.reason, said.decision_id, said.size) == (Reason.MALFORMED, 3, 41)


@pytest.mark.parametrize("number", [b"true", b'"x"', b"-1", b"4294967296", b"1.5", b"null"])
def test_a_bad_answer_without_a_good_number_names_no_decision(number: bytes) -> None:
    line = b'{"answer":{"decision_id":' + number + b',"card":"D9"}}'
    (said,) = LINES.decode(line)
    assert isinstance(said, Unreadable)
    assert said.decision_id is None


def test_a_misspelt_key_is_named_where_it_matters() -> None:
    (said,) = LINES.decode(b'{"answer":{"decision_id":3,"crd":"D3"}}')
    assert isinstance(said, Unreadable)
    assert "set card" in said.message
    assert said.message.endswith("not known here and skipped: answer.crd")


def test_more_lines_than_a_frame_may_hold_are_one_refusal() -> None:
    (said,) = LINES.decode(b'{"leave":{}}\n' * 65)
    assert isinstance(said, Unreadable)
    assert said.reason is Reason.TOO_MANY_MESSAGES


def test_a_line_over_the_limit_is_too_large() -> None:
    (said,) = LINES.decode(b"x" * (1 << 20))
    assert isinstance(said, Unreadable)
    assert said.reason is Reason.TOO_LARGE
    assert "allowed are 1048576" in said.message


@given(st.binary(max_size=300))
def test_random_lines_are_always_read_or_refused(data: bytes) -> None:
    for said in LINES.decode(data):
        assert isinstance(said, BotSaid)


VALID = b'{"answer":{"decision_id":3,"card":"D3","declarations":[{"kind":"four","rank":"ace"}]}}'


@given(st.lists(st.tuples(st.integers(0, len(VALID) - 1), st.integers(0, 255)), max_size=4))
def test_a_damaged_line_is_always_read_or_refused(damage: list[tuple[int, int]]) -> None:
    data = bytearray(VALID)
    for place, byte in damage:
        data[place] = byte
    for said in LINES.decode(bytes(data)):
        assert isinstance(said, BotSaid)


def test_a_frame_is_the_play_response_that_protobuf_would_write() -> None:
    """Whatever the sizes: the length of each message is a varint of one to three bytes."""
    messages = [
        play_pb2.RefereeMessage(sequence=size + 1, rejected=play_pb2.Rejected(message="x" * size))
        for size in (0, 1, 100, 127, 128, 16_000, 16_384, 40_000)
    ]
    frame = ProtoCodec().encode(messages)
    assert frame == play_pb2.PlayResponse(messages=messages).SerializeToString()
    assert ProtoCodec().encode([]) == b""
