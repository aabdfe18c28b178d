"""The three messages of every play as bytes, without the general machinery.

Owns a short way for what nearly all plays consist of: a question about a card with nothing
to declare, an answer that is a card and no more, and their two lines in the log. Each
function gives exactly what the general way gives (the tests compare them), or None where
that has to be asked. Must not be the only way to write or read anything.

What it saves stands in docs/performance.md.
"""

from collections.abc import Collection, Iterable
from functools import cache, lru_cache
from typing import Final

from arena.referee.clock import MS
from arena.referee.events import AnswerTiming, DecisionAsked, LogEvent, SeatEvent
from arena.referee.messages import Ask
from arena.rules.cards import CARDS
from arena.rules.events import CardPlayed, TrickWon
from arena.rules.observation import Observation
from arena.rules.options import Signal
from arena.rules.question import Answer, QuestionKind
from arena.wire.enums import SIGNALS
from arena.wire.said import AnswerSaid
from arena.wire.terms import FRAME_MESSAGES

_ONE_BYTE: Final = 0x80
"""Numbers below this are one byte of a varint: all cards, seats, tables, and most else."""
_VARINTS: Final = tuple(bytes((number,)) for number in range(_ONE_BYTE))
_LONGEST_ID: Final = 5
"""Bytes of a varint of 32 bits."""
_SHORTEST: Final = 8
"""Bytes of a frame with one answer whose id is a single byte."""
_MESSAGES: Final = 0x0A
_CARD: Final = 0x10
_HEADS: Final = tuple(bytes((0x1A, max(0, size - 2), 0x08)) for size in range(_ONE_BYTE))
"""Before an answer's id, by the size of its message: answer, how long, decision_id."""

_CARD_TEXT: Final = (b"", *(str(card).encode() for card in CARDS))
_ANSWERS: Final = (None, *(Answer(card=card) for card in CARDS))
"""By the card's number: answers are values, so one of each will do."""


def decision_bytes(table: int, decision_id: int, ask: Ask) -> bytes | None:
    """Write a Decision: its bytes, or None if it holds more than cards."""
    question = ask.question
    if question.declarable or question.kind is not QuestionKind.CARD:
        return None
    news = _news(ask.news)
    seen = _observation(ask.observation)
    if news is None or seen is None:
        return None
    parts = [
        b"\x08", varint(table),
        b"\x10", varint(decision_id),
        b"\x1a", _block(_packed(b"\x0a", question.legal) + _words(question.signals_allowed)),
    ]  # fmt: skip
    parts += (_times(ask.limit_ns, ask.bank_ns), b"\x52", _block(seen), news)
    return b"".join(parts)


def answers_said(data: bytes) -> tuple[AnswerSaid, ...] | None:
    """Read a PlayRequest of Answers that are a decision's id and a card each, in that order."""
    # messages { answer (3) { decision_id (1): varint, card (2): one byte } }
    end = len(data)
    at = 0
    said: list[AnswerSaid] = []
    while at + _SHORTEST <= end and len(said) <= FRAME_MESSAGES:
        size = data[at + 1]
        card_at = at + size
        if (
            not _SHORTEST - 2 <= size <= _SHORTEST - 3 + _LONGEST_ID
            or card_at + 2 > end
            or data[at] != _MESSAGES
            or data[at + 2 : at + 5] != _HEADS[size]
            or data[card_at] != _CARD
        ):
            return None
        decision_id = _id(data[at + 5 : card_at])
        card = data[card_at + 1]
        answer = _ANSWERS[card] if card < len(_ANSWERS) else None
        if not 0 < decision_id < 1 << 32 or answer is None:
            return None
        said.append(
            AnswerSaid(
                decision_id=decision_id, answer=answer, value_thirds=None, note="", size=size
            )
        )
        at = card_at + 2
    return tuple(said) if at == end and 0 < len(said) <= FRAME_MESSAGES else None


def _id(digits: bytes) -> int:
    """Read a varint that fills its bytes; 0 where they are another thing."""
    number = digits[-1]
    if number >= _ONE_BYTE:
        return 0
    if len(digits) > 1 and not number:
        return 0  # longer than need be
    for digit in digits[-2::-1]:
        if digit < _ONE_BYTE:
            return 0
        number = number << 7 | digit & (_ONE_BYTE - 1)
    return number


def log_line(seq: int, at_us: int, event: LogEvent, timing: AnswerTiming | None) -> bytes | None:
    """Write a log's line, newline included, of the three kinds that come with every trick."""
    if isinstance(event, DecisionAsked) and timing is None and event.legal:
        legal = b'","'.join([_CARD_TEXT[card] for card in event.legal])
        return (
            b'{"seq":%d,"at_us":%d,"event":"decision_asked","seat":%d,"kind":"%b",'
            b'"legal":["%b"],"limit_ms":%d,"bank_ms":%d}\n'
            % (
                seq, at_us, event.seat, event.kind.value.encode(),
                legal, event.limit_ms, event.bank_ms,
            )
        )  # fmt: skip
    if isinstance(event, CardPlayed) and timing is not None and event.signal is None:
        if event.autoplayed or timing.value_thirds is not None or timing.note:
            return None
        if timing.declarations or timing.signal is not None:
            return None
        cpu = b"" if timing.cpu_us is None else b',"cpu_us":%d' % timing.cpu_us
        return (
            b'{"seq":%d,"at_us":%d,"event":"card_played","seat":%d,"card":"%b",'
            b'"think_us":%d,"lag_us":%d%b}\n'
            % (
                seq, at_us, event.seat, _CARD_TEXT[event.card],
                timing.think_us, timing.lag_us, cpu,
            )
        )  # fmt: skip
    if isinstance(event, TrickWon) and timing is None:
        return b'{"seq":%d,"at_us":%d,"event":"trick_won","seat":%d,"thirds":%d}\n' % (
            seq, at_us, event.seat, event.thirds,
        )  # fmt: skip
    return None


def varint(number: int) -> bytes:
    """Write a number from 0 as protobuf does."""
    if number < _ONE_BYTE:
        return _VARINTS[number]
    out = bytearray()
    while number >= _ONE_BYTE:
        out.append(number & (_ONE_BYTE - 1) | _ONE_BYTE)
        number >>= 7
    out.append(number)
    return bytes(out)


def _block(data: bytes) -> bytes:
    return varint(len(data)) + data


def _packed(tag: bytes, numbers: Collection[int]) -> bytes:
    """Write a packed list of numbers from 0; nothing for none."""
    if not numbers:
        return b""
    try:
        data = bytes(numbers)
    except ValueError:
        data = b"\xff"  # one of them is above 255
    if not data.isascii():
        data = b"".join(map(varint, numbers))
    size = len(data)
    return tag + (_VARINTS[size] if size < _ONE_BYTE else varint(size)) + data


@cache
def _words(words: tuple[Signal, ...]) -> bytes:
    """Write the words that may be said: one of the few lists that a ruleset allows."""
    return _packed(b"\x1a", [SIGNALS.number[word] for word in words])


def _observation(seen: Observation) -> bytes | None:
    """Write an Observation without declarations and words, in the order of its fields."""
    if seen.declarations or seen.signals:
        return None
    parts = [
        _place(seen.seat, seen.deal, seen.dealer, seen.leader),
        _packed(b"\x2a", seen.hand),
        _packed(b"\x32", seen.trick),
        _packed(b"\x3a", seen.history),
        _packed(b"\x42", seen.trick_leaders),
    ]
    if seen.stock_size:
        parts += (b"\x48", varint(seen.stock_size))
    known = seen.known_cards
    if any(known):
        parts += [b"\x62" + _block(_packed(b"\x0a", cards)) for cards in known]
    else:
        parts.append(b"\x62\x00" * len(known))
    parts.append(_points(seen.thirds, seen.totals))
    return b"".join(parts)


# What comes again and again is kept: the clocks of a match, who sits where, points that stand
# for many plays, the few different cards and tricks that news tells of.


@lru_cache(maxsize=64)
def _times(limit_ns: int, bank_ns: int) -> bytes:
    return _number(b"\x40", limit_ns // MS) + _number(b"\x48", bank_ns // MS)


@lru_cache(maxsize=1 << 10)
def _place(seat: int, deal: int, dealer: int | None, leader: int) -> bytes:
    judge = b"" if dealer is None else b"\x18" + varint(dealer)
    return _number(b"\x08", seat) + b"\x10" + varint(deal) + judge + _number(b"\x20", leader)


@lru_cache(maxsize=1 << 10)
def _points(thirds: tuple[int, ...], totals: tuple[int, ...]) -> bytes:
    # Zigzag: small whole numbers of either sign are small numbers.
    signed = b"".join([varint(n << 1 if n >= 0 else -n * 2 - 1) for n in totals])
    return _packed(b"\x6a", thirds) + b"\x72" + _block(signed)


@lru_cache(maxsize=1 << 10)
def _card_played(seat: int, card: int) -> bytes:
    played = _number(b"\x08", seat) + b"\x10" + varint(card)
    return b"\x5a" + _block(b"\x4a" + _block(played))


@lru_cache(maxsize=1 << 10)
def _trick_won(seat: int, thirds: int) -> bytes:
    won = _number(b"\x08", seat) + _number(b"\x10", thirds)
    return b"\x5a" + _block(b"\x5a" + _block(won))


def _number(tag: bytes, number: int) -> bytes:
    """Write a field that is left out where it is 0."""
    return tag + varint(number) if number else b""


def _news(news: Iterable[SeatEvent]) -> bytes | None:
    """Write news of cards and tricks; None if there is anything else among them."""
    parts: list[bytes] = []
    for event in news:
        if isinstance(event, CardPlayed):
            if event.signal is not None or event.autoplayed:
                return None
            parts.append(_card_played(event.seat, event.card))
        elif isinstance(event, TrickWon):
            parts.append(_trick_won(event.seat, event.thirds))
        else:
            return None
    return b"".join(parts)
