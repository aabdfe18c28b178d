"""The transition table is whole, and the Table does what it says."""

from itertools import product

import pytest

from arena.referee.faults import FaultKind, Reason, Termination, TerminationKind
from arena.referee.messages import (
    Answered,
    Arrival,
    AskWritten,
    Begin,
    BotGone,
    BotLost,
    BotReady,
    BotReturned,
    CancelTimer,
    Close,
    Input,
    Misfit,
    Reject,
    SetTimer,
    Stop,
    Timer,
    TimerFired,
    TimerKind,
)
from arena.referee.table import Table
from arena.referee.transitions import TRANSITIONS, Act, Phase
from arena.rules.cards import Card
from arena.rules.presets import PRESETS
from arena.rules.question import Answer
from arena.testing.in_memory import open_table

SEATS = 4
ARRIVAL = Arrival(earliest_ns=20, latest_ns=21)

# One input of each type, as it may come in any phase.
SAMPLES: dict[type[Input], Input] = {
    Begin: Begin(at_ns=20),
    BotReady: BotReady(seat=0, at_ns=20),
    AskWritten: AskWritten(seat=0, number=1, at_ns=20),
    Answered: Answered(seat=0, number=1, answer=Answer(card=Card.D4), arrival=ARRIVAL),
    Misfit: Misfit(seat=1, reason=Reason.MALFORMED, message="what?", at_ns=20),
    BotGone: BotGone(seat=2, kind=FaultKind.CRASHED, detail="exit status 1", at_ns=20),
    BotLost: BotLost(seat=3, at_ns=20),
    BotReturned: BotReturned(seat=0, at_ns=20),
    TimerFired: TimerFired(timer=Timer(kind=TimerKind.ANSWER, seat=0, number=1), at_ns=20),
    Stop: Stop(termination=Termination(kind=TerminationKind.ABORTED), at_ns=20),
}
BY_BOTS = {BotReady, Answered, Misfit, BotGone, BotLost, BotReturned}


def table_in(phase: Phase) -> Table:
    """Bring a fresh table to a phase."""
    table = open_table(ruleset=PRESETS["gamelake-4"])
    inputs: dict[Phase, tuple[Input, ...]] = {
        Phase.WAITING_TO_BEGIN: (),
        Phase.GETTING_READY: (Begin(at_ns=0),),
        Phase.ASKED: (Begin(at_ns=0), *(BotReady(seat=s, at_ns=1) for s in range(SEATS))),
        Phase.THINKING: (
            Begin(at_ns=0),
            *(BotReady(seat=s, at_ns=1) for s in range(SEATS)),
            AskWritten(seat=0, number=1, at_ns=2),
        ),
        Phase.OVER: (Begin(at_ns=0), SAMPLES[BotGone]),
    }
    for event in inputs[phase]:
        table.apply(event)
    assert table.phase is phase
    return table


def test_every_phase_has_a_row_for_every_type_of_input() -> None:
    assert set(TRANSITIONS) == set(product(Phase, Input.__args__))


def test_every_act_is_used() -> None:
    assert set(TRANSITIONS.values()) == set(Act)


def test_nothing_a_bot_causes_is_impossible() -> None:
    acts = {act for (_, kind), act in TRANSITIONS.items() if kind in BY_BOTS}
    assert Act.IMPOSSIBLE not in acts


@pytest.mark.parametrize(("phase", "kind"), sorted(TRANSITIONS, key=str))
def test_any_input_in_any_phase_is_survived(phase: Phase, kind: type[Input]) -> None:
    """Impossible inputs raise and change nothing; ignored ones are silent."""
    table = table_in(phase)
    act = TRANSITIONS[phase, kind]
    if act is Act.IMPOSSIBLE:
        with pytest.raises(AssertionError, match=f"cannot come while {phase.name}"):
            table.apply(SAMPLES[kind])
        assert table.phase is phase
        return
    outputs = table.apply(SAMPLES[kind])
    if act is Act.IGNORE:
        assert outputs == []
        assert table.phase is phase
    # Whatever came in, the table is over, waits for a timer, or is owed something.
    closed = any(isinstance(output, Close) for output in outputs)
    assert closed == (table.is_over and phase is not Phase.OVER)


def test_ready_before_the_match_begins_is_kept() -> None:
    table = table_in(Phase.WAITING_TO_BEGIN)
    for seat in range(SEATS - 1):
        assert table.apply(BotReady(seat=seat, at_ns=1)) == []
    outputs = table.apply(Begin(at_ns=2))
    timers = [output.timer.seat for output in outputs if isinstance(output, SetTimer)]
    assert timers == [SEATS - 1]
    table.apply(BotReady(seat=SEATS - 1, at_ns=3))
    assert table.phase is Phase.ASKED


def test_a_match_starts_with_begin_when_all_were_ready_before() -> None:
    table = table_in(Phase.WAITING_TO_BEGIN)
    for seat in range(SEATS):
        table.apply(BotReady(seat=seat, at_ns=1))
    table.apply(Begin(at_ns=2))
    assert table.phase is Phase.ASKED


def test_ready_twice_is_harmless() -> None:
    table = table_in(Phase.GETTING_READY)
    assert table.apply(BotReady(seat=1, at_ns=1))
    assert table.apply(BotReady(seat=1, at_ns=2)) == []


def test_a_start_timer_that_crossed_with_ready_is_ignored() -> None:
    table = table_in(Phase.GETTING_READY)
    table.apply(BotReady(seat=1, at_ns=1))
    fired = TimerFired(timer=Timer(kind=TimerKind.READY, seat=1), at_ns=30_000_000_000)
    assert table.apply(fired) == []


def test_an_answer_timer_that_crossed_with_the_answer_is_ignored() -> None:
    table = table_in(Phase.THINKING)
    card = table.match.deal.legal_cards()[0]
    table.apply(Answered(seat=0, number=1, answer=Answer(card=card), arrival=ARRIVAL))
    table.apply(AskWritten(seat=1, number=2, at_ns=30))
    assert table.apply(SAMPLES[TimerFired]) == []
    assert table.phase is Phase.THINKING


def test_the_write_of_a_decision_that_is_over_starts_no_clock() -> None:
    table = table_in(Phase.ASKED)
    card = table.match.deal.legal_cards()[0]
    table.apply(Answered(seat=0, number=1, answer=Answer(card=card), arrival=ARRIVAL))
    assert table.apply(AskWritten(seat=0, number=1, at_ns=30)) == []
    assert table.phase is Phase.ASKED


def test_an_answer_before_anything_was_asked_is_refused() -> None:
    for phase in (Phase.WAITING_TO_BEGIN, Phase.GETTING_READY):
        outputs = table_in(phase).apply(SAMPLES[Answered])
        rejects = [output for output in outputs if isinstance(output, Reject)]
        assert [reject.reason for reject in rejects] == [Reason.UNKNOWN_DECISION]


def test_nobody_can_answer_for_another_seat() -> None:
    table = table_in(Phase.THINKING)
    card = table.match.deal.legal_cards()[0]
    outputs = table.apply(Answered(seat=1, number=1, answer=Answer(card=card), arrival=ARRIVAL))
    rejects = [output for output in outputs if isinstance(output, Reject)]
    assert [(r.seat, r.reason) for r in rejects] == [(1, Reason.UNKNOWN_DECISION)]
    assert table.phase is Phase.THINKING
    assert table.match.deal.legal_cards()[0] is card


def test_the_end_cancels_every_timer_that_runs() -> None:
    getting_ready = table_in(Phase.GETTING_READY)
    getting_ready.apply(BotReady(seat=3, at_ns=1))
    cancelled = [o.timer for o in getting_ready.apply(SAMPLES[Stop]) if isinstance(o, CancelTimer)]
    assert cancelled == [Timer(kind=TimerKind.READY, seat=seat) for seat in (0, 1, 2)]
    thinking = table_in(Phase.THINKING)
    cancelled = [o.timer for o in thinking.apply(SAMPLES[Stop]) if isinstance(o, CancelTimer)]
    assert cancelled == [Timer(kind=TimerKind.ANSWER, seat=0, number=1)]


def test_a_bot_cannot_be_gone_by_a_fault_that_ends_nothing() -> None:
    table = table_in(Phase.ASKED)
    with pytest.raises(AssertionError, match="late is no way to leave a table"):
        table.apply(BotGone(seat=0, kind=FaultKind.LATE, detail="", at_ns=20))
