"""The second filter of system calls: what Landlock leaves open, as the bytes the kernel takes.

Owns the calls that are refused (EPERM) to a bot that shares this machine's namespaces, on top
of :mod:`arena.bots.sandbox.seccomp`; the kernel takes the stricter word of the two. Must not
know who loads it. Source: landlock(7) ("limitations"), seccomp(2).

- Sockets are TCP over IPv4 and IPv6 alone, plain (``IPPROTO_MPTCP`` is not Landlock's TCP), or
  none at all; ``socketpair`` is free. A path is no protection: any Unix socket of the same user
  (a session bus, for one) would be a way out. Nobody listens, and no data goes with the opening
  of a connection (``MSG_FASTOPEN``), which Landlock does not see.
- System V and POSIX message queues, semaphores and shared memory.
- Limits, priorities and cores of other processes of the same user.
- While it plays: modes, owners, times and attributes of files, which Landlock does not guard, and
  being told what others do to files.
"""

import errno
import platform
import struct
from collections.abc import Mapping, Sequence
from enum import Enum
from types import MappingProxyType
from typing import Final

_X86_64: Final[Mapping[str, int]] = MappingProxyType(
    {
        "socket": 41, "listen": 50, "sendto": 44, "sendmsg": 46, "sendmmsg": 307, "shmget": 29,
        "shmat": 30, "shmctl": 31, "semget": 64, "semop": 65, "semctl": 66, "semtimedop": 220,
        "msgget": 68, "msgsnd": 69, "msgrcv": 70, "msgctl": 71, "mq_open": 240, "mq_unlink": 241,
        "prlimit64": 302, "sched_setaffinity": 203, "sched_setscheduler": 144,
        "sched_setparam": 142, "sched_setattr": 314, "setpriority": 141, "ioprio_set": 251,
        "chmod": 90, "fchmod": 91, "fchmodat": 268, "chown": 92, "fchown": 93, "lchown": 94,
        "fchownat": 260, "setxattr": 188, "lsetxattr": 189, "fsetxattr": 190, "removexattr": 197,
        "lremovexattr": 198, "fremovexattr": 199, "utime": 132, "utimes": 235, "futimesat": 261,
        "utimensat": 280, "inotify_add_watch": 254, "fanotify_init": 300,
    }
)  # fmt: skip
_AARCH64: Final[Mapping[str, int]] = MappingProxyType(
    {
        "socket": 198, "listen": 201, "sendto": 206, "sendmsg": 211, "sendmmsg": 269,
        "shmget": 194, "shmat": 196, "shmctl": 195, "semget": 190, "semop": 193, "semctl": 191,
        "semtimedop": 192, "msgget": 186, "msgsnd": 189, "msgrcv": 188, "msgctl": 187,
        "mq_open": 180, "mq_unlink": 181, "prlimit64": 261, "sched_setaffinity": 122,
        "sched_setscheduler": 119, "sched_setparam": 118, "sched_setattr": 274,
        "setpriority": 140, "ioprio_set": 30, "fchmod": 52, "fchmodat": 53, "fchown": 55,
        "fchownat": 54, "setxattr": 5, "lsetxattr": 6, "fsetxattr": 7, "removexattr": 14,
        "lremovexattr": 15, "fremovexattr": 16, "utimensat": 88, "inotify_add_watch": 27,
        "fanotify_init": 262,
    }
)  # fmt: skip
_BOTH: Final[Mapping[str, int]] = MappingProxyType(
    {"fchmodat2": 452, "setxattrat": 463, "removexattrat": 466, "file_setattr": 469}
)
_MACHINES: Final[Mapping[str, tuple[int, Mapping[str, int]]]] = MappingProxyType(
    {"x86_64": (0xC000003E, _X86_64), "aarch64": (0xC00000B7, _AARCH64)}
)
_ALWAYS: Final = (
    "listen", "shmget", "shmat", "shmctl", "semget", "semop", "semctl", "semtimedop", "msgget",
    "msgsnd", "msgrcv", "msgctl", "mq_open", "mq_unlink", "setpriority", "ioprio_set",
)  # fmt: skip
_AT_PLAY: Final = (
    "chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown", "fchownat",
    "setxattr", "lsetxattr", "fsetxattr", "setxattrat", "removexattr", "lremovexattr",
    "fremovexattr", "removexattrat", "file_setattr", "utime", "utimes", "futimesat", "utimensat",
    "inotify_add_watch", "fanotify_init",
)  # fmt: skip
_OF_OTHERS: Final = (
    "prlimit64", "sched_setaffinity", "sched_setscheduler", "sched_setparam", "sched_setattr",
)  # fmt: skip
"""Whose first argument is a process: only 0, itself, is allowed."""
_FLAGS_AT: Final = (("sendto", 3), ("sendmsg", 2), ("sendmmsg", 3))
_MSG_FASTOPEN: Final = 0x20000000
_AF_UNIX, _AF_INET, _AF_INET6 = 1, 2, 10
_SOCK_STREAM, _TYPE_MASK = 1, 0xF
_IPPROTO_TCP: Final = 6

_NUMBER, _MACHINE = 0, 4
_LOAD, _EQUAL, _ANY_BIT, _AND, _RETURN = 0x20, 0x15, 0x45, 0x54, 0x06
_ALLOW: Final = 0x7FFF0000
_ERRNO: Final = 0x00050000
_Step = tuple[int, int, int, int]
_REFUSE: Final[_Step] = (_RETURN, 0, 0, _ERRNO | errno.EPERM)
_PASS: Final[_Step] = (_RETURN, 0, 0, _ALLOW)


class Sockets(Enum):
    """Which sockets a bot may make."""

    NONE = "none"
    TCP = "tcp"
    INTERNET = "internet"
    """All but Unix sockets: for a build that may use the network."""


def wall_program(sockets: Sockets, *, is_build: bool, machine: str = "") -> bytes:
    """Return the program for a machine as ``uname -m`` calls it; empty for one unknown here."""
    known = _MACHINES.get(machine or platform.machine())
    if known is None:
        return b""
    architecture, numbers = known
    numbers = {**numbers, **_BOTH}
    steps: list[_Step] = [
        # Of another architecture the first filter refuses everything.
        (_LOAD, 0, 0, _MACHINE),
        (_EQUAL, 1, 0, architecture),
        _REFUSE,
        (_LOAD, 0, 0, _NUMBER),
    ]
    steps += _block(numbers["socket"], _socket_steps(sockets))
    for name, place in _FLAGS_AT:
        steps += _block(numbers[name], [_argument(place), (_ANY_BIT, 0, 1, _MSG_FASTOPEN)])
    for name in _OF_OTHERS:
        steps += _block(numbers[name], [_argument(0), (_EQUAL, 1, 0, 0)])
    plain = sorted(
        numbers[name]
        for name in (*_ALWAYS, *(() if is_build else _AT_PLAY))
        if name in numbers  # the newer architecture has no chmod, chown, lchown, utime
    )
    for place, number in enumerate(plain):
        steps.append((_EQUAL, len(plain) - place, 0, number))
    steps += [_PASS, _REFUSE]
    return b"".join(struct.pack("<HBBI", *step) for step in steps)


def _block(number: int, decides: Sequence[_Step]) -> list[_Step]:
    """For one call: steps that fall through to a refusal, or skip it and allow."""
    body = [*decides, _REFUSE, _PASS]
    return [(_EQUAL, 0, len(body), number), *body]


def _socket_steps(sockets: Sockets) -> list[_Step]:
    match sockets:
        case Sockets.NONE:
            return []
        case Sockets.INTERNET:
            return [_argument(0), (_EQUAL, 0, 1, _AF_UNIX)]
        case Sockets.TCP:
            return [
                _argument(0),
                (_EQUAL, 1, 0, _AF_INET),
                (_EQUAL, 0, 6, _AF_INET6),
                _argument(1),
                (_AND, 0, 0, _TYPE_MASK),
                (_EQUAL, 0, 3, _SOCK_STREAM),
                _argument(2),
                (_EQUAL, 2, 0, 0),
                (_EQUAL, 1, 0, _IPPROTO_TCP),
            ]


def _argument(place: int) -> _Step:
    """Load the low half of an argument, from where struct seccomp_data has it."""
    return (_LOAD, 0, 0, 16 + 8 * place)
