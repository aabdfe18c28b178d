"""Standard streams: a command started without one of them gets the null device in its place.

Owns the numbers 0 to 2 and their names in ``sys``. Must not know what is printed.
"""

import os
import sys
from typing import Final

_NAMES: Final = (("stdin", "r"), ("stdout", "w"), ("stderr", "w"))


def open_missing_streams() -> None:
    """See that stdin, stdout and stderr are open.

    Else the next file that is opened gets such a number: an event's log, say, into which a
    library prints its complaints.
    """
    for number, (name, mode) in enumerate(_NAMES):
        try:
            os.fstat(number)
        except OSError:
            # The lowest number that is free, which is this one; bots' starters inherit it.
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # noqa: FBT003
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115
