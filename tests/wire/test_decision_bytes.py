"""A Decision's hand-written bytes are those of the message that protobuf fills."""

import pytest
from hypothesis import given

from arena.referee.messages import Ask
from arena.rules.cards import CARDS
from arena.rules.question import Question, QuestionKind
from arena.v1 import play_pb2
from arena.wire.decision_bytes import decision_bytes
from tests.wire import strategies as values
from tests.wire.filled import filled_decision
from tests.wire.test_to_bot import MID_DEAL

ASK = Ask(
    seat=1,
    number=9,
    question=Question(seat=1, kind=QuestionKind.CARD, legal=CARDS[:2]),
    observation=MID_DEAL,
    news=(),
    limit_ns=10**9,
    bank_ns=0,
)


@given(values.asks, values.counts, values.counts)
def test_the_bytes_are_protobufs_own(ask: Ask, table: int, decision_id: int) -> None:
    filled = filled_decision(table, decision_id, ask)
    data = decision_bytes(table, decision_id, ask)
    assert data == filled.SerializeToString(deterministic=True)


@pytest.mark.parametrize("number", [0, 1, 127, 128, 2_047, 2_048, 16_384, 2**32 - 1])
def test_numbers_of_every_length_are_written(number: int) -> None:
    read = play_pb2.RefereeMessage.FromString(decision_bytes(number, number, ASK))
    assert (read.decision.table, read.decision.decision_id) == (number, number)
