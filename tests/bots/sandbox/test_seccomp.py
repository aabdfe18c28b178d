"""The filter: walked step by step, as the kernel walks it."""

import errno
import struct

import pytest

from arena.bots.sandbox.seccomp import filter_program

ALLOW, EPERM, ENOSYS = 0x7FFF0000, 0x50000 | errno.EPERM, 0x50000 | errno.ENOSYS
X86, ARM = 0xC000003E, 0xC00000B7


def verdict(program: bytes, number: int, argument: int = 0, machine: int = X86) -> int:
    """Interpret the classic BPF that a filter is made of."""
    data = struct.pack("<IIQQ", number, machine, 0, argument)
    steps = list(struct.iter_unpack("<HBBI", program))
    at, loaded = 0, 0
    while True:
        code, if_so, if_not, value = steps[at]
        at += 1
        match code:
            case 0x20:
                loaded = struct.unpack_from("<I", data, value)[0]
            case 0x15:
                at += if_so if loaded == value else if_not
            case 0x35:
                at += if_so if loaded >= value else if_not
            case 0x45:
                at += if_so if loaded & value else if_not
            case 0x06:
                return int(value)
            case _:
                raise AssertionError(code)


@pytest.mark.parametrize("number", [0, 1, 9, 39, 59, 202, 257, 332, 424, 436, 441, 450])
def test_ordinary_calls_are_allowed(number: int) -> None:
    assert verdict(filter_program("x86_64"), number) == ALLOW


@pytest.mark.parametrize("number", [101, 165, 250, 272, 298, 308, 310, 321, 323, 425, 426, 427])
def test_calls_that_climb_walls_are_refused(number: int) -> None:
    assert verdict(filter_program("x86_64"), number) == EPERM


@pytest.mark.parametrize(
    ("machine", "architecture", "clone", "socket"),
    [("x86_64", X86, 56, 41), ("aarch64", ARM, 220, 198)],
)
def test_arguments_decide_over_clone_and_socket(
    machine: str, architecture: int, clone: int, socket: int
) -> None:
    program = filter_program(machine)
    threads, new_user, vsock = 0x3D0F00, 0x10000011, 40
    assert verdict(program, clone, threads, architecture) == ALLOW
    assert verdict(program, clone, new_user, architecture) == EPERM
    assert verdict(program, 435, 0, architecture) == ENOSYS
    assert {verdict(program, socket, family, architecture) for family in (1, 2, 10, 16)} == {ALLOW}
    assert verdict(program, socket, vsock, architecture) == EPERM


def test_other_architectures_are_refused_everything() -> None:
    program = filter_program("x86_64")
    assert verdict(program, 1, machine=0x40000003) == EPERM
    assert verdict(program, 0x40000000 | 1) == EPERM


def test_a_machine_unknown_here_has_no_filter() -> None:
    assert filter_program("s390x") == b""
