"""Notice: a word to the organiser's own command when an event needs a person.

Owns the JSON line on the command's stdin and how long it may take. Must not know what the
command does with it. Source: issue "Tournaments to trust" (Resume and rule).
"""

import shutil
import subprocess
from enum import StrEnum
from functools import partial
from typing import Final

import msgspec
import trio

from arena.errors import ConfigError
from arena.tournament.event_file import EventFile
from arena.tournament.run_state import RunState

DEADLINE_S: Final = 10.0
"""How long the command may run before it is ended."""


class Occasion(StrEnum):
    """What an organiser is told of."""

    PAUSE = "pause"
    SUSPENSION = "suspension"
    HOST_FAULT = "host_fault"
    LOW_DISK = "low_disk"
    END = "end"


def check_notify(event: EventFile) -> None:
    """Refuse a command that is not there, before anything is played.

    Raises:
        ConfigError: There is no such command.
    """
    if event.notify and shutil.which(event.notify[0]) is None:
        raise ConfigError(
            f"notify: no command {event.notify[0]!r} on this machine; "
            "give its full path or a name that PATH has"
        )


async def notify(run: RunState, occasion: Occasion, **data: object) -> None:
    """Run the event's ``notify`` command with one JSON line; the event never waits for long.

    What goes wrong with it is noted in the event's log and harms nothing else.

    Raises:
        HostFault: The event's log cannot be written.
    """
    command = run.event.notify
    if not command:
        return
    line = msgspec.json.encode({"occasion": occasion.value, "event": run.event.name, **data})
    problem = ""
    with trio.move_on_after(DEADLINE_S) as allowance:
        try:
            ended = await trio.run_process(
                list(command),
                stdin=line + b"\n",
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                check=False,
                deliver_cancel=_kill,
            )
        except OSError as error:
            problem = f"could not be started: {error.strerror}"
        else:
            problem = f"exited with status {ended.returncode}" if ended.returncode else ""
    if allowance.cancelled_caught:
        problem = f"was ended after {DEADLINE_S:.0f} s"
    if problem:
        tell = partial(run.tell_log, "notify_failed", occasion=occasion.value, why=problem)
        await tell()


async def _kill(process: trio.Process) -> None:
    process.kill()
