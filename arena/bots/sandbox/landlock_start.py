"""Start: a script that walls itself in with Landlock and then becomes the bot.

Owns the way through the kernel's door, nothing of what the walls are: those are told. It is
run by :mod:`arena.bots.sandbox.landlock` under ``python -I -S`` between the warden and the bot,
so it imports little. Source: landlock(7), seccomp(2), prctl(2).

Command line: ``landlock_start.py WALLS_FD -- COMMAND…``. The descriptor holds fields that end
in zero bytes, in pairs of a key and a value:

=========== ==============================================================================
``user``    become this user and group, with no others; paths are opened before
``bare``    as root: stay it, and give up every capability for good
``see``     a path that may be read, listed and executed
``read``    a path that may be read and listed
``write``   a path below which all may be done
``device``  a file that may be read and written
``port``    a number to which TCP may connect; without one there is no TCP
``free``    no rule for TCP: a build that may use the network
``filter``  a program for seccomp, in hexadecimal digits
=========== ==============================================================================

A path that does not exist is left out. Exit status 127, with a line on stderr: the walls could
not be put up, or the command not be executed; it is never run without them.
"""

import ctypes
import errno
import os
import signal
import struct
import sys

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
"""System calls; since number 424 they are one number everywhere."""
PATH_BENEATH, NET_PORT = 1, 2

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
ALL_FILES = (1 << 16) - 1
"""Every right over files that Landlock has at ABI 6, those of devices included."""
OF_A_FILE = EXECUTE | WRITE_FILE | READ_FILE | 1 << 14 | 1 << 15
"""Of these, what a rule for a single file may hold; else the kernel refuses it."""
CONNECT_TCP, BIND_TCP = 2, 1
ABSTRACT_SOCKETS, SIGNALS = 1, 2

PR_SET_PDEATHSIG, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT = 1, 22, 38, 47
PR_CAPBSET_DROP, PR_SET_SECUREBITS = 24, 28
CLEAR_ALL = 4
NO_ROOT = 0b1111
"""SECBIT_NOROOT and NO_SETUID_FIXUP, both locked: root is a user like any other."""
CAPABILITY_VERSION = 0x20080522
FILTER_MODE = 2

RIGHTS = {
    b"see": EXECUTE | READ_FILE | READ_DIR,
    b"read": READ_FILE | READ_DIR,
    b"write": ALL_FILES,
    b"device": READ_FILE | WRITE_FILE | 1 << 15,
}

libc = ctypes.CDLL(None, use_errno=True)


def call(done: int, what: str) -> int:
    """Pass a result on, or raise what the kernel said."""
    if done < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), what)
    return done


def wall_in(walls: list[tuple[bytes, bytes]]) -> None:
    """Put all walls up around this process; there is no way back."""
    keeper = os.getppid()
    is_free = any(key == b"free" for key, _ in walls)
    tcp = 0 if is_free else CONNECT_TCP | BIND_TCP
    attributes = struct.pack("=QQQ", ALL_FILES, tcp, ABSTRACT_SOCKETS | SIGNALS)
    ruleset = call(
        libc.syscall(CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), 0), "ruleset"
    )
    for key, value in walls:
        if key in RIGHTS:
            add_path(ruleset, value, RIGHTS[key])
        elif key == b"port":
            rule = struct.pack("=QQ", CONNECT_TCP, int(value))
            call(libc.syscall(ADD_RULE, ruleset, NET_PORT, rule, 0), "port")
    for key, value in walls:
        if key == b"user":
            os.setgroups([])
            os.setresgid(int(value), int(value), int(value))
            os.setresuid(int(value), int(value), int(value))
            # A change of the user undoes it.
            call(libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0), "death signal")
        elif key == b"bare":
            give_up_capabilities()
    if os.getppid() != keeper:
        os._exit(127)
    call(libc.prctl(PR_CAP_AMBIENT, CLEAR_ALL, 0, 0, 0), "capabilities")
    call(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")
    call(libc.syscall(RESTRICT_SELF, ruleset, 0), "restrict")
    os.close(ruleset)
    for key, value in walls:
        if key == b"filter":
            load_filter(bytes.fromhex(value.decode()))


def give_up_capabilities() -> None:
    """Be root in name only, also after every exec."""
    with open("/proc/sys/kernel/cap_last_cap", "rb") as file:  # noqa: PTH123  # see the warden
        last = int(file.read())
    for capability in range(last + 1):
        call(libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0), "capabilities")
    call(libc.prctl(PR_SET_SECUREBITS, NO_ROOT, 0, 0, 0), "securebits")
    head = struct.pack("=Ii", CAPABILITY_VERSION, 0)
    call(libc.capset(head, bytes(24)), "capset")


def add_path(ruleset: int, path: bytes, rights: int) -> None:
    """Allow rights at a path and below; what is not there needs none."""
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return
    try:
        if not os.path.isdir(b"/proc/self/fd/%d" % place):  # noqa: PTH112
            rights &= OF_A_FILE
        rule = struct.pack("=Qi", rights, place)
        call(libc.syscall(ADD_RULE, ruleset, PATH_BENEATH, rule, 0), os.fsdecode(path))
    finally:
        os.close(place)


def load_filter(program: bytes) -> None:
    """Hand a filter of system calls to the kernel."""
    held = ctypes.create_string_buffer(program, len(program))
    head = struct.pack("@HP", len(program) // 8, ctypes.addressof(held))
    call(libc.prctl(PR_SET_SECCOMP, FILTER_MODE, head, 0, 0), "seccomp")


def become(command: list[str]) -> None:
    """Execute the command, looked for in PATH.

    By hand: ``os.execvp`` imports a module for it, which behind the walls cannot be read.
    """
    last: OSError = FileNotFoundError(errno.ENOENT, "not found on PATH")
    has_place = "/" in command[0]
    for folder in ("",) if has_place else os.environ.get("PATH", os.defpath).split(":"):
        try:
            os.execv(f"{folder}/{command[0]}" if folder else command[0], command)  # noqa: S606
        except (FileNotFoundError, NotADirectoryError) as error:
            last = error if has_place else last
        except OSError as error:
            last = error
    raise last


def main() -> None:
    """Read the walls, put them up, become the command."""
    walls, command = int(sys.argv[1]), sys.argv[3:]
    what = "the sandbox"
    try:
        with open(walls, "rb") as file:
            fields = file.read().split(b"\0")[:-1]
        wall_in(list(zip(fields[::2], fields[1::2], strict=True)))
        # Python ignores these two, and what is ignored stays ignored across exec.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        what = command[0]
        become(command)
    except OSError as error:
        os.write(2, f"{what}: {error}\n".encode("utf-8", "surrogateescape"))
    finally:
        os._exit(127)


if __name__ == "__main__":
    main()
