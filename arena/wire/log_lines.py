"""The frequent lines of a match log as bytes: cards, questions, tricks.

Owns a second, shorter way to write what :func:`arena.wire.log_events.encode_event` and the
log's JSON encoder write together: two lines in three of a log are one of these, in their
simplest form. What is not is not written here, and a test holds every line written here
against the long way. Must not know files or seals.
"""

from typing import Final

from arena.referee.events import AnswerTiming, DecisionAsked, LogEvent
from arena.rules.cards import CARDS
from arena.rules.events import CardPlayed, TrickWon

_CARD: Final = ("", *(str(card) for card in CARDS))


def plain_line(seq: int, at_us: int, event: LogEvent, timing: AnswerTiming | None) -> bytes | None:
    """Write an event as one line, newline included; None: not one of the plain ones.

    Args:
        seq: The number of the line.
        at_us: When, counted from the log's first event.
        event: What happened.
        timing: The answer that caused it, where one did.
    """
    match event:
        case CardPlayed(signal=None, autoplayed=False) if timing is not None and _is_plain(timing):
            return (
                f'{{"seq":{seq},"at_us":{at_us},"event":"card_played","seat":{event.seat},'
                f'"card":"{_CARD[event.card]}","think_us":{timing.think_us},'
                f'"lag_us":{timing.lag_us}}}\n'
            ).encode()
        case DecisionAsked() if timing is None and event.legal:
            legal = '","'.join([_CARD[card] for card in event.legal])
            return (
                f'{{"seq":{seq},"at_us":{at_us},"event":"decision_asked","seat":{event.seat},'
                f'"kind":"{event.kind}","legal":["{legal}"],"limit_ms":{event.limit_ms},'
                f'"bank_ms":{event.bank_ms}}}\n'
            ).encode()
        case TrickWon() if timing is None:
            return (
                f'{{"seq":{seq},"at_us":{at_us},"event":"trick_won","seat":{event.seat},'
                f'"thirds":{event.thirds}}}\n'
            ).encode()
        case _:
            return None


def _is_plain(timing: AnswerTiming) -> bool:
    """Whether an answer has nothing but its times."""
    return (
        timing.cpu_us is None
        and timing.value_thirds is None
        and not timing.note
        and not timing.declarations
        and timing.signal is None
    )
