"""Seccomp: the filter of system calls, as the bytes that the kernel takes.

Owns which calls are refused (EPERM) and the classic BPF program that says so for x86-64 and
64-bit ARM. Must not know bubblewrap, which loads it. Source: sandbox.md; seccomp(2).

The namespaces are the wall; this takes away the calls that walls have been climbed with.
Refused by number: tracing and reading others' memory, keys, BPF, performance counters,
io_uring, userfaultfd, mounts, namespaces, modules, kexec. ``clone`` is refused with a flag
that makes a namespace; ``clone3`` hides its flags from a filter, so it does not exist here
(ENOSYS: every C library falls back). Sockets are local, IPv4, IPv6 or netlink: AF_VSOCK, for
one, knows no network namespace. Programs of another architecture are refused everything.
"""

import errno
import platform
import struct
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_X86_64: Final[Mapping[str, int]] = MappingProxyType(
    {
        "ptrace": 101, "process_vm_readv": 310, "process_vm_writev": 311, "kcmp": 312,
        "keyctl": 250, "add_key": 248, "request_key": 249, "bpf": 321, "perf_event_open": 298,
        "userfaultfd": 323, "unshare": 272, "setns": 308, "mount": 165, "umount2": 166,
        "pivot_root": 155, "chroot": 161, "open_by_handle_at": 304, "kexec_load": 246,
        "kexec_file_load": 320, "init_module": 175, "finit_module": 313, "delete_module": 176,
        "swapon": 167, "swapoff": 168, "reboot": 169, "acct": 163, "quotactl": 179, "syslog": 103,
        "clone": 56, "socket": 41,
    }
)  # fmt: skip
_AARCH64: Final[Mapping[str, int]] = MappingProxyType(
    {
        "ptrace": 117, "process_vm_readv": 270, "process_vm_writev": 271, "kcmp": 272,
        "keyctl": 219, "add_key": 217, "request_key": 218, "bpf": 280, "perf_event_open": 241,
        "userfaultfd": 282, "unshare": 97, "setns": 268, "mount": 40, "umount2": 39,
        "pivot_root": 41, "chroot": 51, "open_by_handle_at": 265, "kexec_load": 104,
        "kexec_file_load": 294, "init_module": 105, "finit_module": 273, "delete_module": 106,
        "swapon": 224, "swapoff": 225, "reboot": 142, "acct": 89, "quotactl": 60, "syslog": 116,
        "clone": 220, "socket": 198,
    }
)  # fmt: skip
_BOTH: Final[Mapping[str, int]] = MappingProxyType(
    {
        "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427, "open_tree": 428,
        "move_mount": 429, "fsopen": 430, "fsconfig": 431, "fsmount": 432, "fspick": 433,
        "pidfd_getfd": 438, "mount_setattr": 442, "quotactl_fd": 443,
    }
)  # fmt: skip
"""Since number 424 a call has one number everywhere."""
_CLONE3: Final = 435
_MACHINES: Final[Mapping[str, tuple[int, Mapping[str, int]]]] = MappingProxyType(
    {"x86_64": (0xC000003E, _X86_64), "aarch64": (0xC00000B7, _AARCH64)}
)
_X32: Final = 0x40000000
"""The bit that marks a call of the x32 ABI, which has numbers of its own."""
_NEW_NAMESPACE: Final = 0x7E020000
"""CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET."""
_FAMILIES: Final = (1, 2, 10, 16)
"""AF_UNIX, AF_INET, AF_INET6, AF_NETLINK."""

_NUMBER, _MACHINE, _ARGUMENT = 0, 4, 16
"""Where struct seccomp_data has the call, the architecture and the first argument's low half."""
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW: Final = 0x7FFF0000
_ERRNO: Final = 0x00050000

_Step = tuple[int, int, int, int]


def filter_program(machine: str = "") -> bytes:
    """Return the program for a machine as ``uname -m`` calls it; empty for one unknown here."""
    known = _MACHINES.get(machine or platform.machine())
    if known is None:
        return b""
    architecture, numbers = known
    refuse, missing, allow = (_RETURN, 0, 0, _ERRNO | errno.EPERM), errno.ENOSYS, _ALLOW
    plain = sorted(
        number
        for name, number in (*numbers.items(), *_BOTH.items())
        if name not in ("clone", "socket")
    )
    steps: list[_Step] = [
        (_LOAD, 0, 0, _MACHINE),
        (_EQUAL, 1, 0, architecture),
        refuse,
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, 0, 1, _X32),
        refuse,
        (_EQUAL, 0, 1, _CLONE3),
        (_RETURN, 0, 0, _ERRNO | missing),
        (_EQUAL, 0, 4, numbers["clone"]),
        (_LOAD, 0, 0, _ARGUMENT),
        (_ANY_BIT, 0, 1, _NEW_NAMESPACE),
        refuse,
        (_RETURN, 0, 0, allow),
        (_EQUAL, 0, len(_FAMILIES) + 3, numbers["socket"]),
        (_LOAD, 0, 0, _ARGUMENT),
        *((_EQUAL, len(_FAMILIES) - place, 0, family) for place, family in enumerate(_FAMILIES)),
        refuse,
        (_RETURN, 0, 0, allow),
    ]
    for place, number in enumerate(plain):
        steps.append((_EQUAL, len(plain) - place, 0, number))
    steps += [(_RETURN, 0, 0, allow), refuse]
    return b"".join(struct.pack("<HBBI", *step) for step in steps)
