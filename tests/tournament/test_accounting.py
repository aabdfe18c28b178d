"""Each session of a remote bot is noted once it is over, with what is known of it."""

from collections.abc import Callable, Sequence
from typing import cast

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from arena.referee.faults import FaultKind
from arena.server.remote_doors import EndedSession, RemoteDoors
from arena.testing.memory_link import memory_link_pair, trio_now_ns
from arena.tournament.accounting import note_remote
from arena.tournament.run_state import RunState
from arena.v1 import play_pb2
from arena.wire.codec import ProtoCodec
from arena.wire.terms import GoodbyeReason
from tests.server.conversation import BotEnd, Said

TOKEN = "0123456789abcdef0123456789abcdef"  # noqa: S105  # opens nothing


class Told:
    """Stands for a run: keeps what its log is told."""

    def __init__(self) -> None:
        self.lines: list[dict[str, object]] = []

    async def tell_log(self, kind: str, *, durable: bool, **fields: object) -> None:
        """Keep a line."""
        assert (kind, durable) == ("session_closed", False)
        await trio.lowlevel.checkpoint()
        self.lines.append(fields)


class Room:
    """The doors of one remote bot, and what is told of its sessions."""

    def __init__(self, nursery: trio.Nursery) -> None:
        self.told = Told()
        self.doors = RemoteDoors(
            nursery,
            {TOKEN: "far"},
            ProtoCodec(),
            capacity=1,
            server="test",
            note_end=self._note,
            now=trio_now_ns,
        )

    async def _note(self, ended: EndedSession) -> None:
        await note_remote(cast("RunState", self.told), ended)

    async def join(self, resume_after: int | None = None) -> BotEnd:
        """Join, and be welcomed."""
        link, far = memory_link_pair()
        self.doors.take(link)
        bot = BotEnd(far)
        join = play_pb2.Join(protocol_version=1, token=TOKEN, resume_after=resume_after)
        bot.say(Said(join=join))
        await wait_all_tasks_blocked()
        assert bot.hear_kinds() == ["welcome"]
        return bot

    def goodbye(self) -> None:
        """End the run."""
        self.doors.say_goodbye(GoodbyeReason.FINISHED, 0)


def hears_goodbye(room: Room, _: BotEnd) -> None:
    room.goodbye()


def leaves(_: Room, bot: BotEnd) -> None:
    bot.say(Said(leave=play_pb2.Leave()))


def is_away(room: Room, bot: BotEnd) -> None:
    bot.far.die()


def floods(_room: Room, bot: BotEnd) -> None:
    for _ in range(300):
        bot.far.send(b"")


@pytest.mark.parametrize(
    ("go", "end"),
    [
        (hears_goodbye, "goodbye"),
        (leaves, FaultKind.LEFT.value),
        (is_away, FaultKind.LOST.value),
        (floods, FaultKind.FLOOD.value),
    ],
)
async def test_a_session_that_is_over_is_told_with_how_it_ended(
    go: Callable[[Room, BotEnd], None], end: str
) -> None:
    async with trio.open_nursery() as nursery:
        room = Room(nursery)
        bot = await room.join()
        room.doors.by_name("far")[0].matches.append("m1")
        go(room, bot)
        await wait_all_tasks_blocked()
        room.goodbye()
        with trio.fail_after(5):
            await room.doors.all_ended()
        (line,) = room.told.lines
        assert {key: line[key] for key in ("entrant", "matches", "streams", "end")} == {
            "entrant": "far",
            "matches": ["m1"],
            "streams": 1,
            "end": end,
        }
        assert "ready_us" not in line, "it never was ready"
        assert cast("int", line["bytes_out"]) > 0
        nursery.cancel_scope.cancel()


async def test_a_bot_that_comes_back_has_one_session_and_one_that_left_another() -> None:
    async with trio.open_nursery() as nursery:
        room = Room(nursery)
        first = await room.join()
        first.far.die()
        await wait_all_tasks_blocked()
        leaves(room, await room.join(resume_after=1))
        await wait_all_tasks_blocked()
        await room.join()
        room.goodbye()
        with trio.fail_after(5):
            await room.doors.all_ended()
        assert ends_of(room.told.lines) == [("left", 2), ("goodbye", 1)]
        nursery.cancel_scope.cancel()


def ends_of(lines: Sequence[dict[str, object]]) -> list[tuple[object, object]]:
    """List how sessions ended and over how many streams."""
    return [(line["end"], line["streams"]) for line in lines]
