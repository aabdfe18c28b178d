"""A replay on a terminal, forward and back by keys.

Owns keys, the screen and the terminal's mode, which is put back however the reading ends.
Must not know how a match is told: that is :mod:`arena.record.browsing`.
"""

import os
import re
import shutil
import sys
import termios
import tty
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from arena.cli.output import emit, harmless
from arena.record.browsing import Browsing, Move

KEYS: Final[Mapping[bytes, Move]] = {
    b"\x1b[C": Move.CARD_ON,
    b"\x1bOC": Move.CARD_ON,
    b" ": Move.CARD_ON,
    b"l": Move.CARD_ON,
    b"\x1b[D": Move.CARD_BACK,
    b"\x1bOD": Move.CARD_BACK,
    b"h": Move.CARD_BACK,
    b"\x1b[B": Move.TRICK_ON,
    b"\x1bOB": Move.TRICK_ON,
    b"j": Move.TRICK_ON,
    b"\r": Move.TRICK_ON,
    b"\n": Move.TRICK_ON,
    b"\x1b[A": Move.TRICK_BACK,
    b"\x1bOA": Move.TRICK_BACK,
    b"k": Move.TRICK_BACK,
    b"\x1b[6~": Move.DEAL_ON,
    b"n": Move.DEAL_ON,
    b"\x1b[5~": Move.DEAL_BACK,
    b"p": Move.DEAL_BACK,
    b"g": Move.FIRST,
    b"\x1b[H": Move.FIRST,
    b"G": Move.LAST,
    b"\x1b[F": Move.LAST,
}
"""What the keys do; arrows go by cards and tricks."""
_QUIT: Final = (b"q", b"\x04")
_KEY: Final = re.compile(rb"\x1b(?:\[[0-9;]*[A-Za-z~]|O[A-Za-z])|.", re.DOTALL)
"""One key: what a terminal sends for a special one, or a byte."""
_HELP: Final = "→ ← card   ↓ ↑ trick   n p deal   g G first, last   q quit"
_MOST_BYTES: Final = 1024
"""How much is read at once of keys that are held down or were pasted."""
_CLEAR: Final = "\x1b[H\x1b[2J"


def is_terminal() -> bool:
    """Whether somebody sits there: keys come in and a screen shows what goes out."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def browse(browsing: Browsing, verdict: str) -> None:
    """Show the match until the reader quits; ``verdict`` stands below every page."""
    source = sys.stdin.fileno()
    with _by_key(source):
        _show(browsing, verdict)
        while _go_by(os.read(source, _MOST_BYTES), browsing):
            _show(browsing, verdict)
    emit("")


def _go_by(sent: bytes, browsing: Browsing) -> bool:
    """Do what keys say that came at once; False: to quit, or nobody is there any more."""
    for key in _KEY.findall(sent):
        if key in _QUIT:
            return False
        move = KEYS.get(key)
        if move is not None:
            browsing.go(move)
    return bool(sent)


def _show(browsing: Browsing, verdict: str) -> None:
    """Show the end of the page: as much as the screen holds."""
    stop = browsing.stop
    size = shutil.get_terminal_size()
    where = f"deal {stop.deal}, trick {stop.trick}" if stop.trick else f"end of deal {stop.deal}"
    foot = [verdict, f"{where} · {_HELP}"]
    lines = [line[: size.columns] for line in browsing.page()[-(size.lines - len(foot) - 1) :]]
    text = "\n".join(map(harmless, (*lines, "", *(line[: size.columns] for line in foot))))
    sys.stdout.write(_CLEAR + text)
    sys.stdout.flush()


@contextmanager
def _by_key(source: int) -> Iterator[None]:
    """Let each key come in at once, unseen; Ctrl-C still interrupts."""
    before = termios.tcgetattr(source)
    try:
        tty.setcbreak(source)
        yield
    finally:
        termios.tcsetattr(source, termios.TCSADRAIN, before)
