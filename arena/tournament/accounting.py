"""Accounting: what each bot's session cost, as a line of the event's log.

Owns a bot of this machine from its start to that line, and the line of one that runs elsewhere.
Must not know which match it plays.
Source: record.md ("Event log": session_closed), event_log.proto (SessionClosed).
"""

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Final

import trio

from arena.bots.exits import ExitKind
from arena.bots.frozen import FrozenBot
from arena.bots.seating import SeatedBot, SeatingRoom, seat_bot
from arena.referee.clock import US
from arena.referee.faults import FaultKind
from arena.server.remote_doors import EndedSession
from arena.server.session import Session
from arena.tournament.run_state import RunState

GOODBYE: Final = "goodbye"
"""How a session ended that the arena ended in peace."""


async def keep_bot(
    run: RunState,
    room: SeatingRoom,
    entrant: str,
    bot: FrozenBot,
    stderr_path: Path,
    *,
    cores: frozenset[int] | None,
    task_status: trio.TaskStatus[SeatedBot],
) -> None:
    """Start a bot as :func:`arena.bots.seating.seat_bot` does; once it has ended, say so.

    A bot that a cancel ends is not accounted for.

    Raises:
        HostFault: The bot cannot be started here, or the log not be written.
    """
    async with trio.open_nursery() as nursery:
        seated: SeatedBot = await nursery.start(
            partial(seat_bot, room, bot, stderr_path, cores=cores)
        )
        task_status.started(seated)
    await run.tell_log("session_closed", durable=False, **session_account(entrant, seated))


def session_account(entrant: str, seated: SeatedBot) -> dict[str, object]:
    """Give the fields of ``session_closed``; what was not measured is left out."""
    process = seated.process
    ended = process.exit
    account = _account(entrant, seated.session, seated.matches, since_ns=process.started_ns)
    account["start_us"] = seated.joining_ns // US
    if ended is not None and ended.kind in (ExitKind.EXITED, ExitKind.SIGNALLED):
        account["cpu_us"] = ended.cpu_us
        account["peak_memory"] = ended.peak_kib * 1024
        account["exit"] = ended.value if ended.kind is ExitKind.EXITED else -ended.value
    return account


async def note_remote(run: RunState, ended: EndedSession) -> None:
    """Say what the session of a bot came to that runs elsewhere.

    Raises:
        HostFault: The log cannot be written.
    """
    session = ended.session
    account = _account(ended.name, session, ended.matches, since_ns=session.joined_ns)
    await run.tell_log("session_closed", durable=False, **account)


def _account(
    entrant: str, session: Session, matches: Iterable[str], *, since_ns: int
) -> dict[str, object]:
    """Give what is known of every session."""
    account: dict[str, object] = {
        "entrant": entrant,
        "matches": list(matches),
        "bytes_in": session.tally.bytes_in,
        "bytes_out": session.tally.bytes_out,
        "answers": session.tally.answers,
        "streams": session.tally.streams,
        "end": _end_of(session),
    }
    if session.tally.ready_ns is not None:
        account["ready_us"] = (session.tally.ready_ns - since_ns) // US
    return account


def _end_of(session: Session) -> str:
    """Say how a session ended; a bot that was away at the end has not heard the goodbye."""
    if session.is_lost:
        return FaultKind.LOST.value
    return GOODBYE if session.says_goodbye else session.gone_kind.value
