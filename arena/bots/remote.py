"""Remote bots: programs that run elsewhere and join over the public address.

Owns how such a bot stands where others have a frozen copy and a process. Must not know
tokens' files, matches or events. Source: commands.md (BOT ``remote``), design.md §5, §6
("Memory").
"""

import hashlib
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import trio

from arena.bots.argument import BotChoice
from arena.bots.frozen import FrozenBot
from arena.bots.seating import SeatedBot
from arena.referee.faults import FaultKind
from arena.server.absent import absent_session
from arena.server.remote_doors import RemoteDoor
from arena.server.session import Session
from arena.wire.terms import GoodbyeReason

_HASH_PREFIX: Final = b"tressette remote v1"


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteSeat:
    """A remote bot at its place: its session is the bot's own, and outlives the sitting."""

    bot: FrozenBot
    session: Session
    door: RemoteDoor
    joining_ns: int = 0
    """Its start was its author's: a match's start allowance runs from its announcement."""
    matches: list[str] = field(default_factory=list)
    """The matches that its session has played, in other sittings too."""
    holds: frozenset[str] = frozenset()
    """What bounds its processes here: nothing."""

    def release(self, reason: GoodbyeReason = GoodbyeReason.FINISHED) -> None:
        """Let nothing go: the next sitting may want it."""

    async def ended(self) -> None:
        """Wait for nothing: no process is here."""
        await trio.lowlevel.checkpoint()


Seated = SeatedBot | RemoteSeat
"""A bot at its place, wherever it runs."""


def freeze_remote(choice: BotChoice) -> FrozenBot:
    """Stand for a bot whose content nobody here can see: its hash is that of no content."""
    return FrozenBot(
        manifest=choice.manifest,
        hash=hashlib.sha256(_HASH_PREFIX).hexdigest(),
        folder=Path(),
        options={},
        is_remote=True,
    )


async def seat_remote(bot: FrozenBot, door: RemoteDoor, start_ms: int) -> RemoteSeat:
    """Seat a remote bot; one that is not there within the start allowance is absent.

    One that was waited for in vain already, before the run's first match or in an earlier one,
    is not waited for again: it plays from the first match that finds it there.
    """
    with trio.move_on_after(start_ms / 1000 if door.missed_ms is None else 0):
        session = await door.joined()
        return RemoteSeat(bot=bot, session=session, door=door, matches=door.matches)
    if door.missed_ms is None:
        door.give_up(start_ms)
    detail = f"the remote bot has not joined; it was waited for {door.missed_ms} ms"
    absent = absent_session(FaultKind.NOT_READY, detail)
    return RemoteSeat(bot=bot, session=absent, door=door)


@asynccontextmanager
async def tables_held(seated: Iterable[Seated]) -> AsyncIterator[None]:
    """Keep a table free at every remote bot among some for one match.

    Tables are taken in one order everywhere, so that matches never wait in a circle.
    """
    remote = [bot for bot in seated if isinstance(bot, RemoteSeat) and not bot.session.is_gone]
    async with AsyncExitStack() as held:
        for seat in sorted(remote, key=lambda bot: bot.door.order):
            await held.enter_async_context(seat.door.table())
        yield
