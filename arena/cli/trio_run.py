"""How a command enters trio: so that an interrupt ends it whenever it comes.

Owns the one call of ``trio.run`` that commands make, and the unwrapping of what comes out of it.
Must not know commands or signals.
"""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TypeVar

import trio

from arena.cli.interrupts import ended_by_interrupts
from arena.errors import ArenaError, HostFault

T = TypeVar("T")


def run_trio(async_fn: Callable[[], Awaitable[T]]) -> T:
    """Run ``async_fn`` to its end; an interrupt cancels it.

    trio by itself raises a Ctrl-C in whatever code runs just then. In the middle of a nursery's
    start of a task, say, that leaves behind what waits for ever.

    Raises:
        KeyboardInterrupt: It was interrupted, and did not reach its end.
    """
    scope = trio.CancelScope()
    wake: Callable[[], None] | None = None
    is_wanted = False

    def end() -> None:
        nonlocal is_wanted
        is_wanted = True
        if wake is not None:
            wake()

    async def until_interrupted() -> T:
        nonlocal wake
        token = trio.lowlevel.current_trio_token()
        wake = partial(token.run_sync_soon, scope.cancel, idempotent=True)
        if is_wanted:  # before there was anybody to be told
            scope.cancel()
        with scope:
            return await async_fn()
        raise KeyboardInterrupt

    try:
        with ended_by_interrupts(end):
            return trio.run(until_interrupted)  # noqa: TID251  # the one place
    except Exception as error:
        if is_wanted:  # what breaks while all is torn down is no news
            raise KeyboardInterrupt from error
        raise


def only(group: ExceptionGroup) -> Exception:
    """Give the one error that a nursery wrapped; a group of several as it is."""
    error: Exception = group
    while isinstance(error, ExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    return error


def first_fault(error: Exception) -> ArenaError | None:
    """Give the first fault of what tables came to at once; None if one of them is a bug."""
    match error:
        case ArenaError():
            return error
        case OSError():
            place = f"{error.filename}: " if error.filename else ""
            return HostFault(f"{place}{error.strerror or error}")
        case ExceptionGroup():
            found = [first_fault(inner) for inner in error.exceptions]
            return None if None in found else found[0]
        case _:
            return None
