"""The second filter: walked step by step, as the kernel walks it."""

import errno
import struct

import pytest

from arena.bots.sandbox.seccomp_walls import Sockets, wall_program

ALLOW, EPERM = 0x7FFF0000, 0x50000 | errno.EPERM
X86, ARM = 0xC000003E, 0xC00000B7
SOCKET = {X86: 41, ARM: 198}
FASTOPEN = 0x20000000


def verdict(program: bytes, number: int, *words: int, machine: int = X86) -> int:
    """Interpret the classic BPF that a filter is made of."""
    data = struct.pack("<IIQ6Q", number, machine, 0, *words, *(0,) * (6 - len(words)))
    steps = list(struct.iter_unpack("<HBBI", program))
    at, loaded = 0, 0
    while True:
        code, if_so, if_not, value = steps[at]
        at += 1
        match code:
            case 0x20:
                loaded = struct.unpack_from("<I", data, value)[0]
            case 0x54:
                loaded &= value
            case 0x15:
                at += if_so if loaded == value else if_not
            case 0x45:
                at += if_so if loaded & value else if_not
            case 0x06:
                return int(value)
            case _:
                raise AssertionError(code)


@pytest.mark.parametrize(("machine", "name"), [(X86, "x86_64"), (ARM, "aarch64")])
@pytest.mark.parametrize(
    ("sockets", "allowed"),
    [
        (Sockets.NONE, set()),
        (Sockets.TCP, {(2, 1, 0), (10, 1, 6), (2, 0x80801, 0)}),
        (
            Sockets.INTERNET,
            {(2, 1, 0), (10, 1, 6), (2, 0x80801, 0), (2, 1, 262), (2, 2, 17), (16, 3, 0)},
        ),
    ],
)
def test_a_socket_is_plain_tcp_or_what_a_build_may_have_and_never_unix(
    machine: int, name: str, sockets: Sockets, allowed: set[tuple[int, int, int]]
) -> None:
    program = wall_program(sockets, is_build=False, machine=name)
    tried = {(2, 1, 0), (10, 1, 6), (2, 0x80801, 0), (2, 1, 262), (2, 2, 17), (16, 3, 0)}
    tried |= {(1, 1, 0), (1, 2, 0), (1, 5, 0)}
    let = {
        words for words in tried
        if verdict(program, SOCKET[machine], *words, machine=machine) == ALLOW
    }  # fmt: skip
    assert let == allowed


def test_no_data_goes_with_the_opening_of_a_connection() -> None:
    program = wall_program(Sockets.TCP, is_build=False, machine="x86_64")
    for number, flags_at in ((44, 3), (46, 2), (307, 3)):
        before = (0,) * flags_at
        assert verdict(program, number, *before, 0x4000) == ALLOW
        assert verdict(program, number, *before, FASTOPEN | 0x4000) == EPERM


def test_limits_and_cores_are_its_own_alone() -> None:
    program = wall_program(Sockets.TCP, is_build=False, machine="x86_64")
    for number in (302, 203, 144, 142, 314):
        assert verdict(program, number, 0) == ALLOW
        assert verdict(program, number, 4_711) == EPERM


@pytest.mark.parametrize("number", [29, 30, 64, 68, 240, 50, 141, 251])
def test_what_speaks_to_others_is_refused_to_builds_too(number: int) -> None:
    for is_build in (False, True):
        program = wall_program(Sockets.INTERNET, is_build=is_build, machine="x86_64")
        assert verdict(program, number) == EPERM


@pytest.mark.parametrize("number", [90, 91, 268, 452, 92, 188, 197, 280, 132, 254, 300])
def test_marks_on_files_are_refused_at_play_and_left_to_builds(number: int) -> None:
    at_play, at_build = (
        wall_program(Sockets.NONE, is_build=is_build, machine="x86_64")
        for is_build in (False, True)
    )
    assert (verdict(at_play, number), verdict(at_build, number)) == (EPERM, ALLOW)


@pytest.mark.parametrize("number", [0, 1, 2, 9, 42, 53, 56, 59, 202, 257, 332])
def test_ordinary_calls_are_allowed(number: int) -> None:
    assert verdict(wall_program(Sockets.NONE, is_build=False, machine="x86_64"), number) == ALLOW


def test_another_architecture_is_refused_and_one_unknown_has_no_filter() -> None:
    program = wall_program(Sockets.TCP, is_build=False, machine="x86_64")
    assert verdict(program, 1, machine=0x40000003) == EPERM
    assert wall_program(Sockets.TCP, is_build=False, machine="s390x") == b""
