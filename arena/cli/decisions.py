"""What a bot was asked in a match and what it answered, a decision at a time, from the log.

Owns the telling for ``arena match --trace``, and of the cards that the referee played. Must not
show other hands than the one that was asked.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from arena.record.read import MatchRecord
from arena.referee.events import AnswerRejected, AnswerTiming, DecisionAsked, Fault
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
        think = f" after {self.timing.think_us / 1000:.1f} ms" if self.timing is not None else ""
        said = f" and says {self.timing.signal.value}" if self.timing and self.timing.signal else ""
        who = "the referee plays" if self.is_autoplayed else "answers"
        objections = "".join(f"; {objection}" for objection in self.objections)
        return (
            f"deal {self.deal}, trick {self.trick}, seat {self.seat}: hand {_names(self.hand)}; "
            f"on the table {table}; legal {_names(self.legal)}; {self.limit_ms} ms"
            f"{objections}; {who} {self.card}{said}{think}"
        )


def decisions(record: MatchRecord, seats: Collection[int]) -> Iterator[Decided]:
    """Give the decisions of these seats in the order in which they were answered."""
    hands: list[set[Card]] = []
    table: list[Card] = []
    deal = trick = 0
    asked: dict[int, DecisionAsked] = {}
    objections: list[str] = []
    for line in record.records():
        match line.event:
            case DealStarted() as dealt:
                deal, trick = dealt.deal, 1
                hands, table = [set(hand) for hand in dealt.hands], []
            case DecisionAsked() as question:
                asked[question.seat] = question
                objections = []
            case Fault() as fault if fault.seat in asked:
                objections.append(f"fault {fault.kind.value}: {fault.detail}")
            case AnswerRejected() as refused if refused.seat in asked:
                objections.append(f"refused: {refused.reason.value}")
            case CardPlayed() as played:
                answered = asked.pop(played.seat, None)
                if answered is not None and played.seat in seats:
                    yield Decided(
                        deal=deal,
                        trick=trick,
                        seat=played.seat,
                        hand=tuple(sorted(hands[played.seat])),
                        table=tuple(table),
                        legal=answered.legal,
                        limit_ms=answered.limit_ms,
                        objections=tuple(objections),
                        card=played.card,
                        is_autoplayed=played.autoplayed,
                        timing=line.timing,
                    )
                hands[played.seat].discard(played.card)
                table.append(played.card)
            case CardDrawn() as drawn if drawn.card is not None:
                hands[drawn.seat].add(drawn.card)
            case TrickWon():
                trick, table = trick + 1, []
            case _:
                pass


def _names(cards: Collection[Card]) -> str:
    return " ".join(card.name for card in cards)
