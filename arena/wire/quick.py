"""The three messages of every play as bytes, without the general machinery.

Owns a short way for what nearly all plays consist of: a question about a card with nothing
to declare, an answer that is a card and no more, and their two lines in the log. Each
function gives exactly what the general way gives (the tests compare them), or None where
that has to be asked. Must not be the only way to write or read anything.

A play costs the referee half as much this way; see docs/performance.md.
"""

from collections.abc import Collection, Iterable
from functools import cache
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

_ONE_BYTE: Final = 0x80
"""Numbers below this are one byte of a varint: all cards, seats, tables, and most else."""
_VARINTS: Final = tuple(bytes((number,)) for number in range(_ONE_BYTE))
_LONGEST_ID: Final = 5
"""Bytes of a varint of 32 bits."""
_SHORTEST: Final = 8
"""Bytes of a frame with one answer whose id is a single byte."""
_CARD_TAG: Final = b"\x10"

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
    if limit_ms := ask.limit_ns // MS:
        parts += (b"\x40", varint(limit_ms))
    if bank_ms := ask.bank_ns // MS:
        parts += (b"\x48", varint(bank_ms))
    parts += (b"\x52", _block(seen), news)
    return b"".join(parts)


def answer_said(data: bytes) -> AnswerSaid | None:
    """Read a PlayRequest with one Answer that is a decision's id and a card, in that order."""
    # messages[0] { answer (3) { decision_id (1): varint, card (2): one byte } }
    size = len(data) - 2
    if not (
        _SHORTEST <= len(data) <= _SHORTEST + _LONGEST_ID - 1
        and data[:2] == bytes((0x0A, size))
        and data[2:5] == bytes((0x1A, size - 2, 0x08))
        and data[-2:-1] == _CARD_TAG
        and 1 <= data[-1] <= len(CARDS)
    ):
        return None
    decision_id = 0
    last = len(data) - 3
    for place in range(last, 4, -1):
        byte = data[place]
        # The last byte of a varint alone is below 0x80, and zero only where it is all of it.
        if (byte < _ONE_BYTE) is not (place == last) or (place == last and not byte):
            return None
        decision_id = decision_id << 7 | byte & (_ONE_BYTE - 1)
    answer = _ANSWERS[data[-1]]
    if not 0 < decision_id < 1 << 32 or answer is None:
        return None
    return AnswerSaid(decision_id=decision_id, answer=answer, value_thirds=None, note="", size=size)


def log_line(seq: int, at_us: int, event: LogEvent, timing: AnswerTiming | None) -> bytes | None:
    """Write a log's line, newline included, of the three kinds that come with every trick."""
    if isinstance(event, DecisionAsked) and timing is None:
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
    try:
        data = bytes(numbers)
    except ValueError:
        data = b"\xff"  # one of them is above 255
    if not data.isascii():
        data = b"".join(map(varint, numbers))
    return tag + _block(data) if data else data


@cache
def _words(words: tuple[Signal, ...]) -> bytes:
    """Write the words that may be said: one of the few lists that a ruleset allows."""
    return _packed(b"\x1a", [SIGNALS.number[word] for word in words])


def _observation(seen: Observation) -> bytes | None:
    """Write an Observation without declarations and words, in the order of its fields."""
    if seen.declarations or seen.signals:
        return None
    parts: list[bytes] = []
    if seen.seat:
        parts += (b"\x08", varint(seen.seat))
    parts += (b"\x10", varint(seen.deal))
    if seen.dealer is not None:
        parts += (b"\x18", varint(seen.dealer))
    if seen.leader:
        parts += (b"\x20", varint(seen.leader))
    parts += (
        _packed(b"\x2a", seen.hand),
        _packed(b"\x32", seen.trick),
        _packed(b"\x3a", seen.history),
        _packed(b"\x42", seen.trick_leaders),
    )
    if seen.stock_size:
        parts += (b"\x48", varint(seen.stock_size))
    for cards in seen.known_cards:
        parts.append(b"\x62" + _block(_packed(b"\x0a", cards)) if cards else b"\x62\x00")
    parts.append(_packed(b"\x6a", seen.thirds))
    # Zigzag: small whole numbers of either sign are small numbers.
    totals = b"".join([varint(n << 1 if n >= 0 else -n * 2 - 1) for n in seen.totals])
    parts.append(b"\x72" + _block(totals))
    return b"".join(parts)


def _news(news: Iterable[SeatEvent]) -> bytes | None:
    """Write news of cards and tricks; None if there is anything else among them."""
    parts: list[bytes] = []
    for event in news:
        if isinstance(event, CardPlayed):
            if event.signal is not None or event.autoplayed:
                return None
            card = _VARINTS[event.card]
            if event.seat:
                parts += (b"\x5a\x06\x4a\x04\x08", _VARINTS[event.seat], b"\x10", card)
            else:
                parts += (b"\x5a\x04\x4a\x02\x10", card)
        elif isinstance(event, TrickWon):
            won = b"\x08" + varint(event.seat) if event.seat else b""
            won += b"\x10" + varint(event.thirds) if event.thirds else b""
            parts += (b"\x5a", _block(b"\x5a" + _block(won)))
        else:
            return None
    return b"".join(parts)
