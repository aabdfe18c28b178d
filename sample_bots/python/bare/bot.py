"""Bare: a bot from nothing but the arena's proto files and grpcio. Plays its lowest legal card."""

import asyncio
import os
import sys
from pathlib import Path

# The stubs, made by make_stubs.py; first, so that nothing installed comes before them.
sys.path.insert(0, str(Path(__file__).resolve().parent / "build"))

import grpc

from arena.v1 import play_pb2, play_pb2_grpc


async def main() -> None:
    """Join, be ready, answer, and leave after Goodbye."""
    async with grpc.aio.insecure_channel(os.environ["ARENA_ADDRESS"]) as channel:
        call = play_pb2_grpc.RefereeServiceStub(channel).Play()
        join = play_pb2.Join(protocol_version=1, token=os.environ["ARENA_TOKEN"], name="bare")
        await call.write(play_pb2.PlayRequest(messages=[play_pb2.BotMessage(join=join)]))
        async for frame in call:
            reply = play_pb2.PlayRequest()
            for message in frame.messages:
                match message.WhichOneof("message"):
                    case "match_started":
                        reply.messages.add().ready.table = message.match_started.table
                    case "decision":
                        answer = reply.messages.add().answer
                        answer.decision_id = message.decision.decision_id
                        answer.card = min(message.decision.card.legal, key=strength)
                    case "rejected":
                        print("rejected:", message.rejected.message, file=sys.stderr)
                    case "goodbye":
                        await call.done_writing()
            if reply.messages:
                await call.write(reply)


def strength(card: int) -> int:
    """Return a card's strength within its suit: cards are numbered suit by suit, weakest first."""
    return (card - 1) % 10


if __name__ == "__main__":
    asyncio.run(main())
