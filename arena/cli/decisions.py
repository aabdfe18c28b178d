"""What a bot was asked in a match and what it answered, a decision at a time.

Owns the telling for ``arena match --trace``, and of the cards that the referee played. Must not
show other hands than the one that was asked.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from arena.record.read import MatchRecord
from arena.referee.events import AnswerRejected, AnswerTiming, DecisionAsked, Fault, LogEvent
from arena.rules.cards import Card
from arena.rules.events import CardDrawn, CardPlayed, DealStarted, TrickWon


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """One decision: what the seat saw, what was said against its answers, what was played."""

    deal: int
    trick: int
    seat: int
    hand: tuple[Card, ...]
    table: tuple[Card, ...]
    legal: tuple[Card, ...]
    limit_ms: int
    objections: tuple[str, ...]
    """Faults and refused messages between question and card."""
    card: Card
    is_autoplayed: bool
    timing: AnswerTiming | None

    def __str__(self) -> str:
        """Tell it in one line."""
        table = _names(self.table) or "nothing"
        think = "" if self.timing is None else f" after {_thought(self.timing)}"
        said = f" and says {self.timing.signal.value}" if self.timing and self.timing.signal else ""
        who = "the referee plays" if self.is_autoplayed else "answers"
        objections = "".join(f"; {objection}" for objection in self.objections)
        return (
            f"deal {self.deal}, trick {self.trick}, seat {self.seat}: hand {_names(self.hand)}; "
            f"on the table {table}; legal {_names(self.legal)}; {self.limit_ms} ms"
            f"{objections}; {who} {self.card}{said}{think}"
        )


class DecisionReader:
    """Makes decisions of a match's records as they come."""

    def __init__(self, seats: Collection[int]) -> None:
        """Take the seats whose decisions are told."""
        self._seats = seats
        self._hands: list[set[Card]] = []
        self._table: list[Card] = []
        self._deal = self._trick = 0
        self._asked: dict[int, DecisionAsked] = {}
        self._objections: list[str] = []

    def take(self, event: LogEvent, timing: AnswerTiming | None) -> Decided | None:
        """Take the next event; give the decision that it ends, if it ends one of these seats."""
        match event:
            case DealStarted() as dealt:
                self._deal, self._trick = dealt.deal, 1
                self._hands, self._table = [set(hand) for hand in dealt.hands], []
            case DecisionAsked() as question:
                self._asked[question.seat] = question
                self._objections = []
            case Fault() as fault if fault.seat in self._asked:
                self._objections.append(f"fault {fault.kind.value}: {fault.detail}")
            case AnswerRejected() as refused if refused.seat in self._asked:
                self._objections.append(f"refused: {refused.reason.value}")
            case CardPlayed() as played:
                return self._play(played, timing)
            case CardDrawn() as drawn if drawn.card is not None:
                self._hands[drawn.seat].add(drawn.card)
            case TrickWon():
                self._trick, self._table = self._trick + 1, []
            case _:
                pass
        return None

    def _play(self, played: CardPlayed, timing: AnswerTiming | None) -> Decided | None:
        answered = self._asked.pop(played.seat, None)
        hand, table = self._hands[played.seat], tuple(self._table)
        decided = None
        if answered is not None and played.seat in self._seats:
            decided = Decided(
                deal=self._deal,
                trick=self._trick,
                seat=played.seat,
                hand=tuple(sorted(hand)),
                table=table,
                legal=answered.legal,
                limit_ms=answered.limit_ms,
                objections=tuple(self._objections),
                card=played.card,
                is_autoplayed=played.autoplayed,
                timing=timing,
            )
        hand.discard(played.card)
        self._table.append(played.card)
        return decided


def decisions(record: MatchRecord, seats: Collection[int]) -> Iterator[Decided]:
    """Give the decisions of these seats in the order in which they were answered."""
    reader = DecisionReader(seats)
    for line in record.records():
        decided = reader.take(line.event, line.timing)
        if decided is not None:
            yield decided


def _thought(timing: AnswerTiming) -> str:
    """Say how long an answer took: a span where its arrival is known to an interval only."""
    least, most = timing.think_us / 1000, (timing.think_us + timing.lag_us) / 1000
    return f"{least:.1f} ms" if f"{least:.1f}" == f"{most:.1f}" else f"{least:.1f} to {most:.1f} ms"


def _names(cards: Collection[Card]) -> str:
    return " ".join(card.name for card in cards)
