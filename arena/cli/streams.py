"""The standard streams of a command that was started without some of them.

Owns that numbers 0, 1 and 2 are open before anything else is: the next file would get the free
number, and a library that writes to stderr would write into a log. Must not know commands.
"""

import os
import sys
from contextlib import suppress
from io import TextIOWrapper
from typing import Final

_STANDARD: Final = 3


def fill_streams() -> None:
    """Open what is closed of stdin, stdout and stderr to nowhere; let names through that remain."""
    with suppress(OSError):
        while (lowest := os.open(os.devnull, os.O_RDWR)) < _STANDARD:
            os.set_inheritable(lowest, True)  # noqa: FBT003  # as standard streams are
        os.close(lowest)
    if sys.stdin is None:
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115  # for good
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115  # for good
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115  # for good
    if isinstance(sys.stdout, TextIOWrapper):
        # A name that the terminal's encoding lacks is escaped, as stderr does it anyway.
        sys.stdout.reconfigure(errors="backslashreplace")
