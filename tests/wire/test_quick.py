"""The short way of the frequent messages gives what the general way gives, or leaves it to it."""

from unittest import mock

from hypothesis import given
from hypothesis import strategies as st

from arena.record.lines import encode_line
from arena.referee.events import AnswerTiming, DecisionAsked, LogEvent
from arena.referee.messages import Ask
from arena.rules.observation import observe
from arena.rules.presets import parse_ruleset
from arena.rules.question import QuestionKind
from arena.v1 import cards_pb2, play_pb2
from arena.wire import from_bot, to_bot
from arena.wire.from_bot import decode_request
from arena.wire.log_events import encode_event
from arena.wire.quick import answers_said, decision_bytes, log_line, varint
from arena.wire.terms import FRAME_MESSAGES
from tests.sdk.positions import match_of
from tests.wire import strategies as values


def plainly(table: int, decision_id: int, ask: Ask) -> play_pb2.RefereeMessage:
    """Write a question the general way."""
    with mock.patch.object(to_bot, "decision_bytes", return_value=None):
        return to_bot.decision(table, decision_id, ask)


@given(table=values.counts, decision_id=values.counts, ask=values.asks)
def test_a_question_is_the_same_either_way(table: int, decision_id: int, ask: Ask) -> None:
    assert to_bot.decision(table, decision_id, ask) == plainly(table, decision_id, ask)


def test_every_question_of_a_deal_without_claims_goes_the_short_way() -> None:
    match = match_of(parse_ruleset("italian-tournament:declarations=off"))
    while not match.is_over:
        question = match.question
        assert question is not None
        ask = Ask(
            seat=question.seat,
            number=1,
            question=question,
            observation=observe(match, question.seat),
            news=(),
            limit_ns=10**9,
            bank_ns=0,
        )
        written = decision_bytes(1, 300, ask)
        assert written is not None
        assert play_pb2.Decision.FromString(written) == plainly(1, 300, ask).decision
        assert plainly(1, 300, ask).decision.SerializeToString() == written
        match.apply(match.default_answer())


@given(data=st.binary(max_size=14))
def test_no_bytes_are_read_otherwise(data: bytes) -> None:
    assert_read_alike(data)


@given(
    decision_id=values.counts,
    card=st.integers(0, 60),
    cut=st.integers(0, 14),
    place=st.integers(0, 13),
    byte=st.integers(0, 255),
)
def test_an_answer_is_read_alike_however_it_is_damaged(
    decision_id: int, card: int, cut: int, place: int, byte: int
) -> None:
    request = play_pb2.PlayRequest()
    answer = request.messages.add().answer
    answer.decision_id = decision_id
    if card:
        answer.card = card  # type: ignore[assignment]  # a number without a name, too
    data = request.SerializeToString()
    assert_read_alike(data)
    assert_read_alike(data[:cut])
    damaged = bytearray(data)
    damaged[place % len(damaged)] = byte
    assert_read_alike(bytes(damaged))


def assert_read_alike(data: bytes) -> None:
    with mock.patch.object(from_bot, "answers_said", return_value=None):
        expected = decode_request(data)
    assert decode_request(data) == expected


def test_a_plain_answer_goes_the_short_way() -> None:
    for decision_id in (1, 127, 128, 16_383, 16_384, (1 << 32) - 1):
        request = play_pb2.PlayRequest()
        answer = request.messages.add().answer
        answer.decision_id = decision_id
        answer.card = cards_pb2.CARD_D3
        said = answers_said(request.SerializeToString())
        assert said is not None
        assert [one.decision_id for one in said] == [decision_id]


def frame_of(ids: list[int]) -> bytes:
    request = play_pb2.PlayRequest()
    for decision_id in ids:
        answer = request.messages.add().answer
        answer.decision_id = decision_id
        answer.card = cards_pb2.CARD_B3
    return request.SerializeToString()


@given(st.lists(st.integers(1, (1 << 32) - 1), min_size=1, max_size=FRAME_MESSAGES))
def test_a_frame_of_plain_answers_goes_the_short_way_as_a_whole(ids: list[int]) -> None:
    data = frame_of(ids)
    said = answers_said(data)
    assert said is not None
    assert [one.decision_id for one in said] == ids
    assert_read_alike(data)


def test_a_frame_of_too_many_answers_is_refused_either_way() -> None:
    data = frame_of([7] * (FRAME_MESSAGES + 1))
    assert answers_said(data) is None
    assert_read_alike(data)


@given(
    ids=st.lists(st.integers(1, 70_000), min_size=2, max_size=4),
    place=st.integers(0, 60),
    byte=st.integers(0, 255),
)
def test_a_damaged_frame_of_answers_is_read_alike(ids: list[int], place: int, byte: int) -> None:
    damaged = bytearray(frame_of(ids))
    damaged[place % len(damaged)] = byte
    assert_read_alike(bytes(damaged))


@given(event=values.log_events, timing=st.none() | values.timings, seq=values.counts)
def test_a_line_is_the_same_either_way(
    event: LogEvent, timing: AnswerTiming | None, seq: int
) -> None:
    written = log_line(seq, 7, event, timing)
    general = encode_line({"seq": seq, "at_us": 7, **encode_event(event, timing)})
    assert written in (None, general)


def test_a_question_with_nothing_legal_has_an_empty_list() -> None:
    asked = DecisionAsked(seat=0, kind=QuestionKind.CARD, legal=(), limit_ms=1, bank_ms=0)
    assert log_line(1, 7, asked, None) is None


@given(number=st.integers(0, 2**64 - 1))
def test_a_varint_is_protobufs(number: int) -> None:
    written = varint(number)
    assert sum((byte & 127) << 7 * place for place, byte in enumerate(written)) == number
    assert [byte >= 128 for byte in written] == [True] * (len(written) - 1) + [False]
