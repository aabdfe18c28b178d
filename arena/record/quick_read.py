"""The three kinds of line that make up a log, read at once into values.

Owns their typed form; whatever does not fit is left to :mod:`arena.record.read`, which reads
any line and words refusals. Such a line is also written anew: if that gives the same bytes,
the line says nothing but what was read. Source: proto/arena/v1/log.proto.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, Literal

import msgspec

from arena.referee.events import AnswerTiming, DecisionAsked
from arena.rules.cards import CARDS, Card
from arena.rules.events import CardPlayed, TrickWon
from arena.rules.question import QuestionKind

QuickEvent = CardPlayed | DecisionAsked | TrickWon
_CARD: Final[Mapping[str, Card]] = MappingProxyType({str(card): card for card in CARDS})
_CARD_NAMED: Final = {str(card): card for card in CARDS}.__getitem__
_CARD_QUESTION: Final = QuestionKind.CARD
_KIND: Final = b'"event":"'
"""What stands before the name of a kind, after seq and at_us."""
_KIND_FROM, _KIND_TO = len(_KIND), len(_KIND) + 3
"""Where the first letters of that name stand, which tell the three kinds apart."""


class _CardPlayed(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """A card with the times of its answer, without words and notes."""

    seq: int
    at_us: int
    event: Literal["card_played"]
    seat: int
    card: str
    think_us: int
    lag_us: int
    cpu_us: int | None = None
    value_thirds: int | None = None


class _DecisionAsked(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    seq: int
    at_us: int
    event: Literal["decision_asked"]
    seat: int
    kind: Literal["card"]
    legal: list[str]
    limit_ms: int
    bank_ms: int


class _TrickWon(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    seq: int
    at_us: int
    event: Literal["trick_won"]
    seat: int
    thirds: int


_Quick = tuple[int, QuickEvent, AnswerTiming | None]
_Line = _CardPlayed | _DecisionAsked | _TrickWon


def _asked(line: _DecisionAsked) -> _Quick:
    asked = DecisionAsked(
        seat=line.seat,
        kind=_CARD_QUESTION,
        legal=tuple(map(_CARD_NAMED, line.legal)),
        limit_ms=line.limit_ms,
        bank_ms=line.bank_ms,
    )
    return line.at_us, asked, None


def _played(line: _CardPlayed) -> _Quick:
    timing = AnswerTiming(
        think_us=line.think_us,
        lag_us=line.lag_us,
        cpu_us=line.cpu_us,
        value_thirds=line.value_thirds,
    )
    return line.at_us, _card_played(line.seat, line.card), timing


@lru_cache(maxsize=1 << 10)
def _card_played(seat: int, card: str) -> CardPlayed:
    """Give the event of a card without a word: it is a value, so one of each will do."""
    return CardPlayed(seat=seat, card=_CARD[card])


def _won(line: _TrickWon) -> _Quick:
    return line.at_us, TrickWon(seat=line.seat, thirds=line.thirds), None


_encode: Final = msgspec.json.Encoder().encode
_WAYS: Final[Mapping[bytes, tuple[Callable[[bytes], _Line], Callable[[Any], _Quick]]]] = (
    MappingProxyType(
        {
            b"car": (msgspec.json.Decoder(_CardPlayed).decode, _played),
            b"dec": (msgspec.json.Decoder(_DecisionAsked).decode, _asked),
            b"tri": (msgspec.json.Decoder(_TrickWon).decode, _won),
        }
    )
)


def read_quickly(raw: bytes, seq: int, seats: int) -> _Quick | None:
    """Read a line that is as the arena writes it; None where another way has to be taken.

    Args:
        raw: The line without its newline.
        seq: Its number.
        seats: How many seats the match has.

    Returns:
        Its time (µs), what happened, and the times of the answer.
    """
    at = raw.find(_KIND)
    way = _WAYS.get(raw[at + _KIND_FROM : at + _KIND_TO])
    if way is None:
        return None
    decode, read = way
    try:
        line = decode(raw)
        if _encode(line) != raw or line.seq != seq or not 0 <= line.seat < seats:
            return None
        return read(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, KeyError):
        return None
