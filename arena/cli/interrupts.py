"""Interrupts: Ctrl-C, SIGTERM and the end of the terminal end a command alike.

Owns what a signal does to a command that does not take signals itself: it unwinds, so that its
bots end and its folders go. Must not know commands or trio.
"""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

_ALL: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_ends: Final[list[Callable[[], None]]] = []
"""How to end what runs now, the innermost last."""


@contextmanager
def interruptible() -> Iterator[None]:
    """While the body runs, let the signals raise KeyboardInterrupt, or do what it asked for.

    One that is ignored stays ignored: SIGHUP under nohup, SIGINT in a shell's background.
    """
    before = {number: signal.getsignal(number) for number in _ALL}
    taken = [number for number, handler in before.items() if handler is not signal.SIG_IGN]
    for number in taken:
        signal.signal(number, _interrupt)
    try:
        yield
    finally:
        for number in taken:
            signal.signal(number, before[number])


@contextmanager
def ended_by_interrupts(end: Callable[[], None]) -> Iterator[None]:
    """While the body runs, let a signal call ``end``, in the middle of whatever runs then."""
    _ends.append(end)
    try:
        yield
    finally:
        _ends.remove(end)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    if not _ends:
        raise KeyboardInterrupt
    _ends[-1]()
