"""Closed sets as numbers of the wire, both ways.

Owns the correspondence between the enums of rules and referee and those of ``arena.v1``:
the proto name is the set's prefix and the value's text. Cards need none: their numbers are
the wire's. Must not know messages.
"""

from collections.abc import Iterable
from enum import Enum, IntEnum
from typing import TYPE_CHECKING, Final, Generic, TypeVar, cast

from arena.errors import ProtocolViolation
from arena.referee.faults import Culprit, Reason, TerminationKind
from arena.rules import options
from arena.rules.cards import CARDS, Card, Rank, Suit
from arena.rules.events import ClaimKind, InfractionKind, RefusalReason, SpecifiedBy
from arena.v1 import cards_pb2, match_pb2, play_pb2, ruleset_pb2, seat_pb2
from arena.wire.terms import GoodbyeReason, Resumed

if TYPE_CHECKING:
    from google.protobuf.internal.enum_type_wrapper import _EnumTypeWrapper

E = TypeVar("E", bound=Enum)
N = TypeVar("N", bound=int)


class WireEnum(Generic[E, N]):
    """One closed set: ``number`` maps a value to the wire, ``member`` a number back."""

    __slots__ = ("_name", "member", "number")

    def __init__(self, members: type[E], wire: "_EnumTypeWrapper[N]", prefix: str) -> None:
        """Pair every member with the number of the same name.

        Raises:
            AssertionError: The two sets are not the same: a bug, found at import.
        """
        numbers = {
            name.removeprefix(prefix).lower(): number
            for name, number in wire.items()
            if number != 0
        }
        texts = {_text(member): member for member in members}
        if texts.keys() != numbers.keys():
            raise AssertionError(f"{members.__name__} and {prefix}* are not the same set")
        self._name = members.__name__
        self.number: Final[dict[E, N]] = {texts[text]: numbers[text] for text in texts}
        self.member: Final[dict[int, E]] = {n: member for member, n in self.number.items()}

    def decode(self, number: int) -> E:
        """Return the value that a number of the wire stands for.

        Raises:
            ProtocolViolation: No value has this number.
        """
        member = self.member.get(number)
        if member is None:
            raise ProtocolViolation(
                f"{self._name} has no value with the number {number}; "
                f"known are 1 to {len(self.member)}"
            )
        return member

    def optional(self, number: int) -> E | None:
        """Return the value that a number stands for; 0 is none.

        Raises:
            ProtocolViolation: No value has this number.
        """
        return self.decode(number) if number else None


def _text(member: Enum) -> str:
    return member.name.lower() if isinstance(member, IntEnum) else str(member.value)


SUITS: Final = WireEnum(Suit, cards_pb2.Suit, "SUIT_")
RANKS: Final = WireEnum(Rank, cards_pb2.Rank, "RANK_")
SIGNALS: Final = WireEnum(options.Signal, ruleset_pb2.Signal, "SIGNAL_")
CLAIM_KINDS: Final = WireEnum(ClaimKind, seat_pb2.ClaimKind, "CLAIM_KIND_")
SPECIFIED_BY: Final = WireEnum(SpecifiedBy, seat_pb2.SpecifiedBy, "SPECIFIED_BY_")
REFUSAL_REASONS: Final = WireEnum(RefusalReason, seat_pb2.RefusalReason, "REFUSAL_REASON_")
INFRACTION_KINDS: Final = WireEnum(InfractionKind, seat_pb2.InfractionKind, "INFRACTION_KIND_")
REASONS: Final = WireEnum(Reason, match_pb2.ErrorReason, "ERROR_REASON_")
CULPRITS: Final = WireEnum(Culprit, match_pb2.Culprit, "CULPRIT_")
TERMINATIONS: Final = WireEnum(TerminationKind, match_pb2.TerminationKind, "TERMINATION_KIND_")
RESUMED: Final = WireEnum(Resumed, play_pb2.Resumed, "RESUMED_")
GOODBYES: Final = WireEnum(GoodbyeReason, play_pb2.GoodbyeReason, "GOODBYE_REASON_")

CARD_NUMBERS: Final = (cards_pb2.CARD_UNSPECIFIED, *map(cards_pb2.Card.ValueType, CARDS))
"""The wire's number of a card, indexed by the card."""

_CARD_OF: Final = dict(enumerate(CARDS, start=1))


def encode_cards(cards: Iterable[Card]) -> "Iterable[cards_pb2.Card.ValueType]":
    """Give cards as what a repeated field takes: they are their own numbers."""
    return cast("Iterable[cards_pb2.Card.ValueType]", cards)


def decode_card(number: int) -> Card:
    """Return the card with a number of the wire.

    Raises:
        ProtocolViolation: No card has this number.
    """
    card = _CARD_OF.get(number)
    if card is None:
        raise ProtocolViolation(f"no card has the number {number}; cards are 1 (D4) to 40 (B3)")
    return card


def decode_cards(numbers: Iterable[int]) -> tuple[Card, ...]:
    """Return the cards with these numbers, in their order.

    Raises:
        ProtocolViolation: No card has one of the numbers.
    """
    return tuple(map(decode_card, numbers))
