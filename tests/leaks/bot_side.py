"""The bots' end of a stream: a policy behind bytes.

Owns what a scripted bot reads and writes, in either codec. Must not know sessions, tables
or time. Bots of the kit are not used here: they do as they should.
"""

from collections.abc import Sequence
from typing import assert_never

from arena.referee.clock import MS
from arena.referee.faults import FaultKind, Reason
from arena.referee.messages import Ask
from arena.rules.question import Answer, Question, QuestionKind
from arena.testing.memory_bots import Act, Gone, ReadyAgain, Reply, Rubbish
from arena.v1 import play_pb2
from arena.wire.claims import decode_claim, fill_claim
from arena.wire.codec import Codec, LinesCodec, ProtoCodec
from arena.wire.enums import CARD_NUMBERS, SIGNALS, decode_cards
from arena.wire.json_dialect import line_to_referee_message, message_to_line
from arena.wire.observations import decode_observation
from arena.wire.terms import FRAME_MESSAGES, PROTOCOL_VERSION

TOKEN = "0123456789abcdef" * 2
CODECS: tuple[Codec, ...] = (ProtoCodec(), LinesCodec())


def read(codec: Codec, data: bytes) -> list[play_pb2.RefereeMessage]:
    """Read what a referee has sent."""
    if isinstance(codec, LinesCodec):
        return [line_to_referee_message(line) for line in data.splitlines()]
    return list(play_pb2.PlayResponse.FromString(data).messages)


def write(codec: Codec, *messages: play_pb2.BotMessage) -> bytes:
    """Write what a bot says, as one frame."""
    if isinstance(codec, LinesCodec):
        return b"".join(map(message_to_line, messages))
    return play_pb2.PlayRequest(messages=messages).SerializeToString()


def join(*, capacity: int) -> play_pb2.BotMessage:
    """Open a session."""
    said = play_pb2.Join(protocol_version=PROTOCOL_VERSION, token=TOKEN, capacity=capacity)
    return play_pb2.BotMessage(join=said)


def ready(table: int) -> play_pb2.BotMessage:
    """Say Ready."""
    return play_pb2.BotMessage(ready=play_pb2.Ready(table=table))


def ask_of(decision: play_pb2.Decision) -> Ask:
    """Read a decision as what a policy is asked; its number is the session's."""
    seen = decode_observation(decision.observation)
    question = Question(
        seat=seen.seat,
        kind=QuestionKind.CARD,
        legal=decode_cards(decision.card.legal),
        declarable=tuple(map(decode_claim, decision.card.declarable)),
        signals_allowed=tuple(map(SIGNALS.decode, decision.card.signals_allowed)),
    )
    return Ask(
        seat=seen.seat,
        number=decision.decision_id,
        question=question,
        observation=seen,
        news=(),
        limit_ns=decision.time_limit_ms * MS,
        bank_ns=decision.bank_ms * MS,
    )


def as_acts(acts: Act | Sequence[Act]) -> list[Reply | Rubbish | Gone | ReadyAgain]:
    """List what a policy does, in order."""
    return [
        Reply(answer=act) if isinstance(act, Answer) else act
        for act in (acts if isinstance(acts, Sequence) else (acts,))
    ]


def bytes_of(codec: Codec, act: Reply | Rubbish | Gone | ReadyAgain, ask: Ask, table: int) -> bytes:
    """Write what a bot does; a flood is more messages in a frame than are allowed."""
    match act:
        case Reply():
            number = ask.number if act.number is None else max(0, act.number)
            return write(codec, _answer(act, number))
        case Rubbish():
            return _rubbish(codec, act.reason, ask, table)
        case Gone():
            leave = play_pb2.BotMessage(leave=play_pb2.Leave(reason=act.detail))
            times = FRAME_MESSAGES + 1 if act.kind is FaultKind.FLOOD else 1
            return write(codec, *[leave] * times)
        case ReadyAgain():
            return write(codec, ready(table))
        case _:
            assert_never(act)


def _answer(act: Reply, number: int) -> play_pb2.BotMessage:
    message = play_pb2.BotMessage()
    wire = message.answer
    wire.decision_id = number
    wire.card = CARD_NUMBERS[act.answer.card]
    if act.answer.signal is not None:
        wire.signal = SIGNALS.number[act.answer.signal]
    for claim in act.answer.declarations:
        fill_claim(wire.declarations.add(), claim)
    if act.value_thirds is not None:
        wire.value_thirds = act.value_thirds
    wire.note = act.note
    return message


def _rubbish(codec: Codec, reason: Reason, ask: Ask, table: int) -> bytes:
    """Write something that is refused for a reason, or says nothing new."""
    card = CARD_NUMBERS[ask.question.legal[0]]
    empty = play_pb2.BotMessage()
    match reason:
        case Reason.MALFORMED:
            return b"\xffmy hand: " + bytes(ask.observation.hand) + b"\n"
        case Reason.UNKNOWN_MESSAGE | Reason.BAD_TOKEN | Reason.VERSION:
            return write(codec, join(capacity=1))
        case Reason.UNKNOWN_DECISION:
            empty.answer.decision_id = 60_000
            empty.answer.card = card
        case Reason.BAD_DECLARATION:
            empty.answer.decision_id = ask.number
            empty.answer.card = card
            empty.answer.declarations.add()
        case Reason.WRONG_KIND | Reason.CARD_NOT_HELD | Reason.ILLEGAL_CARD:
            empty.answer.decision_id = ask.number
        case Reason.NOT_JOINED:
            empty.ready.table = 99
        case _:
            return write(codec, ready(table))
    return write(codec, empty)
