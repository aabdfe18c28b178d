"""The bytes of a Decision, written by hand.

Owns how a question, what its seat knows and what it has newly learnt become bytes: nearly
every message of a match is a Decision, and to fill one in field by field takes three times
as long. Cards and seats are numbers below 128, so that a list of them is its own bytes;
what is rare in a match (claims, other news) is left to protobuf. Tags are those of
``proto/arena/v1``; a test holds what is written here against messages that protobuf filled.
Must not know sessions.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from arena.referee.clock import MS
from arena.referee.messages import Ask
from arena.rules.events import CardPlayed, Claim, DeclarationMade, SignalMade, TrickWon
from arena.rules.observation import Observation
from arena.rules.question import Question, QuestionKind
from arena.v1 import seat_pb2
from arena.wire.claims import fill_claim
from arena.wire.enums import SIGNALS
from arena.wire.seat_events import encode_seat_event, fill_declaration

_MORE: Final = 0x80
_BITS: Final = 7
_SIGN: Final = 31


def _long_varint(number: int) -> bytes:
    digits = bytearray()
    while number >= _MORE:
        digits.append(number & (_MORE - 1) | _MORE)
        number >>= _BITS
    digits.append(number)
    return bytes(digits)


_SMALL: Final = 1 << 11
_VARINTS: Final = tuple(map(_long_varint, range(_SMALL)))


def varint(number: int) -> bytes:
    """Write a number, 0 or more: seven bits a byte, the lowest first."""
    return _VARINTS[number] if number < _SMALL else _long_varint(number)


_NOTHING_KNOWN: Final = b"\x62\x00"
"""One seat's Observation.known_cards where there are none."""


def decision_bytes(table: int, decision_id: int, ask: Ask) -> bytes:
    """Write a RefereeMessage that holds a Decision, without its sequence.

    Args:
        table: The session's number for the table.
        decision_id: The session's number for the decision.
        ask: The question, what the seat knows and what it has newly learnt.
    """
    parts = [
        _number(b"\x08", table),
        _number(b"\x10", decision_id),
        _question(ask.question),
        _times(ask.limit_ns, ask.bank_ns),
        _message(b"\x52", _observation(ask.observation)),
    ]
    for event in ask.news:
        match event:
            case CardPlayed(signal=None, autoplayed=False):
                parts.append(_card_played(event.seat, event.card))
            case TrickWon():
                parts.append(_trick_won(event.seat, event.thirds))
            case _:
                parts.append(_message(b"\x5a", encode_seat_event(event).SerializeToString()))
    return _message(b"\x22", b"".join(parts))


def _question(question: Question) -> bytes:
    match question.kind:
        case QuestionKind.CARD:
            asked = _packed(b"\x0a", question.legal)
            if question.declarable:
                asked += b"".join(map(_claim, question.declarable))
            if question.signals_allowed:
                words = question.signals_allowed
                asked += _packed(b"\x1a", [SIGNALS.number[word] for word in words])
            return _message(b"\x1a", asked)


def _observation(seen: Observation) -> bytes:
    known = seen.known_cards
    parts = [
        _place(seen.seat, seen.deal, seen.dealer, seen.leader),
        _packed(b"\x2a", seen.hand),
        _packed(b"\x32", seen.trick),
        _packed(b"\x3a", seen.history),
        _packed(b"\x42", seen.trick_leaders),
    ]
    if seen.stock_size:
        parts.append(_number(b"\x48", seen.stock_size))
    if seen.declarations:
        parts += map(_declaration, seen.declarations)
    if seen.signals:
        parts += map(_signal, seen.signals)
    parts.append(b"".join(map(_known, known)) if any(known) else _NOTHING_KNOWN * len(known))
    parts.append(_points(seen.thirds, seen.totals))
    return b"".join(parts)


# What comes again and again is kept: the clocks of a match, who sits where, points that stand
# for many plays, the few different cards and tricks that news tells of.


@lru_cache(maxsize=64)
def _times(limit_ns: int, bank_ns: int) -> bytes:
    return _number(b"\x40", limit_ns // MS) + _number(b"\x48", bank_ns // MS)


@lru_cache(maxsize=1 << 10)
def _place(seat: int, deal: int, dealer: int | None, leader: int) -> bytes:
    at = _number(b"\x08", seat) + _number(b"\x10", deal)
    if dealer is not None:
        at += bytes((0x18, dealer))
    return at + _number(b"\x20", leader)


@lru_cache(maxsize=1 << 10)
def _points(thirds: tuple[int, ...], totals: tuple[int, ...]) -> bytes:
    # sint32: the sign is the lowest bit.
    signed = [total << 1 ^ total >> _SIGN for total in totals]
    return _varints(b"\x6a", thirds) + _varints(b"\x72", signed)


@lru_cache(maxsize=1 << 10)
def _card_played(seat: int, card: int) -> bytes:
    played = _number(b"\x08", seat) + _number(b"\x10", card)
    return _message(b"\x5a", _message(b"\x4a", played))


@lru_cache(maxsize=1 << 10)
def _trick_won(seat: int, thirds: int) -> bytes:
    won = _number(b"\x08", seat) + _number(b"\x10", thirds)
    return _message(b"\x5a", _message(b"\x5a", won))


def _claim(claim: Claim) -> bytes:
    wire = seat_pb2.Claim()
    fill_claim(wire, claim)
    return _message(b"\x12", wire.SerializeToString())


def _declaration(made: DeclarationMade) -> bytes:
    wire = seat_pb2.DeclarationMade()
    fill_declaration(wire, made)
    return _message(b"\x52", wire.SerializeToString())


def _signal(heard: SignalMade) -> bytes:
    word = _number(b"\x18", SIGNALS.number[heard.word])
    return _message(b"\x5a", _number(b"\x08", heard.play) + _number(b"\x10", heard.seat) + word)


def _known(cards: tuple[int, ...]) -> bytes:
    return _message(b"\x62", _packed(b"\x0a", cards))


def _number(tag: bytes, number: int) -> bytes:
    """Write a field that is left out where it is 0."""
    if not number:
        return b""
    return tag + varint(number)


def _message(tag: bytes, data: bytes) -> bytes:
    size = len(data)
    return tag + (_VARINTS[size] if size < _SMALL else _long_varint(size)) + data


def _packed(tag: bytes, numbers: "tuple[int, ...] | list[int]") -> bytes:
    """Write a list of numbers that are one byte each; left out where it is empty."""
    return tag + _VARINTS[len(numbers)] + bytes(numbers) if numbers else b""


def _varints(tag: bytes, numbers: Iterable[int]) -> bytes:
    """Write a list of any numbers; left out where it is empty."""
    data = b"".join(map(varint, numbers))
    return _message(tag, data) if data else b""
