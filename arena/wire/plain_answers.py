"""Frames that hold nothing but plain answers: a decision and a card, once or several times.

Owns a second, shorter way to read what nearly every frame of a bot is. It reads only bytes
of the one form in which protobuf writes them; whatever differs, be it right or wrong, is for
:mod:`arena.wire.from_bot`, and a test holds the two against each other. Must not know
sessions. Source: protocol.md (Answer).
"""

from typing import Final

from arena.rules.cards import CARDS
from arena.rules.question import Answer
from arena.wire.said import AnswerSaid
from arena.wire.terms import FRAME_MESSAGES

_ANSWERS: Final = (None, *(Answer(card=card) for card in CARDS))
"""The answer that is a card and nothing else, by the card's number."""

_LEAST: Final = 8
"""Bytes of the shortest plain answer with all that is around it."""
_MOST_DIGITS: Final = 4
"""Bytes of a decision's number at most; beyond, at 268 million, the long way is taken."""
_MORE: Final = 0x80
_BITS: Final = 7


def read_plain_answers(data: bytes) -> tuple[AnswerSaid, ...] | None:
    """Read a frame of plain answers; None where it is not one.

    The bytes of one: 0A n 1A n-2 08 (decision_id) 10 (card).
    """
    end = len(data)
    at = 0
    said: list[AnswerSaid] = []
    while at + _LEAST <= end and len(said) <= FRAME_MESSAGES:
        size = data[at + 1]
        digits = size - 5
        card_at = at + 5 + digits
        if (
            data[at] != 0x0A  # noqa: PLR2004  # PlayRequest.messages
            or data[at + 2] != 0x1A  # noqa: PLR2004  # BotMessage.answer
            or data[at + 3] != size - 2
            or data[at + 4] != 0x08  # noqa: PLR2004  # Answer.decision_id
            or not 1 <= digits <= _MOST_DIGITS
            or card_at + 2 > end
            or data[card_at] != 0x10  # noqa: PLR2004  # Answer.card
        ):
            return None
        decision_id = _number(data[at + 5 : card_at])
        card = data[card_at + 1]
        answer = _ANSWERS[card] if card < len(_ANSWERS) else None
        if answer is None or not decision_id:
            return None
        said.append(
            AnswerSaid(
                decision_id=decision_id, answer=answer, value_thirds=None, note="", size=size
            )
        )
        at = card_at + 2
    return tuple(said) if at == end and 0 < len(said) <= FRAME_MESSAGES else None


def _number(digits: bytes) -> int:
    """Read a varint that fills its bytes; 0 where they are another thing."""
    last = digits[-1]
    if last >= _MORE or not last:
        return 0
    number = last
    for digit in digits[-2::-1]:
        if digit < _MORE:
            return 0
        number = number << _BITS | digit & (_MORE - 1)
    return number
