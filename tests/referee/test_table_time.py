"""Clocks at the table: when they start, what is told, how banks run down."""

from arena.referee.clock import MS, Clock
from arena.referee.events import DecisionAsked, Late
from arena.referee.faults import FaultKind, Reason
from arena.referee.messages import (
    Answered,
    Arrival,
    Ask,
    AskWritten,
    Begin,
    BotReady,
    Record,
    Reject,
    SetTimer,
    Timer,
    TimerFired,
    TimerKind,
)
from arena.referee.table import Table
from arena.referee.transitions import Phase
from arena.rules.events import CardPlayed
from arena.rules.presets import PRESETS
from arena.rules.question import Answer
from arena.testing.in_memory import of_type, open_table, play_in_memory
from arena.testing.memory_bots import answers_after, at_its, plays_first, stalls

FOUR = PRESETS["gamelake-4"]
BANKED = Clock(limit_ms=100, bank_ms=50, margin_ms=10)


def asking_table(clock: Clock) -> Table:
    table = open_table(ruleset=FOUR, clock=clock)
    table.apply(Begin(at_ns=0))
    for seat in range(4):
        table.apply(BotReady(seat=seat, at_ns=5))
    assert table.phase is Phase.ASKED
    return table


def answer(table: Table, earliest_ns: int, latest_ns: int | None = None) -> Answered:
    """Answer the first decision."""
    return Answered(
        seat=0,
        number=1,
        answer=Answer(card=table.match.deal.legal_cards()[0]),
        arrival=Arrival(earliest_ns=earliest_ns, latest_ns=latest_ns or earliest_ns),
    )


def played(outputs: list[object]) -> Record:
    (record,) = [r for r in of_type(Record, outputs) if isinstance(r.event, CardPlayed)]
    return record


def test_the_start_allowance_runs_from_the_launch_where_that_is_told() -> None:
    def due(launched_ns: tuple[int, ...] | None) -> list[int]:
        table = open_table(ruleset=FOUR, clock=Clock(start_ms=20))
        outputs = table.apply(Begin(at_ns=9 * MS, launched_ns=launched_ns))
        return [timer.at_ns for timer in of_type(SetTimer, outputs)]

    assert due((1, 2, 3, 4)) == [20 * MS + seat for seat in (1, 2, 3, 4)]
    assert due(None) == [29 * MS] * 4


def test_the_clock_starts_with_the_write_of_the_question() -> None:
    table = asking_table(BANKED)
    outputs = table.apply(AskWritten(seat=0, number=1, at_ns=40 * MS))
    timer = Timer(kind=TimerKind.ANSWER, seat=0, number=1)
    assert outputs == [SetTimer(timer=timer, at_ns=(40 + 160) * MS)]
    record = played([*table.apply(answer(table, 47 * MS))])
    assert record.timing is not None
    assert record.timing.think_us == 7_000


def test_an_answer_guessed_before_its_question_was_written_took_no_time() -> None:
    table = asking_table(BANKED)
    record = played([*table.apply(answer(table, 30 * MS))])
    assert record.timing is not None
    assert record.timing.think_us == 0
    assert isinstance(record.event, CardPlayed)
    assert not record.event.autoplayed


def test_an_answer_that_may_have_come_before_the_write_took_no_time() -> None:
    """The arrival is an interval; its start can lie before the write it answers."""
    table = asking_table(BANKED)
    table.apply(AskWritten(seat=0, number=1, at_ns=40 * MS))
    record = played([*table.apply(answer(table, 39 * MS, 41 * MS))])
    assert record.timing is not None
    assert (record.timing.think_us, record.timing.lag_us) == (0, 1_000)


def test_an_answer_later_than_its_timer_is_late_though_the_timer_was_not_heard() -> None:
    table = asking_table(BANKED)
    table.apply(AskWritten(seat=0, number=1, at_ns=0))
    outputs = table.apply(answer(table, 160 * MS + 1, 160 * MS + 5))
    (reject,) = of_type(Reject, outputs)
    assert reject.reason is Reason.STALE
    record = played([*outputs])
    assert isinstance(record.event, CardPlayed)
    assert record.event.autoplayed
    assert record.timing is not None
    assert (record.timing.note, record.timing.value_thirds) == ("", None)
    assert record.at_ns == 160 * MS + 5


def test_limit_bank_and_margin_together_are_still_in_time() -> None:
    table = asking_table(BANKED)
    table.apply(AskWritten(seat=0, number=1, at_ns=0))
    record = played([*table.apply(answer(table, 160 * MS))])
    assert isinstance(record.event, CardPlayed)
    assert not record.event.autoplayed


def test_seats_are_told_what_is_left_of_their_bank_rounded_down() -> None:
    clock = Clock(limit_ms=100, bank_ms=50, increment_ms=2)
    slow = at_its(1, answers_after(120 * MS + 1), otherwise=answers_after(103 * MS))
    match = play_in_memory([slow, *[plays_first] * 3], ruleset=FOUR, clock=clock)
    banks = [ask.bank_ns for ask in match.asks(0)]
    assert banks[:4] == [50 * MS, 32 * MS - 1, 31 * MS - 1, 30 * MS - 1]
    asked = [e for e in of_type(DecisionAsked, match.events) if e.seat == 0]
    assert [event.bank_ms for event in asked[:4]] == [50, 31, 30, 29]
    assert {event.limit_ms for event in asked} == {100}
    others = [e.bank_ms for e in of_type(DecisionAsked, match.events) if e.seat == 1]
    assert others[:3] == [50, 52, 54], "the increment comes after each own decision"


def test_a_late_decision_empties_the_bank_and_no_bank_is_negative() -> None:
    match = play_in_memory([at_its(1, stalls), *[plays_first] * 3], ruleset=FOUR, clock=BANKED)
    assert [ask.bank_ns for ask in match.asks(0)][:3] == [50 * MS, 0, 0]
    assert of_type(Late, match.news(0)) == [Late(limit_ms=150, think_ms=160)]
    assert match.faults == [(FaultKind.LATE, 0)]


def test_the_next_question_is_logged_at_the_latest_moment_of_the_answer() -> None:
    table = asking_table(BANKED)
    table.apply(AskWritten(seat=0, number=1, at_ns=0))
    outputs = table.apply(answer(table, 10, 900))
    assert {record.at_ns for record in of_type(Record, outputs)} == {900}
    assert of_type(Ask, outputs)[0].number == 2


def test_a_timer_heard_late_is_judged_by_when_it_was_heard() -> None:
    table = asking_table(BANKED)
    table.apply(AskWritten(seat=0, number=1, at_ns=0))
    timer = Timer(kind=TimerKind.ANSWER, seat=0, number=1)
    record = played([*table.apply(TimerFired(timer=timer, at_ns=170 * MS))])
    assert record.timing is not None
    assert record.timing.think_us == 170_000


def test_a_write_reported_twice_starts_the_clock_once() -> None:
    table = asking_table(BANKED)
    table.apply(AskWritten(seat=0, number=1, at_ns=0))
    assert table.apply(AskWritten(seat=0, number=1, at_ns=50 * MS)) == []
    record = played([*table.apply(answer(table, 60 * MS))])
    assert record.timing is not None
    assert record.timing.think_us == 60_000


def test_lag_is_counted_from_the_question_on() -> None:
    """A stall that began before the question was written says nothing of the bot's answer."""
    table = asking_table(BANKED)
    table.apply(AskWritten(seat=0, number=1, at_ns=5 * MS))
    record = played([*table.apply(answer(table, 1 * MS, 5 * MS + 300_000))])
    assert record.timing is not None
    assert (record.timing.think_us, record.timing.lag_us) == (0, 300)
