"""Accounting: what each bot's session cost, as a line of the event's log.

Owns a bot from its start to that line. Must not know which match it plays.
Source: record.md ("Event log": session_closed), event_log.proto (SessionClosed).
"""

from functools import partial
from pathlib import Path

import trio

from arena.bots.exits import ExitKind
from arena.bots.frozen import FrozenBot
from arena.bots.seating import SeatedBot, SeatingRoom, seat_bot
from arena.referee.clock import US
from arena.tournament.run_state import RunState


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
    session, ended = seated.session, seated.process.exit
    account: dict[str, object] = {
        "entrant": entrant,
        "matches": list(seated.matches),
        "start_us": seated.joining_ns // US,
        "bytes_in": session.bytes_in,
        "bytes_out": session.bytes_out,
    }
    if session.ready_ns is not None:
        account["ready_us"] = (session.ready_ns - seated.process.started_ns) // US
    if ended is not None and ended.kind in (ExitKind.EXITED, ExitKind.SIGNALLED):
        account["cpu_us"] = ended.cpu_us
        account["peak_memory"] = ended.peak_kib * 1024
        account["exit"] = ended.value if ended.kind is ExitKind.EXITED else -ended.value
    return account
