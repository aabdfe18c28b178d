"""What a seat is asked and what it answers.

Owns the values that go between a seat and the rules. Must not know ids, clocks or wire.
Source: protocol.md (Decision, Answer); rules.md §2-4.
"""

from enum import StrEnum

from arena.errors import RulesError
from arena.rules.cards import Card
from arena.rules.events import Claim
from arena.rules.options import Signal
from arena.rules.values import value


class QuestionKind(StrEnum):
    """What is asked; an auction's questions will stand beside this one."""

    CARD = "card"


@value
class Question:
    """A question to one seat with its legal answers.

    ``legal`` never lists a card that would be a revoke. ``declarable`` lists the true
    claims that this seat may make with this card, each combination at its full value: all
    of them together are accepted, unless ``decl_overlap`` is off. ``signals_allowed`` lists
    the words it may say with it (a false one is an infraction where truth is checked).
    """

    seat: int
    kind: QuestionKind
    legal: tuple[Card, ...]
    declarable: tuple[Claim, ...] = ()
    signals_allowed: tuple[Signal, ...] = ()


@value
class Answer:
    """A seat's answer: a card, at most one word, and claims in the order they are made."""

    card: Card
    signal: Signal | None = None
    declarations: tuple[Claim, ...] = ()


class BadAnswerKind(StrEnum):
    """Why an answer cannot stand at all (the names of the wire's ErrorReason)."""

    CARD_NOT_HELD = "card_not_held"
    ILLEGAL_CARD = "illegal_card"
    BAD_DECLARATION = "bad_declaration"
    BAD_SIGNAL = "bad_signal"


class BadAnswer(RulesError):
    """An answer that is refused as a whole; nothing changed."""

    def __init__(
        self, kind: BadAnswerKind, message: str, *, allowed: tuple[Card, ...] = ()
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.allowed = allowed
