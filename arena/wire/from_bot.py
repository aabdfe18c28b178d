"""From a bot's bytes to what it said. Whatever the bytes are, nothing here raises.

Owns the shape of what bots may send: which bytes, members, numbers and texts are a
message at all, and in which words one that is none is refused. Must not know sessions,
decisions or hands. Source: protocol.md ("Play", "Rules of the wire" 8).
"""

from google.protobuf.message import DecodeError, Message
from google.protobuf.unknown_fields import UnknownFieldSet

from arena.errors import ProtocolViolation
from arena.referee.faults import Reason
from arena.rules.question import Answer
from arena.v1 import play_pb2
from arena.wire.claims import NoClaim, decode_claims
from arena.wire.enums import SIGNALS, decode_card
from arena.wire.quick import answers_said
from arena.wire.said import AnswerSaid, BotSaid, JoinSaid, LeaveSaid, ReadySaid, Unreadable
from arena.wire.terms import FRAME_BYTES, FRAME_MESSAGES, TEXT_BYTES

__all__ = [
    "AnswerSaid",
    "BotSaid",
    "JoinSaid",
    "LeaveSaid",
    "ReadySaid",
    "Unreadable",
    "decode_request",
    "read_message",
]


def decode_request(data: bytes) -> tuple[BotSaid, ...]:
    """Read a frame from a bot.

    A frame over a limit, or one that is no PlayRequest, is one :class:`Unreadable` and
    nothing of it is read. An empty frame says nothing.
    """
    answers = answers_said(data)
    if answers is not None:
        return answers
    size = len(data)
    if size > FRAME_BYTES:
        return (
            _unreadable(
                Reason.TOO_LARGE, f"a frame of {size} bytes; allowed are {FRAME_BYTES}", size
            ),
        )
    try:
        request = play_pb2.PlayRequest.FromString(data)
    except DecodeError:
        return (
            _unreadable(
                Reason.MALFORMED,
                f"these {size} bytes are no arena.v1.PlayRequest; "
                "send serialised PlayRequest messages with valid UTF-8 in their texts",
                size,
            ),
        )
    messages = request.messages
    if len(messages) > FRAME_MESSAGES:
        return (too_many(len(messages), size),)
    return tuple([read_message(message, message.ByteSize()) for message in messages])


def too_many(count: int, size: int) -> Unreadable:
    """Refuse a frame of ``count`` messages."""
    return _unreadable(
        Reason.TOO_MANY_MESSAGES,
        f"{count} messages in one frame; allowed are {FRAME_MESSAGES}",
        size,
    )


def read_message(message: play_pb2.BotMessage, size: int) -> BotSaid:
    """Read one message of ``size`` bytes on the wire."""
    match message.WhichOneof("message"):
        case "answer":
            return _read_answer(message.answer, size)
        case "ready":
            return ReadySaid(table=message.ready.table)
        case "join":
            return _read_join(message.join, size)
        case "leave":
            return _read_leave(message.leave, size)
        case _:
            return _unreadable(
                Reason.UNKNOWN_MESSAGE,
                f"a BotMessage {_without(message)}; set one of join, ready, answer, leave",
                size,
            )


def _read_answer(answer: play_pb2.Answer, size: int) -> AnswerSaid | Unreadable:
    decision_id = answer.decision_id
    if answer.WhichOneof("answer") is None:
        return _unreadable(
            Reason.MALFORMED,
            f"an Answer {_without(answer)}; set card to one of the legal cards of the question",
            size,
            decision_id,
        )
    try:
        said = Answer(
            card=decode_card(answer.card),
            signal=SIGNALS.optional(answer.signal),
            declarations=decode_claims(answer.declarations) if answer.declarations else (),
        )
        check_text("note", answer.note)
    except NoClaim as error:
        return _unreadable(
            Reason.BAD_DECLARATION, f"Answer.declarations: {error}", size, decision_id
        )
    except ProtocolViolation as error:
        return _unreadable(Reason.MALFORMED, f"Answer: {error}", size, decision_id)
    return AnswerSaid(
        decision_id=decision_id,
        answer=said,
        value_thirds=answer.value_thirds if answer.HasField("value_thirds") else None,
        note=answer.note,
        size=size,
    )


def _read_join(join: play_pb2.Join, size: int) -> JoinSaid | Unreadable:
    try:
        for name in ("token", "name", "version", "language"):
            check_text(name, getattr(join, name))
    except ProtocolViolation as error:
        return _unreadable(Reason.MALFORMED, f"Join: {error}", size)
    return JoinSaid(
        protocol_version=join.protocol_version,
        token=join.token,
        name=join.name,
        version=join.version,
        language=join.language,
        capacity=join.capacity,
        resume_after=join.resume_after if join.HasField("resume_after") else None,
    )


def _read_leave(leave: play_pb2.Leave, size: int) -> LeaveSaid | Unreadable:
    try:
        check_text("reason", leave.reason)
    except ProtocolViolation as error:
        return _unreadable(Reason.MALFORMED, f"Leave: {error}", size)
    return LeaveSaid(table=leave.table if leave.HasField("table") else None, reason=leave.reason)


def check_text(name: str, text: str) -> None:
    """See that a free text is not too long; its content is not repeated.

    Raises:
        ProtocolViolation: It is.
    """
    # A character is at least a byte and at most four: most texts need no encoding.
    if len(text) * 4 > TEXT_BYTES and len(text.encode()) > TEXT_BYTES:
        raise ProtocolViolation(
            f"{name} has {len(text.encode())} bytes of UTF-8; allowed are {TEXT_BYTES}"
        )


def _without(message: Message) -> str:
    """Say what a message with no known member of its oneof holds instead."""
    unknown = UnknownFieldSet(message)
    if not len(unknown):
        return "with nothing set"
    return f"of a kind unknown to this referee (field {unknown[0].field_number})"


def _unreadable(
    reason: Reason, message: str, size: int, decision_id: int | None = None
) -> Unreadable:
    return Unreadable(reason=reason, message=message, decision_id=decision_id, size=size)
