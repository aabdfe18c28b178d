"""The three kinds of line that make up a log, read at once into values.

Owns their typed form; whatever does not fit is left to :mod:`arena.record.read`, which reads
any line and words refusals. Such a line is also written anew: if that gives the same bytes,
the line says nothing but what was read. Source: proto/arena/v1/log.proto.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, Literal

import msgspec

from arena.referee.events import AnswerTiming, DecisionAsked
from arena.rules.cards import CARDS, Card
from arena.rules.events import CardPlayed, TrickWon
from arena.rules.question import QuestionKind

QuickEvent = CardPlayed | DecisionAsked | TrickWon
_CARD: Final[Mapping[str, Card]] = MappingProxyType({str(card): card for card in CARDS})
_CARD_QUESTION: Final = QuestionKind.CARD
_KIND_AT: Final = 7
"""Where the kind stands between the quotes of a line: after seq, at_us and event."""


class _CardPlayed(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
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


class _DecisionAsked(msgspec.Struct, forbid_unknown_fields=True):
    seq: int
    at_us: int
    event: Literal["decision_asked"]
    seat: int
    kind: Literal["card"]
    legal: list[str]
    limit_ms: int
    bank_ms: int


class _TrickWon(msgspec.Struct, forbid_unknown_fields=True):
    seq: int
    at_us: int
    event: Literal["trick_won"]
    seat: int
    thirds: int


_encode: Final = msgspec.json.Encoder().encode
_Decode = Callable[[bytes], _CardPlayed | _DecisionAsked | _TrickWon]
_DECODE: Final[Mapping[bytes, _Decode]] = MappingProxyType(
    {
        b"card_played": msgspec.json.Decoder(_CardPlayed).decode,
        b"decision_asked": msgspec.json.Decoder(_DecisionAsked).decode,
        b"trick_won": msgspec.json.Decoder(_TrickWon).decode,
    }
)


def read_quickly(
    raw: bytes, seq: int, seats: int
) -> tuple[int, QuickEvent, AnswerTiming | None] | None:
    """Read a line that is as the arena writes it; None where another way has to be taken.

    Args:
        raw: The line without its newline.
        seq: Its number.
        seats: How many seats the match has.

    Returns:
        Its time (µs), what happened, and the times of the answer.
    """
    parts = raw.split(b'"', _KIND_AT + 1)
    decode = _DECODE.get(parts[_KIND_AT]) if len(parts) > _KIND_AT else None
    if decode is None:
        return None
    try:
        line = decode(raw)
        if _encode(line) != raw or line.seq != seq or not 0 <= line.seat < seats:
            return None
        if isinstance(line, _CardPlayed):
            timing = AnswerTiming(
                think_us=line.think_us,
                lag_us=line.lag_us,
                cpu_us=line.cpu_us,
                value_thirds=line.value_thirds,
            )
            return line.at_us, CardPlayed(seat=line.seat, card=_CARD[line.card]), timing
        if isinstance(line, _DecisionAsked):
            asked = DecisionAsked(
                seat=line.seat,
                kind=_CARD_QUESTION,
                legal=tuple([_CARD[card] for card in line.legal]),
                limit_ms=line.limit_ms,
                bank_ms=line.bank_ms,
            )
            return line.at_us, asked, None
        return line.at_us, TrickWon(seat=line.seat, thirds=line.thirds), None
    except (msgspec.MsgspecError, UnicodeDecodeError, KeyError):
        return None
