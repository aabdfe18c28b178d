"""Collector: keep Python's cyclic garbage collector off the clocks of decisions.

Owns the collector's settings while matches are played. A full collection looks at
everything that lives, modules included, for tens of milliseconds, and every clock would
run meanwhile. Must not know what is played. Source: design.md §4 ("Nothing above 1 ms …").
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_THRESHOLDS: Final = (20_000, 20, 20)
"""A young collection every few hundred plays, which takes well under a millisecond."""


@contextmanager
def calm_collector() -> Iterator[None]:
    """Set aside all that lives now, and collect what comes after more seldom."""
    before = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
