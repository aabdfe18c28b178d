"""Late, illegal, repeated and stale answers (walks 2 and 3 of protocol.md)."""

from collections.abc import Sequence

import pytest

from arena.referee.clock import MS
from arena.referee.events import (
    AnswerRejected,
    Fault,
    Late,
)
from arena.referee.faults import FaultKind, Reason, TerminationKind
from arena.referee.messages import Ask
from arena.rules.events import (
    CardPlayed,
)
from arena.rules.presets import PRESETS
from arena.testing.in_memory import of_type, play_in_memory
from arena.testing.memory_bots import (
    Act,
    Reply,
    answers_after,
    answers_twice,
    at_its,
    breaks_suit,
    changes_its_mind,
    insists,
    plays_first,
    plays_unheld,
    when_bound,
)

FOUR = PRESETS["gamelake-4"]


# --- 2. late --------------------------------------------------------------------------


def test_a_late_seat_is_played_for_and_told_alone() -> None:
    late = at_its(2, answers_after(1_011 * MS))
    match = play_in_memory([plays_first, late, plays_first, plays_first], ruleset=FOUR)
    (ruled,) = [event for event in of_type(CardPlayed, match.events) if event.autoplayed]
    assert ruled.seat == 1
    assert match.faults == [(FaultKind.LATE, 1)]
    (fault,) = of_type(Fault, match.events)
    assert fault.detail.startswith("thought 1010 ms; allowed were 1000 ms")
    asks = match.asks(1)
    told = list(asks[2].news)
    assert told[:2] == [Late(limit_ms=1_000, think_ms=1_010), ruled]
    for seat in (0, 2, 3):
        assert ruled in match.news(seat), "a public ruling"
        assert of_type(Late, match.news(seat)) == []
    (reject,) = match.rejects(1)
    assert (reject.reason, reject.number) == (Reason.STALE, asks[1].number)
    assert match.ended.termination.kind is TerminationKind.COMPLETED
    (record,) = [record for record in match.records if record.event is ruled]
    assert record.timing is not None
    assert record.timing.think_us == 1_010_000


def test_an_overdue_answer_is_stale_however_late_and_no_second_fault() -> None:
    late = at_its(1, answers_after(1_030 * MS))
    match = play_in_memory([late, *[answers_after(5 * MS)] * 3], ruleset=FOUR)
    assert [reject.reason for reject in match.rejects(0)] == [Reason.STALE]
    assert match.faults == [(FaultKind.LATE, 0)]
    assert of_type(AnswerRejected, match.events) == [
        AnswerRejected(seat=0, reason=Reason.STALE, size=0)
    ]


# --- 3. illegal card ------------------------------------------------------------------


def test_an_illegal_card_is_refused_and_the_clock_runs_on() -> None:
    bad = when_bound(insists(breaks_suit, 2))
    match = play_in_memory([plays_first, bad, plays_first, plays_first], ruleset=FOUR)
    refused = match.rejects(1)
    assert [reject.reason for reject in refused] == [Reason.ILLEGAL_CARD] * 2
    (ask,) = [ask for ask in match.asks(1) if ask.number == refused[0].number]
    assert refused[0].allowed == ask.question.legal
    assert match.faults == [(FaultKind.ILLEGAL, 1)], "together one fault"
    (played,) = [
        record
        for record in match.records
        if isinstance(record.event, CardPlayed)
        and record.timing is not None
        and record.timing.think_us == 3_000
    ]
    assert played.event == CardPlayed(seat=1, card=ask.question.legal[0])


def test_after_three_illegal_cards_the_referee_plays() -> None:
    bad = when_bound(insists(breaks_suit, 3))
    match = play_in_memory([plays_first, bad, plays_first, plays_first], ruleset=FOUR)
    assert [reject.reason for reject in match.rejects(1)] == [
        *[Reason.ILLEGAL_CARD] * 3,
        Reason.STALE,
    ]
    assert match.faults == [(FaultKind.ILLEGAL, 1)]
    (ruled,) = [event for event in of_type(CardPlayed, match.events) if event.autoplayed]
    assert ruled.seat == 1
    assert of_type(Late, match.news(1)) == []
    (record,) = [record for record in match.records if record.event is ruled]
    assert record.timing is not None
    assert record.timing.think_us == 3_000


@pytest.mark.parametrize("name", ["gamelake-4", "italian-tournament"])
def test_a_card_not_held_is_always_refused(name: str) -> None:
    bad = at_its(1, insists(plays_unheld, 1))
    match = play_in_memory([bad, *[plays_first] * 3], ruleset=PRESETS[name])
    (reject,) = match.rejects(0)
    assert reject.reason is Reason.CARD_NOT_HELD
    assert reject.allowed == match.asks(0)[0].question.legal
    assert match.faults == [(FaultKind.NOT_HELD, 0)]


def test_a_refused_card_is_shown_to_nobody_else() -> None:
    bad = when_bound(insists(breaks_suit, 2))
    good = [plays_first] * 4
    honest = play_in_memory(good, ruleset=FOUR)
    refused = play_in_memory([good[0], bad, *good[2:]], ruleset=FOUR)
    for seat in (0, 2, 3):
        assert refused.sent(seat) == honest.sent(seat)


# --- answers to other decisions (rules of the wire, 3) --------------------------------


def test_the_same_answer_twice_is_harmless_and_silent() -> None:
    once = play_in_memory([plays_first] * 4, ruleset=FOUR)
    twice = play_in_memory([answers_twice, *[plays_first] * 3], ruleset=FOUR)
    assert twice.rejects(0) == []
    assert twice.events == once.events


def test_another_answer_to_an_answered_decision_is_refused_without_a_fault() -> None:
    match = play_in_memory([at_its(1, changes_its_mind), *[plays_first] * 3], ruleset=FOUR)
    (reject,) = match.rejects(0)
    assert (reject.reason, reject.number) == (Reason.ALREADY_ANSWERED, 1)
    assert match.faults == []
    assert match.ended.termination.kind is TerminationKind.COMPLETED


@pytest.mark.parametrize("number", [0, -1, 2, 99])
def test_a_decision_never_put_to_the_seat_is_unknown(number: int) -> None:
    """Number 2 is put to seat 1 in the same trick."""

    def guesses(ask: Ask) -> Sequence[Act]:
        answer = plays_first(ask)
        return (
            Reply(answer=answer, number=number),
            Reply(answer=answer, think_ns=2 * MS),
            Reply(answer=answer, number=number, think_ns=4 * MS),
        )

    match = play_in_memory([at_its(1, guesses), *[plays_first] * 3], ruleset=FOUR)
    refused = match.rejects(0)
    assert [reject.reason for reject in refused] == [Reason.UNKNOWN_DECISION] * 2
    assert match.faults == [(FaultKind.UNSOLICITED, 0)] * 2
