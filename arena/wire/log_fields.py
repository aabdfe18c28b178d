"""Fields of a flat log line, one kind of value each.

Owns what each kind of value looks like in a log and in which words a wrong one is
refused: every function raises LogCorrupt for it. Must not know kinds of events.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NoReturn, TypeVar

from arena.errors import LogCorrupt
from arena.rules.cards import CARDS, Card, Rank, Suit
from arena.rules.events import Claim, ClaimKind
from arena.wire.claims import NoClaim, check_claim

Fields = Mapping[str, object]
T = TypeVar("T", bound=StrEnum)
V = TypeVar("V")

_CARD_OF: Final[Mapping[object, Card]] = MappingProxyType({str(card): card for card in CARDS})
_SUIT_OF: Final[Mapping[object, Suit]] = MappingProxyType(
    {suit.name.lower(): suit for suit in Suit}
)
_RANK_OF: Final[Mapping[object, Rank]] = MappingProxyType(
    {rank.name.lower(): rank for rank in Rank}
)


def integer(fields: Fields, name: str) -> int:
    """Take a whole number."""
    value = fields.get(name)
    if type(value) is not int:
        refuse(fields, name, "a whole number")
    return value


def text(fields: Fields, name: str) -> str:
    """Take a text; it may be absent."""
    value = fields.get(name, "")
    if not isinstance(value, str):
        refuse(fields, name, "a text, or nothing")
    return value


def flag(fields: Fields, name: str) -> bool:
    """Take true or false; absent is false."""
    value = fields.get(name, False)
    if not isinstance(value, bool):
        refuse(fields, name, "true, or nothing")
    return value


def items(fields: Fields, name: str) -> list[object]:
    """Take a list; absent is empty."""
    value = fields.get(name, [])
    if not isinstance(value, list):
        refuse(fields, name, "a list, or nothing")
    return value


def integers(fields: Fields, name: str) -> tuple[int, ...]:
    """Take a list of whole numbers."""
    values: list[int] = []
    for value in items(fields, name):
        if type(value) is not int:
            refuse(fields, name, "a list of whole numbers")
        values.append(value)
    return tuple(values)


def card(fields: Fields, name: str) -> Card:
    """Take a card."""
    return cards(fields, name, [fields.get(name)])[0]


def cards(fields: Fields, name: str, texts: object) -> tuple[Card, ...]:
    """Read a list of cards that stands in the field, or in a list there."""
    if not isinstance(texts, list):
        refuse(fields, name, "lists of cards such as D3")
    try:
        return tuple([_CARD_OF[text] for text in texts])
    except (KeyError, TypeError):
        refuse(fields, name, "cards such as D3")


def member(members: type[T], fields: Fields, name: str) -> T:
    """Take a value of a closed set."""
    value = fields.get(name)
    try:
        return members(str(value))
    except ValueError:
        refuse(fields, name, f"one of {', '.join(members)}")


def maybe_member(members: type[T], fields: Fields, name: str) -> T | None:
    """Take a value of a closed set, if the field is there."""
    return member(members, fields, name) if name in fields else None


def claim(fields: Fields, name: str, value: object) -> Claim:
    """Read a claim that stands in the field, or in a list there."""
    allowed = "a claim: a kind and the suit and rank that it needs"
    if not isinstance(value, dict):
        refuse(fields, name, allowed)
    suit, rank = value.get("suit"), value.get("rank")
    try:
        claim = Claim(
            kind=ClaimKind(str(value.get("kind"))),
            suit=None if suit is None else _SUIT_OF[suit],
            rank=None if rank is None else _RANK_OF[rank],
        )
        check_claim(claim)
    except (KeyError, TypeError, ValueError, NoClaim):
        refuse(fields, name, allowed)
    return claim


def maybe(read: Callable[[Fields, str], V], fields: Fields, name: str) -> V | None:
    """Take what ``read`` takes, if the field is there."""
    return read(fields, name) if name in fields else None


def refuse(fields: Fields, name: str, allowed: str) -> NoReturn:
    """Say that a field does not hold what it must.

    Raises:
        LogCorrupt: Always.
    """
    where = f"{fields.get('event', 'a line')}.{name}"
    value = fields.get(name)
    shown = "nothing" if value is None else ascii(value)[:60]
    raise LogCorrupt(f"{where} holds {shown}; it must hold {allowed}")
