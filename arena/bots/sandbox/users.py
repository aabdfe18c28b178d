"""User ids for bots, where the arena runs as root.

Owns the choice of ids that belong to nobody, so that two bots have two. Must not change
anybody's id. Source: sandbox.md ("as root always switch uid").
"""

import os
import pwd
import secrets
from collections.abc import Iterator
from pathlib import Path

from arena.errors import HostFault

_WIDE_START = 0x7000_0000
"""Above what systemd gives to services, users and containers."""
_WIDE = 1 << 20
_NARROW = 4096
"""So many of the highest ids where root has few, as in a container."""
_LEAST = 10_000


def user_ids() -> Iterator[int]:
    """Give ids that no account of this machine has, each once, from a random start.

    Raises:
        HostFault: Root here may not use any such id.
    """
    low, high = _span()
    taken = {account.pw_uid for account in pwd.getpwall()}
    start = secrets.randbelow(high - low)
    for step in range(high - low):
        number = low + (start + step) % (high - low)
        if number not in taken:
            yield number
    raise HostFault(f"no user id for a bot is left between {low} and {high}")


def _span() -> tuple[int, int]:
    """Find ids that are mapped here: in a container root may have few."""
    extents = [_extents(kind) for kind in ("uid", "gid")]
    wide = (_WIDE_START, _WIDE_START + _WIDE)
    if all(any(a <= wide[0] and wide[1] <= b for a, b in kind) for kind in extents):
        return wide
    high = min(max(b for _, b in kind) for kind in extents) - 2
    low = max(_LEAST, high - _NARROW)
    if low >= high or os.getuid() != 0:
        raise HostFault(f"no user ids for bots: this root may use ids below {high + 2} only")
    return low, high


def _extents(kind: str) -> list[tuple[int, int]]:
    lines = Path(f"/proc/self/{kind}_map").read_text("ascii").splitlines()
    return [(int(first), int(first) + int(count)) for first, _, count in map(str.split, lines)]
