"""A bot's end of a session in memory, for tests of sessions and hosts.

Owns the words of a bot that a test drives: frames of messages in, frames of messages out.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from arena.server.link import LinkClosed
from arena.server.session import Session
from arena.testing.memory_link import FarEnd, memory_link_pair, trio_now_ns
from arena.v1 import cards_pb2, play_pb2
from arena.wire.codec import ProtoCodec
from arena.wire.said import JoinSaid

Heard = play_pb2.RefereeMessage
Said = play_pb2.BotMessage
CardNumber: TypeAlias = "cards_pb2.Card.ValueType"
Policy = Callable[[play_pb2.Decision], CardNumber]

JOINED = JoinSaid(
    protocol_version=1,
    token="",
    name="bot",
    version="1",
    language="test",
    capacity=1,
    resume_after=None,
)


def ready(table: int = 1) -> Said:
    """Say Ready."""
    return Said(ready=play_pb2.Ready(table=table))


def answer(decision_id: int, card: CardNumber = cards_pb2.CARD_D4) -> Said:
    """Answer a decision with a card."""
    return Said(answer=play_pb2.Answer(decision_id=decision_id, card=card))


def leave(table: int | None = None, reason: str = "") -> Said:
    """Leave a table, or all."""
    return Said(leave=play_pb2.Leave(table=table, reason=reason))


def kind(message: Heard) -> str:
    """Name the member of the oneof that is set."""
    return message.WhichOneof("message") or ""


def first_legal(decision: play_pb2.Decision) -> CardNumber:
    """Choose the first legal card."""
    return decision.card.legal[0]


class BotEnd:
    """What a test does as the bot of one session, and what it has heard."""

    def __init__(self, far: FarEnd) -> None:
        self.far = far
        self.heard: list[Heard] = []
        """Everything that was heard, in order."""
        self.frame_sizes: list[int] = []
        """How many messages each frame held."""

    def say(self, *messages: Said, lag_ns: int = 0) -> None:
        """Send messages in one frame."""
        self.far.send(frame(*messages), lag_ns=lag_ns)

    def hear(self) -> list[Heard]:
        """Take all that has arrived since the last time."""
        new = [message for data in self.far.recv_all() for message in self._read(data)]
        self.heard.extend(new)
        return new

    def hear_kinds(self) -> list[str]:
        """Take all that has arrived, and name the kinds."""
        return list(map(kind, self.hear()))

    def hear_decision(self) -> play_pb2.Decision:
        """Take all that has arrived, which ends with a question."""
        last = self.hear()[-1]
        assert kind(last) == "decision"
        return last.decision

    async def play(self, policy: Policy = first_legal) -> None:
        """Be ready for every match and answer every question, until the stream is over."""
        while True:
            try:
                data = await self.far.recv()
            except LinkClosed:
                return
            new = self._read(data)
            self.heard.extend(new)
            replies = [reply for message in new if (reply := reply_to(message, policy))]
            if replies:
                self.say(*replies)

    def of_kind(self, name: str) -> list[Heard]:
        """List the messages of one kind among all that was heard."""
        return [message for message in self.heard if kind(message) == name]

    def _read(self, data: bytes) -> Sequence[Heard]:
        messages = play_pb2.PlayResponse.FromString(data).messages
        self.frame_sizes.append(len(messages))
        return messages


def reply_to(message: Heard, policy: Policy = first_legal) -> Said | None:
    """Say what a well-behaved bot says to a message."""
    match kind(message):
        case "match_started":
            return ready(message.match_started.table)
        case "decision":
            return answer(message.decision.decision_id, policy(message.decision))
        case _:
            return None


def frame(*messages: Said) -> bytes:
    """Write messages as one frame."""
    return play_pb2.PlayRequest(messages=messages).SerializeToString()


def open_session(
    capacity: int = 1, *, implies_ready: bool = False, silence_hint: Callable[[], str] = str
) -> tuple[Session, BotEnd]:
    """Make a session that has joined, over a link in memory, with trio's clock."""
    link, far = memory_link_pair()
    session = Session(
        link,
        ProtoCodec(),
        joined=JOINED,
        capacity=capacity,
        implies_ready=implies_ready,
        silence_hint=silence_hint,
        now=trio_now_ns,
    )
    return session, BotEnd(far)
