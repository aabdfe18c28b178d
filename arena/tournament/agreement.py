"""Agreement: how often a bot answers as the log has it, over many matches.

Owns which answers are compared, the phases of a deal, and the shares with their intervals.
Must not know how bots are asked (:mod:`arena.tournament.asking`) nor how a table is printed.
Source: issue "The record" (``arena ask`` over an event).
"""

from collections import Counter, defaultdict
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from arena.record.paths import parse_match_id
from arena.record.retelling import Put
from arena.rules.cards import Card
from arena.rules.events import DealStarted
from arena.tournament.asking import Asked, Line, Said
from arena.tournament.statistics import GroupValue, Interval, share_interval

_STAGE_BOARDS = 2**32
"""More boards than a stage can have: stage and board as one number."""
_THIRDS = 3


class Phase(StrEnum):
    """Which third of a deal's tricks a decision is in."""

    OPENING = "opening"
    MIDDLE = "middle"
    END = "end"


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """How often the same was played, of decisions that were one.

    Decisions with one legal card, and those that the referee answered in the log, are left
    out. ``same_value`` counts cards worth as many thirds, the same card included. Intervals
    are of 95 %, with boards as the units of chance; None with fewer than two boards.
    """

    decisions: int
    same_card: int
    same_value: int
    interval: Interval | None
    """Of the share of the same card."""
    value_interval: Interval | None


class Agreements:
    """Counts answers as they come in."""

    def __init__(self) -> None:
        self.askings = 0
        self.forced = 0
        """Decisions with one legal card."""
        self.unanswered = 0
        """Decisions that no bot answered in the log."""
        self.refused = 0
        """Answers that would be refused here: no card, or none that is legal."""
        self.others: Counter[tuple[Card, Card]] = Counter()
        """Cards where another one was played: logged, said."""
        self._same: defaultdict[Phase, list[GroupValue]] = defaultdict(list)
        self._worth: defaultdict[Phase, list[GroupValue]] = defaultdict(list)

    def take(self, line: Line, asked: Asked) -> None:
        """Count one asking."""
        self.askings += 1
        boards = _boards(line)
        for said in asked.answers:
            self._count(line, said, boards[said.put.ask.observation.deal])

    def of(self, *phases: Phase) -> Agreement:
        """Give what was counted in these phases; without any, in all."""
        wanted = phases or tuple(Phase)
        same = [value for phase in wanted for value in self._same[phase]]
        worth = [value for phase in wanted for value in self._worth[phase]]
        return Agreement(
            decisions=len(same),
            same_card=sum(value.value == 1 for value in same),
            same_value=sum(value.value == 1 for value in worth),
            interval=share_interval(same),
            value_interval=share_interval(worth),
        )

    def _count(self, line: Line, said: Said, board: int) -> None:
        put = said.put
        if len(put.ask.question.legal) == 1:
            self.forced += 1
            return
        if put.given is None or put.given.answer is None:
            self.unanswered += 1
            return
        logged = put.given.answer.card
        card = None if said.answer is None else said.answer.answer.card
        if card not in put.ask.question.legal:
            self.refused += 1
            card = None
        is_worth_it = card is not None and card.thirds == logged.thirds
        if card is not None and card != logged:
            self.others[logged, card] += 1
        phase = _phase(put, line.record.header.ruleset.tricks)
        self._same[phase].append(GroupValue(cluster=board, value=Fraction(card == logged)))
        self._worth[phase].append(GroupValue(cluster=board, value=Fraction(is_worth_it)))


def _boards(line: Line) -> dict[int, int]:
    """Number the board of each deal of a match, apart from those of other stages."""
    stage = parse_match_id(line.record.header.match).stage
    return {
        one.event.deal: stage * _STAGE_BOARDS + one.event.board
        for one in line.record.lines
        if isinstance(one.event, DealStarted)
    }


def _phase(put: Put, tricks: int) -> Phase:
    done = len(put.ask.observation.trick_leaders)
    return tuple(Phase)[min(done, tricks - 1) * _THIRDS // tricks]
