"""Interrupts: SIGTERM and the end of the terminal end a command as Ctrl-C does.

Owns what a signal does to a command that does not take signals itself: it unwinds, so that its
bots end and its folders go. Must not know commands.
"""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

_AS_CTRL_C: Final = (signal.SIGTERM, signal.SIGHUP)


@contextmanager
def interruptible() -> Iterator[None]:
    """While the body runs, let these signals do what SIGINT does just then.

    One that is ignored (SIGHUP, under nohup) stays ignored.
    """
    before = {number: signal.getsignal(number) for number in _AS_CTRL_C}
    taken = [number for number, handler in before.items() if handler is not signal.SIG_IGN]
    for number in taken:
        signal.signal(number, _interrupt)
    try:
        yield
    finally:
        for number in taken:
            signal.signal(number, before[number])


def is_interrupt(error: BaseException) -> bool:
    """Whether it is a Ctrl-C, be it in a nursery's wrapping."""
    if isinstance(error, BaseExceptionGroup):
        return error.subgroup(KeyboardInterrupt) is not None
    return isinstance(error, KeyboardInterrupt)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    # Not raised here: trio has a handler of its own that knows where raising is safe.
    signal.raise_signal(signal.SIGINT)
