"""Whatever a bot sends is read or refused in words; nothing makes the reader raise."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.referee.faults import Reason
from arena.rules.cards import Card, Rank, Suit
from arena.rules.events import Claim, ClaimKind
from arena.rules.options import Signal
from arena.rules.question import Answer
from arena.v1 import cards_pb2, play_pb2, ruleset_pb2, seat_pb2
from arena.wire.claims import fill_claim
from arena.wire.enums import CARD_NUMBERS, SIGNALS
from arena.wire.from_bot import (
    AnswerSaid,
    BotSaid,
    JoinSaid,
    LeaveSaid,
    ReadySaid,
    Unreadable,
    decode_request,
)
from tests.wire import strategies as values


def frame(*messages: play_pb2.BotMessage) -> bytes:
    return play_pb2.PlayRequest(messages=messages).SerializeToString()


def answer_message(decision_id: int, answer: Answer, **more: object) -> play_pb2.BotMessage:
    wire = play_pb2.Answer(decision_id=decision_id, card=CARD_NUMBERS[answer.card], **more)  # type: ignore[arg-type]
    if answer.signal is not None:
        wire.signal = SIGNALS.number[answer.signal]
    for claim in answer.declarations:
        fill_claim(wire.declarations.add(), claim)
    return play_pb2.BotMessage(answer=wire)


def said_by(message: play_pb2.BotMessage) -> BotSaid:
    (said,) = decode_request(frame(message))
    return said


def refused(message: play_pb2.BotMessage) -> Unreadable:
    said = said_by(message)
    assert isinstance(said, Unreadable)
    return said


@given(values.answers, values.counts, st.none() | values.points, st.text("Aé€🂡", max_size=50))
def test_an_answer_is_read_as_it_was_written(
    answer: Answer, decision_id: int, value: int | None, note: str
) -> None:
    message = answer_message(decision_id, answer, value_thirds=value, note=note)
    assert said_by(message) == AnswerSaid(
        decision_id=decision_id,
        answer=answer,
        value_thirds=value,
        note=note,
        size=message.ByteSize(),
    )


def test_join_ready_and_leave_are_read() -> None:
    join = play_pb2.Join(
        protocol_version=1,
        token="c0ffee",  # noqa: S106  # of nobody
        name="Ada",
        version="2",
        language="ada",
        capacity=4,
        resume_after=0,
    )
    assert said_by(play_pb2.BotMessage(join=join)) == JoinSaid(
        protocol_version=1,
        token="c0ffee",  # noqa: S106  # of nobody
        name="Ada",
        version="2",
        language="ada",
        capacity=4,
        resume_after=0,
    )
    ready = play_pb2.BotMessage(ready=play_pb2.Ready(table=3))
    assert said_by(ready) == ReadySaid(table=3)
    leave = play_pb2.BotMessage(leave=play_pb2.Leave(table=3, reason="tired"))
    assert said_by(leave) == LeaveSaid(table=3, reason="tired")


def test_leave_without_a_table_means_all_of_them() -> None:
    leave = play_pb2.BotMessage(leave=play_pb2.Leave())
    assert said_by(leave) == LeaveSaid(table=None, reason="")


def test_join_without_resume_after_is_a_new_session() -> None:
    said = said_by(play_pb2.BotMessage(join=play_pb2.Join(protocol_version=1)))
    assert isinstance(said, JoinSaid)
    assert said.resume_after is None


def test_a_token_is_shown_by_no_repr() -> None:
    said = said_by(play_pb2.BotMessage(join=play_pb2.Join(token="5ec2e7")))  # noqa: S106
    assert "5ec2e7" not in repr(said)


def test_messages_of_a_frame_are_read_in_order() -> None:
    messages = [answer_message(number, Answer(card=Card.D3)) for number in range(1, 65)]
    read = decode_request(frame(*messages))
    assert [said.decision_id for said in read if isinstance(said, AnswerSaid)] == [*range(1, 65)]


def test_a_bad_message_leaves_the_others_of_its_frame_alone() -> None:
    good = answer_message(1, Answer(card=Card.D3))
    read = decode_request(frame(good, play_pb2.BotMessage(), good))
    assert [type(said) for said in read] == [AnswerSaid, Unreadable, AnswerSaid]


def test_an_empty_frame_says_nothing() -> None:
    assert decode_request(b"") == ()


def test_more_messages_than_a_frame_may_hold_are_one_refusal() -> None:
    message = answer_message(1, Answer(card=Card.D3))
    (said,) = decode_request(frame(*[message] * 65))
    assert isinstance(said, Unreadable)
    assert said.reason is Reason.TOO_MANY_MESSAGES
    assert said.message == "65 messages in one frame; allowed are 64"


def test_a_frame_over_the_size_limit_is_refused_unread() -> None:
    (said,) = decode_request(b"\xff" * 65_537)
    assert isinstance(said, Unreadable)
    assert (said.reason, said.size) == (Reason.TOO_LARGE, 65_537)
    assert "65537 bytes; allowed are 65536" in said.message


def test_bytes_that_are_no_frame_are_malformed() -> None:
    (said,) = decode_request(b"Thinking about it...")
    assert isinstance(said, Unreadable)
    assert (said.reason, said.size, said.decision_id) == (Reason.MALFORMED, 20, None)
    assert "no arena.v1.PlayRequest" in said.message


def test_a_text_that_is_no_utf8_makes_its_frame_malformed() -> None:
    note = frame(answer_message(1, Answer(card=Card.D3), note="abc")).replace(b"abc", b"a\xffc")
    (said,) = decode_request(note)
    assert isinstance(said, Unreadable)
    assert said.reason is Reason.MALFORMED


def test_a_message_without_a_member_lists_the_members() -> None:
    said = refused(play_pb2.BotMessage())
    assert said.reason is Reason.UNKNOWN_MESSAGE
    assert "nothing set; set one of join, ready, answer, leave" in said.message


def test_a_message_of_a_later_version_is_named_by_its_number() -> None:
    later = play_pb2.BotMessage.FromString(b"\x9a\x01\x00")  # member 19
    assert "(field 19)" in refused(later).message


def test_an_answer_of_another_kind_keeps_its_decision() -> None:
    bid = play_pb2.Answer.FromString(b"\x08\x05\x18\x01")  # decision_id 5, member 3
    said = refused(play_pb2.BotMessage(answer=bid))
    assert (said.reason, said.decision_id) == (Reason.MALFORMED, 5)
    assert "(field 3); set card" in said.message


@pytest.mark.parametrize("number", [0, 41, 99, -1])
def test_a_number_that_is_no_card_is_named_with_what_is_allowed(number: int) -> None:
    wire = play_pb2.Answer(decision_id=5)
    wire.card = cards_pb2.Card.ValueType(number)
    said = refused(play_pb2.BotMessage(answer=wire))
    assert (said.reason, said.decision_id) == (Reason.MALFORMED, 5)
    assert f"no card has the number {number}; cards are 1 (D4) to 40 (B3)" in said.message


def test_a_number_that_is_no_word_is_malformed() -> None:
    wire = play_pb2.Answer(decision_id=5, card=cards_pb2.CARD_D3)
    wire.signal = ruleset_pb2.Signal.ValueType(6)
    said = refused(play_pb2.BotMessage(answer=wire))
    assert said.reason is Reason.MALFORMED
    assert "Signal has no value with the number 6" in said.message


def test_a_claim_that_is_none_is_a_bad_declaration() -> None:
    wire = play_pb2.Answer(decision_id=5, card=cards_pb2.CARD_D3)
    wire.declarations.add(kind=seat_pb2.CLAIM_KIND_FOUR, rank=cards_pb2.RANK_KING)
    said = refused(play_pb2.BotMessage(answer=wire))
    assert (said.reason, said.decision_id) == (Reason.BAD_DECLARATION, 5)
    assert "allowed are ace, two and three" in said.message


def test_more_claims_than_exist_are_a_bad_declaration() -> None:
    claim = Claim(kind=ClaimKind.FOUR, rank=Rank.ACE)
    said = refused(answer_message(5, Answer(card=Card.D3, declarations=(claim,) * 20)))
    assert said.reason is Reason.BAD_DECLARATION
    assert "20 claims; there are only 19" in said.message


def test_a_note_of_200_bytes_is_read_and_one_more_is_refused_without_its_text() -> None:
    fits = said_by(answer_message(1, Answer(card=Card.D3), note="é" * 100))
    assert isinstance(fits, AnswerSaid)
    said = refused(answer_message(1, Answer(card=Card.D3), note="é" * 100 + "x"))
    assert said.message == "Answer: note has 201 bytes of UTF-8; allowed are 200"


@pytest.mark.parametrize("name", ["token", "name", "version", "language"])
def test_every_text_of_a_join_is_bounded(name: str) -> None:
    join = play_pb2.Join(protocol_version=1)
    setattr(join, name, "x" * 201)
    said = refused(play_pb2.BotMessage(join=join))
    assert said.reason is Reason.MALFORMED
    assert said.message == f"Join: {name} has 201 bytes of UTF-8; allowed are 200"


def test_the_reason_of_a_leave_is_bounded() -> None:
    said = refused(play_pb2.BotMessage(leave=play_pb2.Leave(reason="x" * 201)))
    assert said.message.startswith("Leave: reason has 201 bytes")


def test_unknown_fields_beside_a_known_member_are_ignored() -> None:
    message = play_pb2.BotMessage.FromString(
        answer_message(1, Answer(card=Card.D3)).SerializeToString() + b"\x9a\x01\x00"
    )
    assert isinstance(said_by(message), AnswerSaid)


VALID = frame(
    answer_message(
        7,
        Answer(
            card=Card.C3,
            signal=Signal.VOLO,
            declarations=(Claim(kind=ClaimKind.NAPOLETANA, suit=Suit.CUPS),),
        ),
        value_thirds=-4,
        note="hm",
    ),
    play_pb2.BotMessage(join=play_pb2.Join(protocol_version=1, name="a")),
    play_pb2.BotMessage(ready=play_pb2.Ready(table=1)),
    play_pb2.BotMessage(leave=play_pb2.Leave(reason="b")),
)


def assert_read(data: bytes) -> None:
    for said in decode_request(data):
        assert isinstance(said, BotSaid)
        if isinstance(said, Unreadable):
            assert said.message
            assert 0 <= said.size <= len(data)


@given(st.binary(max_size=300))
def test_random_bytes_are_always_read_or_refused(data: bytes) -> None:
    assert_read(data)


@given(st.lists(st.tuples(st.integers(0, len(VALID) - 1), st.integers(0, 255)), max_size=6))
def test_a_damaged_frame_is_always_read_or_refused(damage: list[tuple[int, int]]) -> None:
    data = bytearray(VALID)
    for place, byte in damage:
        data[place] = byte
    assert_read(bytes(data))


@given(st.integers(0, len(VALID)), st.integers(0, len(VALID)), st.binary(max_size=8))
def test_a_cut_and_patched_frame_is_always_read_or_refused(
    start: int, end: int, patch: bytes
) -> None:
    assert_read(VALID[:start] + patch + VALID[end:])
