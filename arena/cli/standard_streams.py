"""Standard streams: there are three, also where whoever started a command closed some.

Owns putting the null device in the place of one that is closed. Must not know commands.

Left alone a closed descriptor is the next file that is opened, for instance a match's log, and
what a library writes to stderr lands in it.
"""

import os
import sys
from typing import Final

_STREAMS: Final = (("stdin", "r"), ("stdout", "w"), ("stderr", "w"))
"""By descriptor, with the mode in which Python opens it."""


def fill_standard_streams() -> None:
    """Open the null device for every standard stream that is closed: nothing to read, no reader."""
    for descriptor, (name, mode) in enumerate(_STREAMS):
        if getattr(sys, name) is not None:
            continue
        try:
            os.fstat(descriptor)
        except OSError:
            null = os.open(os.devnull, os.O_RDWR)
            if null != descriptor:
                os.dup2(null, descriptor)
                os.close(null)
        stream = open(descriptor, mode, encoding="utf-8", closefd=False)  # noqa: SIM115  # for good
        setattr(sys, name, stream)
