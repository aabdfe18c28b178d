"""Plain answers are read as protobuf reads them, and nothing else is taken for one."""

from hypothesis import example, given
from hypothesis import strategies as st

from arena.rules.cards import Card
from arena.rules.question import Answer
from arena.v1 import play_pb2
from arena.wire.enums import CARD_NUMBERS
from arena.wire.from_bot import decode_request, read_message
from arena.wire.plain_answers import read_plain_answers
from arena.wire.said import AnswerSaid, Unreadable
from arena.wire.terms import FRAME_MESSAGES
from tests.wire import strategies as values

ids = st.integers(1, 2**28 - 1)


def frame(*said: tuple[int, Card]) -> bytes:
    return play_pb2.PlayRequest(
        messages=[
            play_pb2.BotMessage(answer=play_pb2.Answer(decision_id=number, card=CARD_NUMBERS[card]))
            for number, card in said
        ]
    ).SerializeToString()


PLAIN = frame((300, Card.D3))


@given(st.lists(st.tuples(ids, values.cards), min_size=1, max_size=FRAME_MESSAGES))
def test_a_frame_of_plain_answers_is_read_whole(said: list[tuple[int, Card]]) -> None:
    read = read_plain_answers(frame(*said))
    assert read is not None
    assert [(one.decision_id, one.answer) for one in read] == [
        (number, Answer(card=card)) for number, card in said
    ]


@given(
    st.one_of(
        st.binary(max_size=40),
        st.builds(
            lambda data, at, byte: data[: at % len(data)] + byte + data[at % len(data) + 1 :],
            st.sampled_from([PLAIN, PLAIN * 2, frame((1, Card.B3))]),
            st.integers(0, 100),
            st.binary(max_size=2),
        ),
    )
)
@example(PLAIN)
@example(frame((0, Card.D3)))
@example(bytes.fromhex("0a08 1a06 088000 1001"))  # a 0 of two bytes
@example(bytes.fromhex("0a08 1a06 080101 1001"))  # two numbers
@example(bytes.fromhex("0a07 1a05 0880 1001"))  # a number without its end
@example(bytes.fromhex("0a07 1a05 0801 1029"))  # card 41
def test_whatever_is_read_is_what_protobuf_reads(data: bytes) -> None:
    said = read_plain_answers(data)
    if said is not None:
        messages = play_pb2.PlayRequest.FromString(data).messages
        assert said == tuple(read_message(message, message.ByteSize()) for message in messages)


def test_a_number_of_29_bits_takes_the_long_way_and_is_read_all_the_same() -> None:
    data = frame((2**28, Card.D3))
    assert read_plain_answers(data) is None
    (said,) = decode_request(data)
    assert isinstance(said, AnswerSaid)
    assert said.decision_id == 2**28


def test_too_many_plain_answers_are_refused_like_any_other_messages() -> None:
    data = frame(*[(7, Card.D3)] * (FRAME_MESSAGES + 1))
    assert read_plain_answers(data) is None
    (said,) = decode_request(data)
    assert isinstance(said, Unreadable)
