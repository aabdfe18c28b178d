"""A trace is printed while a match is played, and costs no bot its time."""

import threading

import trio
import trio.testing
import typer

from arena.cli.trace import MOST_WAITING, Trace
from arena.referee.events import AnswerTiming, DecisionAsked
from arena.referee.messages import Record
from arena.rules.cards import Card
from arena.rules.events import CardPlayed, DealStarted, TrickWon
from arena.rules.question import QuestionKind
from arena.tournament.schedule import MatchPlan

PLAN = MatchPlan(
    stage=1, round=1, pairing=1, orientation=0, slice=1, seats=(0, 1), first_board=1, boards=1
)
HANDS = ((Card.D4, Card.D5), (Card.C4, Card.C5))


def deal_records() -> list[Record]:
    """Give the records of a deal of two seats and two tricks, which seat 0 leads."""
    deal = DealStarted(deal=1, board=1, dealer=1, leader=0, hands=HANDS, stock=())
    records = [Record(event=deal, at_ns=0)]
    for trick in range(2):
        for seat in range(2):
            left = HANDS[seat][trick:]
            question = DecisionAsked(
                seat=seat, kind=QuestionKind.CARD, legal=left, limit_ms=1000, bank_ms=0
            )
            timing = AnswerTiming(think_us=2000, lag_us=0)
            played = CardPlayed(seat=seat, card=left[0])
            records += [
                Record(event=question, at_ns=0),
                Record(event=played, at_ns=0, timing=timing),
            ]
        records.append(Record(event=TrickWon(seat=0, thirds=0), at_ns=0))
    return records


async def test_a_decision_is_printed_while_others_are_still_to_come() -> None:
    printed: list[str] = []
    has_come = trio.Event()
    token = trio.lowlevel.current_trio_token()

    def emit(text: str) -> None:
        printed.append(text)
        token.run_sync_soon(has_come.set)

    trace = Trace(0, "mine", emit)
    records = deal_records()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(trace.print_all)
        for record in records[:3]:  # the deal, the first question, its card
            trace.take(PLAN, record)
        with trio.fail_after(10):
            await has_come.wait()
        assert printed[0] == (
            "\ns1-r1-p1-o0-m1: mine in seats 0\n"
            "deal 1, trick 1, seat 0: hand D4 D5; on the table nothing; legal D4 D5; 1000 ms; "
            "answers D4 after 2.0 ms"
        )
        for record in records[3:]:
            trace.take(PLAN, record)
        trace.end()
    assert "\n".join(printed).count("seat 0: hand") == 2
    assert "seat 1: hand" not in "\n".join(printed)


async def test_what_a_slow_terminal_does_not_take_is_counted() -> None:
    gate = threading.Event()
    printed: list[str] = []

    def emit(text: str) -> None:
        gate.wait(10)
        printed.append(text)

    trace = Trace(0, "mine", emit)
    records = deal_records()
    for record in records[:1]:
        trace.take(PLAN, record)
    for _ in range(MOST_WAITING + 7):
        for record in records[1:3]:
            trace.take(PLAN, record)
    gate.set()
    trace.end()
    await trace.print_all()
    assert "\n".join(printed).count("answers D4") == MOST_WAITING
    assert printed[-1] == "… missing here: 7 decisions; see the log"


async def test_a_reader_that_has_seen_enough_ends_the_trace_and_not_the_match() -> None:
    def emit(_text: str) -> None:
        raise typer.Exit

    trace = Trace(0, "mine", emit)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(trace.print_all)
        for record in deal_records():
            trace.take(PLAN, record)
            await trio.testing.wait_all_tasks_blocked()
        trace.end()
