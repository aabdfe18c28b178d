"""Sessions in memory with seats that only take notes.

Owns a session under test with its bot's end and its seats.
"""

import trio
from trio.testing import wait_all_tasks_blocked

from arena.server.places import Place
from arena.server.session import Session
from arena.v1 import match_pb2, play_pb2
from tests.server.conversation import Heard, Said, open_session
from tests.server.ports import NotedSeat


def update(table: int = 1) -> Heard:
    return Heard(update=play_pb2.Update(table=table))


def queue(session: Session, count: int) -> None:
    for _ in range(count):
        session.queue(update())
    session.flush()


def join_tables(session: Session, count: int) -> tuple[list[Place], list[NotedSeat]]:
    seats = [NotedSeat() for _ in range(count)]
    return [session.places.take(seat) for seat in seats], seats


class Running:
    """A session whose bot is listened to."""

    def __init__(self, nursery: trio.Nursery, capacity: int = 1, tables: int | None = None) -> None:
        self.session, self.bot = open_session(capacity)
        self.places, self.seats = join_tables(self.session, capacity if tables is None else tables)
        nursery.start_soon(self.session.run)

    async def says(self, *messages: Said) -> None:
        """Let the bot send a frame, and the session take it in."""
        self.bot.say(*messages)
        await wait_all_tasks_blocked()

    async def sends(self, data: bytes) -> None:
        """Let the bot send bytes, and the session take them in."""
        self.bot.far.send(data)
        await wait_all_tasks_blocked()

    def hears_refusals(self) -> list[tuple[str, int | None]]:
        """Take the refusals that have arrived: the reason, and the decision named."""
        refused = [message.rejected for message in self.bot.hear()]
        return [
            (
                match_pb2.ErrorReason.Name(one.reason).removeprefix("ERROR_REASON_"),
                one.decision_id if one.HasField("decision_id") else None,
            )
            for one in refused
        ]
