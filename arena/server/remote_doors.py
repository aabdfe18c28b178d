"""RemoteDoors: the sessions of remote bots, each behind a token of its own.

Owns who a stream to the public address is: a new session, one that is back, or a stranger.
Must not know sockets, files or matches. Source: protocol.md ("What happens when" 9, "Rules
of the wire" 10), design.md §5 (reconnect).
"""

import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

import trio

from arena.errors import ProtocolViolation
from arena.referee.faults import Reason
from arena.server.admission import open_session, read_join, refuse
from arena.server.arrivals import now_ns
from arena.server.link import Link, LinkError
from arena.server.session import Session
from arena.server.strangers import Strangers
from arena.wire.codec import Codec
from arena.wire.terms import GoodbyeReason

HANDSHAKE_S: Final = 5
"""How long a stream may take to say an acceptable Join."""
MAX_FRESH: Final = 64
"""Streams that may be about to say it; one more ends the oldest."""

NO_JOIN = LinkError(
    "DEADLINE_EXCEEDED", "NOT_JOINED", f"no Join came within {HANDSHAKE_S} s; it goes first"
)
"""How a stream ends that does not say who it is."""


class RemoteDoor:
    """The way in of one remote bot, for a whole run.

    Attributes:
        name: The entrant's.
        order: The door's place among all of the run.
        session: Its session; None until it first joins.
        matches: What that session has played, by id; whoever plays adds to it.
        missed_ms: How long it was waited for in vain since it was last let in; None: it was not.
    """

    def __init__(self, name: str, order: int) -> None:
        self.name = name
        self.order = order
        self.session: Session | None = None
        self.matches: list[str] = []
        self.missed_ms: int | None = None
        self._came = trio.Event()
        self._free = trio.Semaphore(1)

    async def joined(self) -> Session:
        """Wait until the bot has a session that is not over. The deadline is the caller's."""
        await trio.lowlevel.checkpoint()
        while self.session is None or self.session.is_gone:
            await self._came.wait()
        return self.session

    def give_up(self, waited_ms: int) -> None:
        """Note that it was waited for in vain, unless it is there: nobody waits for it again."""
        if self.session is None or self.session.is_gone:
            self.missed_ms = waited_ms

    @asynccontextmanager
    async def table(self) -> AsyncIterator[None]:
        """Keep one of the bot's tables free for a match; wait until one is."""
        free = self._free
        async with free:
            yield

    def open(self, session: Session) -> None:
        """Let a bot in."""
        self.session = session
        self.matches = []
        self.missed_ms = None
        self._free = trio.Semaphore(session.capacity)
        self._came.set()
        self._came = trio.Event()


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedSession:
    """A remote bot's session that is over, and the matches it has played."""

    name: str
    """The entrant's."""
    session: Session
    matches: tuple[str, ...]


async def _forget(_: EndedSession) -> None:
    """Keep nothing of a session that is over."""


class RemoteDoors:
    """All remote bots of one run.

    Args:
        nursery: Owns the sessions' readers.
        tokens: What opens which door, by token; each has 32 hexadecimal digits.
        codec: How the bytes of streams are messages.
        capacity: Most tables that the event lets one bot play at at once.
        server: The arena's version, told in Welcome.
        note_end: Takes each session that is over, before :meth:`all_ended` returns.
        now: The clock (ns) of the sessions.
    """

    def __init__(
        self,
        nursery: trio.Nursery,
        tokens: Mapping[str, str],
        codec: Codec,
        *,
        capacity: int,
        server: str,
        note_end: Callable[[EndedSession], Awaitable[None]] = _forget,
        now: Callable[[], int] = now_ns,
    ) -> None:
        self._nursery = nursery
        self._doors = {
            token: RemoteDoor(name, order) for order, (token, name) in enumerate(tokens.items())
        }
        self._codec = codec
        self._capacity = capacity
        self._server = server
        self._note_end = note_end
        self._now = now
        self._running = 0
        self._is_quiet = trio.Event()
        self._strangers = Strangers(MAX_FRESH)

    def by_name(self, name: str) -> tuple[RemoteDoor, ...]:
        """Give the doors of an entrant, in the order of its tokens."""
        return tuple(door for door in self._doors.values() if door.name == name)

    def take(self, link: Link) -> None:
        """Greet a fresh stream; it has :data:`HANDSHAKE_S` to say who it is."""
        self._strangers.add(link)
        self._nursery.start_soon(self._greet, link)

    def say_goodbye(self, reason: GoodbyeReason, grace_ms: int) -> None:
        """Tell all that nothing more comes."""
        for door in self._doors.values():
            if door.session is not None:
                door.session.say_goodbye(reason, grace_ms)

    async def all_ended(self) -> None:
        """Wait until no session is left, and each is noted. The deadline is the caller's."""
        while self._running:
            await self._is_quiet.wait()

    async def _greet(self, link: Link) -> None:
        try:
            with trio.move_on_after(HANDSHAKE_S) as allowance:
                joined = await read_join(link, self._codec)
        except ProtocolViolation:
            return
        finally:
            self._strangers.remove(link)
        if allowance.cancelled_caught:
            link.close(NO_JOIN)
            return
        door = self._find(joined.token)
        if door is None:
            refuse(link, "UNAUTHENTICATED", Reason.BAD_TOKEN, "this token opens no session here")
            return
        session = door.session
        if session is not None and not session.is_gone:
            session.resume(link, resume_after=joined.resume_after, server=self._server)
            return
        session = open_session(
            link,
            self._codec,
            joined=joined,
            capacity=self._capacity,
            server=self._server,
            can_resume=True,
            now=self._now,
        )
        door.open(session)
        await self._keep(door, session)

    async def _keep(self, door: RemoteDoor, session: Session) -> None:
        """Take in what a bot says, over one stream after another, until its session is over."""
        matches = door.matches
        self._running += 1
        try:
            await session.run()
            await self._note_end(
                EndedSession(name=door.name, session=session, matches=tuple(matches))
            )
        finally:
            self._running -= 1
            self._is_quiet.set()
            self._is_quiet = trio.Event()

    def _find(self, token: str) -> RemoteDoor | None:
        """Find the door that a token opens, in a time that does not depend on the token."""
        found = None
        for known, door in self._doors.items():
            if secrets.compare_digest(known.encode(), token.encode()):
                found = door
        return found
