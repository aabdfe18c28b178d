"""Agreement counts the decisions that were one, by phase, with boards as units of chance."""

from collections.abc import Callable
from pathlib import Path

import pytest

from arena.record.read import read_log
from arena.record.retelling import Put
from arena.rules.cards import Card
from arena.rules.events import DealScored, DealStarted
from arena.rules.question import Answer
from arena.tournament.agreement import Agreements, Phase
from arena.tournament.asking import Asked, Line, Said, lines_of
from arena.wire.said import AnswerSaid
from tests.record.make_golden import GOLDENS

LOG = GOLDENS / "pagat-4.completed.jsonl"
LATE = GOLDENS / "pagat-4.late.jsonl"


def logged(put: Put) -> Card | None:
    return None if put.given is None or put.given.answer is None else put.given.answer.card


def other(put: Put) -> Card | None:
    """Give a legal card of another worth than the logged one, if there is any."""
    card = logged(put)
    fit = [one for one in put.ask.question.legal if card and one.thirds != card.thirds]
    return fit[0] if fit else card


def alike(put: Put) -> Card | None:
    """Give another legal card of the same worth, if there is any."""
    card = logged(put)
    fit = [one for one in put.ask.question.legal if card and one.thirds == card.thirds]
    return next((one for one in fit if one != card), card)


def asked(line: Line, says: Callable[[Put], Card | None]) -> Asked:
    puts = [one for one in line.told if isinstance(one, Put)]
    return Asked(
        answers=tuple(
            Said(
                put=put,
                answer=None if (card := says(put)) is None else said(card),
                refusal="" if card else "malformed",
                think_us=1,
            )
            for put in puts
        )
    )


def said(card: Card) -> AnswerSaid:
    return AnswerSaid(decision_id=1, answer=Answer(card=card), value_thirds=None, note="", size=9)


def counted(says: Callable[[Put], Card | None], log: Path = LOG) -> Agreements:
    record = read_log(log)
    agreements = Agreements()
    for entrant in dict.fromkeys(seat.entrant for seat in record.header.seats):
        for line in lines_of(record, entrant):
            agreements.take(line, asked(line, says))
    return agreements


def test_the_logged_cards_agree_in_every_phase() -> None:
    agreements = counted(logged)
    deals = sum(isinstance(line.event, DealScored) for line in read_log(LOG).lines)
    whole = agreements.of()
    assert whole.decisions + agreements.forced == deals * 40
    assert whole.same_card == whole.same_value == whole.decisions
    by_phase = [agreements.of(phase) for phase in Phase]
    assert all(one.decisions for one in by_phase)
    assert sum(one.decisions for one in by_phase) == whole.decisions
    assert not agreements.others


def test_cards_of_the_same_worth_are_the_same_value_and_no_others() -> None:
    same, worth, neither = counted(logged).of(), counted(alike).of(), counted(other).of()
    assert worth.same_card < same.same_card
    assert worth.same_value == worth.decisions
    assert neither.same_card == neither.same_value < same.same_card
    assert sum(counted(other).others.values()) == neither.decisions - neither.same_card


def test_what_is_refused_agrees_with_nothing() -> None:
    agreements = counted(lambda _: None)
    whole = agreements.of()
    assert agreements.refused == whole.decisions
    assert (whole.same_card, whole.same_value) == (0, 0)


def test_what_no_bot_answered_in_the_log_is_left_out() -> None:
    agreements = counted(lambda put: put.ask.question.legal[0], LATE)
    assert agreements.unanswered > 0


@pytest.mark.parametrize("says", [logged, other])
def test_boards_are_the_units_of_chance(says: Callable[[Put], Card | None]) -> None:
    agreements = counted(says)
    events = [line.event for line in read_log(LOG).lines]
    boards = {event.board for event in events if isinstance(event, DealStarted)}
    found = agreements.of().interval
    assert (found is None) == (len(boards) < 2)
    if found is not None:
        assert found.clusters == len(boards)
        assert 0 <= found.low <= found.mean <= found.high <= 1
        assert found.low < found.high
