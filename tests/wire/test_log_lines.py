"""The short way to a line of the log comes to the same bytes as the long one."""

from hypothesis import given
from hypothesis import strategies as st

from arena.record.lines import encode_line
from arena.referee.events import AnswerTiming, DecisionAsked, LogEvent
from arena.rules.cards import Card
from arena.rules.events import CardPlayed, TrickWon
from arena.rules.question import QuestionKind
from arena.wire.log_events import encode_event
from arena.wire.log_lines import plain_line
from tests.wire import strategies as values

BARE = AnswerTiming(think_us=70, lag_us=3)


def long_way(seq: int, at_us: int, event: LogEvent, timing: AnswerTiming | None) -> bytes:
    fields = encode_event(event, timing)
    return encode_line({"seq": seq, "at_us": at_us, "event": fields.pop("event"), **fields})


@given(
    values.counts,
    values.times,
    values.log_events,
    st.none() | st.builds(AnswerTiming, think_us=values.times, lag_us=values.times),
)
def test_both_ways_lead_to_the_same_bytes(
    seq: int, at_us: int, event: LogEvent, timing: AnswerTiming | None
) -> None:
    line = plain_line(seq, at_us, event, timing)
    assert line in (None, long_way(seq, at_us, event, timing))


def test_cards_questions_and_tricks_take_the_short_way() -> None:
    asked = DecisionAsked(
        seat=1, kind=QuestionKind.CARD, legal=(Card.D3, Card.B4), limit_ms=1_000, bank_ms=0
    )
    assert plain_line(5, 9, CardPlayed(seat=2, card=Card.D3), BARE) is not None
    assert plain_line(5, 9, asked, None) is not None
    assert plain_line(5, 9, TrickWon(seat=2, thirds=4), None) is not None


@given(values.timings)
def test_an_answer_with_more_than_its_times_loses_nothing(timing: AnswerTiming) -> None:
    event = CardPlayed(seat=0, card=Card.SA)
    assert plain_line(1, 2, event, timing) in (None, long_way(1, 2, event, timing))
    assert (plain_line(1, 2, event, timing) is None) == (
        timing != AnswerTiming(think_us=timing.think_us, lag_us=timing.lag_us, card=timing.card)
    )
