"""The in-memory driver is a trustworthy helper: in order, in time, never stuck."""

import pytest

from arena.referee.clock import MS, Clock
from arena.referee.faults import FaultKind, TerminationKind
from arena.referee.messages import Answered, Begin, BotReady, TimerFired
from arena.rules.events import CardPlayed
from arena.rules.presets import PRESETS
from arena.testing.in_memory import InMemory, of_type, open_table, play_in_memory
from arena.testing.memory_bots import (
    answers_after,
    at_its,
    crashes,
    plays_at_random,
    plays_first,
    stalls,
    when_bound,
)

FOUR = PRESETS["gamelake-4"]


def test_a_whole_match_is_played_in_one_line() -> None:
    match = play_in_memory([plays_first] * 4, ruleset=FOUR, boards=2)
    assert match.ended.termination.kind is TerminationKind.COMPLETED
    assert match.closed.totals == match.ended.totals
    assert len(of_type(CardPlayed, match.events)) == 80
    assert match.outputs == [output for step in match.steps for output in step.outputs]


def test_time_jumps_from_one_thing_that_happens_to_the_next() -> None:
    match = play_in_memory([answers_after(7 * MS)] * 4, ruleset=FOUR)
    cards = [record for record in match.records if isinstance(record.event, CardPlayed)]
    assert [record.at_ns for record in cards] == [MS + 7 * MS * n for n in range(1, 41)]


def test_a_message_comes_before_a_timer_of_the_same_moment() -> None:
    clock = Clock(limit_ms=5, margin_ms=1)
    match = play_in_memory([answers_after(6 * MS)] * 4, ruleset=FOUR, clock=clock)
    assert match.faults == []
    fired = [step for step in match.steps if isinstance(step.input, TimerFired)]
    assert fired == []


def test_random_bots_play_the_same_again() -> None:
    def play() -> list[object]:
        return [*play_in_memory([plays_at_random(s) for s in range(4)], ruleset=FOUR).outputs]

    assert play() == play()


def test_misbehaviour_happens_when_it_is_asked_for() -> None:
    third = play_in_memory([at_its(3, crashes), *[plays_first] * 3], ruleset=FOUR)
    assert third.faults == [(FaultKind.CRASHED, 0)]
    assert len(third.asks(0)) == 3
    bound = play_in_memory([plays_first, when_bound(crashes), *[plays_first] * 2], ruleset=FOUR)
    ask = bound.asks(1)[-1]
    assert len(ask.question.legal) < len(ask.observation.hand)


def test_a_table_that_nothing_wakes_is_reported() -> None:
    driver = InMemory(open_table(ruleset=FOUR), [stalls] * 4)
    with pytest.raises(AssertionError, match="nothing wakes a table"):
        driver.run()


def test_a_match_that_is_not_over_has_no_end() -> None:
    driver = InMemory(open_table(ruleset=FOUR), [stalls] * 4)
    driver.apply(Begin(at_ns=0))
    with pytest.raises(AssertionError, match="closed 0 times"):
        _ = driver.match.closed
    with pytest.raises(AssertionError, match="not over"):
        _ = driver.match.ended


def test_a_test_can_bring_inputs_of_its_own() -> None:
    driver = InMemory(open_table(ruleset=FOUR), [plays_first] * 4)
    driver.apply(Begin(at_ns=0))
    for seat in range(4):
        driver.schedule(BotReady(seat=seat, at_ns=5), 5)
    match = driver.run()
    assert match.ended.termination.kind is TerminationKind.COMPLETED
    assert sum(isinstance(step.input, Answered) for step in match.steps) == 40


def test_every_seat_needs_a_bot() -> None:
    with pytest.raises(AssertionError, match="3 bots at a table of 4 seats"):
        play_in_memory([plays_first] * 3, ruleset=FOUR)
