"""How a command enters trio: so that a Ctrl-C ends it wherever it comes.

Owns the one call of ``trio.run`` that commands make. Must not know commands or signals.
"""

from collections.abc import Awaitable, Callable
from typing import TypeVar

import trio

T = TypeVar("T")


def run_trio(async_fn: Callable[[], Awaitable[T]]) -> T:
    """Run ``async_fn`` to its end; a Ctrl-C is raised where its own task next waits.

    By itself trio raises one in whatever code happens to run. In a task that the orderly end
    of others needs, such as those of the asyncio loop that gRPC runs on, that end would then
    be waited for, for ever.

    Raises:
        KeyboardInterrupt: Ctrl-C, alone or in a nursery's group.
    """
    return trio.run(  # noqa: TID251  # the one place
        async_fn, restrict_keyboard_interrupt_to_checkpoints=True
    )
