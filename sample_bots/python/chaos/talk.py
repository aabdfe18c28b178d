"""How chaos talks: the same few messages as gRPC frames or as lines of JSON.

Owns both wires and the reading of what the referee says. Knows nothing of misbehaviour:
an act asks for it by `send_raw` and `half_close`.
"""

import json
import os
import queue
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

MEBIBYTE = 1 << 20


@dataclass(frozen=True)
class Question:
    """What a Decision asks: cards are numbers over gRPC and names such as "D3" over lines."""

    table: int
    decision_id: int
    legal: list[Any]
    hand: list[Any]
    limit_s: float


@dataclass(frozen=True)
class Heard:
    """One message: its name, its table, and the question if it is a Decision."""

    name: str
    table: int = 0
    question: Question | None = None
    text: str = ""


class Talk(Protocol):
    """A conversation with the referee."""

    def join(self) -> None:
        """Send Join, where the wire has one."""

    def ready(self, table: int) -> None:
        """Send Ready."""

    def answer(self, decision_id: int, card: Any, **more: Any) -> None:
        """Send an Answer; `more` are further fields, as lines write them."""

    def answer_often(self, decision_id: int, card: Any, count: int) -> None:
        """Send an Answer so many times in one frame."""

    def send_raw(self, data: bytes) -> None:
        """Send bytes that need not be a message."""

    def half_close(self) -> None:
        """Say that nothing follows."""

    def heard(self) -> Iterator[Heard]:
        """Yield what the referee says, until it ends."""

    def deck(self) -> list[Any]:
        """Return all forty cards."""


class Lines:
    """Over stdin and stdout."""

    def join(self) -> None:
        """Nothing: the manifest speaks for this bot."""

    def ready(self, table: int) -> None:
        """Send Ready."""
        self._send({"ready": {"table": table}})

    def answer(self, decision_id: int, card: Any, **more: Any) -> None:
        """Send an Answer."""
        self._send({"answer": {"decision_id": decision_id, "card": card, **more}})

    def answer_often(self, decision_id: int, card: Any, count: int) -> None:
        """Send an Answer so many times in one frame."""
        answer = {"answer": {"decision_id": decision_id, "card": card}}
        self.send_raw(b"\n".join([json.dumps(answer).encode()] * count))

    def send_raw(self, data: bytes) -> None:
        """Send bytes as they are."""
        # In pieces: to append to a huge message would be to copy it.
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.write(b"\n")
        sys.stdout.buffer.flush()

    def half_close(self) -> None:
        """Say that nothing follows."""
        # The descriptor itself: Python would keep stdout open.
        sys.stdout.flush()
        os.close(1)

    def heard(self) -> Iterator[Heard]:
        """Yield what the referee says."""
        for line in sys.stdin:
            ((name, body),) = ((k, v) for k, v in json.loads(line).items() if isinstance(v, dict))
            question = None
            if name == "decision":
                question = Question(
                    table=body["table"],
                    decision_id=body["decision_id"],
                    legal=body["card"]["legal"],
                    hand=body["observation"]["hand"],
                    limit_s=body["time_limit_ms"] / 1000,
                )
            yield Heard(name, body.get("table") or 0, question, str(body.get("message", "")))

    def deck(self) -> list[Any]:
        """Return all forty cards."""
        return [suit + rank for suit in "DCSB" for rank in "4567JHKA23"]

    def _send(self, message: dict[str, Any]) -> None:
        self.send_raw(json.dumps(message).encode())


class Grpc:
    """Over one Play stream."""

    def __init__(self, address: str, token: str) -> None:
        # Here, so that a bot on lines starts without.
        import grpc  # noqa: PLC0415

        from arena.v1 import play_pb2  # noqa: PLC0415

        self._pb = play_pb2
        self._token = token
        self._out: queue.Queue[bytes | None] = queue.Queue()
        options = [("grpc.max_send_message_length", -1)]
        self._channel = grpc.insecure_channel(address, options=options)
        self._call = self._channel.stream_stream(
            "/arena.v1.RefereeService/Play", response_deserializer=play_pb2.PlayResponse.FromString
        )(iter(self._out.get, None))

    def join(self) -> None:
        """Send Join with this bot's token."""
        self._send(join=self._pb.Join(protocol_version=1, token=self._token, name="chaos"))

    def ready(self, table: int) -> None:
        """Send Ready."""
        self._send(ready=self._pb.Ready(table=table))

    def answer(self, decision_id: int, card: Any, **more: Any) -> None:
        """Send an Answer."""
        from arena.v1 import cards_pb2, ruleset_pb2, seat_pb2  # noqa: PLC0415

        answer = self._pb.Answer(decision_id=decision_id, card=card)
        if "signal" in more:
            answer.signal = ruleset_pb2.Signal.Value(f"SIGNAL_{more['signal'].upper()}")
        for claim in more.get("declarations", ()):
            answer.declarations.add(
                kind=seat_pb2.ClaimKind.Value(f"CLAIM_KIND_{claim['kind'].upper()}"),
                rank=cards_pb2.Rank.Value(f"RANK_{claim['rank'].upper()}"),
            )
        self._send(answer=answer)

    def answer_often(self, decision_id: int, card: Any, count: int) -> None:
        """Send an Answer so many times in one frame."""
        answer = self._pb.Answer(decision_id=decision_id, card=card)
        message = self._pb.BotMessage(answer=answer)
        self.send_raw(self._pb.PlayRequest(messages=[message] * count).SerializeToString())

    def send_raw(self, data: bytes) -> None:
        """Send bytes as they are."""
        self._out.put(data)

    def half_close(self) -> None:
        """Say that nothing follows."""
        self._out.put(None)

    def heard(self) -> Iterator[Heard]:
        """Yield what the referee says."""
        for frame in self._call:
            for message in frame.messages:
                name = message.WhichOneof("message")
                body = getattr(message, name)
                question = None
                if name == "decision":
                    question = Question(
                        table=body.table,
                        decision_id=body.decision_id,
                        legal=list(body.card.legal),
                        hand=list(body.observation.hand),
                        limit_s=body.time_limit_ms / 1000,
                    )
                table = getattr(body, "table", 0)
                yield Heard(name, table, question, getattr(body, "message", ""))

    def deck(self) -> list[Any]:
        """Return all forty cards."""
        return list(range(1, 41))

    def _send(self, **message: Any) -> None:
        frame = self._pb.PlayRequest(messages=[self._pb.BotMessage(**message)])
        self.send_raw(frame.SerializeToString())


def open_talk() -> Talk:
    """Talk as the arena started this bot: over gRPC if it gave an address."""
    address = os.environ.get("ARENA_ADDRESS")
    return Grpc(address, os.environ["ARENA_TOKEN"]) if address else Lines()
